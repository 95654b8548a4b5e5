"""Owns what one line of untrusted Markdown says: words, code, and marks of emphasis; knows nothing of rendering.

Links are reduced to their text, images to their description. Both `quote_inline` and `plain` stand on this
reading, so that they agree on what is a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html.entities import html5
from string import punctuation
from typing import TYPE_CHECKING, Literal

import regex

from pipeline.wiki.markdown.positions import code_spans, is_escaped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.wiki.markdown.positions import Code

AtomKind = Literal["text", "code", "run"]

# Control characters, halves of surrogate pairs, and what reorders the text around it or cannot be seen.
_UNSEEN = regex.compile(r"[\p{Cc}\p{Cs}\p{Bidi_Control}\ufeff\ufff9-\ufffb]+")
_ENTITY = re.compile(
    r"&(?:#(?P<decimal>[0-9]{1,7})|#[xX](?P<hex>[0-9a-fA-F]{1,6})|(?P<name>[A-Za-z][A-Za-z0-9]{1,31}));"
)
_AUTOLINK = re.compile(r"<(https?://[^\s<>`]*)>")
_RUN = re.compile(r"\*+|_+")
_PLAIN_TEXT = re.compile(r"(?:(?!https?://)[^\\&<*_])+", re.IGNORECASE)
_ADDRESS = re.compile(r"""https?://(?:&(?!#?\w+;)|[^\s<>`\\*"'&])*(?<![.,;:!?)\]}_&])""", re.IGNORECASE)
# Reads the same without any escape, which some readers of Markdown would take for a part of the address.
_ADDRESS_AS_TEXT = re.compile(r"https?://(?:[\w./?=&%@+,;#!()-]|:(?!\w+:))+", re.IGNORECASE)
_OPEN_UNDERSCORE = re.compile(r"(?<![^\W_])_|_(?![^\W]|_)")
_WEB_ADDRESS = re.compile(r"https?://[^\s`<>\\]+")
_OPENING = re.compile(r"\( *")
_ANGLED_ADDRESS = re.compile(r"<[^<>]{0,2000}>")
_TITLE_AND_CLOSING = re.compile(
    r"""(?: +(?:"(?:\\.|[^"\\]){0,500}"|'(?:\\.|[^'\\]){0,500}'|\((?:\\.|[^()\\]){0,500}\)))? *\)"""
)
_LONGEST_ADDRESS = 2_000
_DEEPEST = 32
"""How deep parentheses may be nested in an address, as CommonMark has it."""
_LAST_CODE_POINT = 0x10FFFF


@dataclass(frozen=True, slots=True)
class Atom:
    """A piece of a line: text as it reads, the content of a code span, or a run of `*` or `_`."""

    kind: AtomKind
    value: str


def seen(text: str) -> str:
    """Return the visible text in one line: no control or direction characters, single spaces."""
    return " ".join(_UNSEEN.sub("", " ".join(text.split())).split())


def read_inline(text: str) -> tuple[Atom, ...]:
    """Read `text` as one line of running Markdown."""
    line = seen(text)
    spans = code_spans(line, 0, len(line), html=False)
    atoms: list[Atom] = []
    position = 0
    for start, end, replacement in sorted((*_code_edits(line, spans), *_link_edits(line, spans)), key=lambda e: e[:2]):
        atoms += _read_text(line[position:start])
        atoms += replacement
        position = end
    atoms += _read_text(line[position:])
    return _merge(atoms)


_Edit = tuple[int, int, tuple[Atom, ...]]


def _code_edits(line: str, spans: Sequence[Code]) -> Iterator[_Edit]:
    for span in spans:
        raw = line[span.start : span.end]
        ticks = len(raw) - len(raw.lstrip("`"))
        yield span.start, span.end, _code(raw, raw[ticks:-ticks].strip())


def _code(raw: str, content: str) -> tuple[Atom, ...]:
    """Make the atom of a span; one that holds nothing but a space is no visible code and stays as text."""
    return (Atom("code", content) if content else Atom("text", raw),)


