"""Owns the rules on the reserved files, `index.md` and `log.md` (OKF, sections 8 and 9); knows no page."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

from pipeline.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.wiki.linting.sheets import Sheet

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")


def check(sheet: Sheet) -> Iterator[Finding]:
    """Hold a reserved file to its form."""
    if sheet.problem is not None:
        yield sheet.problem
        return
    yield from _front(sheet)
    if sheet.path.casefold().endswith("log.md"):
        yield from _days(sheet)
    elif not sheet.blocks.headings:
        message = "an index groups links under headings; this one has none."
        yield Finding(sheet.path, "index-form", "warning", message, "The next run that finds something new renews it.")


def _front(sheet: Sheet) -> Iterator[Finding]:
    root = sheet.path == "index.md"
    if not sheet.has_front or (root and set(sheet.front) <= {"okf_version"}):
        return
    told = "its front matter may hold okf_version alone." if root else "a reserved file has no front matter."
    step = "Take it out; what it says belongs on a page."
    yield Finding(f"{sheet.path}:1", "reserved-front-matter", "error", told, step)


def _days(sheet: Sheet) -> Iterator[Finding]:
    last: date | None = None
    for heading in sheet.blocks.headings:
        if heading.level != 2:  # noqa: PLR2004  # `##`
            continue
        day = _day(heading.text.strip())
        if day is None:
            message = f"the heading {heading.text[:60]!r} is no date."
            step = "Head the entries of a day with ## YYYY-MM-DD."
            yield Finding(sheet.at(heading.start), "log-date", "warning", message, step)
            continue
        if last is not None and day > last:
            message = f"{day.isoformat()} stands below {last.isoformat()}; the newest day comes first."
            yield Finding(sheet.at(heading.start), "log-order", "warning", message, "Move the newer day up.")
        last = day


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DAY.match(text) else None
    except ValueError:
        return None
