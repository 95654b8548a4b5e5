"""Owns what each side changed in one section, and which of these changes touch each other; decides nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.wiki.merging.aligning import Hunk, align, hunks, split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.wiki.merging.units import Chunk

_MOST_COMPARED = 400
"""Pairs of chunks of one hunk that are compared by likeness; a larger hunk is paired by order alone, or not at all."""
_ALIKE = 0.5
"""The share of their pairs of letters that two versions of a statement have in common."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Group:
    """Hunks of both sides that touch each other, from `start` to `end` of what stood before."""

    start: int
    end: int
    ours: tuple[Hunk, ...]
    theirs: tuple[Hunk, ...]


def changes(before: Sequence[Chunk], other: Sequence[Chunk]) -> tuple[list[Hunk], dict[int, int]]:
    """Give what changed between two versions, and where what did not change stands now."""
    pairs = align([chunk.key for chunk in before], [chunk.key for chunk in other])
    found: list[Hunk] = []
    for hunk in hunks(pairs, len(before), len(other)):
        if 0 < (hunk.end - hunk.start) * (hunk.new_end - hunk.new_start) <= _MOST_COMPARED:
            found += split(hunk, _Likeness(before, other))
        elif hunk.end - hunk.start == hunk.new_end - hunk.new_start:
            found += split(hunk, lambda _one, _other: 0.0)
        else:
            found.append(hunk)
    return found, dict(pairs)


class _Likeness:
    """How far two chunks are versions of one statement: of one kind, and alike in their letters."""

    def __init__(self, before: Sequence[Chunk], other: Sequence[Chunk]) -> None:
        self._sides = before, other
        self._seen: dict[tuple[int, int], frozenset[str]] = {}

    def __call__(self, one: int, other: int) -> float:
        kinds = {self._sides[0][one].kind, self._sides[1][other].kind}
        if len(kinds) > 1:
            return 0.0
        letters, others = self._letters(0, one), self._letters(1, other)
        share = 2 * len(letters & others) / max(len(letters) + len(others), 1)
        return share if share >= _ALIKE else 0.0

    def _letters(self, side: int, number: int) -> frozenset[str]:
        if (side, number) not in self._seen:
            chunk = self._sides[side][number]
            text = " ".join(_WORD.findall(" ".join(chunk.words) or chunk.text)).casefold()
            self._seen[side, number] = frozenset(text[place : place + 2] for place in range(len(text) - 1))
        return self._seen[side, number]


def groups(ours: Sequence[Hunk], theirs: Sequence[Hunk]) -> Iterator[Group]:
    """Put hunks together that touch the same chunks, or stand in the same place; in order."""
    waiting = sorted(
        [(hunk.start, hunk.end, 0, hunk) for hunk in ours] + [(hunk.start, hunk.end, 1, hunk) for hunk in theirs]
    )
    group: Group | None = None
    for start, end, side, hunk in waiting:
        mine, other = ((hunk,), ()) if side == 0 else ((), (hunk,))
        if group is not None and _touch(group, start, end):
            group = replace(group, end=max(group.end, end), ours=(*group.ours, *mine), theirs=(*group.theirs, *other))
            continue
        if group is not None:
            yield group
        group = Group(start, end, mine, other)
    if group is not None:
        yield group


def _touch(group: Group, start: int, end: int) -> bool:
    """Whether what begins at or behind the start of a group lies in it; an insertion at its edge does not."""
    if group.start == group.end:
        return start == end == group.start
    return start < group.end
