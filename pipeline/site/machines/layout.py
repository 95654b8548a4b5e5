"""Owns where the nodes of a graph stand: the same nodes and edges get the same places. Knows no page.

Nodes of a group begin on the rings of a sunflower, groups side by side on a larger one; a few rounds then draw
linked nodes together and push close ones apart. Each round looks at a bounded number of neighbours, so that the time
is linear in nodes and edges.
"""

from __future__ import annotations

from cmath import rect
from math import floor, pi, sqrt
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SIDE: Final = 1000
"""Coordinates are whole numbers from 0 to this."""

_GOLDEN: Final = pi * (3 - sqrt(5))
_ROUNDS: Final = 24
_APART: Final = 1.6
"""How far apart nodes are pushed; neighbours on the sunflower lie about 1.7 apart."""
_MOST_NEIGHBOURS: Final = 10
_DRAWN: Final = 0.04
_LONGEST_STEP: Final = 1.0
_ONE_SPOT: Final = 1e-6


def layout(groups: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Give the place of each node; `groups` tells the group of each, and those of a group stand in its order."""
    places = _planted(groups)
    for _ in range(_ROUNDS):
        places = _moved(places, edges)
    return _scaled(places)


def _planted(groups: Sequence[int]) -> list[complex]:
    members: dict[int, list[int]] = {}
    for node, group in enumerate(groups):
        members.setdefault(group, []).append(node)
    places = [0j] * len(groups)
    before = 0
    for number, nodes in enumerate(sorted(members.values(), key=lambda nodes: (-len(nodes), nodes[0]))):
        away = 0.0 if number == 0 else 1.5 * sqrt(before + len(nodes) / 2) + sqrt(len(nodes))
        middle = rect(away, number * _GOLDEN)
        for place, node in enumerate(nodes):
            places[node] = middle + rect(sqrt(place + 0.5), place * _GOLDEN)
        before += len(nodes)
    return places


def _moved(places: list[complex], edges: Sequence[tuple[int, int]]) -> list[complex]:
    """Move every node a little: along its links, and away from those that are too close."""
    moves = [0j] * len(places)
    for one, other in edges:
        drawn = (places[other] - places[one]) * _DRAWN
        moves[one] += drawn
        moves[other] -= drawn
    cells: dict[tuple[int, int], list[int]] = {}
    for node, place in enumerate(places):
        cells.setdefault((floor(place.real / _APART), floor(place.imag / _APART)), []).append(node)
    for (column, row), nodes in cells.items():
        near = [
            node
            for right in (-1, 0, 1)
            for below in (-1, 0, 1)
            for node in cells.get((column + right, row + below), ())[:_MOST_NEIGHBOURS]
        ]
        for node in nodes:
            moves[node] += sum(_pushed(node, other, places) for other in near if other != node)
    return [place + move / max(abs(move) / _LONGEST_STEP, 1.0) for place, move in zip(places, moves, strict=True)]


def _pushed(node: int, other: int, places: Sequence[complex]) -> complex:
    """Tell how far one node is pushed away from another."""
    away = places[node] - places[other]
    distance = abs(away)
    if distance >= _APART:
        return 0j
    if distance < _ONE_SPOT:
        return rect(_APART / 2, node * _GOLDEN)
    return away * ((_APART - distance) / distance / 2)


def _scaled(places: Sequence[complex]) -> list[tuple[int, int]]:
    if not places:
        return []
    left, top = min(place.real for place in places), min(place.imag for place in places)
    wide, high = max(place.real for place in places) - left, max(place.imag for place in places) - top
    size = max(wide, high, _ONE_SPOT)
    right, below = (size - wide) / 2 - left, (size - high) / 2 - top
    return [(round((place.real + right) / size * SIDE), round((place.imag + below) / size * SIDE)) for place in places]
