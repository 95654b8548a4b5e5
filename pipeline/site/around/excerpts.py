"""Owns which words of a long observation a footnote shows: those that the cited claims rest on.

Knows no page and no HTML.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from pipeline.text import cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GAP: Final = re.compile(r"[^\S\n]*(?P<end>\n)\s*|[^\S\n]{2,}|(?! )[^\S\n]")
"""Blank lines, and blanks beside others or at an end of a line: where words are quoted, none of them is seen."""
_WORD: Final = re.compile(r"\w+")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_SHARED_ENOUGH: Final = 0.6
"""The part of a claim's words that a sentence must hold to count as what the claim rests on."""
_BEFORE: Final = 0.25
"""The part of what is shown that stands before the words that matter."""
_LOOKED_AT: Final = 40_000
"""Unicode characters of an observation in which a claim's words are looked for."""


class Piece(NamedTuple):
    """A run of an observation's words; `matters` tells whether a claim rests on it."""

    text: str
    matters: bool = False


class _Word(NamedTuple):
    start: int
    end: int
    text: str


def excerpt(words: str, claims: Sequence[str], limit: int) -> tuple[Piece, ...]:
    """Cut an observation to about `limit` characters around the words that the claims rest on, else to its beginning.

    What is left out is told by `…`. The pieces together never pass the limit by more than two signs a claim.
    """
    text = _GAP.sub(lambda gap: gap["end"] or " ", words).strip()
    places = _places(text[:_LOOKED_AT], claims)
    if len(text) <= limit:
        return tuple(_marked(text, 0, len(text), places))
    if not places:
        return (Piece(_end_cut(text, limit)),)
    pieces: list[Piece] = []
    reached = 0
    for start, end in _windows(text, places, limit):
        if start > reached:
            pieces.append(Piece("… " if not reached else " … "))
        pieces += _marked(text, start, end, places)
        reached = end
    return (*pieces, *([Piece(" …")] if reached < len(text) else []))


def _windows(text: str, places: Sequence[tuple[int, int]], limit: int) -> list[tuple[int, int]]:
    """Give what is shown: each place with an equal share of the room around it; those that meet are one."""
    share = limit // len(places)
    windows: list[tuple[int, int]] = []
    for start, end in places:
        room = share - (end - start)
        if room <= 0:
            first, last = start, start + len(cut(text[start:end], share))
        else:
            first = _line_start(text, start, max(0, start - int(room * _BEFORE)))
            last = end + len(cut(text[end : end + room], max(room - (start - first), 0)))
            last = _word_end(text, end, last)
        if windows and first <= windows[-1][1]:
            windows[-1] = (windows[-1][0], max(last, windows[-1][1]))
        else:
            windows.append((first, last))
    return windows


def _word_end(text: str, end: int, last: int) -> int:
    """Let what is shown end between two words, where one is near."""
    if last >= len(text) or not text[last - 1 : last + 1].strip():
        return last
    gap = max(text.rfind(" ", end, last), text.rfind("\n", end, last))
    return gap if gap > end else last


def _marked(text: str, start: int, end: int, places: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    at = start
    for first, last in places:
        if last <= start or first >= end:
            continue
        if first > at:
            yield Piece(text[at:first])
        yield Piece(text[max(first, at) : min(last, end)], matters=True)
        at = min(last, end)
    if at < end:
        yield Piece(text[at:end])


def _end_cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{cut(text, max(limit - 1, 1)).rstrip()}…"


def _line_start(text: str, start: int, earliest: int) -> int:
    """Find where to begin: at the begin of a line or sentence if one lies between, else between two words."""
    if not earliest:
        return 0
    lead = text[earliest:start]
    ends = [found.end() for found in _SENTENCE_END.finditer(lead)]
    if ends:
        return earliest + ends[0]
    gap = lead.find(" ")
    return earliest + gap + 1 if gap >= 0 else start


def _places(text: str, claims: Sequence[str]) -> list[tuple[int, int]]:
    """Find the words that each claim rests on, word for word or else the likest sentence: in order, each place once."""
    spoken = list(_spoken(text))
    joined = f" {' '.join(word.text for word in spoken)} "
    found = [place for claim in claims if (place := _place(text, spoken, joined, claim))]
    places: list[tuple[int, int]] = []
    for start, end in sorted(set(found)):
        if places and start < places[-1][1]:
            places[-1] = (places[-1][0], max(end, places[-1][1]))
        else:
            places.append((start, end))
    return places


def _place(text: str, spoken: Sequence[_Word], joined: str, claim: str) -> tuple[int, int] | None:
    wanted = [word.text for word in _spoken(claim)]
    at = joined.find(f" {' '.join(wanted)} ") if wanted else -1
    if at >= 0:
        first = joined.count(" ", 0, at + 1) - 1
        return spoken[first].start, _with_stop(text, spoken[first + len(wanted) - 1].end)
    return _likest(text, set(wanted))


def _likest(text: str, wanted: set[str]) -> tuple[int, int] | None:
    best, place, at = 0.0, None, 0
    for gap in (*_SENTENCE_END.finditer(text), None):
        end = gap.start() if gap else len(text)
        shared = len(wanted & {word.text for word in _spoken(text[at:end])}) / max(len(wanted), 1)
        if shared > best and shared >= _SHARED_ENOUGH:
            best, place = shared, (at, end)
        at = gap.end() if gap else end
    return place


def _with_stop(text: str, end: int) -> int:
    """Let the mark that ends a sentence belong to it."""
    return end + 1 if text[end : end + 1] in {".", "!", "?", "。", "！", "？"} else end


def _spoken(text: str) -> Iterator[_Word]:
    """Yield the words of a text without case, each with its place; underscores around a word are marks."""
    for found in _WORD.finditer(text):
        word = found.group().strip("_")
        if word:
            yield _Word(found.start(), found.end(), word.casefold())
