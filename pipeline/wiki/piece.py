"""Owns one section of a page while it is changed: its heading, its text, and what in it must stay.

Knows no other section and not what the change is for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.wiki.changes import trimmed
from pipeline.wiki.footnotes import definitions
from pipeline.wiki.keep import keep_blocks
from pipeline.wiki.outline import heading_key, outline
from pipeline.wiki.source import NEWLINE, unclosed_by

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.wiki.keep import KeepBlock

GUARD = "<!-- -->"
"""Ends a list, so that an indented heading after it belongs to no item."""

_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_TAIL = re.compile(rf"[ \t]*(?P<lines>(?:[ \t]*(?:\r\n|\n|\r)|{GUARD})*)\Z")


@dataclass(frozen=True, slots=True)
class _Fixed:
    """What stays of a text: a keep block, or a footnote definition."""

    start: int
    end: int
    text: str
    is_block: bool
    closed: bool = True


@dataclass(slots=True, eq=False)
class Piece:
    """A section without those below it. `level` is 0 for the text before the first heading.

    `head` is the heading with its line break, and a keep block that begins in it; `content` all the rest.
    """

    key: str
    level: int
    head: str
    content: str
    fixed: list[_Fixed] = field(default_factory=list)
    touched: bool = False
    """Whether its text changed."""
    joined: bool = False
    """Whether what stands before it changed."""

    @property
    def text(self) -> str:
        """The piece as it stands."""
        return f"{self.head}{self.content}"

    @property
    def keeps(self) -> bool:
        """Whether a keep block stands in it."""
        return any(entry.is_block for entry in self.fixed) or bool(keep_blocks(self.head))

    @property
    def is_open(self) -> bool:
        """Whether a keep block in it has no end."""
        return any(not entry.closed for entry in self.fixed)

    def append(self, text: str) -> None:
        """Put a text behind all that stands in the piece."""
        self.content = f"{self.text.rstrip()}{text}"[len(self.head) :]


def read_pieces(body: str) -> tuple[list[Piece], str]:
    """Cut a page into pieces, and the definitions that close it; a heading in a keep block begins no piece."""
    blocks = keep_blocks(body)
    pieces: list[Piece] = []
    starts: list[int] = []
    closing = ""
    for section in outline(body):
        if section.kind == "footnotes":
            closing = section.text
        elif section.kept and pieces:
            pieces[-1].content += section.text
        else:
            content = section.content
            for block in blocks:
                if section.start <= block.start < content < block.end:
                    content = block.end
            head = content - section.start
            key = heading_key(section.heading) if section.heading else ""
            level = 0 if section.kept else section.level
            pieces.append(Piece(key, level, section.text[:head], section.text[head:]))
            starts.append(section.start)
    for piece, start in zip(pieces, starts, strict=True):
        piece.fixed = list(_fixed(body, start + len(piece.head), start + len(piece.text), blocks))
    return pieces, closing


def new_piece(key: str, level: int, heading: str, text: str, newline: str) -> Piece:
    """Make a section; its text is closed, so that nothing after it falls into a fence or a comment."""
    closed = _settled(text)
    content = f"\n{closed}\n" if closed else ""
    head = f"{'#' * level} {heading}".rstrip() + newline
    return Piece(key, level, head, content.replace("\n", newline), touched=True, joined=True)


def revise(piece: Piece, text: str, placed: Mapping[str, KeepBlock], newline: str) -> tuple[str, ...] | None:
    """Put `text` under the heading of a piece; keep blocks stay in it.

    Returns the footnote definitions that stood in it and do so no longer, or None when nothing changed.
    """
    blocks = [entry for entry in piece.fixed if entry.is_block]
    text, unplaced = _assign(text, blocks, placed)
    front, loose, back = _sort(piece, unplaced)
    written = _settled(text).replace("\n", newline)
    for token, block in placed.items():
        written = written.replace(token, block.text)
    parts = [*(entry.text for entry in front), written, *(entry.text for entry in back)]
    return _write(piece, [part for part in parts if part], loose, newline)


def reduce(piece: Piece, newline: str) -> tuple[str, ...] | None:
    """Leave nothing of a piece but its heading and its keep blocks; returns what `revise` returns."""
    blocks = [entry for entry in piece.fixed if entry.is_block]
    front, loose, back = _sort(piece, blocks)
    return _write(piece, [entry.text for entry in (*front, *back)], loose, newline) if loose.strip() else None


def definitions_in(piece: Piece) -> tuple[str, ...]:
    """Return the footnote definitions that stand in a piece, outside its keep blocks."""
    return tuple(entry.text.rstrip() for entry in piece.fixed if not entry.is_block)


def _fixed(body: str, start: int, end: int, blocks: tuple[KeepBlock, ...]) -> Iterator[_Fixed]:
    inside = [block for block in blocks if start <= block.start < end]
    for block in inside:
        yield _Fixed(block.start - start, block.end - start, block.text, is_block=True, closed=block.closed)
    for entry in definitions(body):
        kept = any(block.start <= entry.start < block.end or entry.start <= block.start < entry.end for block in blocks)
        if start <= entry.start < end and not kept:
            text = body[entry.start : entry.end]
            yield _Fixed(entry.start - start, entry.end - start, text, is_block=False)


def _assign(text: str, blocks: list[_Fixed], placed: Mapping[str, KeepBlock]) -> tuple[str, list[_Fixed]]:
    """Leave the places of this piece's blocks in `text`, and take out all others; give the blocks without a place."""
    unplaced = list(blocks)
    shown = text
    for token, block in placed.items():
        mine = next((entry for entry in unplaced if entry.closed and entry.text == block.text), None)
        if token in text and mine is not None:
            unplaced.remove(mine)
            shown = shown.replace(token, mine.text)
        else:
            text = text.replace(token, "")
            shown = shown.replace(token, "")
    if len(keep_blocks(shown)) != len(blocks) - len(unplaced):
        # A place in a fence or in a comment is none.
        for token in placed:
            text = text.replace(token, "")
        unplaced = list(blocks)
    return trimmed(text), unplaced


