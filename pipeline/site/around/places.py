"""Owns where in a text the words of a claim stand: word for word, or else in the likest sentence. Knows no Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = re.compile(r"\w+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s+|(?<=[。！？])|\n+")
_STOPS: Final = frozenset(".!?。！？")
_SHARED_ENOUGH: Final = 0.6
"""The part of a claim's words that a sentence must hold to count as what the claim rests on."""


class Span(NamedTuple):
    """A sentence of a text, or a line of it that holds none."""

    start: int
    end: int


class Place(NamedTuple):
    """Where the words of a claim stand."""

    start: int
    end: int


class _Word(NamedTuple):
    start: int
    end: int
    text: str


def sentences(text: str) -> list[Span]:
    """Give the sentences of a text, in order; none of them goes beyond a line, and none is empty."""
    spans: list[Span] = []
    at = 0
    for gap in _SENTENCE_END.finditer(text):
        if gap.start() > at:
            spans.append(Span(at, gap.start()))
        at = gap.end()
    if at < len(text):
        spans.append(Span(at, len(text)))
    return spans


class Words:
    """A text in which claims are looked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._spoken: list[_Word] = []
        self._joined = ""
        self._sentences: list[tuple[Span, set[str]]] = []

    def verbatim(self, claim: str) -> Place | None:
        """Find a claim as it is written; None where it does not stand there, or only within other words."""
        text = self._text
        at = text.find(claim) if claim else -1
        end = at + len(claim)
        if at < 0 or _WORD.match(text[at - 1 : at]) or _WORD.match(text[end : end + 1]):
            return None
        return Place(at, self._with_stop(end))

    def place(self, claim: str) -> Place | None:
        """Find what a claim rests on; None where too few of its words stand together."""
        found = self.verbatim(claim)
        if found:
            return found
        wanted = [word.text for word in _spoken(claim)]
        if not wanted:
            return None
        if not self._joined:
            self._spoken = list(_spoken(self._text))
            self._joined = f" {' '.join(word.text for word in self._spoken)} "
        at = self._joined.find(f" {' '.join(wanted)} ")
        if at < 0:
            return self._likest(set(wanted))
        first = self._joined.count(" ", 0, at + 1) - 1
        return Place(self._spoken[first].start, self._with_stop(self._spoken[first + len(wanted) - 1].end))

    def _likest(self, wanted: set[str]) -> Place | None:
        self._sentences = self._sentences or list(self._read())
        best, place = 0.0, None
        for span, said in self._sentences:
            shared = len(wanted & said) / len(wanted)
            if shared > best and shared >= _SHARED_ENOUGH:
                best, place = shared, Place(*span)
        return place

    def _read(self) -> Iterator[tuple[Span, set[str]]]:
        """Yield each sentence with its words."""
        number = 0
        for span in sentences(self._text):
            first = number
            while number < len(self._spoken) and self._spoken[number].start < span.end:
                number += 1
            yield span, {word.text for word in self._spoken[first:number]}

    def _with_stop(self, end: int) -> int:
        """Let the mark that ends a sentence belong to it."""
        return end + 1 if self._text[end : end + 1] in _STOPS else end


def _spoken(text: str) -> Iterator[_Word]:
    """Yield the words of a text without case, each with its place; underscores around a word are marks."""
    for found in _WORD.finditer(text):
        word = found.group().strip("_")
        if word:
            yield _Word(found.start(), found.end(), word.casefold())
