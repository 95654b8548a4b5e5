"""Owns where the claims, headings and footnote marks of a Markdown text stand, by source position.

A CommonMark parser says what is code and what is text, so that a `[^o1]` in a code block is no footnote. Knows
nothing of front matter, of pages, or of what a mark stands for.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from markdown_it import MarkdownIt

from pipeline.wiki.markdown.positions import NEWLINE, code_spans, is_escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from markdown_it.token import Token

Shape = Literal["paragraph", "item", "row"]

_MARK = re.compile(r"\[\^([^\]\[\r\n]{1,200})\]")
_DEFINITION = re.compile(r" {0,3}\[\^([^\]\[\r\n]{1,200})\]:")
_INDENTED = re.compile(r"(?: {4}|\t)[ \t]*[^\s]")
_QUOTED = re.compile(r"\n(?:[ \t]*>)+[ \t]?")
_NEITHER_LINE_END = re.compile(r"[^\r\n]")
_LEAD = re.compile(r"(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*")


@dataclass(frozen=True, slots=True)
class Mark:
    """A footnote mark `[^label]` in running text, from `start` to `end`."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A footnote definition `[^label]: ...`: its line, and the indented ones right below it."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading; `start` to `end` are its lines without the last line's end."""

    start: int
    end: int
    line: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A paragraph, the text of a list item, or a row of a table.

    `start` to `end` is its text, list and quote marks before it and the last line's end left out; `extent` the
    whole lines that go when it goes, with all that a list item holds. `line` counts from 0. `bare` is the text
    without its footnote marks.
    """

    start: int
    end: int
    line: int
    extent: tuple[int, int]
    text: str
    bare: str
    shape: Shape
    quoted: bool
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A block that lies in no other, but for the items of a list, which are one each; `start` to `end` its lines."""

    start: int
    end: int
    text: str
    kind: Literal["bullet", "step", "block"]


@dataclass(frozen=True, slots=True)
class Blocks:
    """What a text consists of. `prose` is the text with all code blanked out, position by position."""

    prose: str
    starts: tuple[int, ...]
    statements: tuple[Statement, ...]
    headings: tuple[Heading, ...]
    marks: tuple[Mark, ...]
    definitions: tuple[Definition, ...]

    def line_of(self, position: int) -> int:
        """Return the line, from 0, that holds `position`."""
        return bisect_right(self.starts, position) - 1


def read_blocks(body: str) -> Blocks:
    """Take a Markdown text apart; every position counts characters of `body` as it is, CRLF included."""
    starts = (0, *(found.end() for found in NEWLINE.finditer(body)))
    tokens = _parser().parse(body)
    prose = _blank_code(body, starts, tokens)
    known = _definitions(body, prose, starts) if "[^" in prose else ()
    marks = _marks(prose, known)
    statements = _Statements(body, starts, marks, known).read(tokens)
    return Blocks(prose, starts, statements, _headings(body, starts, tokens), marks, known)


def pieces(text: str) -> tuple[Piece, ...]:
    """Cut a text into what can be added by itself: paragraphs, items of a list, tables, code; headings are left out."""
    starts = (0, *(found.end() for found in NEWLINE.finditer(text)))
    found: list[Piece] = []
    lists: list[Literal["bullet", "step"]] = []
    for token in _parser().parse(text):
        if token.type in {"bullet_list_open", "ordered_list_open"}:
            lists.append("bullet" if token.type == "bullet_list_open" else "step")
        elif token.type in {"bullet_list_close", "ordered_list_close"}:
            lists.pop()
        item = token.type == "list_item_open" and token.level == 1
        block = token.level == 0 and not lists and token.type not in {"heading_open", "inline"}
        if token.map is None or not (item or block):
            continue
        start, end = _span(starts, token.map[0], token.map[1], len(text))
        if text[start:end].strip():
            found.append(Piece(start, end, text[start:end].rstrip(), lists[-1] if item and lists else "block"))
    return tuple(found)


