"""The anchors of headings are those of the Git hosts."""

from __future__ import annotations

import pytest

from pipeline.reading.safe_markdown.anchors import anchor


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        ("What helps", "what-helps"),
        ("  Über uns  ", "über-uns"),
        ("What's `new` in v1.2?", "whats-new-in-v12"),
        ("Q&amp;A: a/b", "qa-ab"),
        ("session_cookie_ttl", "session_cookie_ttl"),
        ("A - B", "a---b"),
        ("単位と表示", "単位と表示"),
        ("हिन्दी", "हिन्दी"),
        ("Cafe\u0301", "café"),
        ("!!!", ""),
    ],
)
def test_as_on_a_git_host(heading: str, expected: str) -> None:
    assert anchor(heading) == expected
