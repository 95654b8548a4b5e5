"""What observations, models and hosts say is shown in Markdown as it is, and does nothing there."""

from __future__ import annotations

import html
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from pipeline.report.escaping import LONGEST, code_block, escape, link
from pipeline.text import one_line

MARKDOWN = MarkdownIt("commonmark", {"linkify": False}).enable(["table", "strikethrough"])
ZERO = "\u200b"

PLACES = {
    "item": ("- {}", "<ul>\n<li>{}</li>\n</ul>\n"),
    "strong": ("**{}**", "<p><strong>{}</strong></p>\n"),
    "cell": (
        "| a |\n| --- |\n| {} |",
        "<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>{}</td>\n</tr>\n</tbody>\n</table>\n",
    ),
    "line": ("{}", "<p>{}</p>\n"),
}

ATTACKS = [
    "<script>alert(1)</script>",
    "<!-- hidden",
    "![x](https://evil.example/p.png)",
    "[click](javascript:alert(1))",
    "https://evil.example/x and www.evil.example",
    "<https://evil.example>",
    "@everyone please, @acme/core",
    "fixes #12, closes acme/wiki#3, GH-4, !5, ~bug, &6, %7, $8",
    "mail dana@acme.example or mailto:dana@acme.example",
    "**bold** _it_ `code` ~~gone~~ $x$ \\",
    "# head",
    "- item",
    "1. item",
    "12) item",
    "+ item",
    "---",
    "===",
    "> quote",
    "| a | b |",
    "a\n\n# b\n```\n",
    "&lt;b&gt; &#64;dana",
    "[ ] todo",
    ": term",
    "\x1b[2J\u202eabc",
    "[^1]: note",
    "x" * 5_000,
]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("text", ATTACKS)
def test_an_attack_is_shown_and_does_nothing(place: str, text: str) -> None:
    check(place, text)


@given(st.sampled_from(sorted(PLACES)), st.text(st.characters(codec="utf-8"), max_size=60))
def test_any_text_is_shown_and_does_nothing(place: str, text: str) -> None:
    check(place, text)


@given(st.sampled_from(sorted(PLACES)), st.text("`*_[]()<>!#@&|~\\-+=:/.1aw\n \"'", max_size=40))
def test_any_markup_is_shown_and_does_nothing(place: str, text: str) -> None:
    check(place, text)


def check(place: str, text: str) -> None:
    shown = one_line(text, LONGEST)
    source, around = PLACES[place]
    before, after = around.split("{}")
    rendered = MARKDOWN.render(source.format(escape(text)))
    assert rendered.startswith(before)
    assert rendered.endswith(after)
    inner = rendered.removeprefix(before).removesuffix(after)
    assert "<" not in inner
    told = html.unescape(inner)
    assert told.replace(ZERO, "") == shown.replace(ZERO, "")
    assert not re.search(r"[@#!~%$^&]\w|://|\bwww\.|\bmailto:|\bGH-\d", told)


def test_an_ordinary_text_stays_readable() -> None:
    assert escape("acme/a.md: it is not JSON (line 3), 4.5 s.") == "acme/a.md: it is not JSON (line 3), 4.5 s."


def test_a_long_text_takes_linear_time() -> None:
    start = time.process_time()
    escape("@a " * 400_000)
    escape("1" * 1_000_000)
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    ("address", "linked"),
    [
        ("https://github.com/acme/wiki/pull/12", True),
        ("http://127.0.0.1:8000/acme/wiki/-/merge_requests/3", True),
        ("https://host.example", True),
        ("javascript:alert(1)", False),
        ("https://host.example/a b", False),
        ("https://host.example/>x", False),
        ("https://host.example/\n# b", False),
        ("https://user:pass@host.example/", False),
        ("", False),
    ],
)
def test_plain_web_addresses_alone_are_linked(address: str, *, linked: bool) -> None:
    assert (link(address) == f"<{address}>") is linked
    assert ("<a " in MARKDOWN.render(link(address))) is linked


@pytest.mark.parametrize("text", ["a\n```\n<b>\n", "````\n" * 3, "~~~\n", "-a\tb\x1b\u202e\n", "`" * 40])
def test_a_block_of_code_holds_what_is_in_it(text: str) -> None:
    rendered = MARKDOWN.render(code_block(text, "diff"))
    assert rendered.startswith('<pre><code class="language-diff">')
    assert rendered.endswith("</code></pre>\n")
    assert rendered.count("<") == 4
    assert "\x1b" not in rendered
