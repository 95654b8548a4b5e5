"""Owns how a piece of Markdown reads, and which of its characters each character that is read comes from.

Emphasis, escapes, entities, footnote marks and the addresses of links are not read; backticks are not, and what
stands between them is code. Knows no detail.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.gates.grounding.characters import normal
from pipeline.wiki.markdown.positions import code_spans

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKUP = re.compile(
    r"(?P<mark>\[\^[^\]\[\r\n]{1,200}\])"
    r"|(?P<remark>(?<![ \t])[ \t]*+\(unsourced\))"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|\]\((?P<target><[^<>\r\n]{0,2000}>|[^()\s]{0,2000})(?:[ \t]+\"[^\"\r\n]{0,500}\")?\)"
    r"|(?P<bold>\*\*+|(?<![\w/\\.$-])_++(?=[^\W_])|(?<=[^\W_])_++(?![\w/\\.$-][\w/]))"
    r"|(?P<space>\*|(?:\r\n|\r|\n)[ \t>]*)"
    r"|(?P<other>[^\x00-\x7f][\u0300-\u036f]*)"
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader sees of a piece of Markdown, in normal characters.

    `at` holds the position in the Markdown of each character of `text`, and of its end. `code` are the spans of
    `text` that are code; `targets` the addresses of links, with their position in `text`.
    """

    text: str
    at: tuple[int, ...]
    code: tuple[tuple[int, int], ...]
    targets: tuple[tuple[int, str], ...]

    def source(self, start: int, end: int) -> tuple[int, int]:
        """Give the piece of the Markdown that a piece of the text comes from, with the marks right behind it."""
        return (self.at[start] if start else 0), self.at[end]


def read_markdown(source: str) -> Reading:
    """Read a paragraph, the text of a list item, or a row of a table."""
    reader = _Reader(source)
    done = 0
    for span in code_spans(source, 0, len(source), html=True) if "`" in source else ():
        reader.read_text(done, span.start)
        raw = source[span.start : span.end]
        ticks = len(raw) - len(raw.lstrip("`"))
        reader.read_code(span.start + ticks, span.end - ticks)
        done = span.end
    reader.read_text(done, len(source))
    return Reading("".join(reader.parts), (*reader.at, len(source)), tuple(reader.code), tuple(reader.targets))


class _Reader:
    """Reads a source from its start to its end, piece by piece."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.parts: list[str] = []
        self.at: list[int] = []
        self.code: list[tuple[int, int]] = []
        self.targets: list[tuple[int, str]] = []

    def read_text(self, start: int, end: int) -> None:
        for position, length, text, target in _pieces(self._source, start, end):
            if target:
                self.targets.append((len(self.at), target))
            if length == len(text):
                self.parts.append(text)
                self.at.extend(range(position, position + length))
            else:
                self._add(text, position)

    def read_code(self, start: int, end: int) -> None:
        begin = len(self.at)
        for position in range(start, end):
            self._add(normal(self._source[position]), position)
        self.code.append((begin, len(self.at)))

    def _add(self, text: str, position: int) -> None:
        self.parts.append(text)
        self.at.extend([position] * len(text))


def _pieces(source: str, start: int, end: int) -> Iterator[tuple[int, int, str, str]]:
    """Yield the position and length of each piece, what it reads as, and the address that it holds."""
    done = start
    for found in _MARKUP.finditer(source, start, end):
        yield done, found.start() - done, source[done : found.start()], ""
        done = found.end()
        text = ""
        if found["escaped"]:
            text = found["escaped"]
        elif found["entity"]:
            text = normal(html.unescape(found.group()))
        elif found["space"]:
            text = " "
        elif found["other"]:
            text = normal(found.group())
        yield found.start(), -1, text, (found["target"] or "").strip("<>")
    yield done, end - done, source[done:end], ""


def _add(text: str, position: int, parts: list[str], at: list[int]) -> None:
    parts.append(text)
    at.extend([position] * len(text))
