"""Owns a memory over a folder of Markdown on disk: what stands there is read, and written whole or not at all.

Symbolic links are refused, on the way and at the end. Every write takes one lock of the folder, which the system
frees when a process dies, so that comparing and writing are one step for all processes.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from filelock import FileLock, Timeout

from pipeline.memory.failure import Failure, conflicting, unreadable, unwritable
from pipeline.memory.paths import ROOT, child, normalise
from pipeline.memory.port import Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.memory.paths import Place

PATIENCE_SECONDS: Final = 10
"""How long a write waits for another one; writes are short, folds are not made under this lock."""

_LOCK: Final = ".memory.lock"
_NEAR_COPY: Final = ".memory-new"
"""The ending of a file that is on its way to its place."""


class DirectoryMemory:
    """A memory over `home`, which stands for `/memories`; Markdown files (`*.md`) alone are listed."""

    def __init__(self, home: Path) -> None:
        self._home = home

    def list(self, folder: str) -> tuple[Entry, ...] | Failure | None:
        """List a folder."""
        place = normalise(folder)
        problem = place.problem or self._linked(place)
        if problem:
            return unreadable(folder, problem)
        try:
            with os.scandir(self._at(place)) as found:
                return tuple(sorted(_entries(place, found)))
        except (FileNotFoundError, NotADirectoryError):
            return () if place.path == ROOT else None
        except OSError as fault:
            return unreadable(folder, _told(fault))

    def read(self, path: str) -> str | Failure | None:
        """Give the text of a file."""
        place = normalise(path)
        problem = place.problem or self._linked(place)
        return unreadable(path, problem) if problem else self._read(place)

    def write(self, path: str, text: str) -> Failure | None:
        """Write a file."""
        return self._write(path, text, lambda _: None)

    def write_if(self, path: str, text: str | None, expected: str | None) -> Failure | None:
        """Write a file if what is expected stands there."""

        def check(place: Place) -> Failure | None:
            standing = self._read(place)
            if isinstance(standing, Failure):
                return unwritable(path, standing.message.removesuffix("."))
            if standing != expected:
                return conflicting(place.path, "something else stands there than was expected")
            return None

        return self._write(path, text, check)

    def _read(self, place: Place) -> str | Failure | None:
        at = self._at(place)
        try:
            kind = at.stat(follow_symlinks=False).st_mode
            if stat.S_ISDIR(kind):
                return None
            if not stat.S_ISREG(kind):
                return unreadable(place.path, "it is no plain file")  # a pipe would keep its reader waiting
            return at.read_bytes().decode("utf-8")
        except (FileNotFoundError, NotADirectoryError):
            return None
        except UnicodeDecodeError:
            return unreadable(place.path, "it is not UTF-8")
        except OSError as fault:
            return unreadable(place.path, _told(fault))

    def _write(self, path: str, text: str | None, check: Callable[[Place], Failure | None]) -> Failure | None:
        place = normalise(path)
        problem = place.problem or _kept(place) or self._linked(place)
        if problem:
            return unwritable(path, problem)
        try:
            raw = None if text is None else text.encode("utf-8")
        except UnicodeEncodeError:
            return unwritable(path, "the text holds half a character (a lone surrogate)")
        try:
            with self._lock():
                refused = check(place)
                if refused is None:
                    self._put(place, raw)
                return refused
        except Timeout:
            return conflicting(place.path, "another process is writing in this folder")
        except OSError as fault:
            return unwritable(path, _told(fault))

    def _put(self, place: Place, raw: bytes | None) -> None:
        target = self._at(place)
        if raw is None:
            target.unlink(missing_ok=True)
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        copy = target.with_name(f".{os.getpid()}{_NEAR_COPY}")
        try:
            with copy.open("wb") as stream:
                stream.write(raw)
                stream.flush()
                os.fsync(stream.fileno())
            copy.replace(target)
        except OSError:
            with suppress(OSError):
                copy.unlink(missing_ok=True)
            raise

    @contextmanager
    def _lock(self) -> Iterator[None]:
        self._home.mkdir(parents=True, exist_ok=True)
        with FileLock(self._home / _LOCK, timeout=PATIENCE_SECONDS):
            yield

    def _linked(self, place: Place) -> str:
        """Tell that a step of the path, below the home, is a symbolic link, or cannot be looked at."""
        at = self._home
        try:
            for step in filter(None, place.inside.split("/")):
                at /= step
                if at.is_symlink():
                    return f"{at.name!r} is a symbolic link"
        except OSError as fault:
            return _told(fault)
        return ""

    def _at(self, place: Place) -> Path:
        return self._home / place.inside


def _kept(place: Place) -> str:
    """Tell that a place is no file of anybody's: the home, or the lock, which guards no more once it is replaced."""
    if place.path == ROOT:
        return "a folder stands there"
    return "it is the lock of the folder" if place.inside.casefold() == _LOCK else ""


def _entries(place: Place, found: Iterator[os.DirEntry[str]]) -> Iterator[Entry]:
    for entry in found:
        path = child(place.path, entry.name)
        if entry.name.startswith(".") or normalise(path).problem:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield Entry(path, folder=True)
        elif entry.is_file(follow_symlinks=False) and entry.name.endswith(".md"):
            yield Entry(path)


def _told(fault: OSError) -> str:
    return (fault.strerror or type(fault).__name__).lower()
