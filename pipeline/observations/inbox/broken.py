"""Owns where a promise was broken: the first line of a file that is no longer what was consolidated from it.

Knows no bytes. The ledger holds a digest of them all and what was consolidated from which line; a line that was
blank, a duplicate or set aside left nothing there, and its change shows only in the digest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.observations.consumed import Aside

if TYPE_CHECKING:
    from pipeline.observations.consumed import FileMark

RULE = "changed-after-consolidation"
_NEXT_STEP = "Restore the file from its history, and write what is to change as a new line; pages keep what they say."

_LINE_ENDS = (
    "Restore the file from its history; where git changes line ends, put `*.jsonl -text` into .gitattributes first."
)


class Watch:
    """Follows the lines of a file that is read again, up to where it was consumed."""

    def __init__(self, mark: FileMark) -> None:
        self._mark = mark
        self._first: int | None = None
        self._unsure: int | None = None
        self._lines = 0

    def covers(self, number: int) -> bool:
        """Tell whether a line lies within what was consumed, and is still of interest."""
        return number <= self._mark.lines and self._first is None

    def see(self, number: int, *, held_something: bool, same: bool) -> None:
        """Look at one line: whether something was consolidated from its place, and whether it fits that."""
        self._lines = max(self._lines, number)
        if not self.covers(number):
            return
        if not same:
            self._first = number
        elif not held_something and self._unsure is None:
            self._unsure = number

    def tell(self) -> tuple[Finding, Aside]:
        """Say what was broken, after the last line."""
        if self._first is not None:
            return broken(self._mark.file, self._first, "it was changed after it was consolidated")
        if self._lines < self._mark.lines:
            return broken(self._mark.file, self._lines + 1, "it was cut off after it was consolidated")
        line = self._unsure or 1
        reason = "bytes from here on changed after they were consumed, but no observation did"
        return broken(self._mark.file, line, reason, _LINE_ENDS)


def gone(file: str) -> tuple[Finding, Aside]:
    """Say that a file is gone that was consumed."""
    return broken(file, 1, "the file is gone after it was consolidated")


def broken(file: str, line: int, reason: str, next_step: str = _NEXT_STEP) -> tuple[Finding, Aside]:
    """Say that a promise was broken at one line."""
    return Finding(f"{file}:{line}", RULE, "error", f"{reason}.", next_step), Aside(file, line, reason)
