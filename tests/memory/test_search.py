"""Search: words of every script, fields, filters, successors, lines, and an index that equals one made anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.memory.search import Filters, Index, search
from pipeline.memory.search.passages import MOST_SNIPPET, best_passage
from pipeline.relevance import terms

if TYPE_CHECKING:
    from collections.abc import Mapping


def page(title: str, body: str = "", *front: str, kind: str = "Decision") -> bytes:
    lines = "".join(f"{line}\n" for line in (f"type: {kind}", f"title: {title}", *front))
    return f"---\n{lines}---\n\n# {title}\n\n{body}\n".encode()


CORPUS = {
    "acme/decisions/session-cookies.md": page(
        "Session cookies",
        "Login state is kept in signed cookies.[^o-1]\n\n[^o-1]: 2026-11-29, dana",
        "tags: [auth, web]",
    ),
    "acme/gotchas/retry.md": page(
        "Backoff",
        "Set `max_retryCount` in src/net/http.py.\n\n## Jitter\n\nSince v2.10.3.",
        "aliases: [retry policy]",
        kind="Gotcha",
    ),
    "acme/decisions/jwt.md": page(
        "Tokens", "Login state is kept in a JWT.", "status: deprecated", "superseded_by: session-cookies.md"
    ),
    "acme/concepts/keys.md": page("署名鍵の交換", "クッキーの署名に使う鍵を交換する手順。", kind="Concept"),
    "team/beta/rules/build.md": page(
        "Сборка сайта", "Сайт собирается строго.\n\nÜberprüfung nach jedem Café.", kind="Rule"
    ),
    "team/beta/rules/thai.md": page("การเข้าสู่ระบบ", "ผู้ใช้ต้องเข้าสู่ระบบก่อน", "tags: [auth]", kind="Rule"),
}


def paths(query: str, corpus: Mapping[str, bytes] = CORPUS, **wanted: str | tuple[str, ...]) -> list[str]:
    return [hit.path.rpartition("/")[2] for hit in search(corpus, query, 10, Filters(**wanted))]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("session cookies", "session-cookies.md"),
        ("sessionCookie", "session-cookies.md"),
        ("SESSION_COOKIES", "session-cookies.md"),
        ("cookie", "session-cookies.md"),
        ("retry policy", "retry.md"),
        ("retry-policy", "retry.md"),
        ("max_retryCount", "retry.md"),
        ("maxRetryCount", "retry.md"),
        ("max retry count", "retry.md"),
        ("src/net/http.py", "retry.md"),
        ("http.py", "retry.md"),
        ("2.10.3", "retry.md"),
        ("v2.10.3", "retry.md"),
        ("jitter", "retry.md"),
        ("署名鍵", "keys.md"),
        ("鍵を交換", "keys.md"),
        ("сборка", "build.md"),
        ("САЙТ", "build.md"),
        ("cafe\u0301", "build.md"),
        ("cafe", "build.md"),
        ("uberprufung", "build.md"),
        ("เข้าสู่ระบบ", "thai.md"),
    ],
)
def test_words_of_every_script(query: str, first: str) -> None:
    assert paths(query)[:1] == [first]


def test_what_shares_no_word_is_not_found() -> None:
    assert paths("zebra") == []
    assert paths("") == []
    assert search({}, "x") == ()


def test_names_count_more_than_tags_and_those_more_than_text() -> None:
    filler = "word " * 3
    corpus = {
        "a/rules/body.md": page("One", f"{filler} zebra"),
        "a/rules/head.md": page("Two", f"{filler}\n\n## Zebra\n"),
        "a/rules/tag.md": page("Three", filler, "tags: [zebra]"),
        "a/rules/title.md": page("Zebra", filler),
        "a/rules/alias.md": page("Five", filler, "aliases: [the zebra]"),
    }
    found = paths("zebra", corpus)
    assert set(found[:2]) == {"title.md", "alias.md"}
    assert found[2:] == ["tag.md", "head.md", "body.md"]


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"project": "acme"}, {"session-cookies.md", "jwt.md"}),
        ({"project": "beta"}, set()),
        ({"type": "decision"}, {"session-cookies.md", "jwt.md"}),
        ({"type": "decisions"}, {"session-cookies.md", "jwt.md"}),
        ({"type": "Rule"}, set()),
        ({"tags": ("AUTH",)}, {"session-cookies.md"}),
        ({"tags": ("auth", "web")}, {"session-cookies.md"}),
        ({"tags": ("auth", "other")}, set()),
        ({"status": "deprecated"}, {"jwt.md"}),
        ({"status": "stable"}, {"session-cookies.md"}),
    ],
)
def test_filters(wanted: dict[str, str | tuple[str, ...]], found: set[str]) -> None:
    assert set(paths("login state", CORPUS, **wanted)) == found


def test_a_project_may_be_named_with_its_workspace() -> None:
    assert paths("сборка", project="team/beta") == ["build.md"] == paths("сборка", project="beta")


def test_a_deprecated_page_ranks_below_its_successor() -> None:
    assert paths("JWT tokens login state") == ["session-cookies.md", "jwt.md"]
    assert paths("tokens") == ["session-cookies.md", "jwt.md"], "the old name leads to the page that stands"
    assert paths("tokens", type="decision", status="deprecated") == ["jwt.md"]


def test_successors_in_a_circle_end() -> None:
    corpus = {
        f"a/rules/{one}.md": page("Zebra", "", "status: deprecated", f"superseded_by: {other}.md")
        for one, other in (("x", "y"), ("y", "x"))
    }
    assert paths("zebra", corpus) == ["x.md", "y.md"]


def test_a_hit_tells_its_lines() -> None:
    (hit,) = search(CORPUS, "jitter since", 1)
    lines = CORPUS[hit.path].decode().split("\n")

    assert lines[hit.first_line - 1 : hit.last_line] == ["## Jitter", "", "Since v2.10.3."]
    assert (hit.snippet, hit.title, hit.type, hit.status) == ("Jitter Since v2.10.3.", "Backoff", "Gotcha", "stable")
    assert hit.score > 0


@pytest.mark.parametrize(
    ("text", "query", "lines", "snippet"),
    [
        ("", "x", (1, 1), ""),
        ("a\n\nb zebra\nc\n", "zebra", (3, 4), "b zebra c"),
        ("a\n\n## b\n\nzebra\n\nc\n", "zebra", (3, 5), "zebra"),
        ("# Two\n\n> Note.\n\nbody\n", "zebra", (5, 5), "body"),
        ("---\nt: x\n---\n\nbody\n", "x", (5, 5), "body"),
        ("---\nnever closed x\n", "x", (1, 2), "--- never closed x"),
        ("a\r\n\r\n- b zebra [^o-1]\r\n", "zebra", (3, 3), "b zebra"),
        ("no\n\n[^o-1]: zebra\n", "zebra", (1, 1), "no"),
        ("## zebra\n", "zebra", (1, 1), "zebra"),
        ("\n".join(["line"] * 30 + ["zebra"]), "zebra", (25, 31), "zebra"),
    ],
)
def test_passages(text: str, query: str, lines: tuple[int, int], snippet: str) -> None:
    found = best_passage(text.encode(), dict.fromkeys(terms(query), 1.0))

    assert (found.first_line, found.last_line) == lines
    assert found.snippet == snippet


@given(st.binary(max_size=300), st.text(max_size=20))
def test_any_bytes_have_a_passage(raw: bytes, query: str) -> None:
    found = best_passage(raw, dict.fromkeys(terms(query), 1.0))

    assert 1 <= found.first_line <= found.last_line
    assert len(found.snippet) <= MOST_SNIPPET


def test_a_page_that_cannot_be_read_is_searched_as_text() -> None:
    corpus = {"a/rules/broken-page.md": b"---\ntitle: [\n---\nzebra \xff"}

    assert paths("zebra", corpus) == paths("broken page", corpus) == ["broken-page.md"]


WORDS = st.lists(st.sampled_from(["cookie", "login", "鍵交換", "retryCount", "сайт", "v1.2"]), max_size=6).map(" ".join)
NAMES = st.sampled_from([f"a/rules/{n}.md" for n in range(6)])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(NAMES, st.none() | WORDS), max_size=25), WORDS)
def test_an_index_that_was_changed_equals_one_made_anew(changes: list[tuple[str, str | None]], query: str) -> None:
    index, corpus = Index(), {"a/rules/0.md": page("Zero")}
    index.put("a/rules/0.md", corpus["a/rules/0.md"])
    for path, text in changes:
        if text is None:
            assert index.drop(path) == (corpus.pop(path, None) is not None)
        else:
            corpus[path] = page("Page", text)
            index.put(path, corpus[path])

    for given_index in (index, index.folded()):
        assert given_index.search(query, corpus.__getitem__) == search(corpus, query)
        assert list(given_index) == sorted(corpus)


def test_only_changed_pages_are_read() -> None:
    index, read = Index(), []

    def reading(path: str) -> bytes:
        read.append(path)
        return CORPUS[path]

    keys = dict.fromkeys(CORPUS, "1")
    assert index.refresh(keys, reading) == len(CORPUS)
    read.clear()
    assert index.refresh({**keys, "acme/gotchas/retry.md": "2"}, reading) == 1
    assert read == ["acme/gotchas/retry.md"]
    assert index.refresh({"acme/gotchas/retry.md": "2"}, reading) == len(CORPUS) - 1
    assert list(index) == ["acme/gotchas/retry.md"]


def test_equal_scores_go_by_path() -> None:
    corpus = {f"a/rules/{name}.md": page("Zebra") for name in "cab"}
    assert paths("zebra", corpus) == ["a.md", "b.md", "c.md"]
