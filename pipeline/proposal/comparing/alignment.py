"""Owns which lines differ between two texts; knows nothing of what a line says.

Lines that occur once in both texts hold the two together, and between them the same is done again; so the work grows
with the number of lines, and not with its square. A part without such lines is compared pair by pair as long as it
is small, and counts as replaced beyond that.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST_PAIRS: Final = 20_000
"""Pairs of lines that are compared one by one."""
_DEEPEST: Final = 64
"""How often what lies between common lines is cut again."""


def differing(before: Sequence[str], after: Sequence[str]) -> tuple[list[int], list[int]]:
    """Give the numbers, from 0 and ascending, of the lines that are gone and of those that are new."""
    gone: list[int] = []
    new: list[int] = []
    waiting = [(0, len(before), 0, len(after), 0)]
    while waiting:
        first, last, other_first, other_last, depth = waiting.pop()
        while first < last and other_first < other_last and before[first] == after[other_first]:
            first, other_first = first + 1, other_first + 1
        while first < last and other_first < other_last and before[last - 1] == after[other_last - 1]:
            last, other_last = last - 1, other_last - 1
        one, other = before[first:last], after[other_first:other_last]
        pairs = _common(one, other) if one and other and depth < _DEEPEST else []
        if not pairs:
            gone += range(first, last)
            new += range(other_first, other_last)
            continue
        done, other_done = 0, 0
        for end, other_end in [*pairs, (len(one), len(other))]:
            waiting.append(
                (first + done, first + end, other_first + other_done, other_first + other_end, depth + 1),
            )
            done, other_done = end + 1, other_end + 1
    return sorted(gone), sorted(new)


def _common(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Find lines that both texts have in the same order: those that occur once, else the most there are."""
    counts, other_counts = Counter(one), Counter(other)
    places = {line: number for number, line in enumerate(other) if other_counts[line] == 1}
    unique = [(number, places[line]) for number, line in enumerate(one) if counts[line] == 1 and line in places]
    if unique:
        return _ascending(unique)
    if len(one) * len(other) > _MOST_PAIRS or counts.keys().isdisjoint(other_counts):
        return []
    return _longest(one, other)


def _ascending(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Take the most pairs whose second numbers ascend as the first do."""
    ends: list[int] = []
    holders: list[int] = []
    previous: list[int] = []
    for number, (_, other) in enumerate(pairs):
        place = bisect_left(ends, other)
        ends[place : place + 1] = [other]
        holders[place : place + 1] = [number]
        previous.append(holders[place - 1] if place else -1)
    found: list[tuple[int, int]] = []
    number = holders[-1]
    while number >= 0:
        found.append(pairs[number])
        number = previous[number]
    return found[::-1]


def _longest(one: Sequence[str], other: Sequence[str]) -> list[tuple[int, int]]:
    """Find the longest common subsequence."""
    lengths = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for number in reversed(range(len(one))):
        row, below = lengths[number], lengths[number + 1]
        for place in reversed(range(len(other))):
            same = one[number] == other[place]
            row[place] = below[place + 1] + 1 if same else max(below[place], row[place + 1])
    found: list[tuple[int, int]] = []
    number = place = 0
    while number < len(one) and place < len(other):
        if one[number] == other[place]:
            found.append((number, place))
            number, place = number + 1, place + 1
        elif lengths[number + 1][place] >= lengths[number][place + 1]:
            number += 1
        else:
            place += 1
    return found
