"""Owns which words differ between two short texts, in any script; knows no page and no HTML.

A word is a run of letters with their marks; where a script puts no spaces between words, it is a single character. So
no change begins within a letter, an emoji or a syllable. The mark of a footnote is a word, too.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

import regex

from pipeline.proposal.comparing.alignment import differing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

Kind = Literal["same", "gone", "new"]

LONGEST: Final = 4_000
"""Unicode characters of a text whose words are compared; a longer one counts as another text."""

_UNSPACED: Final = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD: Final = regex.compile(
    rf"\[\^[^\]\s]{{1,200}}\]|[{_UNSPACED}]\p{{M}}*|[[\p{{L}}\p{{N}}_]--[{_UNSPACED}]][[\p{{L}}\p{{N}}\p{{M}}_]--[{_UNSPACED}]]*|\s+|\X",
    regex.VERSION1,
)
_LETTER: Final = regex.compile(r"[\p{L}\p{N}]")


class Piece(NamedTuple):
    """A run of text that stands in both texts, in the former alone, or in the new one alone."""

    kind: Kind
    text: str


def tokens(text: str) -> list[str]:
    """Cut a text into words, blanks and marks; together they are the text."""
    return _WORD.findall(text)


def bag(text: str) -> Counter[str]:
    """Count the words of a text without case, for telling how alike two texts are."""
    return Counter([token.casefold() for token in _WORD.findall(text[:LONGEST]) if token[0].isalnum()])


def likeness(one: Counter[str], other: Counter[str]) -> float:
    """Give the part of their words that two texts share, from 0 to 1; two without a word are alike."""
    size = one.total() + other.total()
    return 2 * sum([min(count, other[word]) for word, count in one.items()]) / size if size else 1.0


def compare_words(before: str, after: str) -> tuple[Piece, ...]:
    """Tell the words of two texts apart.

    What is not new makes the former text, what is not gone the new one. Blanks and marks between two changes count as
    changed, so that a phrase that became another is not cut to pieces.
    """
    if before == after:
        return (Piece("same", after),) if after else ()
    if max(len(before), len(after)) > LONGEST:
        return tuple(piece for piece in (Piece("gone", before), Piece("new", after)) if piece.text)
    old, new = tokens(before), tokens(after)
    return tuple(_joined(_bridged(list(_runs(old, new)))))


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[Piece]:
    gone, fresh = differing(old, new)
    lost, found = set(gone), set(fresh)
    number = place = 0
    while number < len(old) or place < len(new):
        start, new_start = number, place
        while number in lost:
            number += 1
        while place in found:
            place += 1
        if start < number:
            yield Piece("gone", "".join(old[start:number]))
        if new_start < place:
            yield Piece("new", "".join(new[new_start:place]))
        start = number
        while number < len(old) and number not in lost and place not in found:
            number, place = number + 1, place + 1
        if start < number:
            yield Piece("same", "".join(old[start:number]))


def _bridged(pieces: list[Piece]) -> Iterator[Piece]:
    """Let what stands between two changes and holds no word be part of both."""
    last = len(pieces) - 1
    for number, piece in enumerate(pieces):
        if piece.kind != "same" or number in {0, last} or _LETTER.search(piece.text):
            yield piece
        else:
            yield Piece("gone", piece.text)
            yield Piece("new", piece.text)


def _joined(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """Bring what is gone in one place together, and what is new there."""
    gone: list[str] = []
    new: list[str] = []
    for piece in (*pieces, Piece("same", "")):
        if piece.kind == "gone":
            gone.append(piece.text)
        elif piece.kind == "new":
            new.append(piece.text)
        else:
            if gone:
                yield Piece("gone", "".join(gone))
            if new:
                yield Piece("new", "".join(new))
            gone, new = [], []
            if piece.text:
                yield piece
