"""Owns the gate for drafts that only quote: each cited statement stands, word by word, in what it cites.

Knows nothing of how the words were chosen.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.gates.emptied import emptied
from pipeline.gates.gated import Gated, heading_above, place, quoted, with_bodies
from pipeline.wiki.markdown.blocks import read_blocks, replace, rewrite_marks
from pipeline.wiki.markdown.claims import UNSOURCED, is_claim
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.revision.sources import is_handle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.projection import Projection
    from pipeline.wiki.markdown.blocks import Statement

_BLOCK_MARKS = re.compile(r"(?:\s*(?:>|[-*+•]|\d{1,9}[.)]|#{1,6})(?=\s|\Z))+\s*(?:\[[ xX]\]\s)?")
_LEFT_OUT = re.compile(r"\s*(?:…|\[\.\.\.\]|\.\.\.)\s*")


def check(batch: ConsolidatedBatch, window: Projection, context: Context) -> Gated:
    """Take out statements that their sources do not hold.

    A statement that cites observations is looked for in their shown text, one that cites only what stands already
    in the pages that were shown. An update without any statement left goes.
    """
    observations = {one.handle: one.text for one in window.shown}
    pages = [rewrite_marks(page.text, lambda _: "") for page in (*context.slots, *context.pages)]
    known: dict[str, tuple[str, ...]] = {}

    def read(text: str) -> tuple[str, ...]:
        if text not in known:
            known[text] = readings(text)
        return known[text]

    findings: list[Finding] = []
    bodies = []
    for update in batch.updates:
        holds = partial(_holds, observations=observations, pages=pages, read=read)
        bodies.append((update, _check(update, holds, findings)))
    return Gated(with_bodies(batch, bodies), tuple(findings))


def _check(update: ConsolidatedPageUpdate, holds: Callable[[Statement], bool], findings: list[Finding]) -> str:
    blocks = read_blocks(update.body)
    quotes = [statement for statement in blocks.statements if statement.labels and is_claim(statement)]
    untrue = [statement for statement in quotes if not holds(statement)]
    if not untrue:
        return update.body
    for statement in untrue:
        cited = ", ".join(f"[^{label}]" for label in statement.labels)
        message = f"{quoted(plain(statement.bare))} does not stand in {cited}; it was taken out."
        where = place(update, heading_above(blocks, statement.start))
        findings.append(Finding(where, "quotation-missing", "warning", message))
    true = [statement for statement in quotes if statement not in untrue]
    if not true:
        return ""
    edits = [(*_span(statement, true), "") for statement in untrue]
    return replace(update.body, [*edits, *emptied(blocks, edits, update.body)])


def _span(statement: Statement, true: Sequence[Statement]) -> tuple[int, int]:
    """Tell what goes with a statement: the lines of its list item, unless a true one stands below it in there."""
    start, end = statement.extent
    return (statement.start, statement.end) if any(start <= one.start < end for one in true) else (start, end)


def _holds(
    statement: Statement, *, observations: dict[str, str], pages: Sequence[str], read: Callable[[str], tuple[str, ...]]
) -> bool:
    words = plain(statement.bare.removesuffix(UNSOURCED))
    cited = [observations[label] for label in statement.labels if label in observations]
    if any(not is_handle(label) for label in statement.labels):
        cited += pages
    return any(_contains(reading, words) for text in cited for reading in read(text))


def stands_in(words: str, readings: Sequence[str]) -> bool:
    """Whether words, without marks of Markdown, stand in a text that `readings` has read."""
    return any(_contains(reading, words) for reading in readings)


def readings(text: str) -> tuple[str, ...]:
    """Read the words of a text as a whole, line by line, and line by line without the marks of its blocks.

    Marks that do not pair up, as in a diff or a log, would hide the words of other lines.
    """
    lines = text.splitlines()
    bare = (_BLOCK_MARKS.sub("", line) for line in lines)
    return plain(text), " ".join(filter(None, map(plain, lines))), " ".join(filter(None, map(plain, bare)))


def _contains(text: str, words: str) -> bool:
    """Whether a text holds the words; where they say that something was left out, all parts in their order."""
    if words in text:
        return True
    place = 0
    for part in filter(None, _LEFT_OUT.split(words)):
        found = text.find(part, place)
        if found < 0:
            return False
        place = found + len(part)
    return bool(_LEFT_OUT.search(words))
