"""Owns the rule on contradictions that a page still holds open; what such a line looks like, `remarks` knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.text import one_line
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.markdown.remarks import is_contradiction

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.wiki.linting.sheets import Sheet

_QUOTED = 120


def check_contradictions(sheet: Sheet) -> Iterator[Finding]:
    """Tell of each contradiction that nobody has decided."""
    for statement in sheet.blocks.statements:
        if is_contradiction(statement.text):
            message = f"{one_line(plain(statement.bare), _QUOTED)}"
            step = "Decide which one holds, and take this line and the wrong statement out."
            yield Finding(sheet.at(statement.start), "contradiction-open", "note", message, step)
