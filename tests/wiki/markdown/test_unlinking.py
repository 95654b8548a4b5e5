"""Links to pages that are gone become their words; everything else stays character by character."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.links import links, resolve
from pipeline.wiki.markdown.unlinking import unlink

PAGE = "acme/decisions/a.md"
GONE = {"acme/decisions/gone.md", "acme/concepts/gone_(it).md", "acme/concepts/my page.md", "acme/concepts/ü.md"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("See [the page](gone.md).", "See the page."),
        ("See [the page](../decisions/gone.md), [it](/acme/decisions/gone.md).", "See the page, it."),
        ("[a](gone.md#part) [b](gone.md?x=y) [c](./gone.md)", "a b c"),
        ("[a](  gone.md  )", "a"),
        ("[](gone.md)x", "x"),
        ("![a picture](gone.md)", "a picture"),
        ("wow![a](gone.md)", "wowa"),
        ("wow\\![a](gone.md)", "wow\\!a"),
        ("[a [b] c](gone.md)", "a [b] c"),
        ("[a \\] c](gone.md)", "a \\] c"),
        ("[**a** `b]` c](gone.md)", "**a** `b]` c"),
        ("[a\nb](gone.md)", "a\nb"),
        ("[a](<gone.md>)", "a"),
        ("[a](gone.md 'a title')", "a"),
        ('[a](gone.md "a (b) c"), and (d)', "a, and (d)"),
        ("[a](gone.md\n(a title))", "a"),
        ("[a](../concepts/gone_(it).md) (b)", "a (b)"),
        ("[a](<../concepts/gone_(it).md>) b", "a b"),
        ("[a](../concepts/gone\\_\\(it\\).md)", "a"),
        ("[a](../concepts/my%20page.md)", "a"),
        ("[a](<../concepts/my page.md>)", "a"),
        ("[a](../concepts/%C3%BC.md), [b](../concepts/ü.md)", "a, b"),
        ("- [a](gone.md): b\n- [c](other.md)\r\n- [d](gone.md)\r\n", "- a: b\n- [c](other.md)\r\n- d\r\n"),
        ("| [a](gone.md) | b |\n|---|---|\n", "| a | b |\n|---|---|\n"),
        ("> Superseded by [A](gone.md) on 2026-11-29.", "> Superseded by A on 2026-11-29."),
        ("[a](gone.md)[b](gone.md)", "ab"),
        ("[a](gone.md)[^o-01]\n\n[^o-01]: 2026-11-29\n", "a[^o-01]\n\n[^o-01]: 2026-11-29\n"),
    ],
)
def test_the_words_stay(text: str, left: str) -> None:
    assert unlink(text, PAGE, GONE) == left


@pytest.mark.parametrize(
    "text",
    [
        "See [the page](other.md).",
        "`[a](gone.md)`",
        "```\n[a](gone.md)\n```\n",
        "    [a](gone.md)\n",
        "\\[a](gone.md)",
        "[a] (gone.md)",
        "[a](gone.md",
        "[a](https://example.org/gone.md)",
        "[a](#gone.md)",
        "[a](../gone.md)",
        "gone.md",
        "[a][b]\n\n[b]: other.md\n",
        "[b]\n\n`[b]: gone.md`\n",
        "[b]\n\n[^b]: gone.md\n",
        "[b]\n\n[b]: gone.md is what I mean\n",
        "",
    ],
)
def test_everything_else_stays(text: str) -> None:
    assert unlink(text, PAGE, GONE) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("See [the page][x].\n\n[x]: gone.md\n", "See the page.\n\n"),
        ("See [the page][], ![it][The  Page].\n\n[The page]: <gone.md> 'title'\nEnd\n", "See the page, it.\n\nEnd\n"),
        ("[x] and [y][y] and [X]\n\n[x]: gone.md\n[y]: other.md", "x and [y][y] and X\n\n[y]: other.md"),
        ("`[x]` \\[x] [x](other.md)\n\n[x]: gone.md\n", "`[x]` \\[x] [x](other.md)\n\n"),
        ("[x]\n\n[x]: other.md\n[x]: gone.md\n", "[x]\n\n[x]: other.md\n"),
        ("[x]: gone.md", ""),
    ],
)
def test_links_by_label_go_with_their_definition(text: str, left: str) -> None:
    assert unlink(text, PAGE, GONE) == left


def test_with_nothing_gone_nothing_changes() -> None:
    assert unlink("[a](gone.md)", PAGE, ()) == "[a](gone.md)"


PARTS = st.sampled_from(
    [
        "[",
        "]",
        "(",
        ")",
        "!",
        "\\",
        "`",
        "<",
        ">",
        "[a](gone.md)",
        "[b](x.md)",
        "gone.md",
        " ",
        "\n",
        "[x]",
        ": gone.md",
    ]
)


@given(st.lists(PARTS, max_size=40).map("".join))
def test_no_link_to_what_is_gone_is_left_and_words_outlive_it(text: str) -> None:
    left = unlink(text, PAGE, GONE)
    assert left.count("b") == text.count("b")
    while (again := unlink(left, PAGE, GONE)) != left:  # the words of a link can be a link again
        assert len(again) < len(left)
        left = again
    found = [resolve(PAGE, one.address) for one in links(read_blocks(left).prose) if not one.defines]
    assert not [target for target in found if target is not None and target.path in GONE]


@pytest.mark.parametrize(
    "text",
    ["[a](gone.md) " * 80_000, "[" * 1_000_000, "[a](" * 250_000, "[x] " * 250_000 + "\n\n[x]: gone.md\n"],
    ids=["links", "brackets", "openings", "labels"],
)
def test_a_megabyte_takes_a_moment(text: str) -> None:
    began = time.process_time()
    left = unlink(text, PAGE, GONE)
    assert time.process_time() - began < 10
    assert "gone.md" not in left
