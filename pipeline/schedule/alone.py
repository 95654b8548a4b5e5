"""Owns that one scheduler at a time works on a wiki; the system frees the lock when a process dies."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from pipeline.errors import Conflict, StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE: Final = 1.0
"""Seconds: whoever asks for the status tries the lock for a moment."""


@contextmanager
def alone(place: Path) -> Iterator[None]:
    """Hold the lock of the scheduler while the block runs, or raise a `Conflict`."""
    lock = FileLock(place)
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout:
        raise Conflict(
            "another scheduler is at work on this wiki.",
            where=str(place),
            next_step="See `wikimill schedule --status`; stop it before you start another.",
        ) from None
    except (OSError, NotImplementedError) as fault:
        raise StoreError(
            f"the lock of the scheduler cannot be taken: {fault}.",
            where=str(place),
            next_step="Give yourself the right to write there, then start again.",
        ) from None
    try:
        yield
    finally:
        lock.release()


def is_held(place: Path) -> bool:
    """Whether a scheduler holds the lock at this moment."""
    if not place.exists():
        return False
    lock = FileLock(place)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    except (OSError, NotImplementedError):
        return False
    lock.release()
    return False
