"""Owns where pages went: git's renames and a hand-written list become one lead from each former path to the present.

The list is `wiki/.ledger/moved.jsonl`, one JSON object a line, paths below the wiki's root:

    {"from": "harbour/concepts/cookies.md", "to": "harbour/decisions/session-cookies.md"}

It is for moves that git cannot see, such as a page whose text was written anew under another name, and it counts
more than what git tells. Knows no file, no git and no address.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.wiki.ledger.lines import Trouble, read_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

LEDGER: Final = ".ledger/moved.jsonl"
"""The list's path below the wiki's root."""


def read_moved(ledger_lines: bytes) -> dict[str, str]:
    """Read the list, as leads from a former path to the present one; a line that cannot be read is left out.

    Of two lines about one former path the last counts.
    """
    return {old: new for _, old, new in _entries(ledger_lines, Trouble(LEDGER))}


def moved_findings(ledger_lines: bytes) -> tuple[Finding, ...]:
    """Tell what is wrong with the lines of the list."""
    trouble = Trouble(LEDGER)
    seen: set[str] = set()
    for number, old, _ in _entries(ledger_lines, trouble):
        if old in seen:
            message = "an earlier line tells of the same former path; this one counts."
            trouble.findings.append(Finding(f"{LEDGER}:{number}", "moved-double-line", "warning", message))
        seen.add(old)
    return tuple(trouble.findings)


def moved_with(
    renames: Iterable[tuple[str, str]], explicit: Mapping[str, str], present: Collection[str]
) -> dict[str, str]:
    """Join git's renames (the oldest first) and the list; each former path leads to where its page is at last.

    `present` are the paths of the files that stand now. A rename whose former path exists again is dropped, and one
    whose page is gone. An entry of the list is kept in any case, as it is where it leads nowhere: a person wrote it,
    and whoever makes redirects of it tells what is wrong.
    """
    here = frozenset(present)
    renamed = _followed(renames)
    leads = {old: new for old, new in renamed.items() if old not in here} | dict(explicit)
    moved = {old: end for old, end in ends_of(leads, here).items() if end in here}
    return {**explicit, **moved}


def ends_of(leads: Mapping[str, str], present: Collection[str]) -> dict[str, str]:
    """Follow each lead until a file stands there, or no lead goes on; a lead that runs in a circle has an empty end."""
    ends: dict[str, str] = {}
    for old in leads:
        way = {old: None}
        path = leads[old]
        while path not in present and path in leads and path not in way and path not in ends:
            way[path] = None
            path = leads[path]
        end = path if path in present else "" if path in way else ends.get(path, path)
        ends.update(dict.fromkeys(way, end))
        if end == old:
            ends[old] = ""
    return ends


def _entries(ledger_lines: bytes, trouble: Trouble) -> Iterator[tuple[int, str, str]]:
    for line in read_lines(ledger_lines, trouble):
        try:
            yield line.number, line.text("from"), line.text("to")
        except ValueError as fault:
            trouble.broken(line.number, str(fault))


class _Page:
    """A page by where it is now, with all the paths that it ever had."""

    __slots__ = ("former", "path")

    def __init__(self, path: str) -> None:
        self.path = path
        self.former: list[str] = []


def _followed(renames: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Follow each page through its renames in the order of time, so that a name used twice leads to the later page."""
    at: dict[str, _Page] = {}
    owner: dict[str, _Page] = {}
    for old, new in renames:
        if old == new:
            continue
        page = at.pop(old, None) or _Page(old)
        other = at.get(new)
        if other is not None:
            # Two pages became one: the smaller one joins, so that a long history stays cheap.
            page, other = (page, other) if len(page.former) >= len(other.former) else (other, page)
            for path in other.former:
                if owner.get(path) is other:
                    owner[path] = page
                    page.former.append(path)
        page.path = new
        page.former.append(old)
        at[new] = page
        owner[old] = page
    return {path: page.path for path, page in owner.items() if page.path != path}
