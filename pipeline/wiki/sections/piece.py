"""Owns one section of a page while it is changed: its heading, its text, and what in it must stay.

Knows no other section and not what the change is for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.footnotes import definitions
from pipeline.wiki.markdown.positions import NEWLINE, unclosed_by
from pipeline.wiki.sections.changes import trimmed
from pipeline.wiki.sections.keep import keep_blocks, with_ends
from pipeline.wiki.sections.outline import heading_key, outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.wiki.markdown.footnotes import Definition
    from pipeline.wiki.sections.keep import KeepBlock

GUARD = "<!-- -->"
"""Ends a list, so that an indented heading after it belongs to no item."""

_CLOSING_MARKS = re.compile(r"(?<!\S)#+\Z")
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*+")


@dataclass(frozen=True, slots=True)
class _Fixed:
    """What stays of a text: a keep block, or a footnote definition."""

    start: int
    end: int
    text: str
    kept: str = ""
    """The keep block: all of `text`, or what of a definition is one; empty for a mere definition."""
    closed: bool = True

    @property
    def is_block(self) -> bool:
        """Whether a keep block stands in it."""
        return bool(self.kept)


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
    refused: bool = False
    """Whether a change was not made, because a keep block would not have come through whole."""
    joined: bool = False
    """Whether what stands before it changed."""

    @property
    def text(self) -> str:
        """The piece as it stands."""
        return f"{self.head}{self.content}"

    @property
    def keeps(self) -> bool:
        """Whether a keep block stands in it."""
        return bool(self.kept)

    @property
    def kept(self) -> tuple[str, ...]:
        """The text of its keep blocks."""
        inside = (entry.kept for entry in self.fixed if entry.is_block)
        return (*(block.text for block in keep_blocks(self.head)), *inside)

    @property
    def is_open(self) -> bool:
        """Whether a keep block in it has no end."""
        return not all(entry.closed for entry in self.fixed) or not all(
            block.closed for block in keep_blocks(self.head)
        )

    def shut(self, newline: str) -> None:
        """Give the keep blocks in it an end."""
        if self.content.strip():
            self.content = f"{with_ends(self.text, newline)[len(self.head) :].rstrip()}{newline}"
        else:
            self.head = f"{with_ends(self.head, newline).rstrip()}{newline}"
        self.touched = True

    def append(self, text: str) -> None:
        """Put a text behind all that stands in the piece."""
        self.content = f"{self.content.rstrip()}{text}"


def read_pieces(body: str) -> tuple[list[Piece], str]:
    """Cut a page into pieces, and the definitions that close it; a heading in a keep block begins no piece."""
    blocks = keep_blocks(body)
    entries = definitions(body)
    pieces: list[Piece] = []
    starts: list[int] = []
    closing = ""
    for section in outline(body):
        if section.kind == "footnotes":
            closing = section.text
        elif section.kept and pieces:
            pieces[-1].content += section.text
        else:
            head = section.content - section.start
            key = heading_key(section.heading) if section.heading else ""
            level = 0 if section.kept else section.level
            pieces.append(Piece(key, level, section.text[:head], section.text[head:]))
            starts.append(section.start)
    for piece, start in zip(pieces, starts, strict=True):
        _find_fixed(piece, start, blocks, entries)
    return pieces, closing


def new_piece(key: str, level: int, heading: str, text: str, newline: str) -> Piece:
    """Make a section; its text is closed, so that nothing after it falls into a fence or a comment."""
    closed = _settled(text)
    content = f"\n{closed}\n" if closed else ""
    shown = _CLOSING_MARKS.sub(r"\\\g<0>", heading)
    head = f"{'#' * level} {shown}{newline}"
    return Piece(key, level, head, content.replace("\n", newline), touched=True, joined=True)


def revise(piece: Piece, text: str, placed: Mapping[str, KeepBlock], newline: str) -> tuple[str, ...] | None:
    """Put `text` under the heading of a piece; keep blocks stay in it.

    Returns the footnote definitions that stood in it and do so no longer, or None when nothing changed.
    """
    piece.refused = False
    blocks = [entry for entry in piece.fixed if entry.is_block]
    text, unplaced = _assign(text, blocks, placed, newline)
    front, _, back = _sort(piece, unplaced)
    if len(unplaced) < len(blocks) or text.startswith(("    ", "\t")):
        # Indented text right behind a block with a footnote definition would go on with the definition.
        front, back = [], [*front, *back]
    written = _settled(text).replace("\n", newline)
    for token, block in placed.items():
        written = written.replace(token, block.text)
    return _write(piece, [*front, *([written] if written else []), *back], newline)


def reduce(piece: Piece, newline: str) -> tuple[str, ...] | None:
    """Leave nothing of a piece but its heading and its keep blocks; returns what `revise` returns."""
    blocks = [entry for entry in piece.fixed if entry.is_block]
    front, loose, back = _sort(piece, blocks)
    return _write(piece, [*front, *back], newline) if loose.strip() else None


def definitions_in(piece: Piece) -> tuple[str, ...]:
    """Return the footnote definitions that stand in a piece, outside its keep blocks."""
    return tuple(entry.text for entry in piece.fixed if not entry.is_block)


def _find_fixed(piece: Piece, start: int, blocks: Sequence[KeepBlock], entries: Sequence[Definition]) -> None:
    """Find what stays of a piece that begins at `start` of its page; a keep block that begins in its head is head."""
    text = piece.text
    ends = [block.end - start for block in blocks if start <= block.start < start + len(piece.head)]
    head = max(len(piece.head), *ends, 0)
    piece.head, piece.content = text[:head], text[head:]
    inside = [replace(block, start=block.start - start, end=block.end - start) for block in blocks]
    known = [replace(entry, start=entry.start - start, end=entry.end - start) for entry in entries]
    piece.fixed = list(
        _fixed(
            text,
            head,
            [block for block in inside if head <= block.start < len(text)],
            [entry for entry in known if head <= entry.start < len(text)],
        )
    )


def _fixed(body: str, start: int, blocks: Sequence[KeepBlock], entries: Sequence[Definition]) -> Iterator[_Fixed]:
    """Find what stays of a body from `start` on; positions count from there.

    A definition with a block in it stays whole.
    """
    done = start
    for block in blocks:
        if block.start < done:
            continue
        around = [entry for entry in entries if start <= entry.start <= block.start < entry.end]
        first = around[0].start if around else block.start
        last = max(block.end, around[0].start + len(around[0].text) if around else 0)
        yield _Fixed(first - start, last - start, body[first:last], block.text, block.closed)
        done = last
    for entry in entries:
        if entry.start >= start and not any(block.start < entry.end and entry.start < block.end for block in blocks):
            yield _Fixed(entry.start - start, entry.end - start, entry.text)


def _assign(text: str, blocks: list[_Fixed], placed: Mapping[str, KeepBlock], newline: str) -> tuple[str, list[_Fixed]]:
    """Leave the places of this piece's blocks in `text`, and take out all others; give the blocks without a place."""
    unplaced = list(blocks)
    shown = text
    for token, block in placed.items():
        mine = next((entry for entry in unplaced if with_ends(entry.text, newline) == block.text), None)
        if token in text and mine is not None:
            unplaced.remove(mine)
            shown = shown.replace(token, block.text)
        else:
            text = text.replace(token, "")
            shown = shown.replace(token, "")
    if len(keep_blocks(shown)) != len(blocks) - len(unplaced) or _headings(shown):
        # There the block would be none, or end where a heading begins.
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


