"""Owns which pages are tied to each other: by a link, or as a session and what was learnt in it. Knows no HTML.

A page that no other page links to is an orphan, unless it is tied to a session or is one that others are tied to;
standing in an index does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.draft import FOLDERS

if TYPE_CHECKING:
    from pipeline.site.library import Library

Pair: TypeAlias = tuple[str, str]
"""The paths of two pages, in their order."""

MOST_DRAWN: Final = 1_000
"""Pages up to which the map shows pages; above, it shows projects and types."""


def linked(library: Library) -> set[Pair]:
    """Give the pairs of pages of which one links to the other, each once."""
    return {
        _pair(path, link.target)
        for path, facts in library.pages.items()
        for link in facts.links
        if link.target != path and link.target in library.pages
    }


def of_sessions(library: Library) -> set[Pair]:
    """Give the pairs of a session's page and a page of the same project that names this session."""
    sessions: dict[Pair, str] = {}
    for path, facts in library.pages.items():
        if facts.kind == FOLDERS["session"]:
            for name in facts.session_ids:
                sessions.setdefault((facts.project, name), path)
    found: set[Pair] = set()
    for path, facts in library.pages.items():
        for name in facts.session_ids:
            session = sessions.get((facts.project, name), path)
            if session != path:
                found.add(_pair(path, session))
    return found


def tied(library: Library) -> set[Pair]:
    """Give the pairs of pages that are tied, each once."""
    return linked(library) | of_sessions(library)


def orphans(library: Library) -> frozenset[str]:
    """Give the pages that no other page leads to."""
    reached = {end for pair in of_sessions(library) for end in pair}
    reached |= {link.target for path, facts in library.pages.items() for link in facts.links if link.target != path}
    return frozenset(library.pages) - reached


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one < other else (other, one)
