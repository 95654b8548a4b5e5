"""Owns where a sentence ends; footnote marks belong to the sentence before them. Knows no meaning."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.gates.contradiction.units import MONTHS

if TYPE_CHECKING:
    from collections.abc import Iterator

_MONTH = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_NO_END = (
    "".join(
        rf"(?<!\b{short})"
        for short in (r"e\.g", r"i\.e", "ca", "vs", "no", "nr", r"z\. ?B", r"p\. ?ex", "approx", "incl", "bzw")
    )
    .replace(" ?B", " B")
    .replace(" ?ex", " ex")
)
_MARKS = r"(?:\[\^[^\]\[\r\n]{1,200}\]){0,20}"
_END = re.compile(
    rf"{_NO_END}[.!?;][\"'”’)`*_]{{0,4}}{_MARKS}\s+(?=[^\s.,;:)])(?!(?:{_MONTH})\b)|[。！？；]{_MARKS}\s*",
    re.IGNORECASE,
)


def cut(text: str) -> Iterator[str]:
    """Cut a paragraph into its sentences, as they are written, without the space between them."""
    done = 0
    for found in _END.finditer(text):
        yield text[done : found.end()].strip()
        done = found.end()
    rest = text[done:].strip()
    if rest:
        yield rest


def cut_lines(text: str) -> Iterator[str]:
    """Cut a text into sentences of which none goes on in another line."""
    for line in text.splitlines():
        yield from cut(line)
