"""Owns how a body is cut into units and chunks; what these are, `units` says. Knows no other version of the body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.footnotes import definitions
from pipeline.wiki.markdown.positions import NEWLINE, read_source
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.merging.units import BLANK, MARKER, TITLE, Chunk, Cut, Kind, Said, Unit, same_key
from pipeline.wiki.sections.keep import keep_blocks
from pipeline.wiki.sections.outline import heading_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.wiki.markdown.blocks import Blocks, Statement
    from pipeline.wiki.markdown.footnotes import Definition
    from pipeline.wiki.markdown.positions import Heading, Source
    from pipeline.wiki.sections.keep import KeepBlock

_PRIORITY: tuple[Kind, ...] = ("kept", "note", "code", "html", "row", "item", "text")
"""Of which kind lines are that two kinds of chunks share: the first of them."""


class Reader:
    """Cuts the versions of one page; a statement that stands in several of them is taken apart once."""

    def __init__(self) -> None:
        self._words: dict[str, str] = {}

    def cut(self, body: str) -> Cut:
        """Cut a body; the first unit is the text before the first heading, if only an empty one."""
        source, blocks = read_source(body), read_blocks(body)
        kept, entries = keep_blocks(body), definitions(body)
        closing = end_of_main(body, entries)
        lines = _Lines(source, _spans(source, blocks, kept, entries, closing), blocks.statements, self)
        return Cut(
            body,
            tuple(_units(source, kept, closing, lines)),
            body[closing:],
            {entry.label: entry.text for entry in reversed(entries)},
            frozenset(entry.label for entry in entries if entry.start < closing),
            frozenset(mark.label for mark in blocks.marks),
            tuple(block.text for block in kept),
        )

    def said(self, statement: Statement) -> Said:
        """Bring a statement to the words that it is known by."""
        words = self._words.get(statement.bare)
        if words is None:
            words = self._words[statement.bare] = plain(statement.bare) or " ".join(statement.bare.split())
        return Said(NEWLINE.sub("\n", statement.text), words)


def end_of_main(body: str, entries: Sequence[Definition]) -> int:
    """Find where the definitions begin that close a body, among all that it has; its end if none do."""
    position = len(body)
    for entry in reversed(entries):
        if body[entry.end : position].strip():
            break
        position = entry.start
    return position


@dataclass(frozen=True, slots=True)
class _Span:
    first: int
    last: int
    kind: Kind


def _spans(
    source: Source, blocks: Blocks, kept: Sequence[KeepBlock], entries: Sequence[Definition], closing: int
) -> list[_Span]:
    """Say which lines belong together; `last` is the line behind them. Lines of two kinds are of the stronger one."""

    def span(start: int, end: int, kind: Kind) -> _Span:
        return _Span(source.line_at(start), source.line_at(max(end - 1, start)) + 1, kind)

    found = [span(block.start, block.end, "kept") for block in kept]
    found += [span(entry.start, entry.end, "note") for entry in entries if entry.start < closing]
    found += [span(code.start, code.end, "code") for code in source.code if code.kind != "span"]
    found += [span(start, end, "html") for start, end in source.html]
    for said in blocks.statements:
        item = said.shape == "item" and MARKER.match(source.text, source.starts[said.line]) is not None
        found.append(span(said.start, said.end, "row" if said.shape == "row" else "item" if item else "text"))
    merged: list[_Span] = []
    for one in sorted(found, key=lambda other: (other.first, other.last)):
        if merged and one.first < merged[-1].last:
            before = merged.pop()
            kind = min(before.kind, one.kind, key=_PRIORITY.index)
            one = _Span(before.first, max(before.last, one.last), kind)  # noqa: PLW2901  # the two are one now
        merged.append(one)
    return merged


class _Lines:
    """The lines of a body, read from top to bottom."""

    def __init__(self, source: Source, spans: list[_Span], statements: Sequence[Statement], reader: Reader) -> None:
        self._source = source
        self._spans = spans
        self._span = 0
        self._statements = statements
        self._statement = 0
        self._reader = reader

    def read(self, start: int, end: int) -> tuple[str, tuple[Chunk, ...]]:
        """Cut the lines from one position to another: the blank ones at their head, and the chunks."""
        source = self._source
        line = first = source.line_at(start) if start < end else 0
        last = source.line_at(end - 1) + 1 if start < end else 0
        line = self._skip_blank(line, last)
        opening = source.text[start : self._start(line, end) if start < end else start]
        chunks: list[Chunk] = []
        while first <= line < last:
            stop, kind = self._next(line, last)
            following = self._skip_blank(stop, last)
            begin, place = self._start(line, end), self._start(following, end)
            text = source.text[begin : self._start(stop, end)].rstrip(BLANK)
            gap = source.text[begin + len(text) : place]
            chunks.append(Chunk(text, gap, kind, same_key(text, kind), tuple(self._said(stop))))
            line = following
        return opening, tuple(chunks)

    def _start(self, line: int, end: int) -> int:
        starts = self._source.starts
        return min(starts[line], end) if line < len(starts) else end

    def _is_blank(self, line: int) -> bool:
        return not self._source.text[self._source.starts[line] : self._source.line_end(line)].strip(BLANK)

    def _skip_blank(self, line: int, last: int) -> int:
        while line < last and self._is_blank(line):
            line += 1
        return line

    def _next(self, line: int, last: int) -> tuple[int, Kind]:
        """Tell where the chunk ends that begins on a line, and what it is."""
        spans = self._spans
        while self._span < len(spans) and spans[self._span].last <= line:
            self._span += 1
        following = spans[self._span] if self._span < len(spans) else None
        if following is not None and following.first <= line:
            return min(following.last, last), following.kind
        stop = line + 1
        limit = min(following.first, last) if following is not None else last
        while stop < limit and not self._is_blank(stop):
            stop += 1
        table = following is not None and following.first == stop and following.kind == "row"
        return stop, "table" if table else "other"

    def _said(self, stop: int) -> Iterator[Said]:
        """Give the statements that begin before a line and were not given yet."""
        while self._statement < len(self._statements) and self._statements[self._statement].line < stop:
            yield self._reader.said(self._statements[self._statement])
            self._statement += 1


def _units(source: Source, kept: Sequence[KeepBlock], closing: int, lines: _Lines) -> Iterator[Unit]:
    headings: list[Heading] = []
    block = 0
    for heading in source.headings:
        while block < len(kept) and kept[block].end <= heading.start:
            block += 1
        if heading.start >= closing:
            break
        if block == len(kept) or kept[block].start >= heading.start:
            headings.append(heading)
    ends = [*(heading.start for heading in headings), closing]
    opening, chunks = lines.read(0, ends[0])
    yield Unit((), 0, "", "", opening, chunks)
    above: list[tuple[int, str]] = []
    for number, (heading, end) in enumerate(zip(headings, ends[1:], strict=True), start=1):
        content = _end_of_head(source, kept, heading, end)
        title = number == 1 and heading.level == 1
        if not title:
            while above and above[-1][0] >= heading.level:
                above.pop()
            above.append((heading.level, heading_key(heading.text)))
        path = TITLE if title else tuple(name for _, name in above)
        opening, chunks = lines.read(content, end)
        head = source.text[heading.start : content]
        yield Unit(path, heading.level, heading.text, head, opening, chunks)


def _end_of_head(source: Source, kept: Sequence[KeepBlock], heading: Heading, end: int) -> int:
    """Find where the text below a heading begins; a keep block that begins in the heading belongs to it."""
    if "<!--" not in source.text[heading.start : heading.end]:
        return heading.end
    inside = [block.end for block in kept if heading.start <= block.start < heading.end]
    return max(heading.end, *(min(source.line_end(source.line_at(max(one - 1, 0))), end) for one in inside), 0)
