"""Cuts: exact counts of what is missing, whole graphemes, good places; one-liners; fences."""

from __future__ import annotations

import re

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from pipeline.text import Excerpt, cut, fenced, graphemes, head_and_tail, one_line

FAMILY = "👨‍👩‍👧‍👦"
FLAGS = "🇩🇪🇯🇵"
MARKER = re.compile(r"\n\[\.\.\. ([\d,]+) characters left out \.\.\.\]\n")

PIECES = st.sampled_from(
    [
        "a",
        "Z",
        " ",
        "\n",
        "\r",
        "\r\n",
        "\t",
        "é",
        "e\u0301",
        FAMILY,
        "👍🏽",
        "각",
        "ᄀ",
        "ᅡ",
        "ᆨ",
        "漢",
        "न्",
        "स्ते",
        "ก",
        "\u200d",
    ]
)
TEXTS = st.lists(PIECES, max_size=80).map("".join) | st.text(max_size=80)
# `\X` joins a flag and an Indic letter after a stray virama, which UAX 29 does not; flags have tests of their own.
WITHOUT_FLAGS = TEXTS.map(lambda text: regex.sub(r"\p{RI}", "", text))


def boundaries(text: str) -> set[int]:
    ends = {0}
    for cluster in graphemes(text):
        ends.add(max(ends) + len(cluster))
    return ends


@pytest.mark.parametrize(
    ("text", "clusters"),
    [
        ("", []),
        ("ab", ["a", "b"]),
        ("a\r\nb", ["a", "\r\n", "b"]),
        (f"x{FAMILY}y", ["x", FAMILY, "y"]),
        (f"{FLAGS}🇫", ["🇩🇪", "🇯🇵", "🇫"]),
        ("e\u0301a", ["e\u0301", "a"]),
        ("각ᄀ", ["각", "ᄀ"]),
        ("\u0600" + FLAGS, ["\u0600🇩🇪", "🇯🇵"]),
    ],
)
def test_graphemes(text: str, clusters: list[str]) -> None:
    assert list(graphemes(text)) == clusters


@given(WITHOUT_FLAGS)
def test_graphemes_are_those_of_the_standard(text: str) -> None:
    assert list(graphemes(text)) == regex.findall(r"\X", text)


@pytest.mark.parametrize(
    ("text", "limit", "kept"),
    [
        ("abc", 5, "abc"),
        ("abc", 3, "abc"),
        ("abc", 2, "ab"),
        ("abc", 0, ""),
        ("abc", -1, ""),
        (f"a{FAMILY}", 4, "a"),
        (FAMILY, 6, ""),
        (FLAGS, 3, "🇩🇪"),
        ("e\u0301e\u0301", 3, "e\u0301"),
        ("a\r\nb", 2, "a"),
        ("漢字かな", 3, "漢字か"),
        ("न्न", 1, ""),
    ],
)
def test_cut(text: str, limit: int, kept: str) -> None:
    assert cut(text, limit) == kept


@given(WITHOUT_FLAGS, st.integers(0, 90))
def test_cut_gives_the_longest_beginning_of_whole_graphemes(text: str, limit: int) -> None:
    kept = cut(text, limit)

    assert text.startswith(kept)
    assert len(kept) == max(end for end in boundaries(text) if end <= limit)


@given(st.text(alphabet="🇩🇪🇯🇵x\u0301", max_size=60), st.integers(0, 60))
def test_cut_keeps_flags_whole(text: str, limit: int) -> None:
    assert len(cut(text, limit)) == max(end for end in boundaries(text) if end <= limit)


@pytest.mark.parametrize(
    ("text", "limit", "excerpt"),
    [
        ("short", 5, Excerpt("short", 0)),
        ("x" * 200, 100, Excerpt("x" * 39 + "\n[... 135 characters left out ...]\n" + "x" * 26, 135)),
        ("x" * 5_000, 60, Excerpt("x" * 14 + "\n[... 4,977 characters left out ...]\n" + "x" * 9, 4_977)),
        ("x" * 200, 20, Excerpt("x" * 20, 180)),
        ("x" * 200, 0, Excerpt("", 200)),
        (
            "first line\nsecond line is here" + "." * 200 + "last but one\nthe error",
            80,
            Excerpt("first line\nsecond line is\n[... 210 characters left out ...]\nbut one\nthe error", 210),
        ),
    ],
)
def test_head_and_tail(text: str, limit: int, excerpt: Excerpt) -> None:
    assert head_and_tail(text, limit) == excerpt


@given(st.lists(PIECES, max_size=400).map("".join), st.integers(0, 200))
def test_an_excerpt_says_exactly_what_is_missing(text: str, limit: int) -> None:
    excerpt = head_and_tail(text, limit)

    assert len(excerpt.text) <= max(limit, 0)
    if excerpt.missing == 0:
        assert excerpt.text == text
        return
    marker = MARKER.search(excerpt.text)
    if marker is None:
        assert text.startswith(excerpt.text)
        assert excerpt.missing == len(text) - len(excerpt.text)
        return
    head, tail = excerpt.text[: marker.start()], excerpt.text[marker.end() :]
    assert int(marker.group(1).replace(",", "")) == excerpt.missing == len(text) - len(head) - len(tail)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert {len(head), len(text) - len(tail)} <= boundaries(text)


@pytest.mark.parametrize(
    ("text", "limit", "line"),
    [
        ("", 10, ""),
        ("  two\n\n words\t", 20, "two words"),
        ("one two three", 8, "one two…"),
        ("one two three", 7, "one tw…"),
        ("abc", 3, "abc"),
        ("abcd", 1, "…"),
        ("abcd", 0, ""),
        ("\x1b[31mFAIL\x1b[0m done", 20, "FAIL done"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", 20, "link"),
        ("a\x00b\x07c\u202ed\ufeff", 20, "abcd"),
        ("a\ud800b", 20, "ab"),
        ("line\u2028separator\u0085next", 30, "line separator next"),
        (f"{FAMILY}{FAMILY}", 9, f"{FAMILY}…"),
        ("a \x00 b", 9, "a b"),
    ],
)
def test_one_line(text: str, limit: int, line: str) -> None:
    assert one_line(text, limit) == line


@given(TEXTS | st.text(alphabet=st.characters(max_codepoint=0x9F)), st.integers(0, 40))
def test_one_line_is_one_line_within_its_limit_and_stays(text: str, limit: int) -> None:
    line = one_line(text, limit)

    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
    assert line == line.strip()
    assert one_line(line, limit) == line


@pytest.mark.parametrize(
    ("text", "info", "fence"),
    [
        ("plain", "json", "```json\nplain\n```"),
        ("", "", "```\n\n```"),
        ("a ``` b", "x", "````x\na ``` b\n````"),
        ("`````\ncode\n`````", "x", "``````x\n`````\ncode\n`````\n``````"),
        ("`" * 40, "x", "`" * 17 + "x\n" + "`" * 16 + "\n" + "`" * 17),
    ],
)
def test_fenced(text: str, info: str, fence: str) -> None:
    assert fenced(text, info) == fence


@given(st.text(alphabet="`~a\n ", max_size=60))
def test_no_text_closes_its_fence(text: str) -> None:
    opening, *inside, closing = fenced(text, "data").split("\n")

    assert opening == f"{closing}data"
    assert set(closing) == {"`"}
    assert not any(closing in line for line in inside)
