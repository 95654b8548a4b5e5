"""Owns the passage from untrusted Markdown to Markdown that may stand in a page; knows no page and no section.

`quote_inline` quotes an observation, `plain` compares texts word by word, `neutralise` takes the teeth out of a
body that a model wrote. What they write is harmless in CommonMark, on Git hosts and in Python-Markdown alike.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.inline import Atom, read_inline
from pipeline.wiki.markdown.neutral import neutralise
from pipeline.wiki.markdown.positions import is_escaped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["neutralise", "plain", "quote_inline"]

_MARKS = str.maketrans("", "", "*_`")
_BACKTICKS = re.compile(r"`+")
_IDENTIFIER = re.compile(r"\w+")
_EMOJI = re.compile(r":(?=(?:[+-]1|100|1234|[\w+-]*[A-Za-z][\w+-]*):)")
_ENTITY_LIKE = re.compile(r"&#?\w+(?P<end>;?)")
_NUMBERED = re.compile(r"(\d+)([.)])(?=\s|$)")
_BULLET = re.compile(r"[-+](?![-+]?[^\W_])")
_FENCED_BLOCK = re.compile(r"!!!|\?\?\?|///|[:=](?!\w)")

_BACKSLASHED = frozenset("[]{}`*")
_AS_ENTITY = {"<": "&lt;", "|": "&#124;", "~": "&#126;", "$": "&#36;", ":": "&#58;"}
_LONGEST_RUN = 3


def plain(text: str) -> str:
    """Return the words of a text in one line, for comparing: no marks, escapes, entities or runs of whitespace.

    `*`, `_` and backticks go wherever they stand, so that a sentence reads the same alone and in its paragraph.
    `plain(quote_inline(text)) == plain(text)` for every text.
    """
    words = "".join(atom.value for atom in read_inline(text) if atom.kind != "run")
    return " ".join(words.translate(_MARKS).split())


def quote_inline(text: str) -> str:
    """Turn untrusted text into one line of inline Markdown that reads the same and does nothing else.

    Code spans and emphasis stay. HTML, comments, footnote marks, attribute lists, table pipes and marks of blocks
    become visible text; images become their description, links their text and, where it tells more, the web
    address as code. The line may stand in a list item, a paragraph or a heading, with a footnote after it.
    """
    atoms = read_inline(text)
    marks = _emphasis(atoms)
    shared = "".join(atom.value for atom in atoms if atom.kind == "text")
    counted = {character for character in "$" if shared.count(character) > 1}
    parts: list[str] = []
    for number, atom in enumerate(atoms):
        mark = marks.get(number)
        if atom.kind == "code":
            parts.append(_quote_code(atom.value))
        elif atom.kind == "text":
            parts.append(_quote_text(atom.value, counted, first=number == 0, last=number == len(atoms) - 1))
        elif mark is None:
            parts.append(_quote_run(atom.value, parts, atoms[number + 1 : number + 2]))
        else:
            parts.append(mark)
    line = " ".join("".join(parts).split())
    return _quote_end(_quote_start(line)) if line else ""


def _quote_code(content: str) -> str:
    lengths = {len(found.group()) for found in _BACKTICKS.finditer(content)}
    ticks = "`" * next(length for length in range(1, len(lengths) + 2) if length not in lengths)
    pad = " " if content.startswith("`") or content.endswith("`") else ""
    return f"{ticks}{pad}{content}{pad}{ticks}"


def _quote_text(value: str, counted: set[str], *, first: bool, last: bool) -> str:
    quoted: list[str] = []
    for position, character in enumerate(value):
        following = value[position + 1 : position + 2]
        if character in _BACKSLASHED:
            quoted.append(f"\\{character}")
        elif character == "\\":
            quoted.append(character if following.isalnum() else "\\\\")
        elif character == "_":
            inside = position > 0 and value[position - 1].isalnum() and following.isalnum()
            quoted.append(character if inside else "\\_")
        elif character == "&":
            entity = _ENTITY_LIKE.match(value, position)
            risky = following == "#" or (entity and (entity["end"] or (entity.end() == len(value) and not last)))
            quoted.append("&amp;" if risky or (not following and not last) else character)
        elif character in "<|" or character in counted or _is_shortcut(value, position, first=first):
            quoted.append(_AS_ENTITY[character])
        else:
            quoted.append(character)
    return "".join(quoted)


def _is_shortcut(value: str, position: int, *, first: bool) -> bool:
    """Whether `~` could end struck-out text, or `:` begin an emoji."""
    if value[position] == ":":
        return _EMOJI.match(value, position) is not None
    if value[position] != "~":
        return False
    opens = value[position - 1].isspace() if position else first
    return not opens or value.startswith("~", position + 1)


def _quote_run(run: str, parts: Sequence[str], following: Sequence[Atom]) -> str:
    before = parts[-1][-1:] if parts else ""
    after = following[0].value[:1] if following and following[0].kind == "text" else ""
    if run[0] == "_" and before.isalnum() and after.isalnum():
        return run
    return "".join(f"\\{character}" for character in run)


def _quote_start(line: str) -> str:
    """Take its meaning from what would begin a heading, a quotation, a list, a box, a tab or a definition."""
    first = line[0]
    if first in "#>" or _BULLET.match(line):
        return f"\\{line}"
    if _FENCED_BLOCK.match(line):
        return f"\\{line}" if first == "!" else f"&#{ord(first)};{line[1:]}"
    return _NUMBERED.sub(r"\1\\\2", line, count=1) if _NUMBERED.match(line) else line


def _quote_end(line: str) -> str:
    """Keep a footnote that follows from becoming an image, and a heading from losing its last `#`."""
    if line[-1] in "!#" and not is_escaped(line, len(line) - 1):
        return f"{line[:-1]}\\{line[-1]}"
    return line


def _emphasis(atoms: Sequence[Atom]) -> Mapping[int, str]:
    """Say which runs become which marks: a mark for a pair, nothing for a pair within a pair."""
    pairs: list[tuple[int, int]] = []
    waiting: list[int] = []
    for number, atom in enumerate(atoms):
        if atom.kind != "run" or len(atom.value) > _LONGEST_RUN:
            continue
        opens, closes = _flanks(atoms, number)
        opening = (
            next((other for other in reversed(waiting) if atoms[other].value == atom.value), None) if closes else None
        )
        if opening is not None and not _is_name(atoms, opening, number):
            pairs.append((opening, number))
            waiting = waiting[: waiting.index(opening)]
        elif opens:
            waiting.append(number)
    marks: dict[int, str] = {}
    covered = -1
    for start, end in sorted(pairs):
        touches = start - 1 in marks and bool(marks[start - 1])
        mark = "" if start < covered or touches else "*" * min(len(atoms[start].value), 2)
        marks[start] = marks[end] = mark
        covered = max(covered, end)
    return marks


def _is_name(atoms: Sequence[Atom], start: int, end: int) -> bool:
    """Whether `__init__` and its like stand there, which is a name and not emphasis."""
    inner = atoms[start + 1 : end]
    return atoms[start].value == "__" and len(inner) == 1 and _IDENTIFIER.fullmatch(inner[0].value) is not None


def _flanks(atoms: Sequence[Atom], number: int) -> tuple[bool, bool]:
    """Whether the run can begin and end emphasis, as CommonMark has it; in ASCII words it never can."""
    before = _edge(atoms[number - 1], -1) if number else " "
    after = _edge(atoms[number + 1], 0) if number + 1 < len(atoms) else " "
    left = not after.isspace() and (not _is_mark(after) or before.isspace() or _is_mark(before))
    right = not before.isspace() and (not _is_mark(before) or after.isspace() or _is_mark(after))
    opens = left and not _is_ascii_word(before)
    closes = right and not _is_ascii_word(after)
    if atoms[number].value[0] == "_":
        return opens and (not right or _is_mark(before)), closes and (not left or _is_mark(after))
    return opens, closes


def _edge(atom: Atom, index: int) -> str:
    return "`" if atom.kind == "code" else atom.value[index]


def _is_mark(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"


def _is_ascii_word(character: str) -> bool:
    return character.isascii() and character.isalnum()
