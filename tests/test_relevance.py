"""Which pages a window touches: words of any script, identifiers and their parts, rare words before common ones."""

from __future__ import annotations

import pytest

from pipeline.relevance import rank, terms, weigh


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("The cookies, the cookie!", {"the": 2, "cookie": 2}),
        ("session_store", {"session_store": 1, "sessionstore": 1, "session": 1, "store": 1}),
        ("getUserToken", {"getusertoken": 1, "get": 1, "user": 1, "token": 1}),
        ("HTTPServer", {"httpserver": 1, "http": 1, "server": 1}),
        ("src/auth/x.py", {"src/auth/x.py": 1, "srcauthxpy": 1, "src": 1, "auth": 1, "py": 1}),
        ("a I", {}),
        ("access", {"access": 1}),
        ("Größe GRÖSSE grosse", {"grosse": 3}),
        ("re\u0301sume\u0301 résumé", {"resume": 2}),
        ("ёлка йод", {"ёлка": 1, "йод": 1}),
        ("हिन्दी", {"हिन्दी": 1}),
        ("v1.2.3", {"v1.2.3": 1, "v123": 1, "v1": 1}),
        ("sessionCookies", {"sessioncookies": 1, "sessioncookie": 1, "session": 1, "cookie": 1}),
        ("漢字検索", {"漢字": 1, "字検": 1, "検索": 1}),
        ("鍵", {"鍵": 1}),
        ("UTC時刻", {"utc": 1, "時刻": 1}),
        ("세션 갱신", {"세션": 1, "갱신": 1}),
        ("сессия", {"сессия": 1}),
        ("x" * 500, {}),
    ],
)
def test_terms(text: str, found: dict[str, int]) -> None:
    assert dict(terms(text)) == found


PAGES = {
    "build": weigh(["The build of the site"], [], "How the site is built and published."),
    "cookies": weigh(["Session cookies"], [], "Login state is kept in signed cookies."),
    "keys": weigh(["署名鍵の交換"], [], "クッキーの署名に使う鍵を交換する手順"),
    "retry": weigh(["Backoff", "retry policy"], ["network"], ""),
}


def test_names_weigh_more_than_tags_and_those_more_than_the_description() -> None:
    assert weigh(["Retry"], ["retry", "network"], "A network that comes back") == {
        "network": 2.0,
        "that": 1.0,
        "come": 1.0,
        "back": 1.0,
        "retry": 3.0,
    }


@pytest.mark.parametrize(
    ("window", "first"),
    [
        ("the session_cookie was not signed", ["cookies"]),
        ("署名鍵が古い", ["keys"]),
        ("we need a retryPolicy for the network", ["retry"]),
        ("quite another matter", []),
        ("", []),
    ],
)
def test_pages_that_share_telling_words_come_first(window: str, first: list[str]) -> None:
    assert list(rank(terms(window), PAGES, ()))[:1] == first


def test_a_page_that_shares_next_to_nothing_is_left_out() -> None:
    window = terms("session cookies login state signed kept " * 5 + "how")

    assert rank(window, PAGES, ()) == ("cookies",)


def test_the_only_page_is_found() -> None:
    assert rank(terms("cookies"), {"a": {"cookie": 3.0}}, ()) == ("a",)


def test_an_unlikely_page_stands_behind() -> None:
    pages = {"a-session": PAGES["cookies"], "cookies": PAGES["cookies"]}

    assert rank(terms("session cookies"), pages, {"a-session"}) == ("cookies", "a-session")
    assert rank(terms("session cookies"), pages, ()) == ("a-session", "cookies")
