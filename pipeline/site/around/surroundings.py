"""Owns what the pages around one need to be found by: sessions by their id, pages of a kind, pages of a kind by tag.

It is made once for a library, in linear time, so that no page has to look through all the others. Knows no HTML.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.draft import FOLDERS
from pipeline.site.hubs.names import names_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.site.facts import Facts
    from pipeline.site.hubs.names import Names
    from pipeline.site.library import Library

_MOST_KIN: Final = 16
"""Pages that are looked at for each tag; the newest."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around the pages of a library, by path; empty where only one page is at hand.

    `session_pages` go by project and session id. `kin` are the newest pages of a project and kind that are current,
    `by_tag` those of them with a tag. `names` tell where the site's own lists stand.
    """

    session_pages: Mapping[tuple[str, str], str] = field(default_factory=dict)
    kin: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    by_tag: Mapping[tuple[str, str, str], tuple[str, ...]] = field(default_factory=dict)
    names: Names | None = None

    def session_page(self, project: str, session_id: str) -> str:
        """Give the path of a session's page, or nothing."""
        return self.session_pages.get((project, session_id), "")


def survey(library: Library) -> Surroundings:
    """Look around in a library."""
    if not library.whole:
        return Surroundings()
    sessions: dict[tuple[str, str], str] = {}
    kin: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    by_tag: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for facts in _newest_first(library.pages.values()):
        if facts.kind == FOLDERS["session"]:
            for session_id in facts.session_ids:
                sessions.setdefault((facts.project, session_id), facts.path)
        if facts.status == "deprecated" or not facts.kind:
            continue
        _add(kin[facts.project, facts.kind], facts)
        for tag in dict.fromkeys(facts.tags):
            _add(by_tag[facts.project, facts.kind, tag], facts)
    return Surroundings(
        sessions,
        {key: tuple(found) for key, found in kin.items()},
        {key: tuple(found) for key, found in by_tag.items()},
        names_of(library),
    )


def _newest_first(pages: Iterable[Facts]) -> list[Facts]:
    by_path = sorted(pages, key=lambda one: one.path)
    return sorted(by_path, key=lambda one: one.changed_on, reverse=True)


def _add(pages: list[str], facts: Facts) -> None:
    if len(pages) < _MOST_KIN:
        pages.append(facts.path)
