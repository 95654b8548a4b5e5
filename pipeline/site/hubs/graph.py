"""Owns the page of the graph: the map that a script draws, what its colours mean, and the same as a table.

The table goes over as many documents as it needs while the map shows pages; a map of very many pages shows projects
and types, which have lists of their own, and the table then holds what is linked most. Knows no other hub.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.concerns import ORPHANS
from pipeline.site.hubs.paging import paging
from pipeline.site.hubs.rows import Way
from pipeline.site.hubs.shelf import hub, live
from pipeline.site.hubs.ties import MOST_DRAWN, linked, of_sessions
from pipeline.site.hubs.wording import counted, plural
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.site.document import Document
    from pipeline.site.hubs.shelf import Shelf

Counts: TypeAlias = tuple[str, int, int, int]
"""A page, how many others link to it, to how many it links, and its ties between sessions and their pages."""

GRAPH: Final = "kb/graph.json"

_MOST: Final = 60
"""Pages of the table in one document."""
_ROOM: Final = 12_000
_MARKUP: Final = 125
_COLUMNS: Final = ("Page", "Linked from", "Links to", "Sessions and their pages")
_MOST_TYPES: Final = 24
_NAME: Final = 60
_DESCRIPTION: Final = "Which pages link to which."
_NONE: Final = "No page links to another one yet, and none names a session that has a page: there is no graph to draw."


def graph_documents(shelf: Shelf) -> Iterator[Document]:
    """Make the page of the graph, and the further documents of its table."""
    rows = _rows(shelf)
    drawn = len(shelf.order) <= MOST_DRAWN
    cut = _cut(rows, shelf) if drawn else _cut(rows, shelf)[:1]
    paths = [shelf.names.part(shelf.names.graph, number) for number in range(1, len(cut) + 1)]
    for number, (path, part) in enumerate(zip(paths, cut, strict=True), start=1):
        way = Way(path, shelf.site)
        table = _table(part, shelf, way) if part else ""
        parts = (_head(shelf, rows, way, drawn=drawn) if number == 1 else "", table, paging(paths, number, way))
        title = "Graph" if number == 1 else f"Graph, page {number}"
        yield hub(shelf, path, title, join(parts), description=_DESCRIPTION)


def _rows(shelf: Shelf) -> list[Counts]:
    """Count the ties of each page that has any; what most others link to comes first."""
    pages = shelf.library.pages
    sessions = Counter(end for pair in of_sessions(shelf.library) for end in pair)
    ends = {end for pair in linked(shelf.library) for end in pair} | sessions.keys()
    rows = []
    for path in (one for one in shelf.order if one in ends):
        leads = len({link.target for link in pages[path].links if link.target in pages and link.target != path})
        rows.append((path, shelf.links_to(path), leads, sessions[path]))
    return sorted(rows, key=lambda row: (-row[1], -row[2] - row[3]))


def _cut(rows: Sequence[Counts], shelf: Shelf) -> list[Sequence[Counts]]:
    cuts, room = [0], _ROOM
    for number, row in enumerate(rows):
        entry = shelf.rows[row[0]]
        size = len(f"{entry.title}{entry.place}".encode("utf-8", "replace")) + _MARKUP
        if number > cuts[-1] and (number - cuts[-1] == _MOST or size > room):
            cuts.append(number)
            room = _ROOM
        room -= size
    return [rows[start:end] for start, end in zip(cuts, [*cuts[1:], len(rows)], strict=True)]


def _head(shelf: Shelf, rows: Sequence[Counts], way: Way, *, drawn: bool) -> Html:
    if drawn and not rows:
        return element("p", _NONE)
    current = live(shelf.pages)
    alone = sum(facts.path in shelf.orphans for facts in current)
    be = "is" if len(rows) == 1 else "are"
    told: list[object] = [f"{len(rows):,} of {counted(len(shelf.order), 'page')} {be} tied to another one"]
    if alone:
        lead = link(way.page(shelf.names.health(), ORPHANS), counted(alone, "orphan"))
        told += ["; ", lead, f" {'is' if alone == 1 else 'are'} linked from none"]
    heading = "The same as a table" if drawn else "Linked most"
    return join(
        (
            element("p", *told, ".", class_="wm-fact"),
            element("div", id="wm-map", data_graph=way.file(GRAPH)),
            _legend(shelf, rows, drawn=drawn),
            element("h2", heading, id="wm-linked"),
            element("p", "No page links to another one yet.") if not rows else "",
        )
    )


def _legend(shelf: Shelf, rows: Sequence[Counts], *, drawn: bool) -> Html:
    """Name the types that the map shows in colours, the most frequent first; `data-type` is that of its nodes."""
    if not drawn:
        names = {"Project": "Projects", "Type": "Types"}
    else:
        found = Counter(shelf.library.pages[row[0]].type for row in rows)
        named = sorted(found, key=lambda one: (-found[one], one))[:_MOST_TYPES]
        names = {one: plural(one_line(one, _NAME)) or "Without a type" for one in named}
    return element("ul", *(element("li", name, data_type=kind) for kind, name in names.items()), class_="wm-legend")


def _table(rows: Sequence[Counts], shelf: Shelf, way: Way) -> Html:
    head = element("thead", element("tr", *(element("th", name, scope="col") for name in _COLUMNS)))
    body = []
    for path, *numbers in rows:
        row = shelf.rows[path]
        cells = (link(way.to(row.place), row.title), *(f"{number:,}" for number in numbers))
        body.append(element("tr", *(element("td", cell) for cell in cells)))
    return element("table", head, element("tbody", *body), class_="wm-table")
