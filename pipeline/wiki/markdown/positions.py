"""Owns where headings and code stand in a Markdown text, by source position; knows no page and no section.

A CommonMark parser decides, so that a `#` in a code block or a comment is no heading. Positions count characters
of the text as it is, CRLF and lone carriage returns included.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from markdown_it import MarkdownIt
from markdown_it.common import html_re

if TYPE_CHECKING:
    from markdown_it.token import Token

NEWLINE = re.compile(r"\r\n|\n|\r")
"""What ends a line for Markdown; `str.splitlines` knows more kinds and would count differently."""

CodeKind = Literal["fence", "indented", "span"]

_BLANK_LINE = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t>]*[\r\n]")
_GO_ON = frozenset({"paragraph_open", "inline", "code_block"})
_FENCE = re.compile(r"(`{3,}|~{3,})")
_RAW_TAG = re.compile(r"<(script|pre|style|textarea)\b", re.IGNORECASE)
_BACKTICKS = re.compile(r"`+")
_BACKTICKS_OR_ANGLE = re.compile(r"`+|<")
_AUTOLINK = r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\x00-\x20<>]*>|<[^\s<>@]+@[^\s<>@]+>"
_TAG = f"{html_re.open_tag}|{html_re.close_tag}"
_HIDDEN = f"{html_re.comment}|{html_re.processing}|{html_re.declaration}|{html_re.cdata}"
_ANGLED = re.compile(f"{_TAG}|{_HIDDEN}|{_AUTOLINK}")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading that opens a section: none in a list or a quotation. `start` to `end` are its whole lines."""

    start: int
    end: int
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Code from `start` to `end`: the whole lines of a block, or a span with its backticks."""

    start: int
    end: int
    kind: CodeKind
    nested: bool = False
    """Whether it lies in a list or a quotation."""
    certain: bool = True
    """False for a fence without its closing line, and for a span with a stray run of backticks before it."""


@dataclass(frozen=True, slots=True)
class Source:
    """What stands where in `text`; `starts` are the positions at which its lines begin."""

    text: str
    starts: tuple[int, ...]
    headings: tuple[Heading, ...]
    code: tuple[Code, ...]
    begins: frozenset[int]
    """The lines on which a heading, a list item, a quotation, a fence or another block but a paragraph begins."""
    html: tuple[tuple[int, int], ...]
    """From where to where raw HTML and comments stand that are blocks of their own."""

    def line_at(self, position: int) -> int:
        """Return the line, from 0, that holds `position`."""
        return bisect_right(self.starts, position) - 1

    def line_end(self, line: int) -> int:
        """Return where the line ends, its line break included."""
        return self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)

    def code_at(self, position: int) -> Code | None:
        """Return the code that holds the character at `position`."""
        after = bisect_right(self.code, position, key=lambda code: code.start)
        found = self.code[after - 1] if after else None
        return found if found is not None and position < found.end else None


@lru_cache(maxsize=32)
def read_source(text: str) -> Source:
    """Take a Markdown text apart."""
    starts = (0, *(found.end() for found in NEWLINE.finditer(text)))
    tokens = _parser().parse(text)
    begins = frozenset(token.map[0] for token in tokens if token.map and token.type not in _GO_ON)
    html = tuple(_span(text, starts, token.map) for token in tokens if token.type == "html_block" and token.map)
    return Source(text, starts, _headings(text, starts, tokens), _code(text, starts, tokens), begins, html)


def code_spans(text: str, start: int, end: int, *, html: bool) -> tuple[Code, ...]:
    """Find the code spans of running text from `start` to `end`.

    With `html`, backticks in tags and in addresses in angle brackets open none, as CommonMark has it.
    """
    return _read_spans(text, start, end, html=html, certain=True)[0]


def _read_spans(text: str, start: int, end: int, *, html: bool, certain: bool) -> tuple[tuple[Code, ...], bool]:
    runs = [(found.start(), found.end()) for found in _BACKTICKS.finditer(text, start, end)]
    by_length: dict[int, list[int]] = {}
    for opening, closing in runs:
        by_length.setdefault(closing - opening, []).append(opening)
    found: list[Code] = []
    position = start
    pattern = _BACKTICKS_OR_ANGLE if html else _BACKTICKS
    while (mark := pattern.search(text, position, end)) is not None:
        position = mark.end()
        if is_escaped(text, mark.start(), start):
            position = mark.start() + 1
        elif mark.group() == "<":
            angled = _ANGLED.match(text, mark.start(), end)
            position = angled.end() if angled else position
        else:
            same = by_length.get(len(mark.group()), [])
            closing = bisect_left(same, mark.end())
            if closing < len(same):
                position = same[closing] + len(mark.group())
                found.append(Code(mark.start(), position, "span", certain=certain))
            else:
                certain = False
    return tuple(found), certain


def is_escaped(text: str, position: int, start: int = 0) -> bool:
    """Whether an odd number of backslashes stands before `position`."""
    before = position
    while before > start and text[before - 1] == "\\":
        before -= 1
    return (position - before) % 2 == 1


def unclosed_by(text: str) -> str:
    """Return the line that closes what `text` leaves open: a fence, a comment, raw HTML; empty when nothing is open."""
    text = text.rstrip("\r\n")
    if _is_settled(text):
        return ""
    code = read_source(text).code
    fence = _FENCE.search(text, code[-1].start) if code else None
    tags = _RAW_TAG.findall(text)
    marks = (fence.group(1) if fence else "-->", "-->", f"</{tags[-1] if tags else 'pre'}>", "?>", "]]>", ">")
    return next((mark for mark in marks if _is_settled(f"{text}\n{mark}")), "")


def _is_settled(text: str) -> bool:
    """Whether a heading that followed would be one."""
    headings = read_source(f"{text}\n\n# x").headings
    return bool(headings) and headings[-1].start == len(text) + 2


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _span(text: str, starts: tuple[int, ...], lines: list[int]) -> tuple[int, int]:
    return starts[lines[0]], starts[lines[1]] if lines[1] < len(starts) else len(text)


def _headings(text: str, starts: tuple[int, ...], tokens: list[Token]) -> tuple[Heading, ...]:
    return tuple(
        Heading(*_span(text, starts, token.map), int(token.tag[1]), tokens[number + 1].content)
        for number, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.map
    )


def _is_closed(fence: str, markup: str) -> bool:
    lines = NEWLINE.split(fence.rstrip("> \t\r\n"))
    last = lines[-1].strip("> \t")
    return len(lines) > 1 and last.startswith(markup) and not last.strip(markup[0])


def _code(text: str, starts: tuple[int, ...], tokens: list[Token]) -> tuple[Code, ...]:
    found: list[Code] = []
    certain = True
    before = 0
    for token in tokens:
        if token.map is None:
            continue
        start, end = _span(text, starts, token.map)
        if token.type == "fence":
            found.append(Code(start, end, "fence", token.level > 0, certain=_is_closed(text[start:end], token.markup)))
        elif token.type == "code_block":
            found.append(Code(start, end, "indented", token.level > 0))
        elif token.type == "inline" and "`" in token.content:
            # A stray backtick reaches on to the next blank line for readers to whom a list begins no block there.
            certain = certain or _BLANK_LINE.search(text, before, start) is not None
            spans, certain = _read_spans(text, start, end, html=True, certain=certain)
            found += spans
            before = end - 1
    return tuple(found)
