"""Owns the health endpoint: one address on this machine alone that says whether all is well; knows no scheduler.

It answers `GET /healthz` and nothing else, and only under a name of this machine, so that no web page can ask it.
"""

from __future__ import annotations

import http.server
import json
import socket
import socketserver
import threading
from collections.abc import Callable, Mapping
from contextlib import contextmanager, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

LOOPBACK: Final = "127.0.0.1"
PATH: Final = "/healthz"
SECONDS: Final = 5.0
"""How long a caller may take to say what it wants."""
AT_ONCE: Final = 16
"""Callers that are heard at a time."""

Request = socket.socket | tuple[bytes, socket.socket]
Look = Callable[[], tuple[bool, Mapping[str, object]]]
"""Whether all is well, and what is shown of it."""


@contextmanager
def health_endpoint(port: int, look: Look) -> Iterator[str]:
    """Answer on a port of this machine while the block runs; 0 takes any that is free. Gives the address."""
    try:
        server = _Server((LOOPBACK, port), look)
    except OSError as fault:
        raise ConfigError(
            f"{LOOPBACK}:{port} cannot be used: {fault.strerror}.",
            where="--health-port",
            next_step="Name another port, or 0 for any that is free.",
        ) from None
    thread = threading.Thread(target=server.serve_forever, args=(0.1,), name="health", daemon=True)
    thread.start()
    try:
        yield f"http://{LOOPBACK}:{server.server_address[1]}{PATH}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    """Not `http.server.HTTPServer`, which asks the network for the name of its address."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = True

    def __init__(self, address: tuple[str, int], look: Look) -> None:
        self.look = look
        self._places = threading.BoundedSemaphore(AT_ONCE)
        super().__init__(address, _Handler)

    def process_request(self, request: Request, client_address: object) -> None:
        """Answer in a thread while there are few; others are hung up on, for a run needs open files as well."""
        if self._places.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(self, request: Request, client_address: object) -> None:
        """Answer, and take no longer than that, however slowly a caller says what it wants."""
        end = threading.Timer(SECONDS, _hang_up, (request,))
        end.daemon = True
        end.start()
        try:
            super().process_request_thread(request, client_address)
        finally:
            end.cancel()
            self._places.release()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of callers that hang up."""


def _hang_up(request: Request) -> None:
    """End a connection from another thread: whoever waits for more of it is woken, and closes it."""
    if isinstance(request, socket.socket):
        with suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: _Server
    timeout = SECONDS
    error_content_type = "application/json"
    error_message_format = '{"error": %(code)d}\n'

    def do_GET(self) -> None:
        """Answer."""
        hosts = {f"{name}:{self.server.server_address[1]}" for name in (LOOPBACK, "localhost")}
        if self.headers.get_all("Host", []) not in [[host] for host in hosts]:
            self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
            return
        if self.requestline.split()[1] != PATH:  # `path` has lost a second slash at its beginning
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        well, shown = self.server.look()
        body = json.dumps(shown, ensure_ascii=True, indent=2).encode() + b"\n"
        self.send_response(HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def version_string(self) -> str:
        """Name the program, and no version."""
        return "wikimill"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the library's own name
        """Say nothing: whoever asks every few seconds would fill the log."""
