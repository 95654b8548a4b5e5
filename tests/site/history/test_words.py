from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.history.differences import render_words
from pipeline.site.history.words import LONGEST, bag, compare_words, likeness, tokens

TEXTS = st.text(alphabet=st.sampled_from("ab Ab.,-_é\u0301日本語ไทย \n\t👩‍👩‍👧🇩🇪[^o-1]<>&\"'ก"), max_size=60) | st.text(
    max_size=40
)


@pytest.mark.parametrize(
    ("before", "after", "html"),
    [
        ("one two three", "one two three", "one two three"),
        ("one two three", "one 2 three", "one <del>two</del><ins>2</ins> three"),
        ("", "new", "<ins>new</ins>"),
        ("old", "", "<del>old</del>"),
        ("", "", ""),
        ("kept for 30 minutes", "kept for 45 minutes", "kept for <del>30</del><ins>45</ins> minutes"),
        ("a quick brown fox", "a lazy old fox", "a <del>quick brown</del><ins>lazy old</ins> fox"),
        ("Claim.[^o-1]", "Claim.[^o-1][^o-2]", "Claim.[^o-1]<ins>[^o-2]</ins>"),
        ("Claim.[^o-12]", "Claim.[^o-13]", "Claim.<del>[^o-12]</del><ins>[^o-13]</ins>"),
        ("課金は三日", "課金は五日", "課金は<del>三</del><ins>五</ins>日"),
        ("кэш живёт час", "кэш живёт день", "кэш живёт <del>час</del><ins>день</ins>"),
        ("हिन्दी भाषा", "हिन्दी भाषाएँ", "हिन्दी <del>भाषा</del><ins>भाषाएँ</ins>"),
        ("team 👩‍👩‍👧", "team 👩‍👩‍👦", "team <del>👩‍👩‍👧</del><ins>👩‍👩‍👦</ins>"),
        ("a <b>", "a <script>", "a &lt;<del>b</del><ins>script</ins>&gt;"),
        ("session_store", "session_stores", "<del>session_store</del><ins>session_stores</ins>"),
    ],
)
def test_words_that_differ_are_marked_and_no_others(before: str, after: str, html: str) -> None:
    assert render_words(compare_words(before, after)) == html


@given(TEXTS)
def test_tokens_are_the_text(text: str) -> None:
    assert "".join(tokens(text)) == text


@given(TEXTS, TEXTS)
def test_what_is_not_new_is_the_former_text_and_what_is_not_gone_the_new_one(before: str, after: str) -> None:
    pieces = compare_words(before, after)
    assert "".join(piece.text for piece in pieces if piece.kind != "new") == before
    assert "".join(piece.text for piece in pieces if piece.kind != "gone") == after
    assert all(piece.text for piece in pieces)
    assert compare_words(before, after) == pieces


def test_a_text_that_is_too_long_is_another_text_and_nothing_hangs() -> None:
    long = "word " * LONGEST
    assert [piece.kind for piece in compare_words(long, f"{long}!")] == ["gone", "new"]
    start = time.process_time()
    compare_words("a b " * (LONGEST // 4), "b a " * (LONGEST // 4))
    compare_words("[^" * (LONGEST // 2), "^[" * (LONGEST // 2))
    assert time.process_time() - start < 5


def test_likeness_is_the_part_of_the_words_that_two_texts_share() -> None:
    assert likeness(bag("one two three four"), bag("One two five six")) == 0.5
    assert likeness(bag("..."), bag("--")) == 1.0
    assert likeness(bag("one"), bag("")) == 0.0
