"""Owns the picture of the pages one step away from a page: what leads here on the left, what it leads to on the right.

A link is a step, and so is the way from a session's page to what was made from it. It is drawn when the site is built,
as SVG whose texts are links, with a list for those whom a picture does not serve. The same page gives the same picture.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.elements import Html, element, join, link, text
from pipeline.text import cut, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Site

FEWEST: Final = 3
"""Neighbours; below that the lists of links say it all."""
MOST: Final = 24
ROOM: Final = 3_000
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
"""Unicode characters; and so on below."""
_LISTED: Final = 60
_REMEMBERED: Final = 16_384
"""Titles and pictures' lines that are kept: a page is a neighbour of several."""


class _Near(NamedTuple):
    """A neighbour: its path, and in words how it is one."""

    path: str
    says: str


class _Drawn(NamedTuple):
    """A neighbour as a node of the picture and as a link of the list."""

    node: Html
    entry: Html
    says: str


def local_graph(facts: Facts, library: Library, site: Site, around: Surroundings) -> Html:
    """Draw the picture; nothing where there are too few neighbours."""
    left_of, right_of = _neighbours(facts, library, around)
    if len(left_of) + len(right_of) < FEWEST:
        return Html()
    left, right = _fitting(facts, library, site, left_of[:_SIDE], right_of[:_SIDE])
    height = max(len(left), len(right), 1) * _ROW + _ROW
    own = element(
        "text", shortened(facts.title, _OWN_LETTERS), x=str(_WIDTH // 2), y=str(height // 2 + 4), text_anchor="middle"
    )
    svg = element(
        "svg",
        element("title", words.GRAPH),
        _drawn_lines(len(left), len(right), height),
        own,
        element("g", *(one.node for one in left)),
        element("g", *(one.node for one in right), text_anchor="end"),
        viewBox=f"0 0 {_WIDTH} {height}",
        width="100%",
        role="group",
        fill="currentColor",
        font_size="13",
    )
    entries = element("ul", *_listed((*left, *right)))
    figure = element("figure", element("figcaption", words.GRAPH), svg, entries, class_="wm-graph")
    # A section is as wide as the text, a figure may be wider.
    return element("section", figure, data_search_exclude=True)


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


def _neighbours(facts: Facts, library: Library, around: Surroundings) -> tuple[list[_Near], list[_Near]]:
    """Give the pages that lead here and those that this page leads to, each page once."""
    seen = {facts.path}

    def near(paths: Iterable[str], says: str) -> list[_Near]:
        found = [path for path in dict.fromkeys(paths) if path in library.pages and path not in seen]
        seen.update(found)
        return [_Near(path, says) for path in found]

    linked = near((one.target for one in facts.links), words.LINKED_HERE)
    linking = near((one.path for one in library.backlinks.get(facts.path, ())), words.LINKS_HERE)
    sessions = near(around.pages_of_sessions(facts), words.FROM_SESSION)
    return [*linking, *sessions], [*linked, *near(around.made_in(facts), words.MADE_IN_IT)]


def _fitting(
    facts: Facts, library: Library, site: Site, incoming: Sequence[_Near], outgoing: Sequence[_Near]
) -> tuple[list[_Drawn], list[_Drawn]]:
    """Draw as many neighbours as there is room for, from both sides in turn: each as a node and as a link."""
    room = ROOM - _FRAME
    columns: tuple[list[_Drawn], list[_Drawn]] = ([], [])
    for row in range(max(len(incoming), len(outgoing))):
        for column, found, x in zip(columns, (incoming, outgoing), ("4", str(_WIDTH - 4)), strict=True):
            if row >= len(found):
                continue
            path, says = found[row]
            title, listed = _titles(library.pages[path].title)
            to = text(to_page(facts.path, path, site))
            # With `href`, a theme takes it for a link of HTML, whose address is a text, and its script fails.
            drawn = _Drawn(
                element("a", element("text", title, x=x, y=str(_middle(row) + 4)), **{"xlink:href": to}),
                link(to, listed),
                says,
            )
            room -= sum(len(part.encode("utf-8", "replace")) for part in drawn[:2]) + _ROW
            if room < 0:
                return columns
            column.append(drawn)
    return columns


@lru_cache(maxsize=_REMEMBERED)
def _titles(title: str) -> tuple[Html, Html]:
    """Give a title as the picture shows it, and as the list does."""
    return text(shortened(title, _LETTERS)), text(one_line(title, _LISTED))


def _middle(row: int) -> int:
    return row * _ROW + _ROW


@lru_cache(maxsize=_REMEMBERED)
def _drawn_lines(left: int, right: int, height: int) -> Html:
    drawn = f"{_lines(left, height)}{_lines(right, height, mirrored=True)}"
    return element("path", d=drawn, fill="none", stroke="currentColor", stroke_opacity=".4")


def _lines(rows: int, height: int, *, mirrored: bool = False) -> str:
    """Draw the lines between a column and the page in the middle, as one path."""
    start, bend = _COLUMN, _COLUMN + 20
    if mirrored:
        start, bend = _WIDTH - start, _WIDTH - bend
    middle = height // 2
    return "".join(f"M{start} {_middle(row)}Q{bend} {_middle(row)} {bend} {middle}" for row in range(rows))


def _listed(drawn: Sequence[_Drawn]) -> Iterable[Html]:
    for says, near in groupby(drawn, key=lambda one: one.says):
        yield element("li", f"{says}: ", join((one.entry for one in near), ", "))
