"""Owns single durable steps on disk, and what a failing one means to a person; knows no wiki and no journal."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from pipeline.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

ON_WINDOWS = os.name == "nt"

SHARING_PATIENCE = 3.0
"""Seconds that another program (a virus scanner, an editor) may hold a file open on Windows."""

NEXT_STEPS = {
    errno.ENOSPC: "Free some space, then run again.",
    errno.EDQUOT: "Free some of your quota, then run again.",
    errno.EROFS: "Make the disk writable, or work on a copy elsewhere, then run again.",
    errno.EACCES: "Give yourself the right to write there, then run again.",
    errno.EPERM: "Give yourself the right to write there, then run again.",
    errno.ENOTDIR: "Move the file that stands where a folder is needed, then run again.",
    errno.EEXIST: "Move the file that stands where a folder is needed, then run again.",
    errno.EISDIR: "Move the folder that stands where a file is needed, then run again.",
    errno.ENAMETOOLONG: "Keep the wiki in a folder with a shorter path, then run again.",
}


def cannot(what: str, place: Path, fault: OSError) -> StoreError:
    """Say that a file cannot be read or written, why, and what to do."""
    named = fault.filename if isinstance(fault.filename, str) else str(place)
    why = fault.strerror or type(fault).__name__
    next_step = NEXT_STEPS.get(fault.errno or 0, "Run again once mended.")
    if what == "read" and isinstance(fault, PermissionError):
        next_step = "Give yourself the right to read it, then run again."
    return StoreError(f"cannot be {what}: {why}.", where=named, next_step=next_step)


def write_durably(place: Path, raw: bytes) -> None:
    """Write a new file, down to the disk."""
    with place.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(place: Path) -> None:
    """Bring the names in a folder down to the disk, where the system can."""
    if ON_WINDOWS:
        return
    with suppress(OSError):
        handle = os.open(place, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace(source: Path, target: Path) -> None:
    """Put a file in the place of another, in one step; the permissions of the other stay."""
    with suppress(OSError):
        source.chmod(stat.S_IMODE(target.stat().st_mode))
    try:
        _patiently(source, target)
    except OSError as fault:
        if fault.errno != errno.EXDEV:
            raise
        _bring_near(source, target)


def remove(target: Path) -> None:
    """Remove a file that may be gone already."""
    give_up = time.monotonic() + SHARING_PATIENCE
    while True:
        try:
            target.unlink(missing_ok=True)
        except PermissionError:
            if not ON_WINDOWS or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
        else:
            return


def remove_folder(place: Path) -> None:
    """Remove a folder with all that it holds; what cannot go stays for another time."""
    shutil.rmtree(place, ignore_errors=True)


def _patiently(source: Path, target: Path) -> None:
    give_up = time.monotonic() + SHARING_PATIENCE
    while True:
        try:
            os.replace(source, target)  # noqa: PTH105  # Path.replace hides which of the two names is at fault
        except PermissionError:
            if not ON_WINDOWS or time.monotonic() > give_up:
                raise
            time.sleep(0.02)
        else:
            return


def _bring_near(source: Path, target: Path) -> None:
    """Copy to the other file system first: a name can only be replaced within one."""
    near = target.with_name(f".{source.parent.name}-{source.name}.wikimill")
    remove(near)
    write_durably(near, source.read_bytes())
    near.chmod(stat.S_IMODE(source.stat().st_mode))
    _patiently(near, target)
    remove(source)