def _link_edits(line: str, spans: Sequence[Code]) -> Iterator[_Edit]:
    """Find links and images; give the edits that leave their text, and a web address that the text does not tell."""
    after = {span.start: span.end for span in spans}
    open_brackets: list[int] = []
    position = 0
    while position < len(line):
        character = line[position]
        if position in after:
            position = after[position]
            continue
        if character == "[" and not is_escaped(line, position):
            open_brackets.append(position)
        elif character == "]" and open_brackets and not is_escaped(line, position):
            opening = open_brackets.pop()
            target = _read_target(line, position + 1)
            if target is not None:
                end, address = target
                image = opening > 0 and line[opening - 1] == "!" and not is_escaped(line, opening - 1)
                yield opening - image, opening + 1, ()
                yield position, end, () if image else _told(address, line[opening + 1 : position])
                position = end
                continue
        position += 1


def _read_target(line: str, start: int) -> tuple[int, str] | None:
    """Read `(address "title")`; give where it ends and the address, or None when it is no target."""
    opening = _OPENING.match(line, start)
    if opening is None:
        return None
    end = _end_of_address(line, opening.end())
    closing = _TITLE_AND_CLOSING.match(line, end)
    if closing is None or "`" in line[start : closing.end()]:
        return None
    address = line[opening.end() : end]
    return closing.end(), address[1:-1] if address.startswith("<") else address


def _end_of_address(line: str, start: int) -> int:
    if (angled := _ANGLED_ADDRESS.match(line, start)) is not None:
        return angled.end()
    depth = 0
    position = start
    last = min(len(line), start + _LONGEST_ADDRESS)
    while position < last and line[position] != " ":
        character = line[position]
        if (character == ")" and depth == 0) or depth > _DEEPEST:
            break
        depth += {"(": 1, ")": -1}.get(character, 0)
        position += 2 if character == "\\" else 1
    return min(position, len(line))


def _told(address: str, label: str) -> tuple[Atom, ...]:
    address = "".join(atom.value for atom in _read_text(address))
    if not _WEB_ADDRESS.fullmatch(address) or label.strip("`* ") in {address, address.removesuffix("/")}:
        return ()
    return Atom("text", " ("), Atom("code", address), Atom("text", ")")


def _read_text(text: str) -> Iterator[Atom]:
    position = 0
    while position < len(text):
        character = text[position]
        if (found := _PLAIN_TEXT.match(text, position)) is not None:
            yield Atom("text", found.group())
        elif (found := _ADDRESS.match(text, position)) is not None:
            yield _address(found.group(), text[found.end() : found.end() + 1])
        elif character == "\\" and text[position + 1 : position + 2] in _ESCAPABLE:
            yield Atom("text", text[position + 1])
            position += 2
            continue
        elif (found := _RUN.match(text, position)) is not None:
            yield Atom("run", found.group())
        elif (found := _ENTITY.match(text, position)) is not None:
            yield Atom("text", _decode(found))
        elif (found := _AUTOLINK.match(text, position)) is not None:
            yield Atom("code", found.group(1))
        else:
            yield Atom("text", character)
            position += 1
            continue
        position = found.end()


_ESCAPABLE = frozenset(punctuation)


def _address(address: str, following: str) -> Atom:
    """Make the atom of a web address; it is code when it, or what follows it, could not stand without escapes."""
    plain = _ADDRESS_AS_TEXT.fullmatch(address) is not None and _OPEN_UNDERSCORE.search(address) is None
    return Atom("text" if plain and (not following or following in " .,;!?)") else "code", address)


def _decode(entity: re.Match[str]) -> str:
    if entity["name"] is not None:
        value = html5.get(f"{entity['name']};", entity.group())
    else:
        number = int(entity["decimal"]) if entity["decimal"] is not None else int(entity["hex"], 16)
        value = chr(number) if 0 < number <= _LAST_CODE_POINT else "\ufffd"
    return " " if value.isspace() else _UNSEEN.sub("", value)


def _merge(atoms: Sequence[Atom]) -> tuple[Atom, ...]:
    merged: list[Atom] = []
    for atom in atoms:
        if not atom.value:
            continue
        if merged and atom.kind == merged[-1].kind != "run":
            merged[-1] = Atom(atom.kind, merged[-1].value + atom.value)
        else:
            merged.append(atom)
    return tuple(merged)