def _sort(piece: Piece, blocks: list[_Fixed]) -> tuple[list[_Fixed], str, list[_Fixed]]:
    """Tell the blocks that stand before all other text from the rest, and give that other text."""
    front: list[_Fixed] = []
    back: list[_Fixed] = []
    loose = ""
    done = 0
    for entry in sorted(piece.fixed, key=lambda entry: entry.start):
        loose += piece.content[done : entry.start]
        done = entry.end
        if entry in blocks:
            (back if loose.strip() or not entry.closed else front).append(entry)
    return front, loose + piece.content[done:], back


def _write(piece: Piece, parts: list[str], loose: str, newline: str) -> tuple[str, ...] | None:
    old = piece.content
    moved = definitions_in(piece)
    content = (newline * 2).join(parts)
    if _normal(content) == _normal(_without_definitions(piece)):
        return None
    gap = _BLANK_LINES.match(old)
    tail = _TAIL.search(old)
    blank = not old.strip()
    before = newline if blank or gap is None else gap.group()
    after = newline if blank or tail is None else tail["lines"].lstrip(" \t") or newline
    if piece.head and not piece.head.endswith(("\n", "\r")):
        piece.head += newline
    piece.content = f"{before if piece.head else ''}{content}{after}"
    piece.fixed = list(_fixed(piece.text, len(piece.head), len(piece.text), keep_blocks(piece.text)))
    piece.touched = True
    return moved


def _without_definitions(piece: Piece) -> str:
    text = piece.content
    for entry in sorted(piece.fixed, key=lambda entry: entry.start, reverse=True):
        if not entry.is_block:
            text = text[: entry.start] + text[entry.end :]
    return text


def _normal(text: str) -> str:
    text = NEWLINE.sub("\n", text)
    tail = _TAIL.search(text)
    return trimmed(text[: tail.start()] if tail else text)


def _settled(text: str) -> str:
    mark = unclosed_by(text) if text else ""
    return f"{text}\n{mark}" if mark else text
