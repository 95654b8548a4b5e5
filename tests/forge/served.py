"""Owns serving a double of a host over real HTTP on this machine: records what is asked, and fails as it is told."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from dataclasses import dataclass, field
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime
    from types import TracebackType

_POLL = 0.02
"""Seconds between two looks at whether the server is being closed."""


@dataclass
class Asked:
    """One request, and the status that it got; 0 when the connection was cut."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Any
    status: int = 0


@dataclass(frozen=True)
class Answer:
    """What is answered: JSON, or the bytes in `raw`."""

    status: int = 200
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None


@dataclass
class Fault:
    """What goes wrong with the next `times` requests whose method and path these are (empty: any; path: a part of it).

    With `after` the request takes effect first. `cut` ends the connection without an answer, `slow` waits so many
    seconds before it, else `answer` is given.
    """

    method: str = ""
    path: str = ""
    answer: Answer | None = None
    after: bool = False
    cut: bool = False
    slow: float = 0.0
    times: int = 1

    def holds_for(self, asked: Asked) -> bool:
        return self.method in {"", asked.method} and self.path in asked.path and self.times > 0


def html(status: int = 502, text: str = "<html><body>Bad gateway</body></html>") -> Answer:
    """Give the page that a proxy answers."""
    return Answer(status, raw=text.encode(), headers={"content-type": "text/html"})


class Served:
    """A server on a free port of 127.0.0.1 that answers by `handle`; a context manager."""

    def __init__(self, handle: Callable[[Asked], Answer], now: Callable[[], datetime]) -> None:
        self.handle, self.now = handle, now
        self.faults: list[Fault] = []
        self.requests: list[Asked] = []
        self.errors: list[Exception] = []
        self.lock = threading.RLock()
        self._closing = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(_POLL,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def count(self, method: str = "", path: str = "") -> int:
        """Count the requests whose method is this and whose path ends so."""
        return sum(method in {"", asked.method} and asked.path.endswith(path) for asked in self.requests)

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()
        for connection in list(self._server.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
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

    def answer(self, asked: Asked) -> Answer | None:
        """Answer a request; None is a cut connection."""
        with self.lock:
            self.requests.append(asked)
            fault = next((one for one in self.faults if one.holds_for(asked)), None)
            if fault is not None:
                fault.times -= 1
                if fault.times < 1:
                    self.faults.remove(fault)
            told = self._told(asked) if fault is None or fault.after or not (fault.cut or fault.answer) else None
        if fault is not None:
            self._closing.wait(fault.slow)
            if fault.cut:
                return None
            told = fault.answer or told
        asked.status = told.status if told else 0
        return told

    def _told(self, asked: Asked) -> Answer:
        try:
            return self.handle(asked)
        except Exception as error:  # noqa: BLE001  # it comes out when the server is closed
            self.errors.append(error)
            return Answer(500, {"message": repr(error)})


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, served: Served) -> None:
        self.served = served
        self.connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that hangs up is part of the game."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body in one piece: else the second waits for the client's delayed acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: _Server

    def setup(self) -> None:
        self.server.connections.add(self.request)
        super().setup()

    def finish(self) -> None:
        self.server.connections.discard(self.request)
        super().finish()

    def handle_any(self) -> None:
        parts = urlsplit(self.path)
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        asked = Asked(
            self.command,
            parts.path,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            json.loads(body) if body else None,
        )
        told = self.server.served.answer(asked)
        if told is None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        empty = told.status == 204 and told.raw is None
        content = b"" if empty else json.dumps(told.json).encode() if told.raw is None else told.raw
        self.send_response_only(told.status)
        named = {"content-type": "application/json", "date": format_datetime(self.server.served.now(), usegmt=True)}
        for name, value in {**named, **told.headers, "content-length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    do_GET = do_POST = do_PATCH = do_PUT = do_DELETE = handle_any  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""
