"""Owns where the footnotes of a Markdown text are cited and defined; knows no section and no source."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.positions import is_escaped, read_source

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pipeline.wiki.markdown.positions import Source

_MARK = re.compile(r"\[\^([^\]\[\r\n]{1,200})\]")
_DEFINITION = re.compile(r" {0,3}\[\^([^\]\[\r\n]{1,200})\]:")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_INDENTED = ("    ", "\t")


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition `[^label]: ...` from `start` to `end`: its whole lines, those that go on with it included.

    `text` is the same without the last line break.
    """

    label: str
    start: int
    end: int
    text: str


def cited(body: str) -> tuple[str, ...]:
    """Return the labels that the text cites, each once, in order; a mark in code or behind a backslash is none."""
    if "[^" not in body:
        return ()
    source = read_source(body)
    defined = {body.index("[", entry.start) for entry in definitions(body)}
    hidden = _Spans(comment.span() for start, end in source.html for comment in _COMMENT.finditer(body, start, end))
    marks = (
        found.group(1)
        for found in _MARK.finditer(body)
        if found.start() not in defined
        and not hidden.hold(found.start())
        and source.code_at(found.start()) is None
        and not is_escaped(body, found.start())
    )
    return tuple(dict.fromkeys(marks))


def definitions(body: str) -> tuple[Definition, ...]:
    """Return all definitions in order, wherever they stand; none is in code or in a comment."""
    if "[^" not in body:
        return ()
    source = read_source(body)
    elsewhere = _Spans((*source.html, *((heading.start, heading.end) for heading in source.headings)))
    lines = range(len(source.starts))
    labels = {line: label for line in lines if (label := _defined(source, line, elsewhere)) is not None}
    begins = source.begins | labels.keys()
    found: list[Definition] = []
    for line, label in labels.items():
        start = source.starts[line]
        end = source.line_end(_last_line(source, line, begins))
        found.append(Definition(label, start, end, body[start:end].rstrip("\r\n")))
    return tuple(found)


def closing_definitions(body: str) -> int:
    """Return where the definitions begin that close the text, with nothing behind them; its end if there are none."""
    position = len(body)
    for entry in reversed(definitions(body)):
        if body[entry.end : position].strip():
            break
        position = entry.start
    return position


class _Spans:
    """Parts of a text, none of which holds another one; a position is looked for among all of them at once."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._spans = sorted(spans)

    def hold(self, position: int) -> bool:
        """Whether the character at a position lies in one of them."""
        after = bisect_right(self._spans, position, key=lambda span: span[0])
        return after > 0 and position < self._spans[after - 1][1]


def _defined(source: Source, line: int, elsewhere: _Spans) -> str | None:
    start = source.starts[line]
    found = _DEFINITION.match(source.text, start)
    if found is None or source.code_at(found.end(1)) is not None:
        return None
    return None if elsewhere.hold(start) else found.group(1)


def _last_line(source: Source, line: int, begins: Collection[int]) -> int:
    """Find the last line of a definition: lines that its paragraph goes on with, and indented ones after a gap."""
    last = line
    for number in range(line + 1, len(source.starts)):
        start = source.starts[number]
        if not source.text[start : source.line_end(number)].strip():
            continue
        indented = source.text.startswith(_INDENTED, start)
        if not indented and (number in begins or number > last + 1):
            break
        last = number
    return last
