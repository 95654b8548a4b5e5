"""Owns the cache of replies on disk: kept, found, counted and limited; knows no model and no recording.

What stands here was paid, and can be paid again: damage, a full disk or a folder that cannot be written cost money
at most. Any number of threads and processes may share the folder, and each may be killed at any moment.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.models.remembering.entry import MOST_BYTES, clean, parse_cached, render_cached
from pipeline.text import one_line
from pipeline.whole_file import is_left_over, read_whole, write_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from pipeline.models.model import Reply
    from pipeline.models.remembering.entry import Entry
    from pipeline.prompt import Request

_MEGABYTE: Final = 1_000_000
_SHARE: Final = 10
"""The folder is looked through again when a tenth of its limit was written; then a tenth of it is made free."""
_LEFT_OVER_SECONDS: Final = 3_600
"""A file that has been on its way to its place for so long was given up."""


class ReplyStore:
    """Replies below a folder, `<2 digits>/<key>.json`. The least recently used go when `megabytes` are exceeded.

    `megabytes` counts millions of bytes in the files, without what the disk adds. `clock` gives aware times. What is
    kept went through `scrub` before, so that nothing on disk holds a secret.
    """

    def __init__(
        self, folder: Path, *, megabytes: int, clock: Callable[[], datetime], scrub: Callable[[str], str]
    ) -> None:
        self._folder = folder
        self._limit = megabytes * _MEGABYTE
        self._clock = clock
        self._scrub = scrub
        self._lock = Lock()
        self._opened = False
        self._ignored = False
        self._grown = 0
        """Bytes that were written since the folder was looked through."""
        self._withdrawn: set[str] = set()
        self._told: dict[str, Finding] = {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Why replies could not be kept, each reason told once."""
        with self._lock:
            return tuple(self._told.values())

    def find(self, key: str) -> Reply | None:
        """Give the reply that is kept under a key, and note that it was used; what is damaged goes."""
        self._open()
        if key in self._withdrawn:
            return None
        place = self._place(key)
        try:
            entry = parse_cached(read_whole(place, MOST_BYTES), key)
        except OSError:
            return None
        except ValueError:
            with suppress(OSError):
                place.unlink()
            return None
        now = self._clock().timestamp()
        with suppress(OSError):
            os.utime(place, (now, now))
        return entry.reply

    def keep(self, entry: Entry, _request: Request) -> Reply:
        """Keep a reply, if the disk allows it, and give it as it will be found again: without secrets."""
        self._open()
        reply = clean(entry.reply, self._scrub)
        raw = render_cached(type(entry)(entry.key, self._scrub(entry.model), reply))
        if len(raw) > min(MOST_BYTES, self._limit):
            self._tell("reply-too-large", f"a reply of {len(raw):,} bytes is too large to be kept.")
            return reply
        try:
            self._ignore()
            write_whole(self._place(entry.key), raw, used=self._clock())
        except OSError as fault:
            why = one_line(fault.strerror or type(fault).__name__, 200)
            self._tell(
                "replies-not-kept",
                f"replies cannot be kept below {one_line(str(self._folder), 300)}: {why}.",
                "Mend it, or a run that is interrupted pays for them again.",
            )
            return reply
        self._withdrawn.discard(entry.key)
        with self._lock:
            self._grown += len(raw)
            if self._grown * _SHARE > self._limit:
                self._shrink()
        return reply

    def remove(self, key: str) -> None:
        """Forget what is kept under a key, also when the disk does not allow it to go."""
        try:
            self._place(key).unlink(missing_ok=True)
        except OSError:
            self._withdrawn.add(key)

    def _place(self, key: str) -> Path:
        return self._folder / key[:2] / f"{key}.json"

    def _open(self) -> None:
        with self._lock:
            if not self._opened:
                self._opened = True
                self._shrink()

    def _ignore(self) -> None:
        """Tell git to leave the folder alone, wherever it stands."""
        if not self._ignored:
            write_whole(self._folder / ".gitignore", b"*\n")
            self._ignored = True

    def _tell(self, rule: str, message: str, next_step: str = "") -> None:
        with self._lock:
            self._told.setdefault(rule, Finding("model.replies", rule, "warning", message, next_step))

    def _shrink(self) -> None:
        """Look the folder through once; where it is too large, the least recently used go. The last one stays."""
        self._grown = 0
        kept: list[tuple[int, str, int]] = []
        given_up = self._clock().timestamp() - _LEFT_OVER_SECONDS
        for file in _files(self._folder):
            with suppress(OSError):
                about = file.stat(follow_symlinks=False)
                if is_left_over(file.name):
                    if about.st_mtime < given_up:
                        Path(file.path).unlink()
                elif stat.S_ISREG(about.st_mode) and file.name.endswith(".json"):
                    kept.append((about.st_mtime_ns, file.path, about.st_size))
        total = sum(size for _, _, size in kept)
        if total <= self._limit:
            return
        for _, path, size in sorted(kept)[:-1]:
            if total <= self._limit - self._limit // _SHARE:
                return
            with suppress(OSError):
                Path(path).unlink()
                total -= size


def _files(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Give what stands in a folder and in its folders; what cannot be read holds nothing."""
    for entry in _listed(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _listed(Path(entry.path))
        else:
            yield entry


def _listed(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []
