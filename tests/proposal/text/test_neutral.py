from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import example, given, settings

from pipeline.proposal.text.neutral import code, in_html, neutral, plainly
from tests.proposal.text.payloads import CLOSES, KEYS, LINKED, PAYLOADS, SKIPS, TEXTS, Seen, blocks, inline

PLACES = ("Told: {}", "- item: {}", "> “{}”", "| a | b |\n|---|---|\n| x {} | y |", "- **New** in *{}*: word")
SAFE = {"text", "text_special", "code_inline"}
OURS = {"strong_open", "strong_close", "em_open", "em_close"}
RENDERED = (neutral, plainly, code)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("ping @dana, please; see #12", "ping `@dana`, please; see `#12`"),
        ("fixes #1 (closes acme/web#3).", "fixes `#1` (closes `acme/web#3`)."),
        ('`git commit -m "fixes #1"`', '`git commit -m "fixes` `#1"`'),
        ("closes: https://github.com/a/b/issues/1", "closes: `https://github.com/a/b/issues/1`"),
        ("a | b `x | y`", "a &vert; b `x`&vert;`y`"),
        ("`<!-- wikimill:end -->`", "&lt;`!-- wikimill:end -->`"),
        ("<img src=x>", "&lt;img src=x&gt;"),
        ("![x](http://e/x.png) [c](javascript:alert(1)) [^1]", "x c \\[^1\\]"),
        ("see [the guide](https://e.example/a)", "see the guide (`https://e.example/a`)"),
        ("~bug %3 !4 &5 $6 :tada:", "`~bug` `%3` `!4` `&5` `$6` `:tada:`"),
        ("50% of R&D at 10:30:45, C#", "50% of R&amp;D at 10:30:45, `C#`"),
        ("commit 4c1a9f0e7b and UTF-8", "commit `4c1a9f0e7b` and `UTF-8`"),
        ("snake_case **bold** 2 * 3 *it*", "snake\\_case bold 2 \\* 3 it"),
        ("请联系@dana并查看#12", "请联系`@dana`并查看`#12`"),
        ("@\u200bdana &#64;dana \\@dana", "`@dana` `@dana` `@dana`"),
        ("[skip ci] `[skip ci]`", "\\[skip ci\\] `[skip` `ci]`"),
        ("`fix: 1 bug` and `port: 8080`", "`fix: 1 bug` and `port: 8080`"),
        ("/close\n/merge", "`/close` `/merge`"),
        ("$`x`$", "`$x$`"),
        ("\u202eevil\x00", "evil"),
        ("👩\u200d👩 stays", "👩\u200d👩 stays"),
        ("", ""),
    ],
)
def test_what_acts_becomes_code_or_text(text: str, line: str) -> None:
    assert neutral(text, 500) == line


def test_text_that_is_no_markdown_keeps_its_marks() -> None:
    assert plainly("**x** [a](b) `c`", 100) == "\\*\\*x\\*\\* \\[a\\](b) &grave;c&grave;"


def test_a_name_is_code_whatever_stands_in_it() -> None:
    assert code("acme/a|b@c.md") == "`acme/a`&vert;`b@c.md`"
    assert code("a`b") == "``a`b``"
    assert code("") == ""


def test_in_an_element_nothing_is_left_to_markdown() -> None:
    assert in_html("<b>@dana</b> & #1", 100) == (
        "<code>&#x3C;b&#x3E;&#x40;dana&#x3C;/b&#x3E;</code> &#x26; <code>&#x23;1</code>"
    )


def test_long_text_ends_with_an_ellipsis_within_the_limit() -> None:
    assert neutral("word " * 100, 12) == "word word w…"
    assert plainly("x" * 10, 10) == "x" * 10
    assert plainly("x" * 11, 10) == "x" * 9 + "…"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("payload", PAYLOADS)
def test_every_payload_is_harmless_everywhere(payload: str, place: str) -> None:
    for render in RENDERED:
        check(place, render(payload, 200))


@given(TEXTS)
@settings(max_examples=120, deadline=None)
@example("`fixes #1` `closes acme/web#2`")
@example("fixes `#1`")
@example("@`dana`")
@example("`a`#12")
def test_no_text_acts_anywhere(text: str) -> None:
    for render in RENDERED:
        line = render(text, 200)
        for place in PLACES:
            check(place, line)


def check(place: str, line: str) -> None:
    assert "\n" not in line
    assert "\r" not in line
    source = place.format(line or "word")
    assert blocks(source) == blocks(place.format("word"))
    kinds, texts = inline(source)
    assert kinds <= (SAFE | OURS if "*" in place else SAFE)
    for text in texts:
        assert not LINKED.search(text), (source, text)
        assert not KEYS.search(text), (source, text)
    assert not CLOSES.search(source)
    assert not SKIPS.search(source)
    assert "<!--" not in line
    assert not any(unicodedata.category(one) in {"Cc", "Cs"} for one in line)
    assert not any(one in line for one in "\u202a\u202e\u2066\u2069\u200b\u2060\ufeff\u00ad")


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_no_text_acts_inside_an_element(text: str) -> None:
    line = in_html(text, 200)
    seen = Seen(f"<summary>{line}</summary>")
    assert set(seen.tags) <= {"summary", "code"}
    assert all(not LINKED.search(one) for one in seen.texts)
    assert "<!" not in line
    assert not CLOSES.search(line)
    assert blocks(f"<details>\n<summary>{line}</summary>\n\nword") == [
        "html_block",
        "paragraph_open",
        "inline",
        "paragraph_close",
    ]


@given(TEXTS)
@settings(max_examples=100, deadline=None)
def test_letters_and_digits_all_stay(text: str) -> None:
    def letters(one: str) -> str:
        return "".join(char for char in one if char.isalnum() and char not in "\u115f\u1160\u3164\uffa0")

    kinds, _ = inline(f"Told: {plainly(text, 2_000)}")
    assert kinds <= SAFE
    rendered = Seen(in_html(text, 2_000))
    assert rendered.tags.count("code") % 2 == 0
    shown = Seen(in_html(text, 2_000).replace("<code>", "").replace("</code>", ""))
    assert letters("".join(shown.texts)) == letters(
        "".join(char for char in text if unicodedata.category(char) != "Cn")
    )


@pytest.mark.parametrize(
    "text", ["@a " * 1_000_000, "`" * 2_000_000, "[" * 2_000_000, "fixes " * 400_000, "<!" * 1_000_000]
)
def test_a_long_text_costs_no_more_than_what_is_shown(text: str) -> None:
    began = time.process_time()
    neutral(text, 400)
    plainly(text, 400)
    in_html(text, 400)
    assert time.process_time() - began < 20
