"""Owns a fake of an OpenAI-compatible endpoint over real HTTP on this machine; knows no model and no prompt.

A script decides for each call what happens; every request is recorded. `close` ends its threads and connections.
"""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, ClassVar, Self

from tests.endpoint.exchange import Call, Exchange, Gone

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType

    from tests.endpoint.exchange import Script

_POLL = 0.02
"""Seconds between two looks at whether the endpoint is being closed."""


@dataclass(slots=True)
class Endpoint:
    """A server on a free port of 127.0.0.1, with or without `/v1` before its paths; use it as a context manager.

    `script` may be replaced while it runs. `models` are the entries that `GET /v1/models` lists; `listing` answers
    that request instead, when given. An error inside a script comes out of `close`.
    """

    script: Script
    models: tuple[Mapping[str, Any], ...] = ({"id": "small"},)
    listing: Script | None = None
    requests: list[Call] = field(default_factory=list)
    """All requests, in the order in which they came."""
    most_at_once: int = 0
    """How many completions were under way at the same time, at most."""
    errors: list[Exception] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _under_way: list[Call] = field(default_factory=list)
    _opened: float = field(default_factory=time.monotonic)
    _server: _Server = field(init=False)
    _thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """The base address that a client is configured with."""
        return f"http://127.0.0.1:{self._server.server_port}/v1"

    @property
    def port(self) -> int:
        return self._server.server_port

    @property
    def calls(self) -> list[Call]:
        """The requests for a completion."""
        return [call for call in self.requests if call.number]

    @property
    def characters_sent(self) -> int:
        """Unicode characters of all messages and schemas that came in."""
        return sum(call.characters for call in self.calls)

    def close(self) -> None:
        """End all connections and threads; raises the first error of a script."""
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        self._server.hang_up()
        if self.errors:
            raise self.errors[0]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            self.close()
        except Exception:
            if error is None:
                raise

    def serve(self, handler: _Handler, body: bytes) -> None:
        """Record a request and answer it as the script says."""
        path = handler.path.partition("?")[0].removeprefix("/v1")
        wanted = handler.command == "POST" and path == "/chat/completions"
        with self._lock:
            call = Call(
                number=len(self.calls) + 1 if wanted else 0,
                at=time.monotonic() - self._opened,
                method=handler.command,
                path=handler.path,
                headers={name.lower(): value for name, value in handler.headers.items()},
                body=_object(body),
                connection=handler.client_address[1],
            )
            self.requests.append(call)
            self._under_way += [call] * wanted
            self.most_at_once = max(self.most_at_once, len(self._under_way))
        exchange = Exchange(call, handler.connection, self.closing, lambda: self._finish(call))
        try:
            self._answer(call, exchange, path, wanted=wanted)
        except Gone:
            exchange.dropped = True
        finally:
            handler.close_connection |= exchange.dropped
            self._finish(call)

    def _finish(self, call: Call) -> None:
        with self._lock:
            if call.seconds is None:
                call.seconds = time.monotonic() - self._opened - call.at
            self._under_way = [one for one in self._under_way if one is not call]

    def _answer(self, call: Call, exchange: Exchange, path: str, *, wanted: bool) -> None:
        try:
            if wanted:
                self.script(call).play(exchange)
            elif call.method == "GET" and path == "/models":
                self._list(call, exchange)
            else:
                exchange.reply(404, b'{"error": {"message": "Not Found", "code": 404}}', {})
        except Gone:
            raise
        except Exception as error:  # noqa: BLE001  # whatever it is, the test is told when the endpoint closes
            self.errors.append(error)
            exchange.reply(500, b"the script of the endpoint is broken", {"Content-Type": "text/plain"})

    def _list(self, call: Call, exchange: Exchange) -> None:
        if self.listing:
            self.listing(call).play(exchange)
            return
        entries = [{"object": "model", "created": 1_700_000_000, "owned_by": "tests", **one} for one in self.models]
        exchange.reply(200, json.dumps({"object": "list", "data": entries}).encode(), {})


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm: ClassVar[bool] = True
    server: _Server

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, *_: object) -> None:
        """Say nothing: what came in is recorded."""

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.endpoint.serve(self, body)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.endpoint = endpoint
        self._open: set[socket.socket] = set()
        self._changed = threading.Condition()

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        with self._changed:
            if isinstance(request, socket.socket):
                self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        super().shutdown_request(request)
        with self._changed:
            if isinstance(request, socket.socket):
                self._open.discard(request)
            self._changed.notify_all()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a client that hung up; any other error comes out when the endpoint closes."""
        error = sys.exception()
        if isinstance(error, Exception) and not isinstance(error, OSError):
            self.endpoint.errors.append(error)

    def hang_up(self) -> None:
        """Shut the connections that clients keep open, and wait until their threads are done."""
        with self._changed:
            for connection in self._open:
                try:
                    connection.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue
            self._changed.wait_for(lambda: not self._open, timeout=5)


def _object(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
