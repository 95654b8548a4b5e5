from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.proposal.comparing.alignment import differing

LINES = st.lists(st.sampled_from("abcdefg"), max_size=14)


@pytest.mark.parametrize(
    ("before", "after", "gone", "new"),
    [
        ("", "", [], []),
        ("abc", "abc", [], []),
        ("", "ab", [], [0, 1]),
        ("ab", "", [0, 1], []),
        ("abc", "axc", [1], [1]),
        ("abcd", "bcda", [0], [3]),
        ("aab", "ab", [1], []),
        ("xaaax", "xaaaax", [], [4]),
    ],
)
def test_lines_that_differ(before: str, after: str, gone: list[int], new: list[int]) -> None:
    assert differing(before, after) == (gone, new)


@given(LINES, LINES)
def test_what_is_left_is_the_same_in_both(before: list[str], after: list[str]) -> None:
    gone, new = differing(before, after)
    assert gone == sorted(set(gone))
    assert new == sorted(set(new))
    kept = [line for number, line in enumerate(before) if number not in gone]
    assert kept == [line for number, line in enumerate(after) if number not in new]


@given(LINES)
def test_a_text_does_not_differ_from_itself(lines: list[str]) -> None:
    assert differing(lines, lines) == ([], [])


def test_many_equal_lines_do_not_take_long() -> None:
    began = time.process_time()
    gone, new = differing(["same"] * 40_000 + ["x"], ["other", "same"] * 20_000)
    assert len(gone) - len(new) == 1
    differing([str(number) for number in range(40_000)], [str(number) for number in reversed(range(40_000))])
    assert time.process_time() - began < 20
