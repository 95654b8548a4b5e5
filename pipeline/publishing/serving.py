"""Owns the story of a site that is shown on this machine: built apart from the repository, anew on every change.

A page that stands open in a browser is loaded again after a build. Knows no HTML but the one line that does that.
"""

from __future__ import annotations

import errno
import functools
import http.server
import os
import socket
import tempfile
import threading
import webbrowser
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.config import FILE_NAME, read_settings
from pipeline.errors import ConfigError, WikimillError
from pipeline.publishing.building import Wish, build_site, check_sources
from pipeline.reading.template import CONFIGURATION, THEME
from pipeline.settings.address import is_loopback

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from datetime import datetime
    from typing import BinaryIO

    from pipeline.config import Settings
    from pipeline.publishing.building import Built

INTERVAL: Final = 0.5
"""Seconds between two looks at the files."""
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


@dataclass(frozen=True, slots=True)
class Stage:
    """What serving needs of the world: where to listen, the clock, a way to wait, and whom to tell."""

    host: str
    port: int
    environment: Mapping[str, str]
    clock: Callable[[], datetime]
    pause: Callable[[float], None]
    tell: Callable[[str], None]
    open_browser: bool = False

    @property
    def address(self) -> str:
        """Where the site stands."""
        return f"http://{_named(self.host)}:{self.port}/"


def serve_site(root: Path, stage: Stage) -> None:
    """Serve the site of the wiki repository `root` until interrupted; nothing is written into the repository."""
    check_sources(root, read_settings(root))
    _check_free(stage.host, stage.port)
    with tempfile.TemporaryDirectory(prefix="wikimill-site-", ignore_cleanup_errors=True) as scratch:
        shown = _Shown(Path(scratch) / "site", stage.host)
        with _listening(stage, shown) as begin:
            try:
                seen = _stamps(root)
                _tell(stage, _build(root, Path(scratch), stage))
                begin()
                if stage.open_browser:
                    webbrowser.open(stage.address)
                _follow(root, Path(scratch), stage, shown, seen)
            except KeyboardInterrupt:
                return


class _Shown:
    """What is shown: a folder, the host that it is shown at, and the number of its build."""

    def __init__(self, folder: Path, host: str) -> None:
        self.folder = folder
        self.host = host
        self.build = 1


def _follow(root: Path, scratch: Path, stage: Stage, shown: _Shown, seen: Mapping[str, tuple[int, int]]) -> None:
    """Build whenever a file changes; a build that fails is told, and the site before it stays."""
    while True:
        stage.pause(INTERVAL)
        now = _stamps(root)
        if now == seen:
            continue
        seen = now
        try:
            _tell(stage, _build(root, scratch, stage))
            shown.build += 1
        except WikimillError as error:
            stage.tell(str(error))


def _build(root: Path, scratch: Path, stage: Stage) -> Built:
    wish = Wish(strict=False, output=scratch / "site", state=scratch / "state", site_url=stage.address)
    settings = read_settings(root)
    return build_site(root, settings, now=stage.clock(), environment=stage.environment, wish=wish)


def _tell(stage: Stage, built: Built) -> None:
    for finding in built.findings:
        if finding.severity != "note":
            stage.tell(str(finding))
    stage.tell(f"Built {built.pages:,} pages, {built.rendered:,} of them rendered; they stand at {stage.address}")


def _stamps(root: Path) -> dict[str, tuple[int, int]]:
    """Tell how all files stand that the site is made from."""
    settings = _settings_or_none(root)
    folders = (settings.wiki.pages, settings.wiki.observations) if settings else ()
    found: dict[str, tuple[int, int]] = {}
    for name in (CONFIGURATION, FILE_NAME):
        _note(root / name, found)
    for folder in (THEME, *folders):
        for above, inner, names in os.walk(root / folder):
            inner.sort()
            for name in names:
                _note(Path(above) / name, found)
    return found


def _settings_or_none(root: Path) -> Settings | None:
    try:
        return read_settings(root)
    except ConfigError:
        return None


def _note(file: Path, found: dict[str, tuple[int, int]]) -> None:
    try:
        told = file.stat()
    except OSError:
        return
    found[str(file)] = (told.st_mtime_ns, told.st_size)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


class _Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the folder as a static host would, its 404 page included, and tells nobody about it."""

    def __init__(self, *arguments: object, shown: _Shown) -> None:
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
def _listening(stage: Stage, shown: _Shown) -> Iterator[Callable[[], None]]:
    """Listen; requests wait until the function that is given is called."""
    family = socket.getaddrinfo(stage.host, stage.port, type=socket.SOCK_STREAM)[0][0]
    kind = type("_ServerOfFamily", (_Server,), {"address_family": family})
    with kind((stage.host, stage.port), functools.partial(_Handler, shown=shown)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        try:
            yield thread.start
        finally:
            if thread.is_alive():
                server.shutdown()
                thread.join()


def _named(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _check_free(host: str, port: int) -> None:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError) as fault:
        no_such_host = isinstance(fault, socket.gaierror) or getattr(fault, "errno", 0) == errno.EADDRNOTAVAIL
        raise ConfigError(
            f"cannot be used: {getattr(fault, 'strerror', None) or fault}.",
            where=f"{_named(host)}:{port}",
            next_step=f"Name another {'address with `--host`' if no_such_host else 'port with `--port`'}.",
        ) from None