def replace(body: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Put each text in place of the characters from start to end; edits that lie inside an earlier one are left out."""
    parts: list[str] = []
    done = 0
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        if start >= done:
            parts += [body[done:start], text]
            done = end
    return "".join((*parts, body[done:]))


def rewrite_marks(body: str, decide: Callable[[str], str]) -> str:
    """Put `decide(label)` in place of each footnote mark in running text; definitions stay as they are."""
    if "[^" not in body:
        return body
    return replace(body, [(mark.start, mark.end, decide(mark.label)) for mark in read_blocks(body).marks])


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _span(starts: tuple[int, ...], first: int, last: int, size: int) -> tuple[int, int]:
    """Positions of the lines from `first` up to, not including, `last`."""
    return starts[first], starts[last] if last < len(starts) else size


def _blank_code(body: str, starts: tuple[int, ...], tokens: list[Token]) -> str:
    spans: list[tuple[int, int]] = []
    for token in tokens:
        if token.map is None or token.type not in {"fence", "code_block", "inline"}:
            continue
        start, end = _span(starts, token.map[0], token.map[1], len(body))
        if token.type != "inline":
            spans.append((start, end))
        elif "`" in token.content:
            spans += [(one.start, one.end) for one in code_spans(body, start, end, html=True)]
    return replace(body, [(start, end, _NEITHER_LINE_END.sub(" ", body[start:end])) for start, end in spans])


def _definitions(body: str, prose: str, starts: tuple[int, ...]) -> tuple[Definition, ...]:
    """Find definitions with the indented lines right below them, without parsing the text once more."""
    found: list[Definition] = []
    for line, start in enumerate(starts):
        opening = _DEFINITION.match(prose, start)
        if opening is None:
            continue
        last = line + 1
        while last < len(starts) and _INDENTED.match(body, starts[last]):
            last += 1
        found.append(Definition(start, _span(starts, line, last, len(body))[1], opening.group(1)))
    return tuple(found)


def _marks(prose: str, known: tuple[Definition, ...]) -> tuple[Mark, ...]:
    opening = {prose.index("[", entry.start) for entry in known}
    return tuple(
        Mark(found.start(), found.end(), found.group(1))
        for found in _MARK.finditer(prose)
        if found.start() not in opening and not is_escaped(prose, found.start())
    )


def _headings(body: str, starts: tuple[int, ...], tokens: list[Token]) -> tuple[Heading, ...]:
    found: list[Heading] = []
    for number, token in enumerate(tokens):
        if token.type == "heading_open" and token.map is not None:
            start, end = _span(starts, token.map[0], token.map[1], len(body))
            text = tokens[number + 1].content
            found.append(Heading(start, start + len(body[start:end].rstrip()), token.map[0], int(token.tag[1]), text))
    return tuple(found)


def _start_of(mark: Mark) -> int:
    return mark.start


class _Statements:
    """Walks the tokens once and keeps what encloses the one at hand."""

    def __init__(
        self, body: str, starts: tuple[int, ...], marks: tuple[Mark, ...], definitions: tuple[Definition, ...]
    ) -> None:
        self._body = body
        self._starts = starts
        self._marks = marks
        self._defined = {entry.start: entry.end for entry in definitions}
        self._found: list[Statement] = []

    def read(self, tokens: list[Token]) -> tuple[Statement, ...]:
        items: list[list[int] | None] = []
        quotes = 0
        rows = False
        for token in tokens:
            kind = token.type
            if kind == "list_item_open":
                items.append(token.map)
            elif kind == "list_item_close":
                items.pop()
            elif kind in {"blockquote_open", "blockquote_close"}:
                quotes += token.nesting
            elif kind in {"tbody_open", "tbody_close"}:
                rows = kind == "tbody_open"
            elif kind == "paragraph_open" and token.map is not None:
                self._paragraph(token.map, items[-1] if items else None, quoted=quotes > 0)
            elif kind == "tr_open" and rows and token.map is not None:
                self._add(token.map[0], token.map[1], None, "row", quoted=quotes > 0)
        return tuple(self._found)

    def _paragraph(self, lines: list[int], item: list[int] | None, *, quoted: bool) -> None:
        first, last = lines
        number = first
        while number < last:
            end = self._defined.get(self._starts[number])
            if end is None:
                stop = number + 1
                while stop < last and self._starts[stop] not in self._defined:
                    stop += 1
                opens = item if item is not None and item[0] == number else None
                shape: Shape = "item" if item is not None else "paragraph"
                self._add(number, stop, opens, shape, quoted=quoted)
                number = stop
            else:
                number += 1
                while number < last and self._starts[number] < end:
                    number += 1

    def _add(self, first: int, last: int, item: list[int] | None, shape: Shape, *, quoted: bool) -> None:
        body = self._body
        begin, stop = _span(self._starts, first, last, len(body))
        lead = _LEAD.match(body, begin, stop) if shape == "item" or quoted else None
        start = lead.end() if lead else begin + len(body[begin:stop]) - len(body[begin:stop].lstrip())
        end = begin + len(body[begin:stop].rstrip())
        extent = _span(self._starts, item[0], item[1], len(body)) if item else (begin, stop)
        first_mark, last_mark = (bisect_left(self._marks, place, key=_start_of) for place in (begin, stop))
        marks = self._marks[first_mark:last_mark]
        if end <= start:
            return
        text = body[start:end]
        bare = replace(text, [(mark.start - start, mark.end - start, "") for mark in marks]) if marks else text
        if quoted:
            text, bare = (_QUOTED.sub("\n", one) for one in (text, bare))
        labels = tuple(mark.label for mark in marks)
        self._found.append(Statement(start, end, first, extent, text, bare, shape, quoted, labels))
