"""Owns the one way in which wikimill writes an observation: a whole line at the end of a file, or nothing.

Knows nothing of what the line says. Existing bytes are never changed; a last line that lacks its line break gets
one, so that the new line stands by itself.
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from pipeline.errors import Conflict, StoreError
from pipeline.observations.inbox.counting import count_lines

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_SECONDS = 10


def append_line(path: Path, line: bytes, *, lock: Path) -> int:
    """Append `line`, which ends with its line break, to the file at `path`, and give the number of the line.

    `lock` is the file that keeps two writers of wikimill apart, in a folder that git is told to ignore. When the line
    cannot be written whole, what was written of it is taken back.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), (lock.parent / ".gitignore").open("xb") as stream:
            stream.write(b"*\n")
        with FileLock(lock, timeout=PATIENCE_SECONDS):
            return _append(path, line)
    except Timeout:
        raise Conflict(
            "another process is writing observations.", where=path.name, next_step="Try again in a moment."
        ) from None
    except OSError as fault:
        raise StoreError(f"the observation was not written: {fault.strerror}.", where=path.name) from None


def _append(path: Path, line: bytes) -> int:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)
    try:
        size = os.fstat(handle).st_size
        with path.open("rb") as stream:
            before, ends_open = count_lines(stream)
        _write_whole(handle, b"\n" + line if ends_open else line, size)
        return before + 1
    finally:
        os.close(handle)


def _write_whole(handle: int, piece: bytes, size: int) -> None:
    written = 0
    try:
        while written < len(piece):
            written += os.write(handle, piece[written:])
        os.fsync(handle)
    except OSError:
        # Only what was written here is taken back: when somebody else wrote behind it, it stays.
        if os.fstat(handle).st_size == size + written:
            os.ftruncate(handle, size)
        raise
