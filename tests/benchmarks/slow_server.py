"""A server as a phone sees one: answers come late, slowly and compressed. It keeps what it sent."""

from __future__ import annotations

import contextlib
import gzip
import http.server
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LATENCY = 0.15
"""Seconds before an answer begins."""
RATE = 1_600_000 / 8
"""Bytes a second, for all answers together."""
_PIECE = 4_000
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".wasm": "application/wasm",
}


@dataclass
class SlowServer:
    """Serves a folder; `slow` makes it so. Browsers throttle their pages, but not their workers."""

    folder: Path
    slow: bool = False
    address: str = ""
    sent: list[tuple[str, int, int]] = field(default_factory=list)
    """Of each answer its path, and its bytes raw and as they went over the line."""
    packed: dict[Path, bytes] = field(default_factory=dict)
    line: threading.Lock = field(default_factory=threading.Lock)

    def read(self, path: Path) -> tuple[bytes, int]:
        raw = path.read_bytes()
        if path not in self.packed:
            self.packed[path] = gzip.compress(raw, 6)
        return self.packed[path], len(raw)

    def bytes_sent(self, below: tuple[str, ...]) -> tuple[int, int]:
        counted = [(raw, small) for path, raw, small in self.sent if path.startswith(below)]
        return sum(raw for raw, _ in counted), sum(small for _, small in counted)

    @contextlib.contextmanager
    def serving(self) -> Iterator[SlowServer]:
        owner = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                return

            def do_GET(self) -> None:
                path = owner.folder / self.path.split("?")[0].lstrip("/")
                path = path / "index.html" if path.is_dir() else path
                if owner.slow:
                    time.sleep(LATENCY)
                if not path.is_file():
                    self.send_error(404)
                    return
                body, raw = owner.read(path)
                owner.sent.append((self.path, raw, len(body)))
                self.send_response(200)
                self.send_header("Content-Type", _TYPES.get(path.suffix, "application/octet-stream"))
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                for start in range(0, len(body), _PIECE):
                    piece = body[start : start + _PIECE]
                    if owner.slow:
                        with owner.line:
                            time.sleep(len(piece) / RATE)
                    self.wfile.write(piece)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_: object) -> None:
                return  # a browser that was closed

        with Server(("127.0.0.1", 0), Handler) as server:
            self.address = f"http://127.0.0.1:{server.server_address[1]}/"
            thread = threading.Thread(target=server.serve_forever, daemon=True)
            thread.start()
            try:
                yield self
            finally:
                server.shutdown()
                thread.join()
