from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.history.units import compare_lines

LINE = st.sampled_from(
    [
        "",
        "# Title",
        "## Part",
        "- one thing",
        "- another thing",
        "text goes on",
        "> note",
        "[^a]: note",
        "```",
        "| a | b |",
    ]
)


def told(before: str, after: str) -> list[tuple[str, str]]:
    """Name what became of each unit: its shape, with the text before and after."""
    entries = compare_lines(before.split("\n"), after.split("\n"))
    return [
        (
            (entry.after or entry.before).shape,  # type: ignore[union-attr]
            " -> ".join(unit.text if unit else "" for unit in (entry.before, entry.after)),
        )
        for entry in entries
    ]


@pytest.mark.parametrize(
    ("before", "after", "entries"),
    [
        ("- a\n- b", "- a\n- b", []),
        ("- a", "- a\n- b", [("item", " -> - b")]),
        ("- a\n- b", "- b", [("item", "- a -> ")]),
        (
            "- the cache lives an hour",
            "- the cache lives a day",
            [("item", "- the cache lives an hour -> - the cache lives a day")],
        ),
        ("- about cats", "- of other things", [("item", "- about cats -> "), ("item", " -> - of other things")]),
        ("one two\nthree four", "one two three\nfour", []),
        ("## Old name", "## New name", [("heading", "## Old name -> ## New name")]),
        ("```\na  b\n```", "```\na b\n```", [("code", "a  b -> a b")]),
        ("- a\n\n[^o]: x", "- a\n\n[^o]: x y", [("note", "[^o]: x -> [^o]: x y")]),
        ("| a |\n|---|\n| 1 b |", "| a |\n|---|\n| 2 b |", [("row", "| 1 b | -> | 2 b |")]),
        (
            "- one two three four\n- five six seven",
            "- five six seven one two\n- one two three 4",
            [
                ("item", " -> - five six seven one two"),
                ("item", "- one two three four -> - one two three 4"),
                ("item", "- five six seven -> "),
            ],
        ),
        (
            "- alpha beta gamma\n- delta epsilon zeta",
            "- new one entirely\n- delta epsilon eta\n- alpha beta",
            [
                ("item", " -> - new one entirely"),
                ("item", " -> - delta epsilon eta"),
                ("item", "- alpha beta gamma -> - alpha beta"),
                ("item", "- delta epsilon zeta -> "),
            ],
        ),
    ],
)
def test_what_became_of_each_unit(before: str, after: str, entries: list[tuple[str, str]]) -> None:
    assert told(before, after) == entries


def test_what_is_a_claim() -> None:
    text = "# A\n\nA paragraph.\n\nIt leads to:\n\n- item\n1. step\n> note\n[^o]: 2026\n| cell |\n|---|\n```\nx\n```"
    claims = [entry.after.text for entry in compare_lines((), text.split("\n")) if entry.after and entry.after.is_claim]
    assert claims == ["A paragraph.", "- item", "1. step", "| cell |"]


@given(st.lists(LINE, max_size=12), st.lists(LINE, max_size=12))
def test_every_line_that_differs_is_told_once_and_nothing_else(before: list[str], after: list[str]) -> None:
    entries = compare_lines(before, after)
    for side, lines in (("before", before), ("after", after)):
        units = [unit for entry in entries if (unit := getattr(entry, side)) is not None]
        spans = [number for unit in units for number in range(unit.line, unit.line + unit.lines)]
        assert len(spans) == len(set(spans))
        for unit in units:
            words = " ".join(lines[unit.line : unit.line + unit.lines])
            assert unit.text.split() == words.split()
    assert compare_lines(before, after) == entries
    assert [entry.line for entry in entries] == sorted(entry.line for entry in entries)
    assert compare_lines(after, after) == ()


def test_a_large_page_is_compared_in_time() -> None:
    generator = random.Random(1)
    words = ["cache", "session", "token", "store", "cookie", "limit", "retry", "queue"]
    lines = [f"- {' '.join(generator.choices(words, k=9))} {number}" for number in range(8_000)]
    other = [line.replace("cache", "memory") if number % 3 else line for number, line in enumerate(lines)]
    start = time.process_time()
    assert len(compare_lines(lines, other)) > 2_000
    assert compare_lines(lines, [f"{line} !" for line in lines])
    assert compare_lines(["- a"] * 20_000, ["- b"] * 20_000)
    assert time.process_time() - start < 8
