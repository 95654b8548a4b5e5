"""Owns the page of the graph of all pages: where the browser draws it, and the same as a table. Knows no other hub."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.elements import element, join, link
from pipeline.site.hubs.rows import Way
from pipeline.site.hubs.shelf import hub
from pipeline.site.hubs.wording import counted

if TYPE_CHECKING:
    from pipeline.site.document import Document
    from pipeline.site.hubs.shelf import Shelf

GRAPH: Final = "kb/graph.json"

_MOST: Final = 50
_ROOM: Final = 13_000
_MARKUP: Final = 120
_COLUMNS: Final = ("Page", "Linked from", "Links to")


def graph_document(shelf: Shelf) -> Document:
    """Give the graph a page; the pages that most others link to stand in a table."""
    path = shelf.names.graph
    way = Way(path, shelf.site)
    pages = shelf.library.pages
    known = [one for one in shelf.order if shelf.links_to(one)]
    rows, room = [], _ROOM
    for one in sorted(known, key=lambda page: -shelf.links_to(page))[:_MOST]:
        row = shelf.rows[one]
        room -= row.weight + _MARKUP
        if room < 0:
            break
        leads = len({target.target for target in pages[one].links if target.target in pages})
        cells = (link(way.to(row.place), row.title), f"{shelf.links_to(one):,}", f"{leads:,}")
        rows.append(element("tr", *(element("td", cell) for cell in cells)))
    head = element("thead", element("tr", *(element("th", name, scope="col") for name in _COLUMNS)))
    table = element("table", head, element("tbody", *rows), class_="wm-table")
    told = f"{counted(len(pages), 'page')}, {len(known):,} of them linked from another one."
    parts = (
        element("p", told, class_="wm-fact"),
        element("div", id="wm-map", data_graph=way.file(GRAPH)),
        element("h2", "Linked most", id="wm-linked"),
        table if rows else element("p", "No page links to another one yet."),
    )
    return hub(shelf, path, "Graph", join(parts), description="Which pages link to which.")
