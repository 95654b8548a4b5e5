"""Owns one section that both sides changed: chunk by chunk, what only one side changed is taken from it.

Where both changed the same chunk the text that stands stays, and what the commit brought that is new comes behind it.
Knows no other section.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.positions import NEWLINE
from pipeline.wiki.merging.aligning import align
from pipeline.wiki.merging.grouping import Group, changes, groups
from pipeline.wiki.merging.joining import Bit, join
from pipeline.wiki.merging.units import Unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.wiki.merging.aligning import Hunk
    from pipeline.wiki.merging.knowing import Known
    from pipeline.wiki.merging.units import Chunk

NOTHING = Unit((), 0, "", "", "", ())
"""A section that is not there."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """What came of a section that both sides changed: what of it stands, what was added, what was left out.

    Each is the text of a chunk or two, or empty.
    """

    heading: str
    stands: str = ""
    added: str = ""
    left: str = ""


@dataclass(frozen=True, slots=True)
class Woven:
    """The text of a section without what ends its last line, and what is to be told of it."""

    text: str
    meeting: Meeting | None = None


def weave(before: Unit, after: Unit, standing: Unit, known: Known, newline: str) -> Woven:
    """Bring the three versions of a section together; `newline` ends lines that are new between two chunks."""
    return _Loom(before, after, standing, known, newline).woven()


def same(one: str, other: str) -> bool:
    """Whether two texts differ in nothing but how their lines end."""
    return one == other or NEWLINE.sub("\n", one) == NEWLINE.sub("\n", other)


def three_way(before: str, after: str, standing: str) -> str:
    """Take what one side changed; what stands when both did."""
    return after if same(before, standing) else standing


class _Loom:
    def __init__(self, before: Unit, after: Unit, standing: Unit, known: Known, newline: str) -> None:
        self._before, self._after, self._standing = before, after, standing
        self._known = known
        self._newline = newline
        self._bits: list[Bit] = []
        self._stands: list[str] = []
        self._added: list[str] = []
        self._left: list[str] = []

    def woven(self) -> Woven:
        """Go through the section once."""
        ours, kept_by_us = changes(self._before.chunks, self._after.chunks)
        theirs, kept_by_them = changes(self._before.chunks, self._standing.chunks)
        place = 0
        for group in (*groups(ours, theirs), Group(len(self._before.chunks), len(self._before.chunks), (), ())):
            for number in range(place, group.start):
                self._kept(number, kept_by_us[number], kept_by_them[number])
            place = group.end
            if not group.theirs:
                self._take(group, kept_by_them)
            elif not group.ours:
                for hunk in group.theirs:
                    self._stay(hunk, kept_by_us)
            else:
                self._meet(group, kept_by_us, kept_by_them)
        return Woven(self._text(), self._meeting())

    def _text(self) -> str:
        before, after, standing = self._before, self._after, self._standing
        head = three_way(before.head, after.head, standing.head)
        if standing.head and not same(standing.head, before.head) and not same(standing.head, after.head):
            head = standing.head
        text = join(self._bits, (before.chunks, after.chunks, standing.chunks), self._newline)
        if not text:
            return head.rstrip()
        opening = three_way(before.opening, after.opening, standing.opening) if standing.chunks else after.opening
        end = self._newline if head and not head.endswith(("\n", "\r")) else ""
        return f"{head}{end}{opening}{text}"

    def _meeting(self) -> Meeting | None:
        if not self._added and not self._left:
            return None
        heading = self._standing.heading or self._after.heading
        if not self._stands and not same(self._before.head, self._standing.head):
            self._stands = [heading]
        return Meeting(heading, *(" ".join(texts[:2]) for texts in (self._stands, self._added, self._left)))

    def _kept(self, before: int, after: int, standing: int) -> None:
        """Go on with a chunk that both sides kept, but for its mark or its line breaks."""
        chunks = self._before.chunks[before], self._after.chunks[after], self._standing.chunks[standing]
        first, ours, theirs = chunks
        chunk = ours if same(first.text, theirs.text) else theirs
        self._bits.append(Bit(chunk, (before, before), (after, after), (standing, standing)))

    def _take(self, group: Group, kept_by_them: dict[int, int]) -> None:
        """Take what the commit alone changed, but nothing that a person took out elsewhere."""
        for hunk in group.ours:
            taken = self._still_wanted(hunk)
            if any(self._before.chunks[number].kind == "kept" for number in range(hunk.start, hunk.end)):
                self._refuse(hunk, kept_by_them)
                continue
            self._added += [chunk.text for _, chunk in taken]
            for place, (number, chunk) in enumerate(taken):
                first = kept_by_them[hunk.start] if place == 0 and hunk.start < hunk.end else -1
                last = kept_by_them[hunk.end - 1] if place == len(taken) - 1 and hunk.start < hunk.end else -1
                self._bits.append(Bit(chunk, after=(number, number), standing=(first, last)))

    def _still_wanted(self, hunk: Hunk) -> list[tuple[int, Chunk]]:
        """Give the chunks of a hunk that neither a person took out nor stand already; a table's head needs a row."""
        wanted: list[tuple[int, Chunk]] = []
        rows = True
        for number in range(hunk.new_end - 1, hunk.new_start - 1, -1):
            chunk = self._after.chunks[number]
            if self._known.is_gone(chunk) or self._known.stands_already(chunk):
                rows = rows and chunk.kind != "row"
            elif chunk.kind != "table" or rows:
                wanted.append((number, chunk))
                rows = True
        return wanted[::-1]

    def _refuse(self, hunk: Hunk, kept_by_them: dict[int, int]) -> None:
        """Leave a keep block as it stands; what the commit brought comes behind it."""
        for number in range(hunk.start, hunk.end):
            place = kept_by_them[number]
            self._bits.append(Bit(self._standing.chunks[place], standing=(place, place)))
        self._bits += self._new(range(hunk.new_start, hunk.new_end))

    def _stay(self, hunk: Hunk, kept_by_us: dict[int, int]) -> None:
        """Leave what a person alone changed as it stands."""
        for place in range(hunk.new_start, hunk.new_end):
            first = kept_by_us.get(hunk.start, -1) if place == hunk.new_start and hunk.start < hunk.end else -1
            last = kept_by_us.get(hunk.end - 1, -1) if place == hunk.new_end - 1 and hunk.start < hunk.end else -1
            chunk = self._standing.chunks[place]
            self._stands.append(chunk.text)
            self._bits.append(Bit(chunk, after=(first, last), standing=(place, place)))

    def _meet(self, group: Group, kept_by_us: dict[int, int], kept_by_them: dict[int, int]) -> None:
        """Let stand what stands where both sides changed something, and bring what is new beside it."""
        stays: list[int] = []
        number = group.start
        for hunk in group.theirs:
            stays += [kept_by_them[one] for one in range(number, hunk.start)]
            stays += range(hunk.new_start, hunk.new_end)
            number = hunk.end
        stays += [kept_by_them[one] for one in range(number, group.end)]
        chunks = [self._standing.chunks[place] for place in stays]
        places = [place for hunk in group.ours for place in range(hunk.new_start, hunk.new_end)]
        ours = [self._after.chunks[place] for place in places]
        self._bring(stays, places, inserted=group.start == group.end)
        keys = {chunk.key for chunk in chunks}
        unmatched = [one for hunk in group.ours for one in range(hunk.start, hunk.end) if one in kept_by_them]
        left = [self._before.chunks[one].text for one in unmatched if one not in kept_by_us]
        left += [chunk.text for chunk in ours if chunk.key not in keys and chunk.said and not self._known.is_new(chunk)]
        self._left += left
        if left or any(self._known.is_new(chunk) for chunk in ours):
            self._stands += [chunk.text for chunk in chunks if chunk.said or chunk.kind != "other"]

    def _bring(self, stays: Sequence[int], places: Sequence[int], *, inserted: bool) -> None:
        """Put what is new between what stands: behind the last chunk that both sides hold."""
        theirs = [Bit(self._standing.chunks[place], standing=(place, place)) for place in stays]
        pairs = align([bit.chunk.key for bit in theirs], [self._after.chunks[place].key for place in places])
        start = new_start = 0
        for end, new_end in (*pairs, (len(theirs), len(places))):
            new = self._new(places[new_start:new_end])
            if inserted:
                self._insert(theirs[start:end], new)
            else:
                self._bits += [*theirs[start:end], *new]
            if end < len(theirs):
                place = places[new_end]
                self._bits.append(replace(theirs[end], after=(place, place)))
            start, new_start = end + 1, new_end + 1

    def _insert(self, theirs: Sequence[Bit], ours: Sequence[Bit]) -> None:
        """Put behind one chunk what both sides put there: first what belongs to it, then what goes on with its list."""
        runs = [self._runs(bits) for bits in (theirs, ours)]
        for number in range(3):
            for run in runs:
                self._bits += run[number]

    def _runs(self, bits: Sequence[Bit]) -> tuple[Sequence[Bit], Sequence[Bit], Sequence[Bit]]:
        """Tell apart what belongs to the last chunk, what goes on with its list or table, and the rest."""
        last = self._bits[-1].chunk if self._bits else None
        if last is None or last.kind not in {"item", "text", "row", "table"}:
            return (), (), bits
        above = _indent(last.text)
        kind = "row" if last.kind == "table" else last.kind
        deep = next((number for number, bit in enumerate(bits) if _indent(bit.chunk.text) <= above), len(bits))
        on = deep
        while (
            kind != "text" and on < len(bits) and (bits[on].chunk.kind == kind or _indent(bits[on].chunk.text) > above)
        ):
            on += 1
        return bits[:deep], bits[deep:on], bits[on:]

    def _new(self, places: Sequence[int]) -> list[Bit]:
        """Give the chunks of the commit that bring something new."""
        new = [place for place in places if self._known.is_new(self._after.chunks[place])]
        new = [place for place in new if not self._known.is_gone(self._after.chunks[place])]
        self._added += [self._after.chunks[place].text for place in new]
        return [Bit(self._after.chunks[place], after=(place, place)) for place in new]


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t"))
