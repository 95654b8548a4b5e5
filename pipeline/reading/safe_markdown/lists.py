"""Owns how lists are written for Python-Markdown; knows nothing of safety or of the other extensions.

Pages are CommonMark, as Git hosts show them: a list may follow a line of text at once, and an item is nested by as
little as two spaces. Python-Markdown wants a blank line and four spaces, else it shows a paragraph with dashes.
So lists are found by a CommonMark parser and written the wider way; nothing else changes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark").disable(["inline", "text_join"])
_MARKER = re.compile(r"(?P<before> *)(?P<marker>[-+*]|\d{1,9}[.)])(?P<after> *)(?P<text>.*)")
_SIMPLE = re.compile(r"(?:\d{1,9}(?=[.)]))?(?P<kind>[-+*.)]) {1,3}(?=[^\s>#`~+*\d-]|[`*][^`*\s])")
_WIDE = 4


@dataclass(frozen=True, slots=True)
class _Item:
    first: int
    end: int
    depth: int
    column: int
    """Where the item's text begins, counted from the line's begin."""


def widen(lines: Sequence[str]) -> list[str]:
    """Write every list of a text so that Python-Markdown reads it as CommonMark does."""
    return list(lines) if _is_wide(lines) else _widened(lines)


def _widened(lines: Sequence[str]) -> list[str]:
    tokens = _PARSER.parse("\n".join(lines))
    inner: dict[int, _Item] = {}
    markers: set[int] = set()
    apart: set[int] = set()
    for item in _items(tokens, lines):
        markers.add(item.first)
        inner.update(dict.fromkeys(range(item.first + 1, item.end), item))
        if _is_roomy(lines[item.first : item.end]):
            apart.add(item.end)
    begun = {token.map[0] for token in _outside_quotes(tokens) if token.type.endswith("_list_open") and token.map}
    apart |= begun - set(inner)
    widened: list[str] = []
    for number, line in enumerate(lines):
        if number in apart and widened and widened[-1].strip():
            widened.append("")
        widened.append(_shift(line, inner[number], number in markers) if number in inner else line)
    return widened


def _is_wide(lines: Sequence[str]) -> bool:
    """Whether a text surely needs no change, without parsing it: it has no list, or only simple ones.

    Their items stand at the line's begin and have one line each; blank lines set each list apart.
    """
    kind = ""
    apart = True
    for line in lines:
        if not line.strip():
            apart = True
            continue
        found = _SIMPLE.match(line)
        if found is None:
            if (kind and (not apart or line[0] in " \t")) or _MARKER.match(line.expandtabs(_WIDE)):
                return False
            kind = ""
        elif not apart and found["kind"] != kind:
            return False
        else:
            kind = found["kind"]
        apart = False
    return True


def _is_roomy(lines: Sequence[str]) -> bool:
    """Whether an item holds more than one paragraph, after which Python-Markdown needs a blank line as well."""
    return any(not line.strip() for line in lines[:-1]) or lines[-1].lstrip().startswith(">")


def _shift(line: str, item: _Item, is_marker: bool) -> str:  # noqa: FBT001 - a plain fact about the line
    wide = line.expandtabs(_WIDE)
    text = wide.lstrip(" ")
    beyond = len(wide) - len(text) - item.column
    if not text or beyond < 0:
        return line
    return " " * (_WIDE * (item.depth + 1) + (0 if is_marker else beyond)) + text


def _items(tokens: Sequence[Token], lines: Sequence[str]) -> Iterator[_Item]:
    depth = 0
    taken: set[int] = set()
    for token in _outside_quotes(tokens):
        if token.type == "list_item_open":
            first, end = token.map or (0, 1)
            found = _MARKER.match(lines[first].expandtabs(_WIDE))
            if found and first not in taken:
                taken.add(first)
                yield _Item(first, end, depth, _column(found, lines[first + 1 : end]))
            depth += 1
        elif token.type == "list_item_close":
            depth -= 1


def _column(found: re.Match[str], more: Sequence[str]) -> int:
    """Find where the text of an item begins; up to three spaces more than needed are a habit and mean nothing."""
    spaces = len(found["after"])
    if not found["text"] or spaces > _WIDE:
        spaces = 1
    column = len(found["before"]) + len(found["marker"]) + spaces
    wide = (line.expandtabs(_WIDE) for line in more if line.strip())
    used = min((indent for line in wide if (indent := len(line) - len(line.lstrip(" "))) >= column), default=column)
    return used if used < column + _WIDE else column


def _outside_quotes(tokens: Sequence[Token]) -> Iterator[Token]:
    quotes = 0
    for token in tokens:
        quotes += token.type == "blockquote_open"
        if not quotes:
            yield token
        quotes -= token.type == "blockquote_close"
