"""Owns the lock that lets one run at a time work on a wiki; the system frees it when a process dies."""

from __future__ import annotations

import json
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from pipeline.errors import Busy, StoreError

if TYPE_CHECKING:
    from pathlib import Path

MARK = b'{"pid": %d}\n'


class RunLock:
    """One lock, taken at once or not at all. Beside it lies a note of who holds it, for the others to read."""

    def __init__(self, place: Path, pid: int) -> None:
        self._place = place
        self._holder = place.with_suffix(".json")
        self._pid = pid
        self._lock = FileLock(place, timeout=0)

    def take(self) -> None:
        """Take the lock, or say who has it."""
        try:
            self._place.parent.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout:
            raise Busy(
                f"another run is at work on this wiki{self._who()}.",
                where=str(self._place),
                next_step="Wait until it ends, then run again.",
            ) from None
        except (OSError, NotImplementedError) as fault:
            raise StoreError(
                f"the lock of the run cannot be taken: {fault}.",
                where=str(self._place),
                next_step="Give yourself the right to write there, then run again.",
            ) from None
        with suppress(OSError):
            self._holder.write_bytes(MARK % self._pid)

    def free(self) -> None:
        """Give the lock back."""
        with suppress(OSError):
            self._holder.unlink(missing_ok=True)
        self._lock.release()

    def _who(self) -> str:
        try:
            pid = int(json.loads(self._holder.read_bytes())["pid"])
            since = datetime.fromtimestamp(self._holder.stat().st_mtime, UTC)
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        return f" (process {pid}, since {since:%Y-%m-%d %H:%M:%S} UTC)"
