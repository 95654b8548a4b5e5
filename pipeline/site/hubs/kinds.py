"""Owns the lists of the pages of one type over all projects, and what each type is good for. Knows no other hub."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.ordering import key
from pipeline.site.hubs.printing import is_printable
from pipeline.site.hubs.rows import listed
from pipeline.site.hubs.shelf import Listing, documents, live
from pipeline.site.hubs.wording import counted, plural, uncapital

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pipeline.site.document import Document
    from pipeline.site.facts import Facts
    from pipeline.site.hubs.rows import Row, Way
    from pipeline.site.hubs.shelf import Shelf

SESSION: Final = "session"
OUTSIDE: Final = "Outside of projects"

LEARN: Final = "Learn"
DO: Final = "Do"
UNDERSTAND: Final = "Understand"
LOOK_UP: Final = "Look up"
HISTORY: Final = "History"
MORE: Final = "More"
"""The use of types that nothing is known of."""

USES: Final = {
    LEARN: "a subject from its beginning",
    DO: "get something done, step by step",
    UNDERSTAND: "why things are as they are",
    LOOK_UP: "what holds, and what to beware of",
    HISTORY: "what happened, session by session",
    MORE: "pages of other types",
}
"""What people open a page for: the four of Diataxis, the past, and the rest."""

_USED_TO: Final = {
    **dict.fromkeys(("tutorial", "lesson"), LEARN),
    **dict.fromkeys(("procedure", "guide", "how-to", "runbook", "playbook"), DO),
    **dict.fromkeys(("decision", "concept", "explanation", "adr"), UNDERSTAND),
    **dict.fromkeys(("rule", "gotcha", "reference", "slot", "state", "invariant", "policy", "faq"), LOOK_UP),
    **dict.fromkeys((SESSION, "meeting", "incident"), HISTORY),
}


def use_of(slug: str) -> str:
    """Tell what people open the pages of a type for."""
    return _USED_TO.get(slug, MORE)


def census(pages: Iterable[Facts], shelf: Shelf) -> str:
    """Tell how many pages there are, and of which types: `3 pages: 2 decisions, 1 gotcha`."""
    found: dict[str, int] = {}
    for facts in pages:
        slug = shelf.slug(facts)
        found[slug] = found.get(slug, 0) + 1
    named = sorted(found, key=lambda slug: (-found[slug], slug))
    parts = [counted(found[slug], uncapital(shelf.called[slug])) for slug in named[:_NAMED]]
    rest = sum(found[slug] for slug in named[_NAMED:])
    told = ", ".join([*parts, f"{rest:,} more"] if rest else parts)
    return f"{counted(sum(found.values()), 'page')}{': ' if told else ''}{told}"


_NAMED: Final = 8
"""Types that a census names."""


def kind_documents(shelf: Shelf) -> Iterator[Document]:
    """List the pages of each type, below their projects."""
    for slug, pages in shelf.kinds.items():
        name = shelf.called[slug]
        yield from documents(
            shelf,
            Listing(
                title=plural(name),
                rows=_rows(slug, pages, shelf),
                path=partial(shelf.names.type, slug),
                description=f"All {plural(uncapital(name))} of this wiki.",
                head=partial(_head, slug, pages, shelf),
            ),
        )


def _rows(slug: str, pages: Iterable[Facts], shelf: Shelf) -> list[Row]:
    by_project: dict[str, list[Facts]] = {}
    for facts in pages:
        by_project.setdefault(facts.project, []).append(facts)
    return [
        listed(shelf.rows[facts.path], facts.changed_on, shelf.standing(facts), group=project or OUTSIDE)
        for project in sorted(by_project, key=key)
        for facts in (shelf.newest(by_project[project]) if slug == SESSION else by_project[project])
    ]


def _head(slug: str, pages: tuple[Facts, ...], shelf: Shelf, way: Way) -> Html:
    projects = len({facts.project for facts in pages if facts.project})
    reviewed = sum(facts.tier == "human-reviewed" for facts in pages)
    told = [
        f"{counted(len(pages), uncapital(shelf.called[slug]))} in {counted(projects, 'project')}",
        f"{reviewed:,} reviewed by a person" if reviewed else "none reviewed by a person yet",
    ]
    gone = len(pages) - len(live(pages))
    if gone:
        told.append(f"{gone:,} superseded")
    ways = [link(way.file(f"feeds/{slug}.xml"), "Feed")]
    if is_printable(pages):
        ways.insert(0, link(way.page(shelf.names.printed(slug)), "All on one page, for printing"))
    return element("p", f"{', '.join(told)}. ", join(ways, " · "), class_="wm-fact")
