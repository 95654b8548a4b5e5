"""Owns how statements that a draft left out come back into it: where, and in the shape that they had.

Knows not why a statement comes back.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.gates.retention.lists import Lists
from pipeline.wiki.markdown.blocks import pieces, replace
from pipeline.wiki.markdown.footnotes import closing_definitions
from pipeline.wiki.markdown.positions import NEWLINE, read_source, unclosed_by
from pipeline.wiki.sections.keep import keep_blocks
from pipeline.wiki.sections.outline import heading_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.wiki.markdown.blocks import Piece, Statement

    Headings = tuple[tuple[int, str], ...]

_TABLE_HEAD = 2
"""Lines of a table before its rows."""


@dataclass(frozen=True, slots=True)
class Lost:
    """A statement of a page, or some of its sentences: `text` is what comes back, as it is written there."""

    statement: Statement
    text: str
    whole: bool
    """Whether it is all of the statement."""
    escaped: bool = False
    """Whether it comes back as a paragraph of safe text, because it would not be read as it was."""


@dataclass(frozen=True, slots=True)
class _Block:
    """What comes back as one: an item of a list, some rows with the head of their table, or a paragraph."""

    start: int
    """Where it stands on the page."""
    text: str
    is_item: bool = False
    head: str = ""


def restore(draft: str, page: str, lost: Mapping[Headings, Sequence[Lost]]) -> str:
    """Put statements back into their sections of a draft's body: items and rows where they stood, all else at the end.

    A section is named by the headings that lead to it on the page, levels and texts, its own last; none means the text
    above the first heading. A section that the draft does not have is made, behind those below the same heading.
    """
    places = _Places(draft)
    edits: dict[int, str] = {}
    for headings, statements in lost.items():
        # What stands there already is kept from being read by something in the draft.
        items = [one for one in statements if _is_item(one) and f" {one.text}\n" not in f"{draft}\n"]
        section = places.find(headings)
        inserted, left = Lists(page, draft, *(section or (0, 0))).put_back({_start(one): one.text for one in items})
        blocks = _blocks(page, [one for one in statements if not _is_item(one)])
        blocks = [block for block in blocks if f"\n{block.text}\n" not in f"\n{draft}\n"]
        blocks += [_Block(start, text, is_item=True) for start, text in left]
        blocks.sort(key=lambda block: block.start)
        inserted += places.insertions(section, blocks) if section else places.made(headings, blocks)
        for position, text in inserted:
            edits[position] = f"{edits.get(position, '')}{text}"
    return replace(draft, [(position, position, text) for position, text in edits.items()])


class _Places:
    """A draft's body, and where something can be put into it."""

    def __init__(self, draft: str) -> None:
        self._draft = draft
        closing = closing_definitions(draft)
        self._headings = [one for one in read_source(draft).headings if one.start < closing]
        self._ends = [*(one.start for one in self._headings), closing]
        self._pieces = pieces(draft)
        self._starts = [piece.start for piece in self._pieces]
        self._kept = keep_blocks(draft)
        self._open = unclosed_by(draft)

    def find(self, headings: Headings) -> tuple[int, int] | None:
        """Find from where to where the text of a section stands; the title opens none."""
        if not headings:
            first = self._headings[:1]
            titled = bool(first) and first[0].level == 1 and not self._draft[: first[0].start].strip()
            return (first[0].end, self._ends[1]) if titled else (0, self._ends[0])
        level, text = headings[-1]
        key = heading_key(text)
        same = [number for number, one in enumerate(self._headings) if heading_key(one.text) == key]
        exact = [number for number in same if self._headings[number].level == level]
        number = next(iter((*exact, *same)), None)
        return None if number is None else (self._headings[number].end, self._ends[number + 1])

    def made(self, headings: Headings, blocks: Sequence[_Block]) -> list[tuple[int, str]]:
        """Make a section: behind what the draft has below the nearest heading that it shares, else at its end."""
        if not blocks:
            return []
        level, words = headings[-1]
        end = self._ends[-1]
        keys = [heading_key(text) for _, text in headings[:-1]]
        for key in reversed(keys):
            number = next((place for place, one in enumerate(self._headings) if heading_key(one.text) == key), None)
            if number is not None:
                after = (one.start for one in self._headings[number + 1 :] if one.level <= self._headings[number].level)
                end = next(after, end)
                break
        position, text = self._at_end(end, blocks)
        gap, _, rest = text.rpartition(_joined(blocks))
        return [(position, f"{gap}{'#' * level} {words}\n\n{_joined(blocks)}{rest or chr(10)}")]

    def insertions(self, section: tuple[int, int], blocks: Sequence[_Block]) -> list[tuple[int, str]]:
        """Tell where blocks go: rows into a table of the same columns, all others to the end of the section."""
        start, end = section
        inside = self._pieces[bisect_right(self._starts, start - 1) : bisect_right(self._starts, end - 1)]
        found: list[tuple[int, str]] = []
        left: list[_Block] = []
        for block in blocks:
            table = next((one for one in inside if block.head and _has_head(one, block.head)), None)
            if table is None:
                left.append(block)
            else:
                rows = block.text.split("\n")[_TABLE_HEAD:]
                new = [row for row in rows if row not in table.text]
                found += [(table.start + len(table.text), f"\n{row}") for row in new]
        if left:
            found.append(self._at_end(end, left))
        return found

    def _at_end(self, end: int, blocks: Sequence[_Block]) -> tuple[int, str]:
        position = len(self._draft[:end].rstrip())
        kept = next((one for one in self._kept if one.start < position < one.end), None)
        if kept is not None:
            position = len(self._draft[: kept.start].rstrip())
        left_open = self._open if end == self._ends[-1] else ""
        gap = "\n\n" if self._draft[:position].strip() else ""
        rest = self._draft[position:]
        room = (
            "" if not rest.strip() or rest.startswith(("\n\n", "\r\n")) else "\n" if rest.startswith("\n") else "\n\n"
        )
        closing = f"\n{left_open}" if left_open else ""
        return position, f"{closing}{gap}{_joined(blocks)}{room}"