def _write(piece: Piece, parts: Sequence[str | _Fixed], newline: str) -> tuple[str, ...] | None:
    as_they_are = (part if isinstance(part, str) else part.text for part in parts)
    if _normal((newline * 2).join(as_they_are)) == _normal(_without_definitions(piece)):
        return None
    old = piece.content
    gap = _BLANK_LINES.match(old)
    blank = not old.strip()
    before = newline if blank or gap is None else gap.group()
    after = newline if blank else old[_end_of_text(old) :].lstrip(" \t") or newline
    head = with_ends(piece.head, newline)
    if head and not head.endswith(("\n", "\r")):
        head += newline
    ended = (part if isinstance(part, str) or part.closed else with_ends(part.text, newline) for part in parts)
    content = (newline * 2).join(part if isinstance(part, str) else part.text for part in ended)
    content = f"{before if head else ''}{content}{after}" if content else newline
    blocks = keep_blocks(f"{head}{content}")
    whole = len(blocks) <= len(piece.kept) and all(any(kept in block.text for block in blocks) for kept in piece.kept)
    if not whole or _headings(f"{head}{content}") > bool(piece.level) or unclosed_by(f"{head}{content}"):
        piece.refused = True
        return None
    moved = definitions_in(piece)
    piece.head, piece.content, piece.touched = head, content, True
    piece.fixed = list(_fixed(piece.text, len(head), blocks, definitions(piece.text)))
    return moved


def _headings(text: str) -> int:
    """Count the headings that begin a section: those in keep blocks begin none."""
    return sum(section.kind == "section" and not section.kept for section in outline(text))


def _without_definitions(piece: Piece) -> str:
    text = piece.content
    for entry in sorted(piece.fixed, key=lambda entry: entry.start, reverse=True):
        if not entry.is_block:
            text = text[: entry.start] + text[entry.end :]
    return text


def _normal(text: str) -> str:
    text = NEWLINE.sub("\n", text)
    return trimmed(text[: _end_of_text(text)])


def _end_of_text(text: str) -> int:
    """Find where a text ends, before blank lines and guards."""
    end = len(text.rstrip(" \t\r\n"))
    while text.endswith(GUARD, 0, end):
        end = len(text[: end - len(GUARD)].rstrip(" \t\r\n"))
    return end


def _settled(text: str) -> str:
    mark = unclosed_by(text) if text else ""
    return f"{text}\n{mark}" if mark else text
