"""Owns where items of a page's lists come back into a draft: in their list, at their depth, beside their neighbours.

Knows not why an item comes back, and nothing of tables and paragraphs.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import is_claim
from pipeline.wiki.markdown.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.wiki.markdown.blocks import Statement

_LEAD = re.compile(r"(?P<indent>.*?)(?P<marker>[-*+]|\d{1,9}[.)])(?P<gap>[ \t]+)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Item:
    """The text of an item of a list; `lead` is what stands before it on its line.

    `opens` says that the item begins with it; if not, it is a later paragraph. `holder` is the number of the item that
    holds it, or -1, and `list` tells the lists of a text apart.
    """

    statement: Statement
    lead: str
    opens: bool
    holder: int
    list: int
    words: str

    @property
    def numbered(self) -> bool:
        """Whether its list counts."""
        return self.lead.strip()[-1:] in {".", ")"}


def read_items(body: str) -> tuple[Item, ...]:
    """Read the items of a text's lists, those in quotations left out."""
    blocks = read_blocks(body)
    headings = [heading.start for heading in blocks.headings]
    found: list[Item] = []
    holders: list[int] = []
    lists = 0
    last = ("", 0)
    for statement in blocks.statements:
        if statement.shape != "item" or statement.quoted:
            holders.clear()
            last = ("", 0)
            continue
        while holders and found[holders[-1]].statement.extent[1] <= statement.start:
            holders.pop()
        lead = body[blocks.starts[statement.line] : statement.start]
        opens = bool(lead.strip()) and statement.extent[0] == blocks.starts[statement.line]
        kind = (lead.strip()[-1:], bisect_right(headings, statement.start))
        if not holders and opens:
            lists += kind != last
            last = kind
        holder = holders[-1] if holders else -1
        found.append(Item(statement, lead, opens, holder, lists, plain(statement.bare)))
        if opens:
            holders.append(len(found) - 1)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an item goes, and the mark that it gets; a mark that counts goes up by `step`."""

    position: int
    lead: str
    step: int = 1
    before: bool = False


class Lists:
    """The lists of a page and of one section of its draft, from `start` to `end`."""

    def __init__(self, page: str, draft: str, start: int, end: int) -> None:
        self._draft = draft
        self._items = read_items(page)
        self._numbers = {one.statement.start: number for number, one in enumerate(self._items)}
        self._drafted = [one for one in read_items(draft) if start <= one.statement.start < end]
        self._by_words: dict[str, Item] = {}
        for one in self._drafted:
            if one.opens:
                self._by_words.setdefault(one.words, one)
        self._beside = self._neighbours()
        tops = (one for one in self._drafted if one.opens and one.holder < 0)
        self._last = {one.numbered: one for one in tops}

    def put_back(self, texts: Mapping[int, str]) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        """Put texts back, each by the place of its statement on the page.

        Gives what is inserted where, and the items that belong to no list of the draft, written as they stood, with
        the place of each on the page.
        """
        wanted = {self._numbers[start]: text for start, text in texts.items() if start in self._numbers}
        roots, inner = self._gathered(wanted)
        edits: list[tuple[int, str]] = []
        left: list[tuple[int, str]] = []
        taken: Counter[tuple[int, int]] = Counter()
        for number in roots:
            place = self._place(number)
            if place is None:
                item = self._items[number]
                left.append((item.statement.start, "\n".join(self._written(number, wanted, inner, _alone(item)))))
                continue
            mark = _counted(place.lead, place.step + taken[place.position, len(place.lead)])
            taken[place.position, len(place.lead)] += 1
            text = "\n".join(self._written(number, wanted, inner, mark))
            edits.append((place.position, f"{text}\n" if place.before else f"\n{text}"))
        return edits, left

    def _gathered(self, wanted: dict[int, str]) -> tuple[list[int], Mapping[int, list[int]]]:
        """Set items below those that come back with them; a mere label of items that come back does so too."""
        inner: dict[int, list[int]] = defaultdict(list)
        roots: list[int] = []
        for number in sorted(wanted):
            below, holder = number, self._items[number].holder
            while holder >= 0 and holder not in wanted and self._is_lost_label(holder):
                wanted[holder] = self._items[holder].statement.text
                inner[holder].append(below)
                below, holder = holder, self._items[holder].holder
            (inner[holder] if holder in wanted else roots).append(below)
        return roots, inner

    def _is_lost_label(self, number: int) -> bool:
        item = self._items[number]
        return item.words not in self._by_words and not (item.statement.labels and is_claim(item.statement))

    def _place(self, number: int) -> _Place | None:
        """Find the place of an item: beside a neighbour, in the item that held it, or in a list of its kind."""
        item = self._items[number]
        holder = self._by_words.get(self._items[item.holder].words) if item.holder >= 0 else None
        if not item.opens:
            return None if holder is None else _Place(holder.statement.end, f"\n{_blank(holder.lead)}")
        before, after = self._beside[number]
        if before is not None:
            return _Place(self._end(before), before.lead)
        if after is not None:
            return _Place(after.statement.extent[0], after.lead, 0, before=True)
        if holder is not None:
            return _Place(self._end(holder), f"{_blank(holder.lead)}{_alone(item)}", 0)
        last = self._last.get(item.numbered)
        return None if last is None else _Place(self._end(last), last.lead)

    def _neighbours(self) -> list[tuple[Item | None, Item | None]]:
        """Find, for each item of the page, the items of the draft that stood nearest before and behind it."""
        before: dict[tuple[int, int], Item] = {}
        after: dict[tuple[int, int], Item] = {}
        found: list[tuple[Item | None, Item | None]] = []
        for one in self._items:
            key = (one.holder, one.list)
            found.append((before.get(key), None))
            if one.opens and one.words in self._by_words:
                before[key] = self._by_words[one.words]
        for number in range(len(self._items) - 1, -1, -1):
            one = self._items[number]
            key = (one.holder, one.list)
            found[number] = (found[number][0], after.get(key))
            if one.opens and one.words in self._by_words:
                after[key] = self._by_words[one.words]
        return found

    def _end(self, other: Item) -> int:
        """Find where an item ends, with all that it holds."""
        return len(self._draft[: other.statement.extent[1]].rstrip())

    def _written(
        self, number: int, texts: Mapping[int, str], inner: Mapping[int, Sequence[int]], lead: str
    ) -> Iterable[str]:
        """Write an item with those in it, line by line."""
        item = self._items[number]
        first, *more = texts[number].split("\n")
        indent = _blank(lead.lstrip("\n"))
        yield f"{lead}{first.rstrip()}"
        deep = len(_blank(item.lead))
        yield from (f"{indent}{line[len(line[:deep]) - len(line[:deep].lstrip()) :]}".rstrip() for line in more)
        for below in inner.get(number, ()):
            one = self._items[below]
            if not one.opens:
                yield ""
            yield from self._written(below, texts, inner, f"{indent}{_alone(one) if one.opens else ''}")


def _alone(item: Item) -> str:
    """Give the mark that an item had, without what stood before it."""
    found = _LEAD.match(item.lead)
    return f"{found['marker']}{found['gap']}" if found else "- "


def _counted(lead: str, step: int) -> str:
    """Give the mark of an item that stands `step` places behind one of this mark."""
    found = _LEAD.match(lead)
    if found is None:
        return lead
    marker = found["marker"]
    if marker[0].isdigit():
        marker = f"{int(marker[:-1]) + step}{marker[-1]}"
    return f"{_blank(found['indent'])}{marker}{found['gap']}"


def _blank(lead: str) -> str:
    return "".join(one if one.isspace() else " " for one in lead)
