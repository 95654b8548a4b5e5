"""Owns the picture of the pages one link away from a page: what links here on the left, what it links to on the right.

It is drawn when the site is built, as SVG whose texts are links, with a list for those whom a picture does not serve.
The same page gives the same picture.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.elements import Html, element, join, link, text
from pipeline.text import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Site

FEWEST: Final = 3
"""Neighbours; below that the lists of links say it all."""
MOST: Final = 24
ROOM: Final = 4_000
"""Bytes of HTML."""

_FRAME: Final = 900
"""Bytes that are needed around the neighbours."""
_SIDE: Final = MOST // 2
_WIDTH: Final = 640
_COLUMN: Final = 214
"""Where the left column's lines begin, and the right column's end as far from the other side."""
_ROW: Final = 24
_LETTERS: Final = 28
"""Narrow letters that a column has room for; a wide one takes the place of two."""
_OWN_LETTERS: Final = 22
_TITLE: Final = 120


def local_graph(facts: Facts, library: Library, site: Site) -> Html:
    """Draw the picture; nothing where there are too few neighbours."""
    outgoing = _known(facts, library, [one.target for one in facts.links])
    incoming = [
        path
        for path in _known(facts, library, [one.path for one in library.backlinks.get(facts.path, ())])
        if path not in outgoing
    ]
    if len(outgoing) + len(incoming) < FEWEST:
        return Html()
    left, right = _fitting(facts, library, site, incoming[:_SIDE], outgoing[:_SIDE])
    height = max(len(left), len(right), 1) * _ROW + _ROW
    own = element(
        "text", shortened(facts.title, _OWN_LETTERS), x=str(_WIDTH // 2), y=str(height // 2 + 4), text_anchor="middle"
    )
    svg = element(
        "svg",
        element("title", words.GRAPH),
        element(
            "path",
            d=f"{_lines(len(left), height)}{_lines(len(right), height, mirrored=True)}",
            fill="none",
            stroke="currentColor",
            stroke_opacity=".4",
        ),
        own,
        element("g", *(node for node, _ in left)),
        element("g", *(node for node, _ in right), text_anchor="end"),
        viewBox=f"0 0 {_WIDTH} {height}",
        role="group",
        fill="currentColor",
        font_size="13",
    )
    return element(
        "figure",
        element("figcaption", words.GRAPH),
        svg,
        element(
            "details",
            element("summary", words.AS_LIST),
            element("ul", _listed(words.LINKS_HERE, left), _listed(words.LINKED_HERE, right)),
        ),
        class_="wm-graph",
        data_search_exclude=True,
    )


def shortened(title: str, letters: int) -> str:
    """Cut a title to what so many narrow letters take; with an ellipsis where something is missing."""
    whole = one_line(title, _TITLE)
    if whole.isascii():
        return whole if len(whole) <= letters else f"{whole[: letters - 1].rstrip()}…"
    room = letters
    for place, sign in enumerate(whole):
        room -= 2 if unicodedata.east_asian_width(sign) in "WF" else 1
        if room < 0:
            return f"{cut(whole, max(place - 1, 0)).rstrip()}…"
    return whole


def _known(facts: Facts, library: Library, paths: Sequence[str]) -> list[str]:
    return [path for path in dict.fromkeys(paths) if path in library.pages and path != facts.path]


def _fitting(
    facts: Facts, library: Library, site: Site, incoming: Sequence[str], outgoing: Sequence[str]
) -> tuple[list[tuple[Html, Html]], list[tuple[Html, Html]]]:
    """Draw as many neighbours as there is room for, from both sides in turn: each as a node and as a link."""
    room = ROOM - _FRAME
    columns: tuple[list[tuple[Html, Html]], list[tuple[Html, Html]]] = ([], [])
    for row in range(max(len(incoming), len(outgoing))):
        for column, paths, x in zip(columns, (incoming, outgoing), ("4", str(_WIDTH - 4)), strict=True):
            if row >= len(paths):
                continue
            title = text(shortened(library.pages[paths[row]].title, _LETTERS))
            to = text(to_page(facts.path, paths[row], site))
            # With `href`, a theme takes it for a link of HTML, whose address is a text, and its script fails.
            drawn = (
                element("a", element("text", title, x=x, y=str(_middle(row) + 4)), **{"xlink:href": to}),
                link(to, title),
            )
            room -= sum(len(part.encode("utf-8", "replace")) for part in drawn) + _ROW
            if room < 0:
                return columns
            column.append(drawn)
    return columns


def _middle(row: int) -> int:
    return row * _ROW + _ROW


def _lines(rows: int, height: int, *, mirrored: bool = False) -> str:
    """Draw the lines between a column and the page in the middle, as one path."""
    start, bend = _COLUMN, _COLUMN + 20
    if mirrored:
        start, bend = _WIDTH - start, _WIDTH - bend
    middle = height // 2
    return "".join(f"M{start} {_middle(row)}Q{bend} {_middle(row)} {bend} {middle}" for row in range(rows))


def _listed(says: str, column: Sequence[tuple[Html, Html]]) -> Html:
    if not column:
        return Html()
    return element("li", f"{says}: ", join((entry for _, entry in column), ", "))
