"""Owns what three versions of a page say, as far as a merge asks: what is new, and what a person took out.

A statement is known by its words, so that other emphasis, line breaks or citations make no other statement of it; what
makes no statement, such as code, is known by its text. Knows not where anything stands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.wiki.merging.units import Chunk, Cut

_MUTE = frozenset({"code", "html", "other"})
"""Kinds of chunks that may say something without making a statement."""


class Known:
    """What stood before the commit, what the commit left, and what stands now."""

    def __init__(self, before: Cut, after: Cut, standing: Cut) -> None:
        self.before = _marks(before)
        self.after = _marks(after)
        self.standing = _marks(standing)
        self.gone = self.before - self.standing
        """What a person took out or worded anew: it never comes back."""
        self.brought = self.after - self.before - self.standing
        """What the commit brought and does not stand yet."""
        self.known_twice = (self.after & self.standing) - self.before
        """What the commit brought and somebody else did too."""

    def is_new(self, chunk: Chunk) -> bool:
        """Whether a chunk of the commit brings something."""
        return not self.brought.isdisjoint(marks_of(chunk))

    def is_gone(self, chunk: Chunk) -> bool:
        """Whether a chunk of the commit holds what a person took out."""
        return not self.gone.isdisjoint(marks_of(chunk))

    def stands_already(self, chunk: Chunk) -> bool:
        """Whether all that a chunk brings stands on the page by now, wherever that is."""
        marks = marks_of(chunk)
        return bool(marks) and self.known_twice.issuperset(marks)


def marks_of(chunk: Chunk) -> tuple[str, ...]:
    """Give what a chunk is known by: the words of its statements, else the text of code and its like."""
    if chunk.said:
        return chunk.words
    telling = chunk.kind in _MUTE and any(character.isalnum() for character in chunk.text)
    return (f"\0{chunk.key}",) if telling else ()


def _marks(cut: Cut) -> frozenset[str]:
    return frozenset(mark for chunk in cut.chunks() for mark in marks_of(chunk))
