"""On labelled pairs the gate keeps within its limits: none flagged wrongly, few missed, few mistaken."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from tests.gates.labelled_pairs import pairs, told

Judged: TypeAlias = "tuple[str, str, bool | str]"
"""What is expected of a pair, what the gate says, and the part that the pair belongs to."""


@pytest.fixture(scope="module")
def judged() -> list[Judged]:
    return [(pair.expected, told(pair), pair.held_out) for pair in pairs()]


def test_the_set_is_large_enough() -> None:
    different = [pair for pair in pairs() if pair.expected != "none"]
    assert len(different) >= 100
    assert len(pairs()) - len(different) >= 40
    assert len({pair.kind for pair in different}) >= 8
    assert len({pair.language for pair in pairs()}) >= 8
    assert sum(pair.held_out is True for pair in pairs()) >= 70
    assert sum(pair.held_out == "second" for pair in pairs()) >= 100


@pytest.mark.parametrize("held_out", [False, True])
def test_error_rates(judged: list[Judged], *, held_out: bool) -> None:
    mine = [(expected, found) for expected, found, held in judged if held is held_out]
    none = [found for expected, found in mine if expected == "none"]
    different = [(expected, found) for expected, found in mine if expected != "none"]
    caught = [(expected, found) for expected, found in different if found != "none"]
    assert sum(found != "none" for found in none) <= 0.01 * len(none)
    assert len(caught) >= 0.98 * len(different) - held_out  # of 50 pairs one more may be missed
    assert sum(expected == found for expected, found in caught) >= 0.95 * len(caught)


def test_error_rates_of_all(judged: list[Judged]) -> None:
    different = [(expected, found) for expected, found, _ in judged if expected != "none"]
    none = [found for expected, found, _ in judged if expected == "none"]
    assert sum(found != "none" for _, found in different) >= 0.98 * len(different)
    assert sum(found != "none" for found in none) <= 0.01 * len(none)
