"""Owns which entries of two sequences are the same, in order, and which runs of one became which of the other.

The work grows with the length of the sequences alone (times its logarithm): anchors are what stands once on both
sides. Knows not what the entries are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_DEEPEST = 8
"""How often what lies between two anchors is looked through for further ones."""


@dataclass(frozen=True, slots=True, order=True)
class Hunk:
    """Entries of one sequence, from `start` to `end`, became those of the other from `new_start` to `new_end`."""

    start: int
    end: int
    new_start: int
    new_end: int


def align(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Pair equal entries of two sequences, in order."""
    pairs: list[tuple[int, int]] = []
    waiting = [(0, len(one), 0, len(other), 0)]
    while waiting:
        start, end, new_start, new_end, depth = waiting.pop()
        while start < end and new_start < new_end and one[start] == other[new_start]:
            pairs.append((start, new_start))
            start, new_start = start + 1, new_start + 1
        while start < end and new_start < new_end and one[end - 1] == other[new_end - 1]:
            end, new_end = end - 1, new_end - 1
            pairs.append((end, new_end))
        if start == end or new_start == new_end or depth == _DEEPEST:
            continue
        anchors = _anchors(one, other, (start, end, new_start, new_end))
        pairs += anchors
        edges = [(start - 1, new_start - 1), *anchors, (end, new_end)]
        if anchors:
            for (low, new_low), (high, new_high) in pairwise(edges):
                waiting.append((low + 1, high, new_low + 1, new_high, depth + 1))
    return sorted(pairs)


def hunks(pairs: Sequence[tuple[int, int]], length: int, new_length: int) -> list[Hunk]:
    """Give what stands between the pairs."""
    found: list[Hunk] = []
    start = new_start = 0
    for end, new_end in (*pairs, (length, new_length)):
        if start < end or new_start < new_end:
            found.append(Hunk(start, end, new_start, new_end))
        start, new_start = end + 1, new_end + 1
    return found


def split(hunk: Hunk, likeness: Callable[[int, int], float]) -> Iterator[Hunk]:
    """Cut a hunk where an entry became another one that is like it; without such pairs it stays whole.

    `likeness` is 0 for two that are not alike; an entry goes with the one that it is most like. Entries of two runs of
    one length that have no likeness are paired in their order.
    """
    pairs: list[tuple[int, int]] = []
    place = hunk.new_start
    for number in range(hunk.start, hunk.end):
        scores = [likeness(number, new) for new in range(place, hunk.new_end)]
        best = max(scores, default=0.0)
        if best > 0:
            found = place + scores.index(best)
            pairs.append((number, found))
            place = found + 1
    start, new_start = hunk.start, hunk.new_start
    for end, new_end in (*pairs, (hunk.end, hunk.new_end)):
        if end - start == new_end - new_start:
            for step in range(end - start):
                yield Hunk(start + step, start + step + 1, new_start + step, new_start + step + 1)
        elif start < end or new_start < new_end:
            yield Hunk(start, end, new_start, new_end)
        if (end, new_end) != (hunk.end, hunk.new_end):
            yield Hunk(end, end + 1, new_end, new_end + 1)
        start, new_start = end + 1, new_end + 1


def _anchors(one: Sequence[str], other: Sequence[str], part: tuple[int, int, int, int]) -> list[tuple[int, int]]:
    """Pair what stands once in either part, as many as keep their order."""
    start, end, new_start, new_end = part
    counts, new_counts = Counter(one[start:end]), Counter(other[new_start:new_end])
    places = {other[number]: number for number in range(new_start, new_end) if new_counts[other[number]] == 1}
    pairs = [
        (number, places[one[number]])
        for number in range(start, end)
        if counts[one[number]] == 1 and one[number] in places
    ]
    return _longest_rise(pairs)


def _longest_rise(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give the longest run of pairs whose second numbers rise."""
    ends: list[int] = []
    at: list[int] = []
    before: list[int] = []
    for number, (_, new) in enumerate(pairs):
        place = bisect_left(ends, new)
        before.append(at[place - 1] if place else -1)
        if place == len(ends):
            ends.append(new)
            at.append(number)
        else:
            ends[place], at[place] = new, number
    found: list[tuple[int, int]] = []
    number = at[-1] if at else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
