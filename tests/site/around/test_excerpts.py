"""What a footnote shows of a long observation: the words that the claims rest on, with what stands around them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.around.excerpts import excerpt
from pipeline.site.around.places import Words, sentences
from pipeline.site.around.spoken import is_in_code, plain_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.around.excerpts import Piece

LONG = (
    "We looked at three ways to keep a login. " * 12
    + "\n\nThe session lives in a **signed cookie**, because revoking needs a list anyway. We measured nothing.\n\n"
    + "Then lunch was had by all. " * 30
)
CLAIM = "The session lives in a signed cookie, because revoking needs a list anyway."
PLAN = """Implement the following plan:

# Plan: telemetry
## Summary
Change the behavior so that nothing is sent by default.

| When | What |
|------|------|
| `nil` | **off** |

- [x] `cmd/telemetry.go` - Changed condition
- Added tests
```go
if a ** b == `x` {
```
"""


def written(pieces: Sequence[Piece]) -> str:
    return "".join(f"[{piece.text}]" if piece.matters else piece.text for piece in pieces)


def told(words: str, claims: list[str], limit: int) -> str:
    return written(excerpt(words, claims, limit, 0).short)


@pytest.mark.parametrize(
    ("words", "claims", "limit", "shown"),
    [
        ("Short words.", [], 100, "Short words."),
        ("One. Two is here. Three.", ["Two is here."], 100, "One. [Two is here.] Three."),
        ("Zero. One. Two is here. Three. Four.", ["Two is here."], 100, "One. [Two is here.] Three."),
        ("One. TWO is\nhere. Three.", ["two is here"], 100, "One. [TWO is here.] Three."),
        ("One. Two. Three.", ["three", "one"], 100, "[One.] Two. [Three.]"),
        ("- one is red\n- two is blue", ["one is red", "two is blue"], 100, "[one is red] [two is blue]"),
        ("One two three.", ["two three", "one two"], 100, "[One two three.]"),
        ("One.\n\n\n\nTwo.", ["Nothing of it"], 100, "One. Two."),
        ("Begin with much more of it, then bb c and d at the end", ["bb c"], 16, "… [bb c] and d at …"),
        ("A long statement here and more", ["a long statement here"], 8, "[A long] …"),
        ("言葉。別の文。", ["別の文"], 100, "言葉。[別の文。]"),
        ("the `snake_case_name`, b", ["snake_case_name"], 100, "the [snake_case_name], b"),
        ("threefold. It is three.", ["three"], 100, "threefold. It is [three.]"),
        ("", ["x"], 100, ""),
        ("word " * 30, ["Other things entirely"], 20, "word word word…"),
    ],
)
def test_shows_what_the_claims_rest_on(words: str, claims: list[str], limit: int, shown: str) -> None:
    assert told(words, claims, limit) == shown


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        (
            "Change the behavior so that nothing is sent by default.",
            "[Change the behavior so that nothing is sent by default.]",
        ),
        ("`cmd/telemetry.go` - Changed condition", "[cmd/telemetry.go - Changed condition]"),
        ("Added tests", "[Added tests]"),
        ("nil off", "[nil off]"),
        ("if a ** b == `x` {", "[if a ** b == `x` {]"),
    ],
)
def test_no_mark_of_markdown_is_shown_and_no_heading_or_item_runs_into_the_words(claim: str, shown: str) -> None:
    assert told(PLAN, [claim], 280) == shown


def test_who_wants_more_sees_the_lines_around() -> None:
    found = excerpt(PLAN, ["Added tests"], 100, 110)
    assert written(found.longer) == (
        "When What\nnil off\ncmd/telemetry.go - Changed condition\n[Added tests]\nif a ** b == `x` {"
    )
    assert found.matters


def test_more_is_offered_only_where_there_is_more() -> None:
    assert excerpt("One. Two is here. Three.", ["Two is here."], 100, 600).longer == ()
    assert excerpt("Short words.", [], 100, 600).longer == ()
    assert excerpt("word " * 300, [], 100, 600).longer != ()
    assert not excerpt("word " * 300, ["Nothing like it"], 100, 600).matters


def test_a_long_observation_is_shown_around_the_words_of_the_claim() -> None:
    assert told(LONG, [CLAIM], 280) == (
        "We looked at three ways to keep a login. "
        "[The session lives in a signed cookie, because revoking needs a list anyway.] We measured nothing."
    )


def test_each_claim_gets_its_words() -> None:
    shown = told(LONG, ["It rained.", "We measured nothing", "lunch was had by all"], 200)
    assert "[We measured nothing.]" in shown
    assert "[lunch was had by all.]" in shown


def test_words_that_stand_far_apart_are_shown_with_a_gap() -> None:
    words = f"First it was red. {'Then came a long story. ' * 200} At last it was blue."
    shown = told(words, ["it was red", "it was blue"], 120)
    assert shown == "First [it was red.] Then came a long story. … Then came a long story. At last [it was blue.]"


def test_a_claim_in_other_words_leads_to_the_likest_sentence() -> None:
    assert "[The session lives" in told(
        LONG, ["A session lives in a signed cookie because revoking needs a list."], 300
    )


def test_words_that_nothing_rests_on_are_shown_from_their_beginning() -> None:
    assert told(LONG, ["Quite another matter."], 120).startswith("We looked at three ways to keep a login.")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("## Plan\n\n1. **a** _b_\n> - [ ] deep\n* * *\n---", ["Plan", "a b", "deep"]),
        ("| a | `b` |\n|:--|--:|\n| c |", ["a b", "c"]),
        ("```sh\ngit  log --oneline\n# note\n```\n# Head", ["git log --oneline", "# note", "Head"]),
        ("2026.\n2026. was dry", ["2026.", "was dry"]),
        ("snake_case_name and `a_b_c`", ["snake_case_name and a_b_c"]),
        ("-\n>\n#", []),
    ],
)
def test_an_observation_in_plain_words(text: str, lines: list[str]) -> None:
    assert list(plain_lines(text)) == lines


def test_a_part_may_begin_in_a_block_of_code() -> None:
    text = "a\n```\n- b\n```\n- c\n"
    assert is_in_code(text, text.index("- b"))
    assert not is_in_code(text, text.index("- c"))
    assert list(plain_lines("- b\n```\n- c", in_code=True)) == ["- b", "c"]


def test_sentences_end_at_stops_and_at_lines() -> None:
    text = "One is. Two?  Three\nfour. 文。次"
    assert [text[start:end] for start, end in sentences(text)] == ["One is.", "Two?", "Three", "four.", "文。", "次"]


def test_words_within_others_are_none_of_a_claim() -> None:
    assert Words("a_three b").place("three") is None
    assert Words("x").place("") is None
    assert Words("x").place("...") is None


@given(
    st.text(alphabet="ab .\n*_é日`\u0301|#->", max_size=200),
    st.lists(st.text(alphabet="ab .é日`", max_size=20), max_size=3),
    st.integers(10, 120),
    st.integers(0, 200),
)
def test_what_is_shown_is_bounded_and_comes_from_the_words(
    words: str, claims: list[str], limit: int, longer: int
) -> None:
    found = excerpt(words, claims, limit, longer)
    plain = "".join(words.split())
    for pieces, room in ((found.short, limit), (found.longer, longer)):
        assert len("".join(piece.text for piece in pieces)) <= room + 4 * (len(claims) + 1)
        for sign in "".join(piece.text.replace("…", "") for piece in pieces).split():
            assert set(sign) <= set(plain)
    assert "\n" not in "".join(piece.text for piece in found.short)


def test_large_observations_are_read_in_time() -> None:
    start = time.process_time()
    for words in (
        "a " * 500_000,
        "x" * 1_000_000,
        "- [ ] `a` **b\n" * 80_000,
        "> " * 400_000,
        "|" * 900_000,
        "1." * 400_000,
    ):
        excerpt(words, ["b c d", "a a a", words[:399]], 280, 600)
    assert time.process_time() - start < 4
