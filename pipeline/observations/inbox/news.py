"""Owns what a run gets from the inbox: new observations by session, and how far each file is consumed meanwhile.

Knows no input file: all of it stands in the spool. Nothing counts as consumed before its session is settled.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.observations.consumed import Aside, FileMark

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime
    from types import TracebackType
    from typing import Self

    from pipeline.observations.inbox.lines import Position
    from pipeline.observations.inbox.spool import Spool
    from pipeline.observations.observation import Observation, Place, SessionKey
    from pipeline.report import Intake

CONFLICT = "id-conflict"
SET_ASIDE = "line-set-aside"
_NEXT_STEP = "An observation file only grows: write the observation again, as a new line."


@dataclass(frozen=True, slots=True)
class PendingSession:
    """A session that has new observations, or is taken `again`: then all that can still be read is of it."""

    key: SessionKey
    observations_count: int
    first_ts: datetime
    again: bool = False


@dataclass(frozen=True, slots=True)
class FileEnd:
    """How far a file was read in this run, and its mark before, if it had one."""

    file: str
    end: Position
    before: FileMark | None


class News:
    """New observations, until it is closed; and all those of the sessions that are taken again."""

    def __init__(
        self,
        spool: Spool,
        ends: Iterable[FileEnd],
        intake: Intake,
        broken: Iterable[Aside],
        again: frozenset[SessionKey] = frozenset(),
    ) -> None:
        self._spool = spool
        self._again = again
        self._ends = {end.file: end for end in ends}
        self._counted = intake
        self._broken = tuple(broken)
        self._marks = {file: self._mark(file) for file in self._ends}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove the spool."""
        self._spool.close()

    def sessions(self) -> Iterator[PendingSession]:
        """Give the sessions that have news or are taken again, by the time of the first observation, then by key."""
        for key, number, first in self._spool.sessions():
            yield PendingSession(key, number, first, key in self._again)

    def observations(self, key: SessionKey) -> tuple[Observation, ...]:
        """Give the new observations of a session, or all, redacted, by time, then by place."""
        return self._spool.observations(key)

    def settle(self, key: SessionKey) -> None:
        """Note that a session was consolidated, or recorded as parked: its lines are consumed."""
        for file in self._spool.settle(key):
            self._marks[file] = self._mark(file)

    def marks(self) -> Mapping[str, FileMark]:
        """Tell for each file the longest prefix without a line that waits; only where the mark is another now.

        A file that is gone gets a mark of zero bytes. Marks may change without any session: by lines that are
        blank, duplicates or set aside, and by a broken promise.
        """
        moved = {}
        for file, mark in self._marks.items():
            before = self._ends[file].before
            if mark != before and (before is not None or mark.bytes):
                moved[file] = mark
        return moved

    @cached_property
    def intake(self) -> Intake:
        """What was read, in numbers and findings."""
        aside: list[Finding] = [*self._counted.set_aside]
        conflicts: list[Finding] = []
        for place, reason, conflict in self._spool.aside():
            finding = line_finding(place, reason, conflict=conflict)
            (conflicts if conflict else aside).append(finding)
        return replace(self._counted, set_aside=tuple(aside), conflicts=tuple(conflicts))

    def aside(self) -> tuple[Aside, ...]:
        """Give the lines that were set aside in this run, conflicts and broken promises too, for the ledger."""
        lines = [Aside(place.file, place.line, reason) for place, reason, _ in self._spool.aside()]
        return tuple(sorted([*self._broken, *lines]))

    def _mark(self, file: str) -> FileMark:
        position = self._spool.first_waiting(file) or self._ends[file].end
        return FileMark(file, position.bytes, position.lines, position.digest)


def line_finding(place: Place, reason: str, *, conflict: bool) -> Finding:
    """Tell a person that a line was set aside."""
    rule = CONFLICT if conflict else SET_ASIDE
    return Finding(str(place), rule, "warning", f"the line is set aside: {reason}.", _NEXT_STEP)
