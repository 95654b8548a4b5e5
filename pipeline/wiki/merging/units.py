"""Owns how a page's body falls apart for a merge: units (a heading with its own text) and the chunks that these hold.

A chunk is what one side can change by itself: a paragraph, the text of a list item, a row of a table, a block of code,
a keep block. Joined, the parts are the body again, byte for byte. Knows no other version of the body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pipeline.wiki.markdown.positions import NEWLINE

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["kept", "note", "code", "html", "row", "item", "text", "table", "other"]
"""What a chunk is; `note` is a footnote definition, `table` the head of a table, `other` what makes no statement."""

Path = tuple[str, ...]
"""The keys of the headings above a unit and of its own; the title counts for none of those below it."""

TITLE: Path = ("\0title",)

MARKER = re.compile(r"[ \t>]*(?:(?P<bullet>[-*+])|\d{1,9}[.)])(?=[ \t]|\Z)")
"""What an item of a list begins with."""

BLANK = " \t\r\n"
"""What a blank line may hold."""

_RULE = re.compile(r":?-+:?")


@dataclass(frozen=True, slots=True)
class Said:
    """A statement: its text with footnote marks, and the words that it is known by."""

    text: str
    words: str


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Some lines of a body without the last line's end; `gap` is that end, with the blank lines behind it."""

    text: str
    gap: str
    kind: Kind
    key: str
    """What two versions of the same chunk share: its text without line breaks, and without the mark of its list."""
    said: tuple[Said, ...] = ()

    @property
    def tight(self) -> bool:
        """Whether no blank line stands behind it."""
        return len(NEWLINE.findall(self.gap)) == 1

    @property
    def words(self) -> tuple[str, ...]:
        """The words of its statements."""
        return tuple(one.words for one in self.said)


@dataclass(frozen=True, slots=True, eq=False)
class Unit:
    """A heading with the text below it up to the next one; `level` is 0 for the text before the first heading."""

    path: Path
    level: int
    heading: str
    head: str
    """The heading's lines with their ends, and a keep block that begins in them."""
    opening: str
    """The blank lines between the heading and the first chunk."""
    chunks: tuple[Chunk, ...]

    @property
    def tail(self) -> str:
        """The line's end and the blank lines behind the last chunk, or behind the heading where there is none."""
        return self.chunks[-1].gap if self.chunks else f"{self.head[len(self.head.rstrip(BLANK)) :]}{self.opening}"


@dataclass(frozen=True, slots=True, eq=False)
class Cut:
    """A body, cut. `notes` holds every footnote definition by label, `closing` the text of those that end the body."""

    body: str
    units: tuple[Unit, ...]
    closing: str
    notes: dict[str, str] = field(default_factory=dict)
    inside: frozenset[str] = frozenset()
    """The labels that are defined before the closing definitions."""
    cited: frozenset[str] = frozenset()
    kept: tuple[str, ...] = ()
    """The texts of the keep blocks."""

    @property
    def main(self) -> str:
        """All but the closing definitions."""
        return self.body[: len(self.body) - len(self.closing)]

    def chunks(self) -> Iterator[Chunk]:
        """Give all chunks in order."""
        for unit in self.units:
            yield from unit.chunks

    def said(self) -> Iterator[Said]:
        """Give all statements in order."""
        for chunk in self.chunks():
            yield from chunk.said


def same_key(text: str, kind: Kind) -> str:
    """Give what two versions of a chunk share."""
    if kind in {"code", "kept"}:
        return f"{kind}\0{NEWLINE.sub(chr(10), text)}"
    line = " ".join(text.split())
    if kind == "item":
        found = MARKER.match(line)
        return f"{'-' if found and found['bullet'] else '1'}{line[found.end() if found else 0 :]}"
    return _RULE.sub("-", line) if kind == "table" else line


def bullet(text: str) -> tuple[int, str]:
    """Tell where the mark of a bullet stands in an item's text, and which one it is; nothing for other chunks."""
    found = MARKER.match(text)
    return (found.start("bullet"), found["bullet"]) if found and found["bullet"] else (-1, "")
