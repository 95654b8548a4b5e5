"""Owns the one door to the site generator: builds the site, and serves it while pages change.

The generator runs as a process of its own, so that its state, its plugins and its failures stay there. A build
goes to a folder beside the output and takes its place only when it is whole.
"""

from __future__ import annotations

import errno
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ConfigError, StoreError, WikiError
from pipeline.finding import Finding
from pipeline.reading.published import check_published
from pipeline.reading.template import CONFIGURATION, THEME
from pipeline.reading.unreadable import unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping

OUTPUT = ".build/site"
PAGES = "wiki"

# Started without the current folder on the path: a wiki repository may hold a folder `pipeline` of its own. The
# package's own home comes last, for the case that wikimill runs without being installed.
_START = (
    "import sys; sys.path.append(sys.argv.pop(1)); from mkdocs.__main__ import cli; cli(prog_name='the site generator')"
)
_QUIET = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true", "PYTHONUTF8": "1"}
_CONTROL = re.compile(r"\x1b\[[0-9;]*[A-Za-z]|[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_TOLD = re.compile(r"(?P<level>WARNING|ERROR|CRITICAL) +-  ?(?P<message>.*)")
_PAGE = re.compile(r"(?:Doc file|page) '([^'\n]+)'")
_LINES = 12


@dataclass(frozen=True, slots=True)
class Built:
    """A site that was built: how many pages it has, where it stands, and what the generator warned of."""

    pages: int
    output: Path
    findings: tuple[Finding, ...] = ()


def build_site(
    root: Path,
    *,
    pages: str = PAGES,
    strict: bool = True,
    output: Path | None = None,
    environment: Mapping[str, str],
) -> Built:
    """Build the site of the wiki repository `root` into `output`, by default `.build/site` below it.

    `pages` is the folder of its pages; the generator's configuration must name the same.

    When it fails, which it does on every warning if `strict`, the site that stood there before stays.
    """
    place = root / (OUTPUT if output is None else output)
    _check(root, pages, place)
    broken = _unreadable_pages(root / pages)
    if strict and broken:
        told = "\n  ".join(str(finding) for finding in broken[:_LINES])
        raise WikiError(f"{len(broken)} page(s) cannot be published as they are:\n  {told}")
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".site-", dir=place.parent) as scratch:
            fresh = Path(scratch) / "site"
            told = _generate(root, fresh, strict=strict, environment=environment)
            made = sum(1 for page in fresh.rglob("*.html") if page != fresh / "404.html")
            _take_place(fresh, place, Path(scratch) / "former")
    except OSError as fault:
        raise StoreError(f"the site cannot be written: {fault.strerror}.", where=str(place)) from None
    return Built(made, place, (*broken, *_findings(told)))


def serve_site(  # noqa: PLR0913  # what a door may ask of a server
    root: Path,
    *,
    pages: str = PAGES,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: bool = False,
    environment: Mapping[str, str],
) -> None:
    """Serve the site on this machine until interrupted, built anew whenever a page changes."""
    _check(root, pages, None)
    _check_free(host, port)
    address = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    command = [*_command("serve", root), "--livereload", "--dev-addr", address, *(["--open"] if open_browser else [])]
    with subprocess.Popen(command, cwd=root, env={**environment, **_QUIET}) as process:
        try:
            code = process.wait()
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            return
    if code not in {0, 130, -2, -15}:
        raise StoreError("the site generator stopped.", where=CONFIGURATION, next_step="Read its last lines above.")


def _command(verb: str, root: Path) -> list[str]:
    home = str(Path(__file__).parents[2])
    return [sys.executable, "-P", "-c", _START, home, verb, "--config-file", str(root / CONFIGURATION)]


def _generate(root: Path, fresh: Path, *, strict: bool, environment: Mapping[str, str]) -> str:
    command = [*_command("build", root), "--site-dir", str(fresh), "--strict" if strict else "--no-strict"]
    done = subprocess.run(
        command,
        cwd=root,
        env={**environment, **_QUIET},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    told = _CONTROL.sub("", done.stdout.decode("utf-8", "replace").replace("\r\n", "\n"))
    if done.returncode != 0:
        raise _failure(told)
    return told


def _failure(told: str) -> ConfigError | StoreError:
    lines = [line for line in told.splitlines() if line.strip() and not line.startswith(("INFO", "DEBUG"))]
    last = "\n  ".join(lines[-_LINES:])
    if "Config value" in told or re.search("configuration (?:error|file)", told, re.IGNORECASE):
        return ConfigError(f"the site generator does not accept it:\n  {last}", where=CONFIGURATION)
    return StoreError(
        f"the site was not built; the generator said:\n  {last}\n", next_step="Mend the pages named, then build again."
    )


def _findings(told: str) -> tuple[Finding, ...]:
    found = []
    for line in told.splitlines():
        match = _TOLD.match(line)
        if match:
            page = _PAGE.search(match["message"])
            where = page.group(1) if page else CONFIGURATION
            found.append(Finding(where, "site-warning", "warning", match["message"]))
    return tuple(found)


def _unreadable_pages(folder: Path) -> tuple[Finding, ...]:
    found = []
    for page in sorted(folder.rglob("*.md")):
        path = page.relative_to(folder).as_posix()
        if not any(part.startswith(".") for part in path.split("/")) and page.is_file():
            finding = unreadable(path, page.read_bytes())
            found += [finding] if finding else []
    return tuple(found)


def _check(root: Path, pages: str, place: Path | None) -> None:
    """Refuse what would fail later, or would empty a folder that is no site."""
    if not (root / CONFIGURATION).is_file():
        raise ConfigError(
            "there is none.",
            where=str(root / CONFIGURATION),
            next_step="`wikimill init DIR` makes a repository with one.",
        )
    check_published(root, pages)
    if not (root / pages).is_dir():
        raise StoreError("there are no pages yet.", where=pages, next_step="`wikimill run` makes them.")
    if place is None:
        return
    within = place.resolve()
    if within == root.resolve() or within in root.resolve().parents:
        raise ConfigError("would replace the repository itself.", where=str(place))
    if within in {(root / name).resolve() for name in (THEME, pages, "observations", "prompts", ".git")}:
        raise ConfigError("holds what the site is made from; name another folder.", where=str(place))
    if place.is_dir() and any(place.iterdir()) and not (place / "404.html").is_file():
        raise ConfigError(
            "holds files that no build made, and a build replaces the folder.",
            where=str(place),
            next_step="Name an empty folder, or remove this one.",
        )


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
            where=f"{host}:{port}",
            next_step=f"Name another {'address with `--host`' if no_such_host else 'port with `--port`'}.",
        ) from None


def _take_place(fresh: Path, place: Path, former: Path) -> None:
    """Put the fresh site where the former one stands, which goes with the scratch folder."""
    if place.exists():
        place.rename(former)
    try:
        fresh.rename(place)
    except OSError:
        if former.exists():
            former.rename(place)
        raise
    shutil.rmtree(former, ignore_errors=True)
