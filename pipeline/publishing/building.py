"""Owns the story of one build: gather, derive, generate, assemble. Knows no HTML and no command line."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import ConfigError, StoreError, WikiError
from pipeline.publishing.gathering import Asked, gather, read_configuration
from pipeline.publishing.known_pages import KnownPages
from pipeline.publishing.making import Order, make_site
from pipeline.publishing.spreading import Spread
from pipeline.publishing.taking_place import MARK, check_place, place_of_site
from pipeline.reading.configuration import derived_configuration
from pipeline.reading.generator import DOCUMENTS, check_generator
from pipeline.reading.published import check_published
from pipeline.reading.template import CONFIGURATION
from pipeline.site.derive import derive
from pipeline.wiki.tree import Files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.finding import Finding

STATE: Final = ".wikimill/site"
"""The folder of what is remembered of builds, below the root and outside git."""
_OFFLINE: Final = "-offline"
_LINES: Final = 12
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
"""The time of every file in an archive: the same site gives the same archive."""


@dataclass(frozen=True, slots=True)
class Wish:
    """How a site is wanted.

    `strict` fails on everything that would lead readers nowhere; `full` renders every page anew; with `offline` the
    copy for reading without a server is made, beside the site, and an archive of it. `state` is where is remembered
    what was built, by default below the root; `site_url` is where the site is served, where that is known better than
    by the configuration.
    """

    strict: bool = True
    full: bool = False
    offline: bool = False
    output: Path | None = None
    state: Path | None = None
    site_url: str | None = None


@dataclass(frozen=True, slots=True)
class Built:
    """A site that was built: its pages, how many were rendered for it, where it stands, and what to mend.

    `archive` is the file that holds a copy for reading without a server, or None.
    """

    pages: int
    rendered: int
    output: Path
    findings: tuple[Finding, ...] = ()
    archive: Path | None = None

    @property
    def unchanged(self) -> int:
        """How many pages stand as they stood."""
        return self.pages - self.rendered


def build_site(
    root: Path, settings: Settings, *, now: datetime, environment: Mapping[str, str], wish: Wish | None = None
) -> Built:
    """Build the site of the wiki repository `root`. When that fails, the site that stood there before stays."""
    wish = wish or Wish()
    place = place_of_site(wish.output or root / settings.site.output)
    if wish.offline:
        place = place.with_name(place.name + _OFFLINE)
    state = wish.state or root / STATE
    check_sources(root, settings)
    check_place(root, settings, place)
    processors = _processors()
    each = Spread(processors)
    asked = Asked(now, environment, offline=wish.offline, site_url=wish.site_url)
    gathered = gather(root, settings, asked, KnownPages(state, f"{place.name}.pages", each))
    inputs, broken = gathered.inputs, gathered.broken
    if wish.strict and broken:
        told = "\n  ".join(str(finding) for finding in broken[:_LINES])
        raise WikiError(f"{len(broken)} page(s) cannot be published as they are:\n  {told}")
    derived = derive(inputs, gathered.library, each=each)
    configuration = derived_configuration(
        read_configuration(root), root=str(root), documents=DOCUMENTS, hubs=derived.hubs, site=inputs.site
    )
    order = Order(
        root,
        place,
        state,
        configuration,
        environment,
        apart=(settings.wiki.pages, settings.wiki.observations, settings.wiki.prompts, ".git", ".wikimill", ".build"),
        generator=settings.site.generator,
        strict=wish.strict,
        full=wish.full,
        processors=processors,
        each=each,
    )
    made = make_site(derived, inputs.site, order, Files(root / settings.wiki.pages).__getitem__)
    archive = _pack(place, place.with_name(f"{place.name.removesuffix(_OFFLINE)}.zip")) if wish.offline else None
    return Built(
        made.pages, made.rendered, place, tuple(sorted({*broken, *gathered.findings, *made.findings})), archive
    )


def check_sources(root: Path, settings: Settings) -> None:
    """Refuse what would fail later: a configuration or pages that are not there, a generator that is not installed."""
    if not (root / CONFIGURATION).is_file():
        raise ConfigError(
            "there is none.",
            where=str(root / CONFIGURATION),
            next_step="`wikimill init DIR` makes a repository with one.",
        )
    pages = settings.wiki.pages
    check_published(root, pages)
    check_generator(settings.site.generator)
    if not (root / pages).is_dir():
        raise StoreError("there are no pages yet.", where=pages, next_step="`wikimill run` makes them.")


def _processors() -> int:
    """Tell how many processors this process may use."""
    usable = getattr(os, "sched_getaffinity", None)
    return len(usable(0)) if usable else os.cpu_count() or 1


def _pack(folder: Path, archive: Path) -> Path:
    """Pack a folder into an archive; an older one of a site is replaced in one step, and nothing else is."""
    if archive.exists() and not _is_ours(archive):
        raise ConfigError(
            "is no archive that a build made, and this one would replace it.",
            where=str(archive),
            next_step="Move it away, or name another folder as `site.output`.",
        )
    near = archive.with_name(f".{archive.name}.new")
    try:
        with zipfile.ZipFile(near, "w", zipfile.ZIP_DEFLATED) as packed:
            for file in sorted(path for path in folder.rglob("*") if path.is_file()):
                entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), _EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                packed.writestr(entry, file.read_bytes())
        near.replace(archive)
    except OSError as fault:
        raise StoreError(f"the archive cannot be written: {fault.strerror}.", where=str(archive)) from None
    return archive


def _is_ours(archive: Path) -> bool:
    try:
        with zipfile.ZipFile(archive) as packed:
            return MARK in packed.namelist()
    except (OSError, zipfile.BadZipFile):
        return False
