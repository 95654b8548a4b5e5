"""Owns how a merge is told: one finding a place, in one line, with short quotations; decides nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.text import one_line
from pipeline.wiki.markdown.claims import without_marks
from pipeline.wiki.markdown.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.wiki.merging.weaving import Meeting

BESIDE = "merged-beside"
"""The rule of findings about a person's edit that met a change of a commit: both stand."""
_QUOTED = 100
"""Unicode characters of a text that a finding quotes; half of them of a heading."""
_LOOKED_AT = 1_000
_NAMED = 3
"""Statements that a finding quotes; the others are counted."""


def beside(path: str, meeting: Meeting) -> Finding:
    """Tell of a section that both sides changed."""
    stands, added, left = (quoted(text) for text in (meeting.stands, meeting.added, meeting.left))
    if added and stands:
        message = f"both sides changed this: {stands} stands; {added} was added beside it."
    elif added and not meeting.heading:
        message = f"both sides changed the page: its text stands; {added} was added to it."
    elif added:
        message = f"both sides changed this: what stood there was taken out; {added} was added."
    elif meeting.left:
        message = f"both sides changed this: {stands or 'what was taken out'} stands; {left} was not carried over."
    else:
        message = f"the heading {stands} stays for what stands below it, though the commit took it out."
    return Finding(_place(path, meeting.heading), BESIDE, "warning", message, "Read both, and keep what holds.")


def front(path: str, keys: Sequence[str]) -> Finding:
    """Tell of keys of the front matter that both sides changed."""
    names = ", ".join(f"'{one_line(key, 40)}'" for key in keys[:_NAMED])
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    message = f"both sides changed {names}{more}: what stands stays."
    return Finding(f"{path}#front-matter", BESIDE, "warning", message, "Read both, and keep what holds.")


def left_out(path: str, rule: str, why: str, statements: Sequence[str], step: str) -> Finding:
    """Tell of what a commit brought to a page that does not take it."""
    count = len(statements)
    told = "; ".join(quoted(one) for one in statements[:_NAMED])
    more = f"; {count - _NAMED} more" if count > _NAMED else ""
    what = f"{count} {'statement was' if count == 1 else 'statements were'} left out: {told}{more}"
    message = f"{why}; {what if count else 'nothing new was left out'}."
    return Finding(path, rule, "warning", message, step)


def quoted(text: str) -> str:
    """Quote the beginning of a text as a reader sees it; nothing for nothing."""
    words = one_line(plain(without_marks(text[:_LOOKED_AT])), _QUOTED)
    return f"“{words}”" if words else ""


def _place(path: str, heading: str) -> str:
    name = one_line(plain(heading[:_LOOKED_AT]), _QUOTED // 2)
    return f"{path}#{name}" if name else path
