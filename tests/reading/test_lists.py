"""Lists are read as Git hosts read them."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.reading.safe_markdown.lists import _is_wide, _widened, widen
from tests.reading.test_safe_markdown import html


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("text\n- a", "text\n\n- a"),
        ("text\n1. a", "text\n\n1. a"),
        ("- a\n  - b\n    - c", "- a\n    - b\n        - c"),
        ("1. a\n   - b\n2. c", "1. a\n    - b\n2. c"),
        ("- a\n\n  more\n- b", "- a\n\n    more\n\n- b"),
        ("- a\n  ```\n  x\n    y\n  ```", "- a\n    ```\n    x\n      y\n    ```"),
        ("-   a\n    - b", "-   a\n    - b"),
        ("- a\n\t- b", "- a\n    - b"),
    ],
)
def test_written_the_wider_way(before: str, after: str) -> None:
    assert "\n".join(widen(before.split("\n"))) == after


@pytest.mark.parametrize(
    "text",
    [
        "no list\nat all",
        "- a\n- b",
        "* a\n    * b",
        "a\n\n    - code",
        "```\ntext\n- no list\n  - here\n```",
        "text\n2) no list begins in the middle of a text with two",
        "> - quoted\n>   - left alone",
        "!!! note\n    text\n\n    - a\n        - b",
        "- a\nlazy",
        "a - b\n* * *",
    ],
)
def test_left_alone(text: str) -> None:
    assert "\n".join(widen(text.split("\n"))) == text


def test_reads_as_it_does_elsewhere() -> None:
    text = "Text:\n- a\n- b\n  - c\n\n    para\n  - d\n- e"

    result = html(text)

    assert result.count("<li>") == 5
    assert result.count("<ul>") == 2
    assert "<p>para</p>" in result


WORDS = st.sampled_from(
    ["- a", "  - b", "    - c", "1. d", "   - e", "text", "  text", "", "```", "> q", "\t- t", "-", "    x"]
)


@given(st.lists(WORDS, max_size=12))
def test_no_word_is_lost(lines: list[str]) -> None:
    assert [line.strip() for line in widen(lines) if line.strip()] == [line.strip() for line in lines if line.strip()]


SIMPLE = st.sampled_from(
    ["- a", "- b", "1. d", "2. e", "* c", "text", "", "", "## h", "```", "> q", " x", "- - a", "-"]
)


@settings(max_examples=500, deadline=None)
@given(st.lists(SIMPLE, max_size=10))
def test_what_needs_no_change_is_known_without_parsing(lines: list[str]) -> None:
    if _is_wide(lines):
        assert _widened(lines) == lines


def test_usual_lists_are_not_parsed() -> None:
    assert _is_wide(["# T", "", "- a", "- `b`", "- [c](d.md)", "", "text", "", "1. a", "2. b", "", "[^o]: x"])


Tree: TypeAlias = "list[Tree]"
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.just([]), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=12
)


class Items(HTMLParser):
    """The items of a text's lists, nested as its elements are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tree: Tree = []
        self.stack = [self.tree]
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "li":
            item: Tree = []
            self.stack[-1].append(item)
            self.stack.append(item)

    def handle_endtag(self, tag: str) -> None:
        if tag == "li":
            self.stack.pop()


def written(tree: Tree, marker: str, indent: str, before: str = "") -> list[str]:
    lines = []
    for item in tree:
        lines.append(f"{before}{marker} word")
        lines += written(item, marker, indent, before + indent)
    return lines


@settings(deadline=None)
@given(
    tree=TREES,
    style=st.sampled_from([("-", "  "), ("*", "    "), ("1.", "   "), ("-", "   ")]),
    follows_text=st.booleans(),
)
def test_items_nest_as_they_are_written(*, tree: Tree, style: tuple[str, str], follows_text: bool) -> None:
    lines = [*(["text"] if follows_text else []), *written(tree, *style)]

    assert Items(html("\n".join(lines))).tree == tree
