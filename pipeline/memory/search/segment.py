"""Owns a part of an index: some pages, and for each word the pages that hold it; knows no score and no file.

A segment that was stored gets its postings when they are asked for; the fresh one grows page by page.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.memory.search.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Postings:
    """The pages that hold one word, by their number in the segment, and how much it counts in each."""

    pages: array[int] = field(default_factory=lambda: array("I"))
    weights: array[int] = field(default_factory=lambda: array("H"))


@dataclass(frozen=True, slots=True)
class Segment:
    """Pages by number; `alive` holds 1 for each that still stands as it was when it came in."""

    sheets: list[Sheet] = field(default_factory=list)
    alive: bytearray = field(default_factory=bytearray)
    postings: Mapping[str, Postings] = field(default_factory=dict)


class FreshSegment:
    """A segment that grows."""

    def __init__(self) -> None:
        self._postings: dict[str, Postings] = {}
        self.segment = Segment(postings=self._postings)

    def add(self, sheet: Sheet, words: Mapping[str, int]) -> int:
        """Take a page in, and give its number."""
        number = len(self.segment.sheets)
        self.segment.sheets.append(sheet)
        self.segment.alive.append(1)
        for term, weight in words.items():
            held = self._postings.get(term)
            if held is None:
                held = self._postings[term] = Postings()
            held.pages.append(number)
            held.weights.append(weight)
        return number

    def take_in(self, other: Segment) -> None:
        """Take in the living pages of a segment, without reading one of them again."""
        numbers: dict[int, int] = {}
        for old, sheet in enumerate(other.sheets):
            if other.alive[old]:
                numbers[old] = self.add(sheet, {})
        for term, postings in other.postings.items():
            for old, weight in zip(postings.pages, postings.weights, strict=True):
                if old in numbers:
                    held = self._postings.setdefault(term, Postings())
                    held.pages.append(numbers[old])
                    held.weights.append(weight)
