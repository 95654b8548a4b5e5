"""Owns which section of one version of a page is which of another: by headings, else by what they say.

A section whose heading a person changed is known by its statements. Knows no third version.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from typing import TYPE_CHECKING

from pipeline.wiki.merging.knowing import marks_of
from pipeline.wiki.merging.units import TITLE

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from pipeline.wiki.merging.units import Unit

_SHARED = 0.5
"""The part of what the smaller of two sections says that both say, when a heading changed."""


def match(one: Sequence[Unit], other: Sequence[Unit]) -> dict[int, int]:
    """Tell for the sections of one version which of the other they are, by place."""
    found: dict[int, int] = {}
    _pair_by_path(found, one, other)
    _pair_by_content(found, one, other, lambda unit: unit.level == 0)
    _pair(found, one, other, lambda unit: (_last_key(unit), unit.level), alone=True)
    _pair(found, one, other, lambda unit: (unit.path, unit.level == 0))
    _pair(found, one, other, _last_key, alone=True)
    return found


def match_by_path(one: Sequence[Unit], other: Sequence[Unit]) -> dict[int, int]:
    """Do so by headings alone, of whatever level."""
    found: dict[int, int] = {}
    _pair_by_path(found, one, other)
    _pair(found, one, other, lambda unit: (unit.path, unit.level == 0))
    return found


def _pair_by_path(found: dict[int, int], one: Sequence[Unit], other: Sequence[Unit]) -> None:
    """Pair sections under the same headings; where one stands several times, those that say the same go together."""
    _pair(found, one, other, lambda unit: (unit.path, unit.level, *(chunk.key for chunk in unit.chunks)))
    _pair_by_content(found, one, other, lambda unit: unit.path)
    _pair(found, one, other, lambda unit: (unit.path, unit.level))


def _last_key(unit: Unit) -> Hashable:
    return unit.path[-1] if unit.path and unit.path != TITLE else None


def _pair(
    found: dict[int, int],
    one: Sequence[Unit],
    other: Sequence[Unit],
    key: Callable[[Unit], Hashable],
    *,
    alone: bool = False,
) -> None:
    """Pair what has no partner yet and shares a key, in order; with `alone` only what shares it with no third."""
    taken = set(found.values())
    places: defaultdict[Hashable, deque[int]] = defaultdict(deque)
    for number, unit in enumerate(other):
        if number not in taken and (name := key(unit)) is not None:
            places[name].append(number)
    left = [(number, key(unit)) for number, unit in enumerate(one) if number not in found]
    counts = Counter(name for _, name in left)
    for number, name in left:
        if places.get(name) and not (alone and (counts[name] > 1 or len(places[name]) > 1)):
            found[number] = places[name].popleft()


def _pair_by_content(
    found: dict[int, int], one: Sequence[Unit], other: Sequence[Unit], group: Callable[[Unit], Hashable]
) -> None:
    """Pair sections of one group that say the same for a good part."""
    taken = set(found.values())
    owners: dict[tuple[Hashable, str], int] = {}
    for number, unit in enumerate(one):
        if number not in found:
            for mark in _marks(unit):
                owners.setdefault((group(unit), mark), number)
    for number, unit in enumerate(other if owners else ()):
        marks = set(_marks(unit)) if number not in taken else set()
        votes = Counter(owners[group(unit), mark] for mark in marks if (group(unit), mark) in owners)
        for owner, count in votes.most_common(1):
            if owner not in found and count >= _SHARED * min(len(marks), len(set(_marks(one[owner])))):
                found[owner] = number


def _marks(unit: Unit) -> Iterable[str]:
    return (mark for chunk in unit.chunks for mark in marks_of(chunk))
