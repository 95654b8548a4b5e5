"""Owns how a part of an observation reads in plain words, line by line: what Markdown it holds is not shown.

Words stay as they are written; marks of headings, lists, quotations, tables, emphasis and code go. Linear in the length
of the part. Knows no page and no claim.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.passages import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_LEAD: Final = re.compile(r"\s*(?:(?:>|(?:[-*+]|\d{1,9}[.)]|#{1,6})(?=\s|$)|\[[ xX]\](?=\s))\s*)*+")
_RULE: Final = re.compile(r"[-=*_|: \t]{2,}\Z")
_FENCE: Final = re.compile(r"^[ \t>]*(?:`{3}|~{3})", re.MULTILINE)
_REMEMBERED: Final = 8_192
"""Lines that are kept: several pages quote the same observations."""
_NUMBER: Final = re.compile(r"\s*\d")


def plain_lines(text: str, *, in_code: bool = False) -> Iterator[str]:
    """Yield the lines of a text that say something; `in_code` tells that it begins within a block of code."""
    for line in text.splitlines():
        if _FENCE.match(line):
            in_code = not in_code
            continue
        told = " ".join(line.split()) if in_code else _plain(line)
        if told:
            yield told


def is_in_code(text: str, place: int) -> bool:
    """Whether a place, at the begin of a line, lies within a block of code."""
    return len(_FENCE.findall(text[:place])) % 2 == 1


@lru_cache(maxsize=_REMEMBERED)
def _plain(line: str) -> str:
    lead = _LEAD.match(line)
    told = line[lead.end() :] if lead else line
    if _RULE.match(told):
        return ""
    # A year or a version at the begin of a line is no number of a list, whose items hold more than it.
    told = told if told or not _NUMBER.match(line) else line
    told = told.strip()
    if told.startswith("|"):
        told = told.replace("|", " ")
    return words_of(told)
