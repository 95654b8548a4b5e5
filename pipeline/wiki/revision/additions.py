"""Owns adding to a text without changing any of it: for pages that a model did not see, and for a person's pages.

New items and paragraphs go to the end of the section that bears their heading, new sections to the end of the one
above them; what stands already is not added again. Knows no front matter.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.blocks import pieces, read_blocks
from pipeline.wiki.markdown.footnotes import closing_definitions
from pipeline.wiki.markdown.positions import read_source, unclosed_by
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.sections.keep import keep_blocks
from pipeline.wiki.sections.outline import heading_key
from pipeline.wiki.sections.piece import GUARD

if TYPE_CHECKING:
    from pipeline.wiki.markdown.blocks import Piece

_TRAILING = re.compile(r"[ \t]+(?=[\r\n]|\Z)")
_NUMBER = re.compile(r"\d{1,9}(?=[.)])")

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A section without those below it: its heading's path, and where its own content begins and ends."""

    path: Path
    level: int
    heading: str
    start: int
    end: int


def end_of_content(body: str) -> int:
    """Find where a text ends, before the footnote definitions and blank lines that close it."""
    return len(body[: closing_definitions(body)].rstrip())


def insert(body: str, position: int, text: str, *, tight: bool = False) -> str:
    """Put a block behind the text that ends at `position`; what stands stays byte for byte."""
    end = "\r\n" if "\r\n" in body else "\n"
    trailing = _TRAILING.match(body, position)
    position = trailing.end() if trailing else position
    rest = body[position:]
    block = text.replace("\r\n", "\n").strip("\n").replace("\n", end)
    gap = (end if tight else end * 2) if body[:position].strip() else ""
    if not rest.strip():
        return f"{body[:position]}{gap}{block}{rest or end}"
    if rest.lstrip("\r\n")[0] in " \t":
        # An indented heading would become part of a list that ends right above it.
        block = f"{block}{end * 2}{GUARD}"
    room = "" if tight or rest.startswith((end * 2, "\n\n")) else end
    return f"{body[:position]}{gap}{block}{room if rest.startswith(end) else end * 2}{rest}"


def add(body: str, changes: str) -> str:
    """Add what `changes` says and `body` does not."""
    known = _words(body)
    blocks = {piece.text.strip() for piece in pieces(body)}
    for part in _parts(changes):
        for piece in pieces(changes[part.start : part.end]):
            words, text = _words(piece.text), _closed(piece.text).strip()
            if not (words <= known if words else any(text in block for block in blocks)):
                body = _add_piece(body, part, piece)
    return body


def _words(text: str) -> set[str]:
    return {plain(statement.bare) for statement in read_blocks(text).statements}


def _parts(text: str) -> list[_Part]:
    """Cut a text into sections; the title, a first heading of level 1, opens none."""
    headings = read_source(text).headings
    end = end_of_content(text)
    found: list[_Part] = []
    above: list[tuple[int, str]] = []
    first = headings[0] if headings and headings[0].level == 1 and not text[: headings[0].start].strip() else None
    starts = [(0, first.end if first else 0, 0, "")]
    starts += [(one.start, one.end, one.level, one.text) for one in headings if one is not first]
    for number, (begin, start, level, heading) in enumerate(starts):
        while above and above[-1][0] >= level:
            above.pop()
        if number:
            above.append((level, heading_key(heading)))
        stop = starts[number + 1][0] if number + 1 < len(starts) else max(end, start)
        path = tuple(name for _, name in above)
        found.append(_Part(path, level, text[begin:start].strip() if number else "", start, stop))
    return found


def _add_piece(body: str, part: _Part, piece: Piece) -> str:
    here = next((other for other in _parts(body) if other.path == part.path), None)
    if here is None:
        body = _add_section(body, part)
        parts = _parts(body)
        here = next((other for other in parts if other.path == part.path), parts[-1])
    position = _outside_keep(body, len(body[: here.end].rstrip()))
    text = _closed(piece.text)
    left_open = unclosed_by(body[:position])
    if left_open:
        return insert(body, position, f"{left_open}\n\n{text}", tight=True)
    above = [other for other in pieces(body) if here.start <= other.start < position]
    last = above[-1] if above else None
    if last is not None and last.kind != "block" and piece.kind == "block":
        # What is indented would become part of the list above it.
        text = f"{GUARD}\n\n{text}" if text.startswith(("    ", "\t")) else text.lstrip(" ")
    if last is None or last.kind == "block" or last.kind != piece.kind:
        return insert(body, position, text)
    return insert(body, position, _fitted(text, last), tight=True)


def _closed(text: str) -> str:
    """Close what a piece leaves open, such as a fence, so that it swallows nothing of what follows."""
    mark = unclosed_by(text)
    return f"{text}\n{mark}" if mark else text


def _fitted(text: str, before: Piece) -> str:
    """Give an item the mark of the list that it goes on with, the next number in a numbered one."""
    if before.kind == "bullet":
        return before.text.lstrip()[0] + text[1:] if text[:1] in "-*+" else text
    number = _NUMBER.match(before.text.lstrip())
    if number is None or "\n" in text.strip():
        return text
    return _NUMBER.sub(str(int(number.group()) + 1), text, count=1)


def _add_section(body: str, part: _Part) -> str:
    """Put the heading of a section where it belongs: behind its parent with all that stands below that."""
    parts = _parts(body)
    parent = part.path[:-1]
    inside = [other for other in parts if parent and other.path[: len(parent)] == parent]
    end = inside[-1].end if inside else end_of_content(body)
    return insert(body, _outside_keep(body, len(body[:end].rstrip())), part.heading)


def _outside_keep(body: str, position: int) -> int:
    """Move a position that lies in a keep block to where the block begins."""
    block = next((one for one in keep_blocks(body) if one.start < position < one.end), None)
    return position if block is None else len(body[: block.start].rstrip())
