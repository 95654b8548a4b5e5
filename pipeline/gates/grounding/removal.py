"""Owns what goes from a Markdown text together with statements that do; knows nothing of why they do."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, TypeAlias

from pipeline.gates.emptied import emptied
from pipeline.wiki.markdown.blocks import replace

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pipeline.wiki.markdown.blocks import Blocks, Statement

Span: TypeAlias = "tuple[int, int]"
Edit: TypeAlias = "tuple[int, int, str]"

_RULE = re.compile(r"[ \t>|:-]*\Z")
_MARK = re.compile(r"(?<![ \t])[ \t]*+\[\^[^\]\[\r\n]{1,200}\]")
_SPACE = " \t\r\n>"


def without(body: str, blocks: Blocks, gone: Collection[Span], code: Sequence[Span], cuts: Sequence[Edit]) -> str:
    """Take the statements and the blocks of code at `gone` out of a text, and make the cuts within what stays.

    `code` are all its blocks of code. With what goes go the head of a table without rows, a line that leads to
    nothing, and headings with nothing below.
    """
    statements = [one for one in blocks.statements if (one.start, one.end) in gone]
    kept = [one for one in blocks.statements if (one.start, one.end) not in gone]
    stays = sorted((*(one.start for one in kept), *(start for start, end in code if (start, end) not in gone)))
    edits: list[Edit] = [(*_extent(one, stays), "") for one in statements if one.shape != "row"]
    edits += [(start, end, "") for start, end in code if (start, end) in gone]
    edits += [(start, end, "") for start, end in _rows(body, blocks, gone)]
    edits += [(*_extent(one, stays), "") for one in _leads(blocks, kept, stays, edits)]
    edits += cuts
    return replace(body, [*edits, *emptied(blocks, edits, body)])


def cut_sentences(source: str, start: int, sentences: Sequence[Span], wrong: Sequence[bool]) -> list[Edit]:
    """Cut the wrong ones of the sentences of `source`, a statement that begins at `start`.

    Footnotes of what goes stay with the sentence before it, when that has none of its own: they stand at the end of
    all that they cover.
    """
    edits: list[Edit] = []
    first = 0
    while first < len(sentences):
        if not wrong[first]:
            first += 1
            continue
        last = first
        while last < len(sentences) and wrong[last]:
            last += 1
        edits.append(_cut(source, start, sentences, (first, last)))
        first = last
    return edits


def _cut(source: str, start: int, sentences: Sequence[Span], run: Span) -> Edit:
    """Cut a run of sentences, with the space before it when nothing follows."""
    first, last = run
    begin, end = sentences[first][0], sentences[last - 1][1]
    before = source[sentences[first - 1][0] : begin] if first else ""
    blank = len(before) - len(before.rstrip(_SPACE))
    marks = "" if _MARK.search(before) else "".join(map(str.strip, _MARK.findall(source[begin:end])))
    if last == len(sentences):
        return start + begin - blank, start + end, marks if before else ""
    if not before or not marks:
        return start + begin, start + end, ""
    return start + begin - blank, start + end, marks + before[len(before) - blank :]


def _extent(statement: Statement, stays: Sequence[int]) -> Span:
    """Tell what goes with a statement: the lines of its list item, unless something below it in there stays."""
    start, end = statement.extent
    within = bisect_left(stays, end) - bisect_left(stays, start) - (_has(stays, statement.start))
    return (statement.start, statement.end) if within else (start, end)


def _has(stays: Sequence[int], place: int) -> bool:
    number = bisect_left(stays, place)
    return number < len(stays) and stays[number] == place


def _rows(body: str, blocks: Blocks, gone: Collection[Span]) -> list[Span]:
    """Give the lines of the rows that go; of a table that loses all of them, the lines of its head too."""
    tables: list[list[Statement]] = []
    for row in blocks.statements:
        if row.shape != "row":
            continue
        if tables and tables[-1][-1].extent[1] == row.extent[0]:
            tables[-1].append(row)
        else:
            tables.append([row])
    spans: list[Span] = []
    for table in tables:
        lost = [row.extent for row in table if (row.start, row.end) in gone]
        line = table[0].line
        if lost and len(lost) == len(table) and line > 1:
            head, rule = blocks.starts[line - 2], blocks.starts[line - 1]
            if _RULE.match(body[rule : table[0].extent[0]].rstrip("\r\n")):
                lost = [(head, table[-1].extent[1])]
        spans += lost
    return spans


def _leads(blocks: Blocks, kept: Sequence[Statement], stays: Sequence[int], edits: Sequence[Edit]) -> list[Statement]:
    """Find statements that end with a colon and now lead to nothing.

    One that opens a list item leads to what the item holds, any other to all up to the next paragraph or heading.
    """
    removed = sorted(edit[0] for edit in edits)
    paragraphs = (one.start for one in kept if one.shape == "paragraph")
    ends = sorted((*(heading.start for heading in blocks.headings), *paragraphs, len(blocks.prose) + 1))
    found = []
    for statement in kept:
        if not statement.bare.rstrip("*_ ").endswith((":", "：")):
            continue
        holds_more = statement.shape == "item" and statement.extent[1] > statement.end + len("\r\n")
        until = statement.extent[1] if holds_more else ends[bisect_left(ends, statement.end)]
        lost = bisect_left(removed, statement.end) < bisect_left(removed, until)
        if lost and bisect_left(stays, statement.end) == bisect_left(stays, until):
            found.append(statement)
    return found
