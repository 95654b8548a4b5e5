"""Owns the page of the wiki's health: numbers, and for each concern the first few pages and what to do.

A concern with more entries has a document of its own. Knows no other hub.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.rows import Way, leaves, render
from pipeline.site.hubs.shelf import hub, live
from pipeline.site.hubs.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.site.document import Document
    from pipeline.site.hubs.concerns import Concern
    from pipeline.site.hubs.shelf import Shelf

_FIRST: Final = 5
_ROOM: Final = 10_000
"""Bytes that the first entries of all concerns take together at most."""

_TOLD: Final = "What is listed here is for a person to settle; none of it hides a page."

_TIERS: Final = {
    "human-reviewed": "Human-reviewed",
    "machine-confirmed": "Machine-confirmed",
    "unverified": "Unverified",
}


def health_documents(shelf: Shelf, found: Sequence[Concern]) -> Iterator[Document]:
    """Make the page of health, and one for each concern that has no room there."""
    path = shelf.names.health()
    way = Way(path, shelf.site)
    room = _ROOM // max(sum(concern.count > 0 for concern in found), 1)
    parts: list[Html] = []
    for concern in (one for one in found if one.count):
        first = leaves(concern.rows[:_FIRST], room)[0]
        parts.append(_section(concern, render(first, way), shelf, way, shown=len(first)))
        if concern.count > len(first):
            yield _whole(concern, shelf)
    html = join((_counts(shelf), element("p", _TOLD, class_="wm-fact"), *parts, _settled(found)))
    yield hub(shelf, path, "Health", html, description="How far this wiki can be trusted, and what needs a person.")


def _counts(shelf: Shelf) -> Html:
    """Tell how many pages there are of each tier, which together are all that hold today, and how many do not."""
    current = live(shelf.pages)
    numbers = [("Pages", len(current))]
    numbers += [(name, sum(facts.tier == tier for facts in current)) for tier, name in _TIERS.items()]
    gone = len(shelf.order) - len(current)
    if not gone:
        return counts(numbers)
    told = "1 more is superseded, and kept for its history."
    if gone > 1:
        told = f"{gone:,} more are superseded, and kept for their history."
    return join((counts(numbers), element("p", told, class_="wm-fact")))


def counts(numbers: Sequence[tuple[str, int]]) -> Html:
    """Write numbers with their names."""
    told = (element("div", element("dt", name), element("dd", f"{number:,}")) for name, number in numbers)
    return element("dl", *told, class_="wm-counts")


def _section(concern: Concern, entries: Html, shelf: Shelf, way: Way, *, shown: int) -> Html:
    title = element("h2", f"{concern.title} ", element("span", f"{concern.count:,}", class_="wm-fact"))
    rest = concern.count - shown
    more = element("p", link(way.page(shelf.names.health(concern.subject)), f"{rest:,} more")) if rest else ""
    return element("section", title, element("p", _advice(concern)), entries, more, id=concern.subject)


def _settled(found: Sequence[Concern]) -> Html:
    """Say that there is nothing else."""
    told = "No other finding." if any(concern.count for concern in found) else "No finding."
    return element("p", told, class_="wm-fact")


def _whole(concern: Concern, shelf: Shelf) -> Document:
    path = shelf.names.health(concern.subject)
    way = Way(path, shelf.site)
    first = leaves(concern.rows)[0]
    rest = concern.count - len(first)
    told = f"These are the first {len(first):,} of {counted(concern.count, concern.noun)}." if rest else ""
    html = join((element("p", _advice(concern)), render(first, way), element("p", told) if told else ""))
    return hub(shelf, path, concern.title, html, steps=(("Health", shelf.names.health()),))


def _advice(concern: Concern) -> Html:
    """Write what to do; what stands between backticks is code."""
    parts = concern.advice.split("`")
    return join(element("code", part) if place % 2 else part for place, part in enumerate(parts))
