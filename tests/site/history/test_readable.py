"""A line of Markdown is shown without the marks that a page shows as looks, and with all others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.history.readable import is_heading, marks, readable


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        ("## What it is", "What it is"),
        ("# C# ##", "C#"),
        ("#hash", "#hash"),
        (
            "- The **cumulative tree state**, not **per-session snapshots**.",
            "• The cumulative tree state, not per-session snapshots.",
        ),
        ("  * nested", "  • nested"),
        ("+ [x] done", "• ☑ done"),
        ("- [ ] open", "• ☐ open"),
        ("* * *", "* * *"),
        ("Powers `2**3**4` and **one**", "Powers 2**3**4 and one"),
        (r"\`escaped\`", r"\`escaped\`"),
        ("``x `y` z``", "``x `y` z``"),
        ("1. first", "1. first"),
        ("-no item", "-no item"),
        ("a - b", "a - b"),
        ("see `git log -p`", "see git log -p"),
        ("``a ` b``", "``a ` b``"),
        ("2 ** 3 ** 4", "2 ** 3 ** 4"),
        ("a*b*c and __init__", "a*b*c and __init__"),
        ("[one](two.md) stays", "[one](two.md) stays"),
        ("", ""),
    ],
)
def test_marks_that_a_page_shows_as_looks_go(line: str, seen: str) -> None:
    assert readable(line) == seen


def test_headings_are_told() -> None:
    assert [is_heading(line) for line in ("# A", "###### B", "#C", "- # D", "")] == [True, True, False, False, False]


def test_marks_that_go_are_counted() -> None:
    assert [marks(line) for line in ("### A", "**a** `b` **c**", "`**x**` and ``y``", "- a")] == [
        (3, 0, 0),
        (0, 2, 1),
        (0, 0, 1),
        (0, 0, 0),
    ]


@given(st.text(alphabet="*`#- abc", max_size=40))
def test_no_word_goes(line: str) -> None:
    assert [sign for sign in readable(line) if sign in "abc"] == [sign for sign in line if sign in "abc"]


@pytest.mark.parametrize("part", ["**", "**a", "`", "`a", "*", "# ", "- ", "**a ", "a** ", "a"])
def test_long_lines_come_back(part: str) -> None:
    line = f"x {part * 200_000}"
    assert readable(line)[:2] == "x "
