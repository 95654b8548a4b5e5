"""Owns what is left out of a text that may hold only so many bytes; knows nothing of what it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines that stand together or not at all; a smaller `rank` is more important."""

    text: str
    rank: int
    glued: bool = False
    """Whether it goes on with a list or a table: no blank line stands before it."""
    wrap: Callable[[str], str] | None = None
    """For a piece that may be shortened by lines from its end: what is put around the rest."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """Pieces below a heading, which stands there if one of them does; an empty heading is none."""

    heading: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Fitted:
    """What fits, and how many lines do not."""

    text: str
    missing: int


def fit(chapters: Sequence[Chapter], limit: int) -> Fitted:
    """Join the pieces in their order in at most `limit` bytes of UTF-8; where they are more, the least important go.

    Once a piece has no room, no piece that is less important stands there either.
    """
    order = sorted(
        (piece.rank, number, place)
        for number, chapter in enumerate(chapters)
        for place, piece in enumerate(chapter.pieces)
    )
    room = limit
    kept: list[dict[int, str]] = [{} for _ in chapters]
    for at, (_, number, place) in enumerate(order):
        chapter = chapters[number]
        piece = chapter.pieces[place]
        room -= 0 if kept[number] else _size(chapter.heading)
        text = piece.wrap(piece.text) if piece.wrap else piece.text
        if _size(text) > room:
            shortened, missing = _shorten(piece, room)
            if shortened:
                kept[number][place] = shortened
            rest = (chapters[number].pieces[place] for _, number, place in order[at + 1 :])
            return Fitted(_join(chapters, kept), missing + sum(map(_lines, rest)))
        room -= _size(text)
        kept[number][place] = text
    return Fitted(_join(chapters, kept), 0)


def _shorten(piece: Piece, room: int) -> tuple[str, int]:
    """Give the lines of a piece that fit, wrapped, and how many others there are."""
    if piece.wrap is None:
        return "", _lines(piece)
    lines = piece.text.removesuffix("\n").split("\n")
    left = room - _size(piece.wrap(""))
    fitting = 0
    for line in lines:
        left -= len(line.encode("utf-8", "replace")) + 1
        if left < 0:
            break
        fitting += 1
    return piece.wrap("\n".join(lines[:fitting])) if fitting else "", len(lines) - fitting


def _join(chapters: Sequence[Chapter], kept: Sequence[dict[int, str]]) -> str:
    parts: list[str] = []
    for chapter, texts in zip(chapters, kept, strict=True):
        if texts and chapter.heading:
            parts.append(f"\n{chapter.heading}\n")
        glued = False
        for place, text in sorted(texts.items()):
            glued = chapter.pieces[place].glued and glued
            parts.append(f"{text}\n" if glued else f"\n{text}\n")
            glued = True
    return "".join(parts).removeprefix("\n")


def _lines(piece: Piece) -> int:
    return piece.text.removesuffix("\n").count("\n") + 1


def _size(text: str) -> int:
    """Count the bytes of a text with the line breaks around it."""
    return len(text.encode("utf-8", "replace")) + 2 if text else 0
