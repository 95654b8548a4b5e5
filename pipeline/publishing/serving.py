"""Owns the story of a site that is shown on this machine: built apart from the repository, anew on every change.

A page that stands open in a browser is loaded again after a build. Knows no HTML but the one line that does that.
"""

from __future__ import annotations

import os
import tempfile
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pipeline.config import FILE_NAME, read_settings
from pipeline.errors import ConfigError, WikimillError
from pipeline.publishing.answering import Shown, check_free, listening, named
from pipeline.publishing.building import Wish, build_site, check_sources
from pipeline.reading.template import CONFIGURATION, THEME

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from pipeline.config import Settings
    from pipeline.publishing.building import Built

INTERVAL: Final = 0.5
"""Seconds between two looks at the files."""


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
        return f"http://{named(self.host)}:{self.port}/"


def serve_site(root: Path, stage: Stage) -> None:
    """Serve the site of the wiki repository `root` until interrupted; nothing is written into the repository."""
    check_sources(root, read_settings(root))
    check_free(stage.host, stage.port)
    with tempfile.TemporaryDirectory(prefix="wikimill-site-", ignore_cleanup_errors=True) as scratch:
        shown = Shown(Path(scratch) / "site", stage.host)
        with listening(shown, stage.port) as begin:
            try:
                seen = _stamps(root)
                _tell(stage, _build(root, Path(scratch), stage))
                begin()
                if stage.open_browser:
                    webbrowser.open(stage.address)
                _follow(root, Path(scratch), stage, shown, seen)
            except KeyboardInterrupt:
                return


def _follow(root: Path, scratch: Path, stage: Stage, shown: Shown, seen: Mapping[str, tuple[int, int]]) -> None:
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
