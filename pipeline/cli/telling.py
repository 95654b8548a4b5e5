"""Owns how a telling of a report looks on a terminal; what is told, and in which words, comes from the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.report.blocks import Diff, Findings, Line, Prose
from pipeline.report.telling import tell
from pipeline.report.wording import SHORT_HASH, count, summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.cli.output import Speaker
    from pipeline.report.blocks import Block, Telling, Tone
    from pipeline.report.values import Report

__all__ = ["MOST_PAGES", "SHORT_HASH", "count", "show", "summary", "tell_run"]

MOST_PAGES = 40
"""A run that wrote more pages is told session by session, without the pages of each."""

_STYLES: dict[Tone, str] = {"": "", "strong": "bold", "warning": "yellow", "error": "red"}


def tell_run(speaker: Speaker, report: Report) -> None:
    """Tell what a run did, or what it would take on; which run it was is an aside, on standard error."""
    show(speaker, tell(report), aside=speaker.whisper)


def show(speaker: Speaker, telling: Telling, *, aside: Callable[[str], None]) -> None:
    """Show all blocks, then how it ended; `aside` says which run it was."""
    blocks = [block for section in telling.sections for block in section.blocks]
    under = sum(len(block.under) for block in blocks if isinstance(block, Line))
    for block in blocks:
        _show(speaker, block, with_under=under <= MOST_PAGES)
    if under > MOST_PAGES:
        speaker.say(f"... and {count(under, 'further line')}, pages and the like; --json tells all.")
    speaker.say(telling.status.text, style=_STYLES[telling.status.tone])
    aside(telling.about.text)


def _show(speaker: Speaker, block: Block, *, with_under: bool) -> None:
    if isinstance(block, Line):
        speaker.say(f"{block.text}, {block.link}" if block.link else block.text, style=_STYLES[block.tone])
        for line in block.under if with_under else ():
            speaker.say(f"  {line}")
    elif isinstance(block, Findings):
        speaker.findings(block.findings)
    elif isinstance(block, Diff):
        speaker.diff(block.text)
    elif isinstance(block, Prose):
        speaker.say(block.instead)
    else:
        speaker.table(block.heads, block.rows, numbers=block.numbers)
