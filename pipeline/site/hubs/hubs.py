"""Owns which hubs the site has, in which order they are made, and what the navigation shows of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.document import Hub
from pipeline.site.hubs.browse import browse_documents
from pipeline.site.hubs.changes import change_documents
from pipeline.site.hubs.concerns import concerns
from pipeline.site.hubs.folders import own_indexes
from pipeline.site.hubs.graph import graph_documents
from pipeline.site.hubs.health import health_documents
from pipeline.site.hubs.home import home_document
from pipeline.site.hubs.kinds import kind_documents
from pipeline.site.hubs.logs import log_documents
from pipeline.site.hubs.names import HOME, names_of, type_names
from pipeline.site.hubs.namesakes import namesake_documents
from pipeline.site.hubs.ordering import Key, key
from pipeline.site.hubs.printing import print_documents
from pipeline.site.hubs.projects import MOST_ON_HOME, project_documents
from pipeline.site.hubs.shelf import shelf_of
from pipeline.site.hubs.tags import tag_documents
from pipeline.site.hubs.wording import plural
from pipeline.text import one_line
from pipeline.wiki.derived.indexes import NAME

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.site.document import Document
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs

_KINDS: Final = ("decision", "rule", "gotcha", "procedure", "guide", "concept", "session")
"""The types that come first in the navigation; others follow by name."""
_MOST_KINDS: Final = 20
_LONGEST: Final = 60
"""Characters of a name in the navigation."""


def hub_documents(inputs: Inputs, library: Library) -> Iterator[Document]:
    """Make all hubs: the home page, the indexes and logs of projects, the lists of all pages, health."""
    shelf = shelf_of(inputs, library)
    found = concerns(shelf)
    yield home_document(shelf, found)
    yield from project_documents(shelf)
    yield from log_documents(shelf)
    yield from browse_documents(shelf)
    yield from kind_documents(shelf)
    yield from change_documents(shelf)
    yield from health_documents(shelf, found)
    yield from tag_documents(shelf)
    yield from namesake_documents(shelf)
    yield from graph_documents(shelf)
    yield from print_documents(shelf)


def navigation(_inputs: Inputs, library: Library) -> tuple[Hub, ...]:
    """Give what the navigation shows: the hubs, up to 20 types in a fixed order, and up to 30 projects by name.

    It stands on every page: only a type, a project or a spelling that is new changes it, and no number of pages does.
    """
    names = names_of(library)
    pages = library.pages.values()
    called = type_names({facts.type for facts in pages})
    taken = own_indexes(library)
    projects = sorted({facts.project for facts in pages if facts.project} - taken, key=key)
    return (
        Hub("Home", HOME),
        Hub("Search", names.search),
        Hub("Browse", names.browse()),
        Hub("Recent changes", names.changes()),
        Hub("Tags", names.tags()),
        Hub("Graph", names.graph),
        Hub("Health", names.health()),
        *(
            Hub(_short(plural(called[slug])), names.type(slug), "Kinds")
            for slug in sorted(called, key=_place)[:_MOST_KINDS]
        ),
        *(Hub(_short(name), f"{name}/{NAME}", "Projects") for name in projects[:MOST_ON_HOME]),
    )


def _place(slug: str) -> tuple[int, Key]:
    return _KINDS.index(slug) if slug in _KINDS else len(_KINDS), key(slug)


def _short(name: str) -> str:
    return one_line(name, _LONGEST)
