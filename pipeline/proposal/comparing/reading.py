"""Owns how one state of a page is read in order to be compared: its front matter, its claims, its remarks, its lines.

Knows no other state. A page whose front matter cannot be read is compared as mere text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.wiki.format.frontmatter import split
from pipeline.wiki.format.page import Page, parse_page
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import UNSOURCED, claims_of
from pipeline.wiki.markdown.positions import NEWLINE
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.markdown.remarks import is_contradiction, is_remark
from pipeline.wiki.sections.outline import heading_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.wiki.markdown.blocks import Blocks, Statement

_KEY = re.compile(r"[^\s#-][^:]*:")


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim or a remark of a page.

    `text` is its Markdown in one line without footnotes, `words` what it says, by which it is known again.
    """

    number: int
    """Which of the page's statements it is."""
    section: str
    key: str
    """What sections of the same name share."""
    text: str
    words: str
    labels: tuple[str, ...]
    unsourced: bool


@dataclass(frozen=True, slots=True)
class State:
    """One state of a page; without a file everything in it is empty."""

    page: Page
    front: tuple[str, ...]
    """The lines of the front matter, its fences included."""
    lines: tuple[str, ...]
    """The lines of the body."""
    blocks: Blocks
    claims: tuple[Claim, ...]
    remarks: tuple[Claim, ...]

    @property
    def contradictions(self) -> tuple[Claim, ...]:
        """The remarks on contradictions that nobody has decided."""
        return tuple(remark for remark in self.remarks if is_contradiction(remark.text))

    @property
    def cited(self) -> frozenset[str]:
        """The labels of all sources that the text cites."""
        return frozenset(label for statement in self.blocks.statements for label in statement.labels)


def read_state(path: str, raw: bytes) -> State:
    """Read a state of a page; `raw` may be empty, or anything at all."""
    page, head = _read(path, raw)
    blocks = read_blocks(page.body)
    numbers = {statement.start: number for number, statement in enumerate(blocks.statements)}
    sections = _Sections(blocks)
    every = [_claim(numbers[statement.start], statement, sections) for statement in claims_of(blocks)]
    return State(
        page,
        _lines(head),
        _lines(page.body),
        blocks,
        tuple(claim for claim in every if not is_remark(claim.text)),
        tuple(claim for claim in every if is_remark(claim.text)),
    )


def _read(path: str, raw: bytes) -> tuple[Page, str]:
    """Read a page and the text before its body."""
    try:
        page = parse_page(path, raw)
    except Rejected:
        pass
    else:
        return page, page.origin.parts.head if page.origin else ""
    try:
        parts = split(raw, path)
    except Rejected:
        return Page({}, raw.decode("utf-8", "replace")), ""
    return Page({}, parts.body), parts.head


def sources_lines(front: Sequence[str]) -> frozenset[int]:
    """Give the numbers of the lines of front matter that belong to the entry `sources`."""
    inside = False
    found: set[int] = set()
    for number, line in enumerate(front):
        if _KEY.match(line):
            inside = line.startswith("sources:")
        elif line.startswith("---"):
            inside = False
        if inside:
            found.add(number)
    return frozenset(found)


def _lines(text: str) -> tuple[str, ...]:
    """Cut a text as the positions of its blocks count lines: at LF, CRLF and a CR alone."""
    if not text:
        return ()
    lines = NEWLINE.split(text)
    return tuple(lines[:-1] if not lines[-1] else lines)


class _Sections:
    def __init__(self, blocks: Blocks) -> None:
        self._starts = [heading.start for heading in blocks.headings]
        names = ["" if heading.level == 1 else plain(heading.text) for heading in blocks.headings]
        self._names = [(name, heading_key(name)) for name in names]

    def above(self, position: int) -> tuple[str, str]:
        number = bisect_right(self._starts, position)
        return self._names[number - 1] if number else ("", "")


def _claim(number: int, statement: Statement, sections: _Sections) -> Claim:
    section, key = sections.above(statement.start)
    bare = statement.bare.strip("| \t\r\n") if statement.shape == "row" else statement.bare.strip()
    unsourced = bare.endswith(UNSOURCED)
    text = " ".join(bare.removesuffix(UNSOURCED).split())
    return Claim(number, section, key, text, plain(text), tuple(dict.fromkeys(statement.labels)), unsourced)
