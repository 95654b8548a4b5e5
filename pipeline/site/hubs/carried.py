"""Owns what people wrote into an index by hand, so that the index that is made anew carries it. Knows no page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.wiki.derived.handwritten import carry_over
from pipeline.wiki.format.frontmatter import split

if TYPE_CHECKING:
    from collections.abc import Mapping


def carried(files: Mapping[str, bytes], index: str) -> str:
    """Give a person's words in an index, as Markdown; all of its text where they cannot be told apart."""
    raw = files.get(index)
    if raw is None:
        return ""
    words = carry_over("", raw)
    return words.decode("utf-8").strip() if words is not None else text_of(raw, index)


def text_of(raw: bytes, path: str) -> str:
    """Give the text of a file without its front matter; what is no UTF-8 is replaced."""
    try:
        return split(raw, path).body.strip()
    except Rejected:
        return raw.decode("utf-8", "replace").strip()
