"""Owns the entries of the site's lists, and how they are cut into documents that stay small.

An entry's texts are made safe once, however many lists it stands in. Knows no hub.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page, to_place
from pipeline.site.elements import Html, element, join, link, page_link, text
from pipeline.site.hubs.shelving import LONGEST_TITLE, MOST
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.values import Site

LONGEST_WORDS: Final = 160
"""Characters of a description in a list; the look of the site decides how many of them it shows."""
ROOM: Final = 13_500
"""Bytes of HTML that the entries of one document take at most; its head and its paging take more."""

_MARKUP: Final = 68
_BESIDE: Final = 60
_ALIKE: Final = 70
_MORE: Final = 20
_HEADING: Final = 40
_FOLD: Final = 90
_REMEMBERED: Final = 8_192
"""Facts that are kept: the entries of a list share most of theirs."""
_RIGHT_TO_LEFT: Final = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


@dataclass(frozen=True, slots=True)
class Row:
    """An entry: a title that leads to a place, what is said of it, and facts; `group` is the heading above it.

    `place` is an address from the site's top, encoded; an entry without one leads nowhere. `mark` becomes its id.
    """

    title: Html
    place: str
    said: Html = field(default_factory=Html)
    facts: Html = field(default_factory=Html)
    group: str = ""
    mark: str = ""
    beside: tuple[str, str] = ("", "")
    """Another place that the entry leads to, encoded as well, and the words of that link."""
    folded: tuple[Row, ...] = ()
    """Entries that it holds, folded away below its title."""

    @property
    def weight(self) -> int:
        """Bytes of HTML that it takes at most."""
        parts = f"{self.title}{self.place}{self.said}{self.facts}{self.mark}{''.join(self.beside)}"
        told = len(parts.encode("utf-8", "replace"))
        inner = sum(row.weight for row in self.folded)
        return told + _MARKUP + (_BESIDE if self.beside[0] else 0) + (inner + _FOLD if self.folded else 0)


class Way:
    """The way from one document to places on the site; what is the same for all of them is found once."""

    __slots__ = ("_start", "here", "site")

    def __init__(self, here: str, site: Site) -> None:
        self.here, self.site = here, site
        self._start = from_top(here, site).split("/")[:-1]

    def to(self, place: str) -> str:
        """Give the relative address of an encoded place; the same as `to_place` gives for the place itself."""
        start, goal = self._start, place.split("/")
        same, most = 0, min(len(self._start), len(goal) - 1)
        while same < most and start[same] == goal[same]:
            same += 1
        steps = "../" * (len(start) - same) + "/".join(goal[same:])
        if not steps:
            return "./"
        return f"./{steps}" if ":" in steps.partition("/")[0] else steps

    def page(self, path: str, anchor: str = "") -> str:
        """Give the relative address of a document."""
        return to_page(self.here, path, self.site, anchor)

    def file(self, place: str) -> str:
        """Give the relative address of a file of the site, such as `kb/index.json`."""
        return to_place(self.here, place, self.site)


def from_top(path: str, site: Site) -> str:
    """Give the encoded address of a document from the site's top."""
    return to_page("index.md", path, site).removeprefix("./")


def row_of(facts: Facts, site: Site) -> Row:
    """Make the entry of a page: its title, and the beginning of its description where that tells more."""
    title = one_line(facts.title, LONGEST_TITLE) or facts.path
    said = whole_words(facts.description, LONGEST_WORDS)
    # Many a description is the title again.
    if len(said) < len(title) + _MORE and said.casefold().startswith(title.rstrip(".…").casefold()[:_ALIKE]):
        said = ""
    return Row(
        element("bdi", title) if _RIGHT_TO_LEFT.search(title) else join((title,)),
        from_top(facts.path, site),
        saying(said),
    )


def whole_words(words: str, limit: int) -> str:
    """Bring words into one line of at most `limit` characters, cut between two words where there is a space."""
    line = one_line(words, limit)
    if not line.endswith("…") or len(line) < limit - 1:
        return line
    kept = line[:-1].rpartition(" ")[0]
    return f"{kept.rstrip(',;:')}…" if len(kept) > limit // 2 else line


def saying(words: str) -> Html:
    """Say something about an entry; nothing without words."""
    return join((" ", element("span", words, class_="wm-said"))) if words else Html()


@lru_cache(maxsize=_REMEMBERED)
def telling(*facts: str) -> Html:
    """Tell facts of an entry, those that are not empty, with a middle dot between."""
    told = " · ".join(filter(None, facts))
    return join((" ", element("span", told, class_="wm-fact"))) if told else Html()


def listed(row: Row, *facts: str, group: str = "", mark: str = "", brief: bool = False) -> Row:
    """Put an entry into a list, with facts of that list; a brief one leaves out what is said of it."""
    return Row(row.title, row.place, Html() if brief else row.said, telling(*facts), group, mark)


def render(rows: Iterable[Row], way: Way) -> Html:
    """Write entries as lists, one below each heading; neighbours with one group stand below one heading."""
    return join(_group(group, list(found), way) for group, found in groupby(rows, key=lambda row: row.group))


def leaves(rows: Sequence[Row], room: int = ROOM) -> list[Sequence[Row]]:
    """Cut entries into documents of at most 60 entries and `room` bytes; there is always one, if an empty one."""
    cuts = [0]
    left, group = room, ""
    for number, row in enumerate(rows):
        size = row.weight
        if number == cuts[-1] or row.group != group:
            group = row.group
            size += _HEADING + len(text(group).encode("utf-8", "replace"))
        if number > cuts[-1] and (number - cuts[-1] == MOST or size > left):
            cuts.append(number)
            left = room
        left -= size
    return [rows[start:end] for start, end in zip(cuts, [*cuts[1:], len(rows)], strict=True)]


def _group(group: str, rows: Sequence[Row], way: Way) -> Html:
    entries = element("ul", *(_entry(row, way) for row in rows), class_="wm-list")
    return join((element("h2", group), entries)) if group else entries


def _entry(row: Row, way: Way) -> Html:
    title = _title(row, way)
    if row.folded:
        return element("li", _fold(title, row, way))
    if not (row.mark or row.beside[0]):
        return element("li", title, row.said, row.facts)
    place, words = row.beside
    beside = join((" ", link(way.to(place), words, class_="wm-fact"))) if place else ""
    return element("li", title, row.said, row.facts, beside, id=row.mark or None)


def _fold(title: Html, row: Row, way: Way) -> Html:
    entries = element("ul", *(_entry(one, way) for one in row.folded), class_="wm-list")
    place, words = row.beside
    beside = element("p", link(way.to(place), words)) if place else ""
    return element("details", element("summary", title), entries, beside)


def _title(row: Row, way: Way) -> Html:
    if not row.place:
        return row.title
    # A theme finds no part of a page whose mark is encoded, to show it as a preview.
    return (link if "%" in row.place.partition("#")[2] else page_link)(way.to(row.place), row.title)
