"""Owns the list of all pages, with the marks that one can jump to: first what is known, then the sessions.

Each of both is in the order of titles. The list is complete without JavaScript; with it, the browser narrows it down
and shows entries in the same words (`site/overrides/assets/wikimill-browse.js`). Knows no other hub.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from pipeline.site.around.words import STATUSES, TIERS
from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.kinds import SESSION
from pipeline.site.hubs.ordering import initial
from pipeline.site.hubs.paging import paging
from pipeline.site.hubs.rows import Way, leaves, listed, render
from pipeline.site.hubs.shelf import hub
from pipeline.site.hubs.shelving import LONGEST_TYPE
from pipeline.site.hubs.wording import counted
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.site.document import Document
    from pipeline.site.hubs.rows import Row
    from pipeline.site.hubs.shelf import Shelf

INDEX: Final = "kb/index.json"
"""What the browser narrows the list down with."""

_MOST_MARKS: Final = 60
_ROOM: Final = 12_000
"""Bytes; the marks take about 3,000 more."""
_SESSIONS: Final = "Sessions"
_ORDER: Final = "in the order of their titles"


def browse_documents(shelf: Shelf) -> Iterator[Document]:
    """List all pages."""
    rows, marks = _rows(shelf)
    cut = leaves(rows, _ROOM)
    paths = [shelf.names.browse(number) for number in range(1, len(cut) + 1)]
    leads = _places(cut, paths, marks)
    for number, (path, part) in enumerate(zip(paths, cut, strict=True), start=1):
        way = Way(path, shelf.site)
        static = join((_jumps(leads, way), render(part, way), paging(paths, number, way)))
        first = number == 1
        if first:
            told = element("p", f"{counted(len(rows), 'page')}, {_order(rows)}.", class_="wm-fact")
            html = join((told, element("div", static, id="wm-browse", data_index=way.file(INDEX))))
        else:
            back = link(way.page(paths[0]), "Filter by type, project, tag or trust")
            html = join((element("p", back, class_="wm-fact"), static))
        title = "Browse" if first else f"Browse, page {number}"
        yield hub(shelf, path, title, html, description=f"All pages of this wiki, {_ORDER}.")


def _rows(shelf: Shelf) -> tuple[list[Row], dict[tuple[str, str], str]]:
    """Make the entries; the first below each mark of a group gets an id, by which the mark finds it."""
    marks: dict[tuple[str, str], str] = {}
    rows: list[Row] = []
    apart = sorted(shelf.pages, key=lambda facts: shelf.slug(facts) == SESSION)
    both = len({shelf.slug(facts) == SESSION for facts in apart}) > 1
    for facts in apart:
        group = _SESSIONS if both and shelf.slug(facts) == SESSION else ""
        found = group, initial(facts.title)
        fresh = found not in marks and len(marks) < _MOST_MARKS
        if fresh:
            marks[found] = f"wm-from-{len(marks) + 1}"
        status = "" if facts.status == "stable" else STATUSES.get(facts.status, "")
        told = one_line(facts.type, LONGEST_TYPE), facts.project, TIERS[facts.tier][0], status
        rows.append(listed(shelf.rows[facts.path], *told, group=group, mark=marks[found] if fresh else ""))
    return rows, marks


def _order(rows: Sequence[Row]) -> str:
    return f"{_ORDER}, sessions last" if rows and rows[-1].group else _ORDER


def _places(
    cut: Sequence[Sequence[Row]], paths: Sequence[str], marks: Mapping[tuple[str, str], str]
) -> dict[tuple[str, str], tuple[str, str]]:
    """Tell for each mark of a group the document and the anchor that it leads to."""
    standing = {row.mark: path for path, rows in zip(paths, cut, strict=True) for row in rows if row.mark}
    return {mark: (standing[anchor], anchor) for mark, anchor in marks.items()}


def _jumps(leads: Mapping[tuple[str, str], tuple[str, str]], way: Way) -> Html:
    if len(leads) < 2:  # noqa: PLR2004 - one mark leads nowhere else
        return Html()
    return join(_jump(group, list(found), way) for group, found in groupby(leads.items(), key=lambda one: one[0][0]))


def _jump(group: str, leads: Sequence[tuple[tuple[str, str], tuple[str, str]]], way: Way) -> Html:
    listed_marks = join((link(way.page(path, anchor), mark) for (_, mark), (path, anchor) in leads), " ")
    label = f"Jump to a first letter{' of sessions' if group else ''}"
    named = (element("span", f"{group} ", class_="wm-fact"),) if group else ()
    return element("nav", *named, listed_marks, class_="wm-jump", aria_label=label)
