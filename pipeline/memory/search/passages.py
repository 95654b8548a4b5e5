"""Owns which lines of a page fit a query best, and how they read in a line; knows no index."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.relevance import terms
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MOST_SNIPPET: Final = 200
"""Unicode characters."""
_MOST_LINES: Final = 12
_MARKS: Final = re.compile(r"\[\^[^\]]*\]|^\s*(?:#{1,6}|[-*+>]|\d{1,9}[.)])[ \t]+", re.MULTILINE)
_DEFINITION: Final = re.compile(r"\s{0,3}\[\^[^\]]+\]:")
_HEADING: Final = re.compile(r" {0,3}#{2,6}[ \t]")
_ASIDE: Final = re.compile(r" {0,3}(?:#[ \t]|>)")
_ASIDE_COSTS: Final = 0.5
_RULE: Final = "---"


@dataclass(frozen=True, slots=True)
class Passage:
    """Some lines of a page, counted from 1."""

    first_line: int
    last_line: int
    snippet: str


def best_passage(raw: bytes, weighed: Mapping[str, float]) -> Passage:
    """Find the block of lines, between blank ones, that holds the most telling words of a query.

    Without any of them it is the first block below the front matter. Footnote definitions are no passage.
    """
    lines = raw.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    best, most = (0, 1), -math.inf
    for start, end in _blocks(lines):
        held = set(terms("\n".join(lines[start:end])))
        worth = math.fsum(weight for term, weight in weighed.items() if term in held)
        if _ASIDE.match(lines[start]):
            worth -= _ASIDE_COSTS  # the title of a hit is told anyway, and a note says little about the subject
        if worth > most:
            best, most = (start, end), worth
    start, end = best
    return Passage(start + 1, max(end, start + 1), _snippet(lines[start:end], weighed))


def _blocks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Yield where blocks begin and end; a heading belongs to the block below it."""
    start, end = _below_front(lines), 0
    for number in range(start, len(lines) + 1):
        over = number == len(lines) or bool(_DEFINITION.match(lines[number]))
        blank = over or not lines[number].strip()
        if not blank:
            end = number + 1
        if over or (blank and not _is_heading(lines[start:number])) or number - start == _MOST_LINES:
            if end > start:
                yield start, end
            start = number + 1 if blank else number


def _is_heading(lines: list[str]) -> bool:
    """Whether some lines hold nothing but the heading of a section."""
    words = [line for line in lines if line.strip()]
    return len(words) == 1 and bool(_HEADING.match(words[0]))


def _below_front(lines: list[str]) -> int:
    if lines[0].lstrip("\ufeff").rstrip() != _RULE:
        return 0
    return next((number + 1 for number, line in enumerate(lines[1:], 1) if line.rstrip() == _RULE), 0)


def _snippet(lines: list[str], weighed: Mapping[str, float]) -> str:
    """Start at the line that fits best, so that what was looked for is seen."""
    worth = [math.fsum(weighed.get(term, 0.0) for term in set(terms(line))) for line in lines]
    first = worth.index(max(worth)) if worth else 0
    return one_line(_MARKS.sub("", "\n".join(lines[first:])), MOST_SNIPPET)
