"""The plain words of inline Markdown, by the short way for code alone and by the long one."""

from __future__ import annotations

import pytest

from pipeline.site import passages
from pipeline.wiki.markdown.inline import read_inline


@pytest.mark.parametrize(
    "text",
    ["a `code` b", "`x`", "``x`` y", "a `x``y` b", "` x ` y", "`b `-", "a ` b", "`a``b`", "`日本` 語", "`a_b` c"],
)
def test_words_with_code_read_the_same_by_the_short_way(text: str) -> None:
    slow = " ".join("".join(passages._told(read_inline(text))).split())
    assert passages.words_of(text) == slow
