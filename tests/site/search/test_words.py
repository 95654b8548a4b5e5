"""Which words of a text it is found by."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.search.words import LONGEST_WORD, name, words
from tests.site.search.cases import CASES


def told(text: str) -> list[tuple[str, ...]]:
    return [word.terms for word in words(text)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("", []),
        ("Plain words!", [("plain",), ("words",)]),
        ("session_cookie_ttl", [("sessioncookiettl", "session", "cookie", "ttl")]),
        ("sessionCookieTtl", [("sessioncookiettl", "session", "cookie", "ttl")]),
        ("session-cookie", [("sessioncookie", "session", "cookie")]),
        ("HTTPServer", [("httpserver", "http", "server")]),
        ("OAuth2Token", [("oauth2token", "auth2", "token")]),
        ("a/b/c.py", [("abcpy", "py")]),
        ("src/words.py", [("srcwordspy", "src", "words", "py")]),
        ("v1.2.3", [("1.2.3", "1.2")]),
        ("1.2", [("1.2",)]),
        ("python-3.11.7", [("python3.11.7", "python", "3.11.7", "3.11")]),
        ("1.2.3rc1", [("1.2.3rc1", "1.2.3", "rc1", "1.2")]),
        ("2026-11-30", [("2026.11.30", "2026.11", "2026")]),
        ("utf-8", [("utf8", "utf", "8")]),
        ("C++ and C#", [("c++", "c"), ("and",), ("c#", "c")]),
        ("page.md#anchor", [("pagemd", "page", "md"), ("anchor",)]),
        ("I/O", [("io",)]),
        ("don't", [("dont", "don")]),
        ("l’index", [("lindex", "index")]),
        ("課金", [("課金", "金")]),
        ("潮", [("潮",)]),
        ("用Redis缓存", [("用",), ("redis",), ("缓存", "存")]),
        ("ｶﾞｲﾄﾞ", [("ガイ", "イド", "ド")]),
        ("검색을", [("검색", "색을", "을")]),
        ("ที่นี่", [("ที่นี่", "นี่")]),
        ("Ёлка", [("елка",)]),
        ("café NAÏVE Straße", [("cafe",), ("naive",), ("strasse",)]),
        ("ΟΔΟΣ οδός", [("οδοσ",), ("οδοσ",)]),
        ("İstanbul ısı", [("istanbul",), ("isi",)]),
        ("ŁÓDŹ Ørsted", [("lodz",), ("orsted",)]),
        ("أحمد إلى كتاباً مدرسة", [("احمد",), ("الي",), ("كتابا",), ("مدرسه",)]),
        ("المستودع ١٢٣", [("مستودع",), ("123",)]),
        ("مــد", [("مد",)]),
        ("ＡＢＣ ﬁle", [("abc",), ("file",)]),
        ("soft\u00adhyphen zero\u200bwidth", [("softhyphen",), ("zero",), ("width",)]),
        ("__init__", [("init",)]),
        ("a" * (LONGEST_WORD + 1), [()]),
        ("x/" * 250, [()]),
    ],
)
def test_is_found_by(text: str, terms: list[tuple[str, ...]]) -> None:
    assert told(text) == terms


@pytest.mark.parametrize(
    ("title", "whole"),
    [
        ("Session cookies", "sessioncookies"),
        ("session_cookies", "sessioncookies"),
        ("What is a Session cookie?", "sessioncookie"),
        ("To be or not", "tobeornot"),
        ("課金と検索", "課金と検索"),
        ("!?", ""),
        ("word " * 20, ""),
    ],
)
def test_a_title_is_one_word_too(title: str, whole: str) -> None:
    assert name(title) == whole


@given(st.text())
def test_terms_have_no_case_no_gap_and_no_accent(text: str) -> None:
    for word in words(text):
        for term in word.terms:
            assert term
            assert not any(sign.isspace() for sign in term)
            assert len(term) <= LONGEST_WORD
            assert not any("\u0300" <= sign < "\u0370" for sign in term)


@pytest.mark.parametrize("unit", [*CASES[1:], "a-", "A", "1.", "aB", "検", "é", "_", "v1", "\u0301", "'"])
def test_takes_as_much_longer_as_the_text_is(unit: str) -> None:
    start = time.process_time()
    words((unit * (200_000 // len(unit) + 1))[:200_000])
    assert time.process_time() - start < 2
