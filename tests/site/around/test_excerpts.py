"""What a footnote shows of a long observation: the words that the claims rest on, with what stands around them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.around.excerpts import excerpt

LONG = (
    "We looked at three ways to keep a login. " * 12
    + "\n\nThe session lives in a **signed cookie**, because revoking needs a list anyway. We measured nothing.\n\n"
    + "Then lunch was had by all. " * 30
)
CLAIM = "The session lives in a signed cookie, because revoking needs a list anyway."


@pytest.mark.parametrize(
    ("words", "claims", "limit", "shown"),
    [
        ("Short words.", [], 100, "Short words."),
        ("One. Two is here. Three.", ["Two is here."], 100, "One. [Two is here.] Three."),
        ("One. TWO is\nhere. Three.", ["two is here"], 100, "One. [TWO is\nhere.] Three."),
        ("One. Two. Three.", ["three", "one"], 100, "[One.] Two. [Three.]"),
        ("One two three.", ["two three", "one two"], 100, "[One two three.]"),
        ("One.\n\n\n\nTwo.", ["Nothing of it"], 100, "One.\nTwo."),
        ("a  b\t c \r\n \r\n\td\x0be f", [], 100, "a b c\nd e f"),
        ("A bb c d e f g h i j", ["bb c"], 6, "… [bb c] d …"),
        ("aa bb cc dd ee ff gg hh ii jj", ["bb", "hh"], 12, "… [bb] cc … [hh] ii …"),
        ("A long statement here and more", ["a long statement here"], 6, "[A long] …"),
        ("言葉。別の文。", ["別の文"], 100, "言葉。[別の文。]"),
        ("a `snake_case_name` b", ["snake_case_name"], 100, "a `[snake_case_name]` b"),
        ("", ["x"], 100, ""),
    ],
)
def test_shows_what_the_claims_rest_on(words: str, claims: list[str], limit: int, shown: str) -> None:
    assert told(words, claims, limit) == shown


def told(words: str, claims: list[str], limit: int) -> str:
    return "".join(f"[{piece.text}]" if piece.matters else piece.text for piece in excerpt(words, claims, limit))


def test_a_long_observation_is_shown_around_the_words_of_the_claim() -> None:
    shown = told(LONG, [CLAIM], 300)
    assert "\n[The session lives in a **signed cookie**, because revoking needs a list anyway.] We" in shown
    assert shown.startswith("… We looked at three ways")
    assert shown.endswith(" …")


def test_each_claim_gets_its_words() -> None:
    shown = told(LONG, ["It rained.", "We measured nothing", "lunch was had by all"], 200)
    assert "[We measured nothing.]" in shown
    assert "[lunch was had by all.]" in shown


def test_a_claim_in_other_words_leads_to_the_likest_sentence() -> None:
    assert "[The session lives" in told(
        LONG, ["A session lives in a signed cookie because revoking needs a list."], 300
    )


def test_words_that_nothing_rests_on_are_shown_from_their_beginning() -> None:
    assert told(LONG, ["Quite another matter."], 120).startswith("We looked at three ways to keep a login.")


@given(
    st.text(alphabet="ab .\n*_é日`\u0301", max_size=200),
    st.lists(st.text(alphabet="ab .é日", max_size=20), max_size=3),
    st.integers(10, 120),
)
def test_what_is_shown_is_bounded_and_comes_from_the_words(words: str, claims: list[str], limit: int) -> None:
    pieces = excerpt(words, claims, limit)
    assert len("".join(piece.text for piece in pieces)) <= limit + 3 * (len(claims) + 1)
    plain = "".join(words.split())
    for piece in pieces:
        assert "".join(piece.text.replace("…", "").split()) in plain
