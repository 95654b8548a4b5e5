"""Owns which folder a site may stand in: none that holds what a build did not make. Changes nothing on disk.

A build replaces its whole folder, so whatever else lies in it would be lost without a word.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pipeline.errors import ConfigError
from pipeline.reading.remembered import stamp_of
from pipeline.reading.template import THEME
from pipeline.site.looking import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from pipeline.config import Settings
    from pipeline.reading.remembered import Kept

_ENTRY: Final = "404.html"
MARK: Final = "assets/wikimill.css"
"""What, with it, every site of a wiki has that a generator made, for us or alone; and no other site."""
_NEVER_OURS: Final = frozenset({"CNAME"})
"""What hosts read at the top of a site, and no build makes; and so is all that begins with a dot."""
_LEFT_BEHIND: Final = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What desktops leave in every folder that somebody looked into."""
_PAGES: Final = (".html", ".md")
_FOLDERS: Final = frozenset({"assets", "feeds", "find", "kb", "search"})
_GENERATED: Final = frozenset({"objects.inv", "search.json", "sitemap.xml", "sitemap.xml.gz"})
_NAMED: Final = 3


def place_of_site(wanted: Path) -> Path:
    """Give the folder itself where a link leads to it, so that whoever serves that folder gets the new site."""
    return wanted.resolve() if wanted.is_symlink() else wanted


def check_place(root: Path, settings: Settings, place: Path) -> None:
    """Refuse a place that holds what a site is made from, or that no build made. Raises `ConfigError`."""
    within = place.resolve()
    if within == root.resolve() or within in root.resolve().parents:
        raise ConfigError("would replace the repository itself.", where=str(place))
    sources = (THEME, settings.wiki.pages, settings.wiki.observations, settings.wiki.prompts, ".git", ".wikimill")
    for source in ((root / name).resolve() for name in sources):
        if within.is_relative_to(source) or source.is_relative_to(within):
            raise ConfigError("holds what the site is made from; name another folder.", where=str(place))
    if place.exists() and not place.is_dir():
        raise ConfigError("is no folder, and a build makes one.", where=str(place), next_step="Name a folder.")
    names = [entry.name for entry in place.iterdir()] if place.is_dir() else []
    is_site = (place / _ENTRY).is_file() and (place / MARK).is_file()
    if names and not is_site and set(names) - _LEFT_BEHIND:
        raise ConfigError(
            "holds files that no build made, and a build replaces the folder.",
            where=str(place),
            next_step="Name an empty folder, or remove this one.",
        )
    hidden = (name for name in names if name.startswith(".") and name not in _LEFT_BEHIND)
    _refuse(place, [*hidden, *(name for name in _NEVER_OURS if (place / name).is_file())])


def check_contents(place: Path, made: Mapping[str, Kept]) -> bool:
    """Refuse a place that holds files beside those that the last build made there, which are `made`, by their paths.

    Gives False where that cannot be told, because something else built a site there since.
    """
    if _ENTRY not in made or made[_ENTRY].stamp != stamp_of(place / _ENTRY):
        return False
    _refuse(place, [path for path in _files(place) if path not in made])
    return True


def check_unknown(place: Path, fresh: Collection[str]) -> None:
    """Refuse a place of which is not known what was built there, and that holds what no generator makes.

    That are files that the `fresh` site, given by its paths, does not have, and that are no pages, no Markdown of
    pages, and nothing in a folder that a site keeps its own files in.
    """
    foreign = [path for path in _files(place) if path not in fresh and path not in _GENERATED]
    _refuse(place, [one for one in foreign if not one.endswith(_PAGES) and one.partition("/")[0] not in _FOLDERS])


def _files(place: Path) -> Iterator[str]:
    """Give the paths of all files below a folder, but for what desktops leave behind."""
    for above, folders, names in os.walk(place):
        folders.sort()
        start = Path(above).relative_to(place).as_posix()
        links = [name for name in folders if (Path(above) / name).is_symlink()]
        yield from (
            name if start == "." else f"{start}/{name}" for name in (*names, *links) if name not in _LEFT_BEHIND
        )


def _refuse(place: Path, foreign: list[str]) -> None:
    if not foreign:
        return
    told = ", ".join(f"'{shown(name)}'" for name in sorted(foreign)[:_NAMED])
    more = f" and {len(foreign) - _NAMED} more" if len(foreign) > _NAMED else ""
    raise ConfigError(
        f"holds {told}{more}, which no build made, and a build replaces the folder.",
        where=str(place),
        next_step="Move that away, or build into another folder and copy the site from there.",
    )
