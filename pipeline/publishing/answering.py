"""Owns the server that shows a site to this machine, and loads a page that stands open again after a build.

Knows no build: it shows a folder, and tells the number of what stands in it. Knows no HTML but one line.
"""

from __future__ import annotations

import errno
import functools
import http.server
import socket
import threading
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.errors import ConfigError
from pipeline.settings.address import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

_OURS: Final = "/.wikimill/"
_SCRIPT: Final = b"""\
const ask = async () => (await fetch("/.wikimill/build", { cache: "no-store" })).text();
let seen = "";
setInterval(async () => {
  try {
    const now = await ask();
    if (seen && now !== seen) location.reload();
    seen = now;
  } catch {
    // The server went; it may come back.
  }
}, 1000);
"""
_LOADED: Final = b'<script src="/.wikimill/reload.js" defer></script></body>'


class Shown:
    """What is shown: a folder, the host that it is shown at, and the number of its build."""

    def __init__(self, folder: Path, host: str) -> None:
        self.folder = folder
        self.host = host
        self.build = 1


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the folder as a static host would, its 404 page included, and tells nobody about it."""

    def __init__(self, *arguments: object, shown: Shown) -> None:
        self._shown = shown
        super().__init__(*arguments, directory=str(shown.folder))  # type: ignore[arg-type]  # as the server gives them

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def send_head(self) -> BinaryIO | BytesIO | None:
        if not is_meant(self.headers.get("Host", ""), self._shown.host):
            return self._give(b"This site is served to this machine alone.\n", "text/plain", code=403)
        try:
            return self._found()
        except (OSError, ValueError):
            # A name that no file can have, or a file that went while it was looked for.
            return self._missing()

    def _found(self) -> BinaryIO | BytesIO | None:
        asked = self.path.partition("?")[0]
        if asked == f"{_OURS}reload.js":
            return self._give(_SCRIPT, "text/javascript; charset=utf-8")
        if asked == f"{_OURS}build":
            return self._give(b"%d" % self._shown.build, "text/plain")
        place = Path(self.translate_path(self.path))
        if place.is_dir():
            if not asked.endswith("/"):
                return super().send_head()  # which leads to the folder
            place /= "index.html"
        if not place.is_file():
            return self._missing()
        if place.suffix == ".html":
            return self._give(_with_script(place.read_bytes()), "text/html; charset=utf-8")
        return super().send_head()

    def _missing(self) -> BytesIO:
        page = self._shown.folder / "404.html"
        body = _with_script(page.read_bytes()) if page.is_file() else b"not found"
        return self._give(body, "text/html; charset=utf-8", code=404)

    def _give(self, body: bytes, kind: str, *, code: int = 200) -> BytesIO:
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return BytesIO(body)


def is_meant(asked: str, host: str) -> bool:
    """Whether a request names the host that is served.

    A page from elsewhere can have a name of its own lead to this machine, and so read what is served to it alone.
    """
    if not is_loopback(host):
        return True
    try:
        name = urlsplit(f"//{asked}").hostname or ""
    except ValueError:
        return False
    return name == host.lower() or is_loopback(name)


def _with_script(html: bytes) -> bytes:
    head, found, rest = html.rpartition(b"</body>")
    return head + _LOADED + rest if found else html


@contextmanager
def listening(shown: Shown, port: int) -> Iterator[Callable[[], None]]:
    """Listen; requests wait until the function that is given is called."""
    family = socket.getaddrinfo(shown.host, port, type=socket.SOCK_STREAM)[0][0]
    kind = type("_ServerOfFamily", (_Server,), {"address_family": family})
    with kind((shown.host, port), functools.partial(_Handler, shown=shown)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        try:
            yield thread.start
        finally:
            if thread.is_alive():
                server.shutdown()
                thread.join()


def named(host: str) -> str:
    """Write a host as addresses have it."""
    return f"[{host}]" if ":" in host else host


def check_free(host: str, port: int) -> None:
    """Raise a `ConfigError` where nobody can listen there."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError) as fault:
        no_such_host = isinstance(fault, socket.gaierror) or getattr(fault, "errno", 0) == errno.EADDRNOTAVAIL
        raise ConfigError(
            f"cannot be used: {getattr(fault, 'strerror', None) or fault}.",
            where=f"{named(host)}:{port}",
            next_step=f"Name another {'address with `--host`' if no_such_host else 'port with `--port`'}.",
        ) from None
