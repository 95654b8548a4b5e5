"""Owns what a scheduler leaves on the disk for others to read: what it waits for, and how its runs went.

The file is replaced whole at each change. It says nothing of whether its writer still lives: that is what the lock
beside it says.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final, Literal

from pydantic import TypeAdapter, ValidationError

from pipeline.schedule.alone import is_held
from pipeline.whole_file import read_whole, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STATUS: Final = "schedule.json"
LOCK: Final = "schedule.lock"
"""Names below `.wikimill/`."""
FORM: Final = 1
"""The version of the file's form."""
MOST_BYTES: Final = 100_000
MOST_TOLD: Final = 500
"""Characters of how a run ended."""

Outcome = Literal["fine", "failed", "skipped"]
State = Literal["waiting", "running", "stopping", "stopped"]
Standing = Literal["waiting", "running", "stopping", "stopped", "killed", "never started", "silent"]
LATE: Final = timedelta(minutes=5)
"""A scheduler that waits and let its time pass by so far cannot write its status, or hangs."""


@dataclass(frozen=True, slots=True)
class LastRun:
    """The run that ended last. All times are in UTC."""

    started: datetime
    ended: datetime
    code: int
    """As the command `run` would have ended."""
    outcome: Outcome
    told: str
    report_id: str


@dataclass(frozen=True, slots=True)
class Status:
    """How a scheduler stands. All times are in UTC."""

    pid: int
    version: str
    """Of wikimill."""
    cron: str
    timezone: str
    started: datetime
    state: State = "waiting"
    next_run: datetime | None = None
    running_since: datetime | None = None
    last_run: LastRun | None = None
    failures: int = 0
    """Runs in a row that failed; one that was skipped counts for neither side."""
    failing_since: datetime | None = None
    """When the first of them began."""
    health: str = ""
    """The address of the health endpoint, if there is one."""
    form: Literal[1] = FORM


_ADAPTER: Final = TypeAdapter(Status)


class Board:
    """The status, changed from any thread, and shown on the disk; `place` is the folder that it lies in."""

    def __init__(self, place: Path, status: Status, complain: Callable[[str], None]) -> None:
        self._file = place / STATUS
        self._lock = threading.Lock()
        self._complain = complain
        self._complained = False
        self.status = status

    def change(self, **fields: object) -> Status:
        """Change some fields. A disk that does not take it is told once, and stops nothing."""
        with self._lock:
            self.status = replace(self.status, **fields)  # type: ignore[arg-type]  # the fields of `Status`
            try:
                write_whole(self._file, _ADAPTER.dump_json(self.status, indent=2) + b"\n")
            except OSError as fault:
                if not self._complained:
                    self._complain(f"the status cannot be written to {self._file}: {fault.strerror}.")
                self._complained = True
            else:
                self._complained = False
            return self.status


def read_status(place: Path) -> Status | None:
    """Read what a scheduler left in the folder `place`; nothing where there is nothing that makes sense."""
    with suppress(OSError, ValueError, ValidationError):
        return _ADAPTER.validate_json(read_whole(place / STATUS, MOST_BYTES))
    return None


def as_plain(status: Status) -> dict[str, object]:
    """Give the status as plain data, as it stands in the file."""
    plain: dict[str, object] = _ADAPTER.dump_python(status, mode="json")
    return plain


def standing(place: Path, status: Status | None, now: datetime) -> Standing:
    """Say how a scheduler stands now: one that left a status behind but holds no lock was killed.

    One that lives is `silent` when what it wrote cannot be true any more.
    """
    held = is_held(place / LOCK)
    if status is None:
        return "waiting" if held else "never started"
    if held:
        overdue = status.state == "waiting" and status.next_run is not None and now - status.next_run > LATE
        return "silent" if overdue else "waiting" if status.state == "stopped" else status.state
    return "stopped" if status.state == "stopped" else "killed"
