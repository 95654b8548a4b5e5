"""Owns the text between `<!-- keep -->` and `<!-- /keep -->`, which the pipeline never changes.

When markers do not pair up, more is protected and never less.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.markdown.footnotes import closing_definitions
from pipeline.wiki.markdown.positions import read_source, unclosed_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.wiki.markdown.positions import Source

OPEN = "<!-- keep -->"
CLOSE = "<!-- /keep -->"

_DEEPEST = 6

_MARKER = re.compile(r"<!--[ \t]*(?P<close>/?)[ \t]*keep[ \t]*-->", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class KeepBlock:
    """Protected text from `start` to `end`, markers included.

    One that is not `closed` reaches to the end of its section.
    """

    start: int
    end: int
    closed: bool
    text: str


def keep_blocks(text: str) -> tuple[KeepBlock, ...]:
    """Return what is protected, in order; blocks that overlap are one."""
    if "<!--" not in text:
        return ()
    source = read_source(text)
    pairs, unclosed, _, _ = _pair(source)
    spans = [(start, end, True) for start, end in pairs]
    spans += [(start, _end_of_section(source, start, pairs), False) for start in unclosed]
    merged: list[tuple[int, int, bool]] = []
    for start, end, closed in sorted(spans):
        if merged and start < merged[-1][1]:
            first, last, whole = merged.pop()
            merged.append((first, max(last, end), whole and closed))
        else:
            merged.append((start, end, closed))
    return tuple(KeepBlock(start, end, closed, text[start:end]) for start, end, closed in merged)


def check_keep_markers(text: str) -> tuple[Finding, ...]:
    """Name the markers that do not pair up, by the heading of their section."""
    if "<!--" not in text:
        return ()
    source = read_source(text)
    _, unclosed, unopened, nested = _pair(source)
    told = [
        *(
            (start, "keep-unclosed", "a keep block has no end; it protects to the end of its section.")
            for start in unclosed
        ),
        *((start, "keep-unopened", "a keep block ends that has not begun.") for start in unopened),
        *((start, "keep-nested", "a keep block stands within another.") for start in nested),
    ]
    return tuple(
        Finding(_heading_above(source, start), rule, "warning", message, f"Pair {OPEN} with {CLOSE}.")
        for start, rule, message in sorted(told)
    )


def without_markers(text: str) -> str:
    """Take the markers out of a text, so that it can protect nothing; what stood between them stays."""
    while "<!--" in text:
        found = list(_markers(read_source(text)))
        if not found:
            break
        parts: list[str] = []
        done = 0
        for marker in found:
            parts.append(text[done : marker.start()])
            done = marker.end()
        text = "".join((*parts, text[done:]))
    return text


def with_ends(text: str, newline: str) -> str:
    """Give every keep block of a text an end, so that what is put behind it is not protected as well."""
    _, unclosed, _, _ = _pair(read_source(text))
    if not unclosed:
        return text
    mark = unclosed_by(text)
    return newline.join(part for part in (text.rstrip(), mark, *(CLOSE for _ in unclosed)) if part)


def _markers(source: Source) -> Iterator[re.Match[str]]:
    """Find the markers that are no code; in indented lines they count, since a list may be indented as well."""
    for marker in _MARKER.finditer(source.text):
        code = source.code_at(marker.start())
        if code is None or code.kind == "indented":
            yield marker


def _pair(source: Source) -> tuple[list[tuple[int, int]], list[int], list[int], list[int]]:
    """Pair the markers: pairs, openings without an end, ends without an opening, openings within a block."""
    pairs: list[tuple[int, int]] = []
    waiting: list[int] = []
    unopened: list[int] = []
    nested: list[int] = []
    for marker in _markers(source):
        if not marker["close"]:
            if waiting:
                nested.append(marker.start())
            waiting.append(marker.start())
        elif waiting:
            pairs.append((waiting.pop(), marker.end()))
        else:
            unopened.append(marker.start())
    return pairs, waiting, unopened, nested


def _end_of_section(source: Source, position: int, pairs: Sequence[tuple[int, int]]) -> int:
    """Find where the section of `position` ends; a heading in a keep block begins and ends none."""
    headings = [heading for heading in source.headings if not any(start < heading.start < end for start, end in pairs)]
    level = next((heading.level for heading in reversed(headings) if heading.start <= position), _DEEPEST)
    end = closing_definitions(source.text)
    if end <= position:
        end = len(source.text)
    after = (heading.start for heading in headings if heading.start > position and heading.level <= level)
    return len(source.text[: next(after, end)].rstrip())


def _heading_above(source: Source, position: int) -> str:
    above = [heading.text for heading in source.headings if heading.start <= position]
    return above[-1] if above else ""
