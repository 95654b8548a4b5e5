"""Owns how one small file is read and written whole; knows nothing of what stands in it.

A file that others see is always complete: it is written beside its place under a name that nobody reads, and put
there in one step. A process that dies meanwhile leaves that name behind, and `is_left_over` knows it.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

_NEAR: Final = ".wikimill"
"""The ending of a file that is on its way to its place."""
_ATTEMPTS: Final = 3
_READING: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def is_left_over(name: str) -> bool:
    """Whether a file was on its way to its place, and may never have come there."""
    return name.startswith(".") and name.endswith(_NEAR)


def read_whole(place: Path, most: int) -> bytes:
    """Read a plain file of at most `most` bytes; a `ValueError` if it is none, an `OSError` if it cannot be read.

    Neither a link is followed nor a pipe waited for.
    """
    handle = os.open(place, _READING)
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("it is no plain file")
        if about.st_size > most:
            raise ValueError(f"it holds more than {most:,} bytes")
        with open(handle, "rb", closefd=False) as stream:
            return stream.read(about.st_size)
    finally:
        os.close(handle)


def write_whole(place: Path, raw: bytes, *, used: datetime | None = None, durably: bool = False) -> None:
    """Put a file in its place in one step, whatever stood there; its folder is made, and must be no link.

    `used` becomes its time. With `durably` it is on the disk before it is in its place.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            if place.parent.is_symlink():
                raise NotADirectoryError(errno.ENOTDIR, "a symbolic link stands where a folder is needed")
            _write(place, raw, used, durably=durably)
        except FileNotFoundError:
            # Somebody cleared the folder just now.
            if attempt == _ATTEMPTS:
                raise
        else:
            return


def _write(place: Path, raw: bytes, used: datetime | None, *, durably: bool) -> None:
    near = place.with_name(f".{secrets.token_hex(8)}{_NEAR}")
    try:
        with near.open("xb") as stream:
            stream.write(raw)
            if durably:
                stream.flush()
                os.fsync(stream.fileno())
        if used is not None:
            os.utime(near, (used.timestamp(), used.timestamp()))
        near.replace(place)
    except BaseException:
        with suppress(OSError):
            near.unlink()
        raise
