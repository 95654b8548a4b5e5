"""Owns the list of all pages, in the order of their titles, with the marks that one can jump to.

It is complete without JavaScript; with it, the browser narrows it down. Knows no other hub.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.ordering import initial
from pipeline.site.hubs.paging import paging
from pipeline.site.hubs.rows import Way, leaves, listed, render
from pipeline.site.hubs.shelf import hub
from pipeline.site.hubs.wording import counted, uncapital

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.site.document import Document
    from pipeline.site.hubs.rows import Row
    from pipeline.site.hubs.shelf import Shelf

INDEX: Final = "kb/index.json"
"""What the browser narrows the list down with."""

_MOST_MARKS: Final = 48
_ROOM: Final = 12_500
"""Bytes; the marks take about 2,500 more."""


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
            told = element("p", f"{counted(len(rows), 'page')}, in the order of their titles.", class_="wm-fact")
            html = join((told, element("div", static, id="wm-browse", data_index=way.file(INDEX))))
        else:
            back = link(way.page(paths[0]), "Filter by type, project, tag or trust")
            html = join((element("p", back, class_="wm-fact"), static))
        title = "Browse" if first else f"Browse, page {number}"
        yield hub(shelf, path, title, html, description="All pages of this wiki, in the order of their titles.")


def _rows(shelf: Shelf) -> tuple[list[Row], dict[str, str]]:
    """Make the entries; the first below each mark gets an id, by which the mark finds it."""
    marks: dict[str, str] = {}
    rows: list[Row] = []
    for facts in shelf.pages:
        found = initial(facts.title)
        fresh = found not in marks and len(marks) < _MOST_MARKS
        if fresh:
            marks[found] = f"wm-from-{len(marks) + 1}"
        called = uncapital(shelf.called[shelf.slug(facts)])
        row = listed(
            shelf.rows[facts.path],
            called,
            facts.project,
            shelf.standing(facts),
            mark=marks[found] if fresh else "",
            brief=True,
        )
        rows.append(row)
    return rows, marks


def _places(cut: Sequence[Sequence[Row]], paths: Sequence[str], marks: dict[str, str]) -> dict[str, tuple[str, str]]:
    """Tell for each mark the document and the anchor that it leads to."""
    standing = {row.mark: path for path, rows in zip(paths, cut, strict=True) for row in rows if row.mark}
    return {mark: (standing[anchor], anchor) for mark, anchor in marks.items()}


def _jumps(leads: dict[str, tuple[str, str]], way: Way) -> Html:
    if len(leads) < 2:  # noqa: PLR2004 - one mark leads nowhere else
        return Html()
    listed_marks = join((link(way.page(path, anchor), mark) for mark, (path, anchor) in leads.items()), " ")
    return element("nav", listed_marks, class_="wm-jump", aria_label="Jump to a first letter")
