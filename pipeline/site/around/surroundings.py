"""Owns what the pages around one need to be found by: sessions by their id, pages by session, by kind and by tag.

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
    from pipeline.site.values import Quoted

_MOST_KIN: Final = 16
"""Pages that are looked at for each tag and each session; the newest."""
_SESSIONS: Final = FOLDERS["session"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around the pages of a library, by path; empty where only one page is at hand.

    `session_pages` go by project and session id. `kin` are the newest pages of a project and kind that are current,
    `by_tag` those of them with a tag, `by_session` those of a session. `made` are all pages of a project that rest on
    a session, but for its own page, the newest first. `names` tell where the site's own lists stand.
    """

    session_pages: Mapping[tuple[str, str], str] = field(default_factory=dict)
    made: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    sessions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The ids of the sessions that each page rests on; those that it names itself first."""
    kin: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    by_tag: Mapping[tuple[str, str, str], tuple[str, ...]] = field(default_factory=dict)
    by_session: Mapping[tuple[str, str, str], tuple[str, ...]] = field(default_factory=dict)
    names: Names | None = None

    def session_page(self, project: str, session_id: str) -> str:
        """Give the path of a session's page, or nothing."""
        return self.session_pages.get((project, session_id), "")

    def pages_of_sessions(self, facts: Facts) -> tuple[str, ...]:
        """Give the pages of the sessions that a page rests on, each once; none on a session's own page."""
        if facts.kind == _SESSIONS:
            return ()
        found = (self.session_page(facts.project, one) for one in self.sessions.get(facts.path, ()))
        return tuple(dict.fromkeys(path for path in found if path))

    def made_in(self, facts: Facts) -> tuple[str, ...]:
        """Give the pages that rest on the sessions that a page is about, each once; none for other pages."""
        if facts.kind != _SESSIONS:
            return ()
        found = (self.made.get((facts.project, one), ()) for one in facts.session_ids)
        return tuple(dict.fromkeys(path for paths in found for path in paths))


def sessions_of(facts: Facts, quoted: Mapping[str, Quoted]) -> tuple[str, ...]:
    """Give the ids of the sessions that a page names, and of those in which its observations were made."""
    return tuple(dict.fromkeys((*facts.session_ids, *(one.session_id for one in quoted.values()))))


def session_pages(library: Library) -> dict[tuple[str, str], str]:
    """Give the page of each session, by project and session id; of two pages the newer one."""
    pages = (facts for facts in library.pages.values() if facts.kind == _SESSIONS and facts.session_ids)
    found: dict[tuple[str, str], str] = {}
    for facts in _newest_first(pages):
        for session_id in facts.session_ids:
            found.setdefault((facts.project, session_id), facts.path)
    return found


def survey(library: Library, quoted: Mapping[tuple[str, str], Quoted] | None = None) -> Surroundings:
    """Look around in a library; `quoted` are the observations behind its footnotes, by page and label."""
    if not library.whole:
        return Surroundings()
    sessions = {path: dict.fromkeys(facts.session_ids) for path, facts in library.pages.items()}
    for (path, _), one in (quoted or {}).items():
        if path in sessions:
            sessions[path][one.session_id] = None
    made: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    kin: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    by_tag: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    by_session: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for facts in _newest_first(library.pages.values()):
        if facts.kind != _SESSIONS:
            for session_id in sessions[facts.path]:
                made[facts.project, session_id].append(facts.path)
        if facts.status == "deprecated" or not facts.kind:
            continue
        _add(kin[facts.project, facts.kind], facts)
        for tag in dict.fromkeys(facts.tags):
            _add(by_tag[facts.project, facts.kind, tag], facts)
        for session_id in sessions[facts.path]:
            _add(by_session[facts.project, facts.kind, session_id], facts)
    return Surroundings(
        session_pages=session_pages(library),
        made={key: tuple(found) for key, found in made.items()},
        sessions={path: tuple(found) for path, found in sessions.items()},
        kin={key: tuple(found) for key, found in kin.items()},
        by_tag={key: tuple(found) for key, found in by_tag.items()},
        by_session={key: tuple(found) for key, found in by_session.items()},
        names=names_of(library),
    )


def _newest_first(pages: Iterable[Facts]) -> list[Facts]:
    by_path = sorted(pages, key=lambda one: one.path)
    return sorted(by_path, key=lambda one: one.changed_on, reverse=True)


def _add(pages: list[str], facts: Facts) -> None:
    if len(pages) < _MOST_KIN:
        pages.append(facts.path)
