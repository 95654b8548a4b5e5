"""Owns what the changed lines of a page's text are: headings, claims, notes, code; and which became which.

The lines are compared first; what is changed is cut into units, a paragraph or a list item whole, so that a text that
was merely wrapped otherwise is the same. Knows no front matter and no HTML.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pipeline.proposal.comparing.alignment import differing
from pipeline.site.history.words import bag, likeness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Shape = Literal["heading", "item", "row", "text", "quote", "note", "code"]

_START: Final = re.compile(
    r"(?P<heading>#{1,6}(?:[ \t]|\Z))|(?P<item>(?:[-*+]|\d{1,9}[.)])(?:[ \t]|\Z))|(?P<quote>>)"
    r"|(?P<note>\[\^[^\]\s]{1,200}\]:)|(?P<code>```|~~~|<!--)|(?P<row>\|)"
)
_FENCE: Final = re.compile(r"[ \t]*(```+|~~~+)")
_RULE: Final = re.compile(r"[-|:= \t]+\Z")
_MARK: Final = re.compile(r"\[\^[^\]\s]{1,200}\]")
_SHAPES: Final[dict[str, Shape]] = {
    "heading": "heading",
    "item": "item",
    "quote": "quote",
    "note": "note",
    "code": "code",
    "row": "row",
}
_CLAIMS: Final = frozenset({"item", "row", "text"})
_GO_ON: Final = frozenset({"item", "text", "quote", "note"})
_ALIKE: Final = 0.4
"""The part of their words that two units share when one became the other."""
_ALONE: Final = 0.25
"""The same where one unit is gone and one is new."""
_SAME: Final = 2.0
"""The likeness of units with the same text, above that of all others."""
_MOST_UNITS: Final = 2_000
"""Units in one place among which some can become others; a larger change is another text."""
_MOST_PAIRS: Final = 400
"""Units that are held against each other; in a larger change they are paired in their order."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A heading, a paragraph, a list item, a row, a footnote or a line of code; `line` is its first, from 0."""

    shape: Shape
    text: str
    line: int
    lines: int = 1

    @property
    def is_claim(self) -> bool:
        """Whether it says something of its own."""
        return self.shape in _CLAIMS and not self.text.endswith((":", "：")) and not _RULE.match(self.text)

    @property
    def bare(self) -> str:
        """Its text without footnote marks."""
        return " ".join(_MARK.sub(" ", self.text).split()) if "[^" in self.text else self.text


@dataclass(frozen=True, slots=True)
class Entry:
    """What became of a unit: gone without `after`, new without `before`.

    `line` is the line of the later text that it stands at, or would.
    """

    before: Unit | None
    after: Unit | None
    line: int

    @property
    def shape(self) -> Shape:
        """What the unit is, or was."""
        unit = self.after or self.before
        return unit.shape if unit is not None else "text"


def compare_lines(before: Sequence[str], after: Sequence[str]) -> tuple[Entry, ...]:
    """Tell the units of two texts apart, in the order of the later one."""
    gone, new = differing(before, after)
    if not gone and not new:
        return ()
    code, new_code = fenced(before), fenced(after)
    return tuple(
        entry
        for lost, found in _hunks(gone, new)
        for entry in _entries(list(_units(before, lost, code)), list(_units(after, found, new_code)), found.start)
    )


def _hunks(gone: Sequence[int], new: Sequence[int]) -> Iterator[tuple[range, range]]:
    """Give the runs of lines that stand in one place: before both of them stand as many lines that did not change."""
    number = place = 0
    while number < len(gone) or place < len(new):
        common = min(
            gone[number] - number if number < len(gone) else new[place] - place,
            new[place] - place if place < len(new) else gone[number] - number,
        )
        start, new_start = number, place
        while number < len(gone) and gone[number] - number == common:
            number += 1
        while place < len(new) and new[place] - place == common:
            place += 1
        yield range(common + start, common + number), range(common + new_start, common + place)


def fenced(lines: Sequence[str]) -> frozenset[int]:
    """Tell which lines stand in blocks of code, their fences included."""
    found: set[int] = set()
    fence, start = "", 0
    for number in [number for number, line in enumerate(lines) if "```" in line or "~~~" in line]:
        mark = _FENCE.match(lines[number])
        if mark is not None and not fence:
            fence, start = mark[1], number
        elif mark is not None and mark[1].startswith(fence):
            found.update(range(start, number + 1))
            fence = ""
    if fence:
        found.update(range(start, len(lines)))
    return frozenset(found)


def _units(lines: Sequence[str], part: range, code: frozenset[int]) -> Iterator[Unit]:
    shape: Shape | None = None
    texts: list[str] = []
    start = 0
    for number in part:
        line = lines[number]
        if number in code:
            own: Shape | None = "code"
        elif not line:
            own = None
        else:
            found = _START.match(line.lstrip())
            own = _SHAPES[str(found.lastgroup)] if found else "text"
            if shape in _GO_ON and (own == "text" or own == shape == "quote"):
                texts.append(" ".join(line.split()))
                continue
        if shape is not None:
            yield Unit(shape, " ".join(texts), start, len(texts))
        shape, start = own, number
        texts = [line if own == "code" else _tidy(line)]
    if shape is not None:
        yield Unit(shape, " ".join(texts), start, len(texts))


def _tidy(line: str) -> str:
    """Bring a line's blanks to one each, but for those that it begins with: they tell to which item it belongs."""
    inner = line.lstrip()
    return line[: len(line) - len(inner)] + " ".join(inner.split())


def _entries(gone: Sequence[Unit], new: Sequence[Unit], line: int) -> Iterator[Entry]:
    start = new_start = 0
    for end, new_end in (*_pairs(gone, new), (len(gone), len(new))):
        at = new[new_start].line if new_start < len(new) else line
        yield from (Entry(unit, None, at) for unit in gone[start:end])
        yield from (Entry(None, unit, unit.line) for unit in new[new_start:new_end])
        if end < len(gone) and gone[end].text != new[new_end].text:
            yield Entry(gone[end], new[new_end], new[new_end].line)
        start, new_start = end + 1, new_end + 1


def _pairs(gone: Sequence[Unit], new: Sequence[Unit]) -> Iterable[tuple[int, int]]:
    """Pair units that became one another, the most alike first, so that no two pairs cross."""
    if not gone or not new or max(len(gone), len(new)) > _MOST_UNITS:
        return ()
    least = _ALONE if len(gone) == len(new) == 1 else _ALIKE
    small = len(gone) * len(new) <= _MOST_PAIRS
    bags, new_bags = [bag(unit.bare) for unit in gone], [bag(unit.bare) for unit in new]
    scored: list[tuple[float, int, int]] = []
    for number, unit in enumerate(gone):
        for other in range(len(new)) if small else range(number, min(number + 1, len(new))):
            if unit.shape == new[other].shape:
                alike = _SAME if unit.text == new[other].text else likeness(bags[number], new_bags[other])
                if alike >= least:
                    scored.append((-alike, number, other))
    pairs: list[tuple[int, int]] = []
    for _, number, other in sorted(scored):
        place = bisect_left(pairs, (number, other))
        follows = place == 0 or (pairs[place - 1][0] < number and pairs[place - 1][1] < other)
        if follows and (place == len(pairs) or (number < pairs[place][0] and other < pairs[place][1])):
            pairs.insert(place, (number, other))
    return pairs
