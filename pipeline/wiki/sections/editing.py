"""Owns the body of a page while its sections are changed: which are found, where new ones go, how all is joined.

Knows no front matter. What no change touches stays byte for byte.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.markdown.footnotes import closing_definitions, definitions
from pipeline.wiki.markdown.positions import NEWLINE, unclosed_by
from pipeline.wiki.sections.outline import heading_key
from pipeline.wiki.sections.piece import GUARD, Piece, definitions_in, new_piece, read_pieces, reduce, revise

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.finding import Severity
    from pipeline.wiki.sections.changes import Change, Changes

_HEADING = re.compile(r"\s*(?P<marks>#{1,6})(?:[ \t]+|\Z)(?P<text>.*?)(?:[ \t]+#+)?\s*", re.DOTALL)
_BLANK_END = re.compile(r"(?:(?:\r\n|\n|\r(?!\n))[ \t]*){2}\Z")
_DEEPEST = 6


class Editing:
    """A body at work. `findings` name what a person may want to know, by heading."""

    def __init__(self, body: str) -> None:
        self._newline = newline_of(body)
        self._pieces, self._closing = read_pieces(body)
        entries = definitions(body)
        self._defined = {entry.label for entry in entries}
        self._last = [entry.text for entry in entries if entry.start >= len(body) - len(self._closing)]
        self._added: list[str] = []
        self._places: dict[int, Piece] = {}
        self._end_changed = False
        self.findings: list[Finding] = []
        self._title = self._first_title()

    def titles(self) -> frozenset[str]:
        """Return the keys of the sections that are as high as the title."""
        return frozenset(piece.key for piece in self._pieces if piece.level == 1 and piece is not self._title)

    def remove(self, heading: str, wanted: Changes) -> None:
        """Take out a section with those below it; keep blocks stay, under their headings."""
        found = _HEADING.fullmatch(heading)
        level = len(found["marks"]) if found else 0
        text = found["text"] if found else heading
        key = heading_key(text)
        same = [piece for piece in self._pieces if key and piece.key == key and level in {0, piece.level}]
        if any(change.key == key for change in wanted.sections):
            self._tell(
                text, "section-kept", "warning", "the draft removes this section and changes it; it was changed."
            )
        elif self._title is not None and self._title in same:
            self._tell(text, "title-kept", "warning", "a title cannot be removed.")
        elif not same:
            self._tell(text, "section-not-found", "note", "the draft removes a section that the page does not have.")
        elif len(same) > 1:
            message = "the draft removes a section whose heading stands twice; none was removed."
            self._tell(text, "heading-twice", "warning", message)
        else:
            self._remove(same[0], text)
            self._title = self._first_title()

    def write_lead(self, wanted: Changes) -> None:
        """Put the draft's lead between the title and the first section."""
        if self._title is None and (not self._pieces or self._pieces[0].level):
            self._pieces.insert(0, Piece("", 0, "", "", joined=True))
        self._revise(self._title or self._pieces[0], wanted.lead, wanted, "")

    def write(self, change: Change, wanted: Changes) -> None:
        """Write one section of the draft, those below it not counted."""
        place = self._find(change)
        if place is None and (change.text or change.depth):
            place = self._insert(change, wanted)
        elif place is not None and change.text:
            self._revise(place, change.text, wanted, change.heading)
        elif not change.depth:
            message = "the draft names this section and says nothing in it; it stays as it is."
            self._tell(change.heading, "section-empty", "note", message)
        if place is not None:
            self._places[id(change)] = place

    def define(self, wanted: Mapping[str, str]) -> None:
        """Add definitions at the end; one that the page has stays as it is."""
        self._added += [text for label, text in wanted.items() if label not in self._defined]

    def text(self) -> str:
        """Join the pieces, with a blank line wherever something changed."""
        pieces = [piece for piece in self._pieces if piece.text]
        for piece, following in pairwise(pieces):
            if piece.touched or following.joined:
                self._part(piece, following)
        body = "".join(piece.text for piece in pieces)
        if self._closing and pieces and (pieces[-1].touched or self._end_changed):
            body = _with_blank_line(body, self._newline)
            if closing_definitions(self._closing):
                self._closing = _lines(self._last, self._newline)
        elif self._end_changed and body.strip():
            body = f"{body.rstrip()}{self._newline}"
        return append_definitions(body, self._closing, self._added, self._newline)

    def _first_title(self) -> Piece | None:
        first = next((piece for piece in self._pieces if piece.level), None)
        return first if first is not None and first.level == 1 else None

    def _remove(self, piece: Piece, heading: str) -> None:
        start = self._pieces.index(piece)
        end = self._end(start)
        stays: list[Piece] = []
        for below in reversed(self._pieces[start:end]):
            if below.keeps or any(other.level > below.level for other in stays[-1:]):
                stays.append(below)
            else:
                self._added += definitions_in(below)
        stays.reverse()
        for below in stays:
            self._added += reduce(below, self._newline) or ()
        if stays:
            self._tell(
                heading, "keep-carried", "note", "the section holds a keep block, which stays under its heading."
            )
        for before, after in pairwise(self._pieces[start : end + 1]):
            after.joined |= before not in stays
        self._end_changed |= end == len(self._pieces) and self._pieces[-1] not in stays
        self._pieces[start:end] = stays

    def _revise(self, piece: Piece, text: str, wanted: Changes, heading: str) -> None:
        moved = revise(piece, text, wanted.placed, self._newline)
        if piece.refused:
            message = "the section was not changed: its keep block would not have come through whole."
            self._tell(heading, "keep-in-the-way", "warning", message)
        if moved is not None:
            self._added += moved
            if piece.keeps:
                self._tell(heading, "keep-carried", "note", "the section holds a keep block, which stays as it is.")

    def _find(self, change: Change) -> Piece | None:
        pieces = [piece for piece in self._pieces if piece is not self._title]
        if change.parent is not None:
            place = self._places.get(id(change.parent))
            start = self._pieces.index(place) if place is not None else 0
            pieces = self._pieces[start + 1 : self._end(start)] if place is not None else []
        same = [piece for piece in pieces if piece.key == change.key]
        exact = [piece for piece in same if piece.level == change.level]
        if len(exact) > 1:
            message = "the heading stands twice on the page; the first section was changed."
            self._tell(change.heading, "heading-twice", "warning", message)
        fitting = [piece for piece in same if piece.level + change.depth <= _DEEPEST]
        return next(iter((*exact, *fitting)), None)

    def _insert(self, change: Change, wanted: Changes) -> Piece:
        parent = self._places.get(id(change.parent)) if change.parent is not None else None
        level = change.level
        place = len(self._pieces)
        if parent is not None and change.parent is not None:
            level += parent.level - change.parent.level
            place = self._end(self._pieces.index(parent))
        before = self._pieces[place - 1] if place else None
        if before is not None and before.is_open and level > before.level > 0:
            before.shut(self._newline)
            self._tell(
                change.heading,
                "keep-closed",
                "warning",
                "the keep block above this new section had no end; it has now.",
            )
        text = change.text
        for token in wanted.placed:
            text = text.replace(token, "")
        piece = new_piece(change.key, level, change.heading, text, self._newline)
        self._pieces.insert(place, piece)
        return piece

    def _end(self, start: int) -> int:
        """Find where the section at `start` ends, with all that stand below it."""
        level = self._pieces[start].level
        end = start + 1
        while end < len(self._pieces) and self._pieces[end].level > level:
            end += 1
        return end

    def _part(self, piece: Piece, following: Piece) -> None:
        """See to it that a piece ends where the following one begins."""
        mark = unclosed_by(piece.text)
        if mark:
            piece.append(f"{self._newline}{mark}{self._newline}")
            message = f"what the text left open was closed by {mark}."
            self._tell(piece.head.strip(" #\r\n"), "block-closed", "warning", message)
        if piece.text.strip():
            piece.content = _with_blank_line(piece.text, self._newline)[len(piece.head) :]
        if following.text.startswith((" ", "\t")) and not piece.content.rstrip().endswith(GUARD):
            piece.content += f"{GUARD}{self._newline * 2}"

    def _tell(self, heading: str, rule: str, severity: Severity, message: str) -> None:
        self.findings.append(Finding(" ".join(heading.split()), rule, severity, message))


