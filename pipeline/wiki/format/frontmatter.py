"""Owns the front matter of a page: where it stands in a file, how it is read, how it is written.

Everything that writes front matter writes it here. Knows no key's meaning.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.wiki.format.yaml_text import Yaml, block
from pipeline.wiki.format.yaml_values import Parsed, read_yaml
from pipeline.wiki.markdown.positions import NEWLINE

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Parsed", "Split", "Yaml", "parse", "read", "render", "rewrite", "split"]

_IN_ONE_LINE = ("tags", "aliases", "generated")
_ITEMS_IN_ONE_LINE = ("verified",)

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")
_OPENING = re.compile(r"-{3,}[ \t]*")
_CLOSING = re.compile(r"-{3,}[ \t]*|\.\.\.[ \t]*")
_KEY = re.compile(r"[\w-]+[ \t]*:(?:\s|\Z)")


@dataclass(frozen=True, slots=True)
class Split:
    """A file, cut in its parts: `text` is always `opening + block + closing + gap + body`.

    Without front matter all but `body` are empty. `gap` is the blank lines between front matter and body,
    `newline` what ends the first line.
    """

    opening: str
    block: str
    closing: str
    gap: str
    body: str
    newline: str
    bom: bool

    @property
    def has_front(self) -> bool:
        """Whether the file has front matter, empty or not."""
        return bool(self.opening)

    @property
    def head(self) -> str:
        """All that stands before the body."""
        return f"{self.opening}{self.block}{self.closing}{self.gap}"

    @property
    def text(self) -> str:
        """The whole file, without its byte order mark."""
        return f"{self.head}{self.body}"


def split(raw: bytes, where: str = "") -> Split:
    """Cut a file into front matter and body, byte for byte.

    Raises `Rejected` for a file that is not UTF-8, and for front matter that begins and does not end.
    """
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as fault:
        message = f"is not UTF-8 (byte {fault.start + 1})."
        raise Rejected(message, where=where, next_step="Save it as UTF-8.") from None
    bom = text.startswith("\ufeff")
    text = text.removeprefix("\ufeff")
    found = NEWLINE.search(text)
    whole = Split("", "", "", "", text, found.group() if found else "\n", bom)
    start = _skip_blank(text, 0)
    first = _line(text, start)
    if not _OPENING.fullmatch(first.rstrip("\r\n")):
        return whole
    opening = start + len(first)
    position = opening
    while position < len(text):
        line = _line(text, position)
        if _CLOSING.fullmatch(line.rstrip("\r\n")):
            closing = position + len(line)
            gap = _skip_blank(text, closing)
            parts = (text[:opening], text[opening:position], text[position:closing], text[closing:gap], text[gap:])
            return Split(*parts, whole.newline, bom)
        position += len(line)
    if _KEY.match(text, opening):
        raise Rejected("the front matter has no end.", where=where, next_step="Add a line with --- after the last key.")
    return whole


def read(block_text: str, where: str = "") -> Parsed | None:
    """Read a block with all that was wrong with it; None when it is text between two rules and no front matter."""
    return read_yaml(NEWLINE.sub("\n", block_text), where)


def parse(block_text: str) -> dict[str, Yaml]:
    """Read a block, the text between the two `---` lines; raises `Rejected` when it cannot be parsed."""
    found = read(block_text)
    if found is None:
        raise Rejected("the front matter holds no keys.")
    return found.front


def render(front: Mapping[str, Yaml]) -> str:
    """Write a block, the text between the two `---` lines; empty for no keys, else it ends with one line feed."""
    return "".join(f"{line}\n" for line in block(front, _IN_ONE_LINE, _ITEMS_IN_ONE_LINE))


def rewrite(block_text: str, front: Mapping[str, Yaml]) -> str:
    """Write `front` so that every key whose value is that of `block_text` keeps its lines.

    Comments above a key and blank lines below it stay as long as the key does. Lines end with a line feed. A block
    that cannot be kept in part is written anew.
    """
    old = NEWLINE.sub("\n", block_text)
    parsed = read_yaml(old, "")
    if parsed is None or not parsed.lines:
        return render(front)
    before, standing = _lines_by_key(old, parsed)
    written = [before]
    for key, value in front.items():
        text = render({key: value})
        if key in standing:
            above, own = standing[key]
            below = own[len(own.rstrip("\n")) + 1 :]
            text = above + (own if render({key: parsed.front[key]}) == text else text + below)
        written.append(text)
    changed = "".join(written)
    try:
        again = read_yaml(changed, "")
    except Rejected:
        again = None
    intact = again is not None and render(again.front) == render(front)
    return changed if intact else render(front)


def _lines_by_key(old: str, parsed: Parsed) -> tuple[str, dict[str, tuple[str, str]]]:
    """Give the text before the first key, and for each key the comments right above it and its own lines."""
    lines = [line if line.endswith("\n") else f"{line}\n" for line in _LINE.findall(old) if line]
    starts = [line for _, line in parsed.lines]
    above = [_first_comment(lines, line) for line in starts]
    ends = [*above[1:], len(lines)]
    standing = {
        key: ("".join(lines[comment:start]), "".join(lines[start:end]))
        for (key, _), comment, start, end in zip(parsed.lines, above, starts, ends, strict=True)
    }
    return "".join(lines[: above[0]]), standing


def _first_comment(lines: list[str], line: int) -> int:
    while line > 0 and lines[line - 1].startswith("#"):
        line -= 1
    return line


def _line(text: str, start: int) -> str:
    found = _LINE.match(text, start)
    return found.group() if found else ""


def _skip_blank(text: str, start: int) -> int:
    position = start
    while position < len(text) and not _line(text, position).strip():
        position += len(_line(text, position))
    return position
