"""Owns the lists of the pages of one type over all projects, and what each type is good for. Knows no other hub."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.ordering import key
from pipeline.site.hubs.printing import LARGEST, printed_size
from pipeline.site.hubs.shelf import Listing, documents, live
from pipeline.site.hubs.wording import counted, plural, uncapital

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

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

MEANINGS: Final = {
    "decision": "A decision tells what was chosen, why, and what was left aside for it.",
    "rule": "A rule tells what always or never to do here.",
    "gotcha": "A gotcha tells of something that went wrong unexpectedly: how it shows, why, and what helps.",
    "procedure": "A procedure tells step by step how to get something done.",
    "concept": "A concept explains something that the team has a name for.",
    SESSION: "A session tells what happened in one stretch of work, and which pages came from it.",
    "guide": "A guide leads through a larger task from its beginning to its end.",
}
"""What pages of a type are, by the slug of the type."""

DESCRIBED: Final = 300
"""Pages up to which a list tells what each is about; longer ones would go over very many documents."""


def use_of(slug: str) -> str:
    """Tell what people open the pages of a type for."""
    return _USED_TO.get(slug, MORE)


def census(pages: Iterable[Facts], shelf: Shelf) -> str:
    """Tell how many pages there are, and of which types: `3 pages: 2 decisions, 1 gotcha`, or `2 decisions`."""
    found: dict[str, int] = {}
    for facts in pages:
        slug = shelf.slug(facts)
        found[slug] = found.get(slug, 0) + 1
    named = sorted(found, key=lambda slug: (-found[slug], slug))
    parts = [counted(found[slug], shelf.noun(slug)) for slug in named[:_NAMED]]
    if len(parts) == 1:
        return parts[0]
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


def _rows(slug: str, pages: Sequence[Facts], shelf: Shelf) -> list[Row]:
    by_project: dict[str, list[Facts]] = {}
    for facts in pages:
        by_project.setdefault(facts.project, []).append(facts)
    return [
        shelf.entry(facts, group=project or OUTSIDE, brief=len(pages) > DESCRIBED)
        for project in sorted(by_project, key=key)
        for facts in (shelf.latest(by_project[project]) if slug == SESSION else by_project[project])
    ]


def _head(slug: str, pages: Sequence[Facts], shelf: Shelf, way: Way) -> Html:
    current = live(pages)
    projects = len({facts.project for facts in pages if facts.project})
    reviewed = sum(facts.tier == "human-reviewed" for facts in current)
    told = [counted(len(current), shelf.noun(slug))]
    if projects:
        told[0] += f" in {counted(projects, 'project')}"
    told.append(f"{reviewed:,} confirmed by a person" if reviewed else "none confirmed by a person yet")
    gone = len(pages) - len(current)
    if gone:
        told.append(f"{gone:,} superseded")
    meaning = meaning_of(slug)
    facts = element("p", f"{', '.join(told)}. ", _ways(slug, current, shelf, way), class_="wm-fact")
    return join((element("p", meaning) if meaning else "", facts))


def _ways(slug: str, current: Sequence[Facts], shelf: Shelf, way: Way) -> Html:
    """Lead to the same pages in other forms; say why where there is none for printing."""
    feed = link(way.file(f"feeds/{slug}.xml"), "Feed")
    size = printed_size(current)
    if size <= LARGEST:
        return join((link(way.page(shelf.names.printed(slug)), "All on one page, for printing"), " · ", feed))
    why = (
        f" There is no page of all for printing: it would hold {-(-size // 1_000):,} KB, more than {LARGEST // 1_000} "
        "KB. Print single pages."
    )
    return join((feed, ".", why))


def meaning_of(slug: str) -> str:
    """Say what pages of a type are; nothing of a type that people made up."""
    return MEANINGS.get(slug, "")