def newline_of(body: str) -> str:
    """Return what ends the lines of a text: its first line break, else a line feed."""
    found = NEWLINE.search(body)
    return found.group() if found else "\n"


def append_definitions(body: str, closing: str, added: Sequence[str], newline: str) -> str:
    """Put footnote definitions behind those that close a text."""
    if not added:
        return f"{body}{closing}"
    if closing:
        before = f"{body}{closing}" if closing.endswith(("\n", "\r")) else f"{body}{closing}{newline}"
        return before + _lines(added, newline)
    mark = unclosed_by(body)
    if mark:
        body = f"{body.rstrip()}{newline}{mark}{newline}"
    return (_with_blank_line(body, newline) if body.strip() else body) + _lines(added, newline)


def _lines(texts: Iterable[str], newline: str) -> str:
    return "".join(f"{NEWLINE.sub(newline, _alone(text))}{newline}" for text in texts)


def _alone(definition: str) -> str:
    """Bring a definition into one line when it would be something else without the list that it stood in."""
    found = definitions(definition)
    whole = len(found) == 1 and (found[0].start, found[0].text) == (0, definition.rstrip("\r\n"))
    return definition if whole else " ".join(definition.split())


def _with_blank_line(text: str, newline: str) -> str:
    if _BLANK_END.search(text):
        return text
    return text + (newline if text.endswith(("\n", "\r")) else newline * 2)
