"""Front matter as themes may print it: plain text, escaped once, and nothing that steers the build."""

from __future__ import annotations

import html
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.reading.safe_markdown.front import escape, make_safe
from tests.reading.payloads import FRONT, STEERING


def safe(front: dict[str, object]) -> dict[str, object]:
    make_safe(front)
    return front


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, entry in value.items() for text in (*strings(key), *strings(entry))]
    if isinstance(value, list):
        return [text for entry in value for text in strings(entry)]
    return []


def test_no_value_holds_what_html_reads() -> None:
    for text in strings(safe({**FRONT, **STEERING})):
        assert not set("<>\"'") & set(text)


@pytest.mark.parametrize(
    ("key", "value", "expected"),
    [
        ("title", "Q&A: <T>", "Q&amp;A: &lt;T&gt;"),
        ("title", 2026, "2026"),
        ("title", ["a"], None),
        ("title", None, None),
        ("description", 'say "no"', "say &quot;no&quot;"),
        ("tags", ["a", 1, "<b>", ["c"], None], ["a", "1", "&lt;b&gt;"]),
        ("tags", "a, b", []),
        ("hide", ["toc"], ["toc"]),
        ("hide", 7, []),
        ("status", "stable", None),
        ("status", "draft", "draft"),
        ("status", "deprecated", "deprecated"),
        ("status", "sta<ble", None),
        ("search", {"exclude": True, "boost": 2}, {"exclude": True, "boost": 2}),
        ("search", {"exclude": "no", "boost": "<b>"}, {"exclude": False}),
        ("search", "text", None),
        ("template", "evil.html", None),
        ("icon", "material/x", None),
        ("day", date(2026, 11, 30), date(2026, 11, 30)),
        ("generated", {"by": "a<b", "at": datetime(2026, 11, 30, tzinfo=UTC)}, None),
        ("control", "a\x00\x1bb\u2028c", "abc"),
    ],
)
def test_each_key_has_its_shape(key: str, value: object, expected: object) -> None:
    if key == "generated":
        expected = {"by": "a&lt;b", "at": datetime(2026, 11, 30, tzinfo=UTC)}
    assert safe({key: value}).get(key) == expected


def test_keys_that_are_no_text_go() -> None:
    front: dict[str, object] = {"title": "x"}
    front.update({True: "on", 2: "two"})  # type: ignore[dict-item]

    assert safe(front) == {"title": "x"}


def test_doing_it_twice_changes_nothing_more() -> None:
    front = {**FRONT, "title": "a & b"}
    once = dict(safe(front))

    assert safe(front) == once
    assert front["title"] == "a &amp; b"


def test_values_that_name_each_other_by_the_million_are_cut() -> None:
    value: object = "x"
    for _ in range(40):
        value = [value] * 10

    assert len(strings(safe({"sources": value}))) < 10_000


@given(st.text())
def test_escaped_text_reads_the_same(text: str) -> None:
    shown = html.unescape(escape(text))

    assert shown == escape_free(text)


def escape_free(text: str) -> str:
    return "".join(
        sign
        for sign in text
        if sign in "\t\n" or not (ord(sign) < 32 or 127 <= ord(sign) < 160 or sign in "\u2028\u2029")
    )
