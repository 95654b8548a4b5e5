"""Owns taking links to pages that are gone out of a text; the words stay. Knows no page and no file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.links import links, resolve

if TYPE_CHECKING:
    from collections.abc import Collection

_OPENING = re.compile(r"\]\([ \t]*<?\Z")


def unlink(text: str, page: str, gone: Collection[str]) -> str:
    """Leave the words of every inline link that leads from `page` to a path in `gone`, and nothing of the link."""
    if not gone or "](" not in text:
        return text
    prose = read_blocks(text).prose
    for link in sorted(links(prose), key=lambda one: one.position, reverse=True):
        target = resolve(page, link.address)
        opening = _OPENING.search(text, 0, link.position) if target and target.path in gone else None
        if opening is None:
            continue
        start, end = _bracket(text, opening.start()), text.find(")", link.position)
        if start >= 0 and end >= 0:
            words = text[start + 1 : opening.start()]
            text = text[: start - (text[start - 1 : start] == "!")] + words + text[end + 1 :]
    return text


def _bracket(text: str, closing: int) -> int:
    """Find the bracket that a closing one belongs to; -1 when there is none."""
    depth = 0
    for position in range(closing, -1, -1):
        if text[position - 1 : position] == "\\":
            continue
        depth += {"]": 1, "[": -1}.get(text[position], 0)
        if not depth:
            return position
    return -1
