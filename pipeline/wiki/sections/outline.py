"""Owns how a Markdown text falls into sections, by source position; changes nothing."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from pipeline.wiki.markdown.footnotes import closing_definitions
from pipeline.wiki.markdown.positions import read_source
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.sections.keep import keep_blocks

_NO_WORDS = re.compile(r"<!--.*?-->|\s+\{[^{}]*\}\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Section:
    """One heading with the text below it up to the next heading, whatever its level.

    The text before the first heading is the `lead`, the definitions that close the text are the `footnotes`;
    both have no heading and level 0. `kept` says that the heading stands within a keep block.
    """

    kind: Literal["lead", "section", "footnotes"]
    heading: str
    level: int
    start: int
    end: int
    content: int
    """Where the text below the heading begins."""
    text: str
    kept: bool = False


def outline(body: str) -> tuple[Section, ...]:
    """Cut a text into its sections; joined, their texts are the text again."""
    footnotes = closing_definitions(body)
    headings = [heading for heading in read_source(body).headings if heading.start < footnotes]
    blocks = keep_blocks(body)
    ends = [*(heading.start for heading in headings), footnotes]
    found: list[Section] = []
    if ends[0] > 0:
        found.append(Section("lead", "", 0, 0, ends[0], 0, body[: ends[0]]))
    for heading, end in zip(headings, ends[1:], strict=True):
        kept = any(block.start < heading.start < block.end for block in blocks)
        text = body[heading.start : end]
        found.append(Section("section", heading.text, heading.level, heading.start, end, heading.end, text, kept))
    if footnotes < len(body):
        found.append(Section("footnotes", "", 0, footnotes, len(body), footnotes, body[footnotes:]))
    return tuple(found)


def heading_key(heading: str) -> str:
    """Return what headings of the same section share: their words, without case, marks, comments and attributes."""
    words = plain(_NO_WORDS.sub("", heading)) or " ".join(heading.split())
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", words).casefold())
