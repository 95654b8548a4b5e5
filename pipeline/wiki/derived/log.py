"""Owns `log.md`: what changed in a project, newest first, one line for each session.

The log is append-only: what stands in it, a person's additions included, stays byte for byte, line ends as well.
Knows nothing of pages beyond their titles and paths.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.draft import FOLDERS
from pipeline.text import one_line
from pipeline.wiki.derived.listing import literal
from pipeline.wiki.markdown.links import encode, relative

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    from pipeline.report import PageOutcome

NAME = "log.md"

_TITLE = "# Update log"
_DAY = re.compile(rb"##[ \t]+(\d{4}-\d{2}-\d{2})[ \t]*\r?\Z")
_FENCE = re.compile(rb" {0,3}(`{3,}|~{3,})")
_ENTRY_LENGTH = 1_000
_NAMED = 3
"""Pages that an entry names; the others are counted."""


def add_entry(log: bytes | None, day: date, entry: str) -> bytes:
    """Put `entry` first under the heading of `day`, which is made where none stands.

    An entry is one line, such as `**Update**: ...`. An entry that stands under its day already is not added
    again, so that the same addition twice changes nothing.
    """
    end = b"\r\n" if log and b"\r\n" in log else b"\n"
    line = b"* " + one_line(entry, _ENTRY_LENGTH).encode("utf-8", "replace")
    heading = f"## {day.isoformat()}".encode()
    if log is None or not log.removeprefix(b"\xef\xbb\xbf").strip():
        return end.join((_TITLE.encode(), b"", heading, b"", line, b""))
    lines = log.split(b"\n")
    days = _days(lines)
    same = next((number for number, found in days if found == day.isoformat()), None)
    if same is not None:
        last = next((number for number, _ in days if number > same), len(lines))
        if any(other.rstrip(b"\r") == line for other in lines[same:last]):
            return log
        return _insert(log, lines, _after_blank(lines, same + 1), line + end)
    older = next((number for number, found in days if found < day.isoformat()), None)
    if older is not None:
        return _insert(log, lines, older, end.join((heading, b"", line, b"", b"")))
    gap = b"" if log.endswith(b"\n") else end
    return log + gap + end + end.join((heading, b"", line, b""))


def describe(outcomes: Sequence[PageOutcome], *, page: str, reason: str = "") -> str:
    """Put what one session changed into an entry for the log at `page`; the links lead to the pages."""
    word = "Creation" if any(outcome.change == "created" for outcome in outcomes) else "Update"
    # The session's own page tells most; it comes first.
    ordered = sorted(outcomes, key=lambda outcome: f"/{FOLDERS['session']}/" not in outcome.path)
    groups: dict[str, list[str]] = {}
    for outcome in ordered[:_NAMED]:
        link = f"[{literal(outcome.title)}]({encode(relative(page, outcome.path))})"
        groups.setdefault(outcome.change, []).append(link)
    told = "; ".join(f"{change} {', '.join(links)}" for change, links in groups.items()) or "no page"
    more = f"; {len(outcomes) - _NAMED} more" if len(outcomes) > _NAMED else ""
    why = f" {literal(one_line(reason, 200))}" if reason else ""
    return f"**{word}**: {told}{more}.{why}"


def _days(lines: Sequence[bytes]) -> list[tuple[int, str]]:
    """Line numbers and dates of all date headings; what looks like one inside a code fence is none."""
    found: list[tuple[int, str]] = []
    fence = b""
    for number, line in enumerate(lines):
        opening = _FENCE.match(line)
        if fence:
            closes = opening is not None and opening[1].startswith(fence) and not line[opening.end() :].strip()
            fence = b"" if closes else fence
        elif opening:
            fence = opening[1]
        elif heading := _DAY.match(line):
            found.append((number, heading.group(1).decode()))
    return found


def _after_blank(lines: Sequence[bytes], number: int) -> int:
    return number + 1 if number < len(lines) - 1 and not lines[number].strip() else number


def _insert(log: bytes, lines: Sequence[bytes], number: int, new: bytes) -> bytes:
    position = sum(len(line) + 1 for line in lines[:number])
    if position > len(log):
        return log + (b"\r\n" if new.endswith(b"\r\n") else b"\n") + new
    return log[:position] + new + log[position:]
