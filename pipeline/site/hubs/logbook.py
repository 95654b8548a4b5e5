"""Owns what the logs of the wiki tell: on which day what happened to which page. Knows no HTML and no entry.

A log is untrusted text: wikimill writes it, and people add to it. It is read from its top, where the newest day is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.text import one_line
from pipeline.wiki.derived.log import NAME
from pipeline.wiki.markdown.links import links, resolve
from pipeline.wiki.markdown.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

_DAY: Final = re.compile(r"##[ \t]+(\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]))[ \t]*")
FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
"""What begins a line that opens or closes a block of code."""
_BULLET: Final = re.compile(r"[*+-][ \t]+")
_WHAT: Final = re.compile(r"\b(created|updated|superseded)\b")
_LABEL: Final = re.compile(r"\*\*\w+\*\*:[ \t]*")
_LONGEST_LINE: Final = 4_000
_WORDS: Final = 160


@dataclass(frozen=True, slots=True)
class Logged:
    """One thing that a log tells: the day (ISO), the page and what was done to it, or a line in a person's words."""

    day: str
    page: str
    what: str
    words: str = ""


def is_log(path: str) -> bool:
    """Whether a path is that of a log."""
    return path.rpartition("/")[2].casefold() == NAME


def read_log(path: str, raw: bytes, most: int) -> list[Logged]:
    """Read the log at `path` from its top, until `most` things are told."""
    found: list[Logged] = []
    day = ""
    for line in lines_outside_fences(raw.decode("utf-8", "replace")):
        heading = _DAY.fullmatch(line)
        if heading:
            day = heading[1]
        elif day and _BULLET.match(line):
            found += _entry(path, day, line[:_LONGEST_LINE])
        if len(found) >= most:
            break
    return found[:most]


def lines_outside_fences(text: str) -> Iterator[str]:
    """Give the lines of a text that are no code, without their ends."""
    fence = ""
    for line in text.split("\n"):
        opening = FENCE.match(line)
        if fence:
            closes = opening is not None and opening[1].startswith(fence) and not line[opening.end() :].strip()
            fence = "" if closes else fence
        elif opening:
            fence = opening[1]
        else:
            yield line.rstrip("\r")


def _entry(path: str, day: str, line: str) -> list[Logged]:
    told: list[Logged] = []
    what, done = "updated", 0
    for link in links(line):
        verbs = _WHAT.findall(line, done, link.whole[0])
        what = verbs[-1] if verbs else what
        done = link.whole[1]
        target = resolve(path, link.address)
        if target is not None and not target.outside:
            told.append(Logged(day, target.path, what))
    if told:
        return told
    words = one_line(plain(_LABEL.sub("", _BULLET.sub("", line, count=1), count=1)), _WORDS)
    return [Logged(day, "", "", words)] if words else []