def _blocks(page: str, lost: Sequence[Lost]) -> list[_Block]:
    """Write statements as blocks; rows of one table make one."""
    blocks: list[_Block] = []
    tables: dict[int, int] = {}
    lines = NEWLINE.split(page)
    for one in lost:
        statement = one.statement
        if one.escaped:
            blocks.append(_Block(_start(one), one.text))
        elif statement.shape == "row":
            first = _first_line(lines, statement.line)
            head = "\n".join(line.strip() for line in lines[first : first + _TABLE_HEAD])
            if first in tables:
                known = blocks[tables[first]]
                blocks[tables[first]] = _Block(known.start, f"{known.text}\n{one.text}", head=head)
            else:
                tables[first] = len(blocks)
                blocks.append(_Block(_start(one), f"{head}\n{one.text}", head=head))
        elif statement.quoted:
            blocks.append(_Block(_start(one), "\n".join(f"> {line}".rstrip() for line in one.text.splitlines())))
        else:
            blocks.append(_Block(_start(one), one.text))
    return blocks


def _is_item(lost: Lost) -> bool:
    return lost.statement.shape == "item" and not (lost.statement.quoted or lost.escaped)


def _start(lost: Lost) -> int:
    return lost.statement.start


def _joined(blocks: Sequence[_Block]) -> str:
    text = blocks[0].text
    for before, block in pairwise(blocks):
        text += f"\n{block.text}" if before.is_item and block.is_item else f"\n\n{block.text}"
    return text


def _first_line(lines: Sequence[str], row: int) -> int:
    """Find the line on which the table of a row begins."""
    while row > 0 and "|" in lines[row - 1]:
        row -= 1
    return row


def _has_head(piece: Piece, head: str) -> bool:
    """Whether a block is a table of the same columns; half of their names may be new."""
    if "|" not in piece.text:
        return False
    new, old = (_cells(text.splitlines()[0]) for text in (piece.text, head))
    return len(new) == len(old) and 2 * sum(one == other for one, other in zip(new, old, strict=True)) >= len(old)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(" ".join(cell.split()) for cell in line.strip().strip("|").split("|"))
