"""Owns which folder a site may stand in: none that holds what a build did not make. Changes nothing on disk.

A build replaces its whole folder, so whatever else lies in it would be lost without a word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.errors import ConfigError
from pipeline.reading.remembered import stamp_of
from pipeline.reading.template import THEME
from pipeline.site.looking import shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.reading.remembered import Kept

_ENTRY: Final = "404.html"
"""What every site has that a generator made, for us or alone."""
_BESIDE: Final = ("kb/redirects.json", "sitemap.xml")
"""Of these it has one at least."""
_NEVER_OURS: Final = frozenset({"CNAME"})
"""What hosts read at the top of a site, and no build makes; and so is all that begins with a dot."""
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
    is_site = (place / _ENTRY).is_file() and any((place / file).is_file() for file in _BESIDE)
    if names and not is_site:
        raise ConfigError(
            "holds files that no build made, and a build replaces the folder.",
            where=str(place),
            next_step="Name an empty folder, or remove this one.",
        )
    _refuse(place, [name for name in names if name.startswith(".") or name in _NEVER_OURS])


def check_contents(place: Path, made: Mapping[str, Kept]) -> None:
    """Refuse a place that holds files or folders beside those that the last build made there, which are `made`.

    Where a generator alone built a site since, its files are no one's work either.
    """
    if _ENTRY not in made or made[_ENTRY].stamp != stamp_of(place / _ENTRY):
        return
    known = {path.partition("/")[0] for path in made}
    _refuse(place, [entry.name for entry in place.iterdir() if entry.name not in known] if place.is_dir() else [])


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
