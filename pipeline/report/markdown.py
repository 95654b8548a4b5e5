"""Owns how a report reads as Markdown, for the summary of a job or any page of a Git host; knows no file and no host.

It tells what a terminal is told. Where it is too long, the least important lines are left out, and a sentence says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.report.blocks import Diff, Findings, Line, Prose
from pipeline.report.cutting import Chapter, Piece, fit
from pipeline.report.escaping import code_block, escape, link
from pipeline.report.telling import tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.finding import Finding, Severity
    from pipeline.report.blocks import Block, Section, Table, Tone
    from pipeline.report.values import Report

STEP_SUMMARY: Final = 500_000
"""Bytes; a job of GitHub Actions may write 1 MiB for each step, and a page of half of that is slow to read."""

SMALLEST: Final = 1_000
"""Bytes; below that there is hardly room for the sentence that says what is missing."""

_ROOM_TO_SAY_SO: Final = 200

# The smaller a number, the later its lines are left out. What stands under a line goes before any such line does.
_RANK_OF_TONE: Final[Mapping[Tone, int]] = {"strong": 0, "error": 1, "warning": 2, "": 3}
_RANK_OF_SEVERITY: Final[Mapping[Severity, int]] = {"error": 1, "warning": 2, "note": 5}
_RANK_UNDER: Final = 4
_RANK_OF_TABLE: Final = 3
_RANK_OF_DIFF: Final = 6
_RANK_OF_PROSE: Final = 7


def as_markdown(report: Report, limit: int = STEP_SUMMARY) -> str:
    """Tell a report in at most `limit` bytes of UTF-8, of which there are `SMALLEST` at least."""
    if limit < SMALLEST:
        raise ValueError(f"a report takes {SMALLEST:,} bytes at least")
    telling = tell(report)
    status = Piece(f"**{escape(telling.status.text)}**", 0)
    about = Piece(escape(telling.about.text), 1)
    fitted = fit(
        (
            Chapter(f"## {escape(telling.title)}", (status,)),
            *(Chapter(f"### {section.title}", tuple(_pieces(section))) for section in telling.sections),
            Chapter("", (about,)),
        ),
        limit - _ROOM_TO_SAY_SO,
    )
    if not fitted.missing:
        return fitted.text
    told = f"Cut to fit: {fitted.missing:,} lines are left out here; `wikimill report --json` tells them all."
    return f"{fitted.text}\n**{told}**\n".removeprefix("\n")


def _pieces(section: Section) -> Iterator[Piece]:
    for block in section.blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[Piece]:
    if isinstance(block, Line):
        address = f" {link(block.link)}" if block.link else ""
        rank = _RANK_OF_TONE[block.tone]
        yield Piece(f"- {escape(block.text)}{address}", rank, glued=True)
        for line in block.under:
            yield Piece(f"  - {escape(line)}", max(rank, _RANK_UNDER), glued=True)
    elif isinstance(block, Findings):
        for finding in block.findings:
            yield Piece(_finding(finding), _RANK_OF_SEVERITY[finding.severity], glued=True)
    elif isinstance(block, Diff):
        yield Piece(block.text, _RANK_OF_DIFF, wrap=lambda text: code_block(text, "diff"))
    elif isinstance(block, Prose):
        yield Piece(block.text, _RANK_OF_PROSE, wrap=lambda text: text)
    else:
        yield from _table(block)


def _finding(finding: Finding) -> str:
    told = f"{finding.message} {finding.next_step}" if finding.next_step else finding.message
    return f"- **{finding.severity}** {escape(finding.where)}: {escape(told)} ({escape(finding.rule)})"


def _table(table: Table) -> Iterator[Piece]:
    marks = ("---:" if place in table.numbers else "---" for place in range(len(table.heads)))
    yield Piece(f"| {' | '.join(map(escape, table.heads))} |\n| {' | '.join(marks)} |", _RANK_OF_TABLE)
    for row in table.rows:
        yield Piece(f"| {' | '.join(map(escape, row))} |", _RANK_OF_TABLE, glued=True)
