"""Owns the text between `<!-- keep -->` and `<!-- /keep -->`, which the pipeline never changes.

When markers do not pair up, more is protected and never less.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.markdown.footnotes import closing_definitions
from pipeline.wiki.markdown.positions import read_source, unclosed_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.wiki.markdown.positions import Heading, Source

OPEN = "<!-- keep -->"
CLOSE = "<!-- /keep -->"

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
    spans += [
        (start, end, False) for start, end in zip(unclosed, _ends_of_sections(source, unclosed, pairs), strict=True)
    ]
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


def _ends_of_sections(source: Source, positions: Sequence[int], pairs: Sequence[tuple[int, int]]) -> list[int]:
    """Find where the sections of some positions end; a heading in a keep block begins and ends none.

    One look at the text serves all of them, for there may be as many as it has lines.
    """
    if not positions:
        return []
    headings = list(_outside(source.headings, pairs))
    text = source.text
    main, whole = closing_definitions(text), len(text)
    following = _following(headings)
    first = headings[0].start if headings else None
    ends: list[int] = []
    trimmed: dict[int, int] = {}
    for position in positions:
        above = bisect_right(headings, position, key=lambda heading: heading.start)
        after = following[above - 1] if above else first
        end = after if after is not None else main if main > position else whole
        if end not in trimmed:
            trimmed[end] = _without_blanks(text, end)
        ends.append(trimmed[end])
    return ends


def _outside(headings: Sequence[Heading], pairs: Sequence[tuple[int, int]]) -> Iterator[Heading]:
    """Give the headings that stand in none of the pairs of markers, which may hold one another."""
    opened = sorted(pairs)
    number = end = 0
    for heading in headings:
        while number < len(opened) and opened[number][0] < heading.start:
            end = max(end, opened[number][1])
            number += 1
        if heading.start >= end:
            yield heading


def _following(headings: Sequence[Heading]) -> list[int | None]:
    """Give for each heading where the next one begins that is not below it; nothing where there is none."""
    found: list[int | None] = [None] * len(headings)
    waiting: list[int] = []
    for number, heading in enumerate(headings):
        while waiting and headings[waiting[-1]].level >= heading.level:
            found[waiting.pop()] = heading.start
        waiting.append(number)
    return found


def _without_blanks(text: str, end: int) -> int:
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _heading_above(source: Source, position: int) -> str:
    above = bisect_right(source.headings, position, key=lambda heading: heading.start)
    return source.headings[above - 1].text if above else ""
