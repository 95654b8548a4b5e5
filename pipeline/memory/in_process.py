"""Owns a memory that lives as long as its value: for tests, for trials, for what need not last."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING

from pipeline.memory.failure import Failure, conflicting, unreadable, unwritable
from pipeline.memory.paths import ROOT, normalise
from pipeline.memory.tree_of_paths import entries_below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.memory.port import Entry


class InProcessMemory:
    """A memory that holds its files itself; `files` are the first ones, by their paths below `/memories`."""

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        self._files: dict[str, str] = {}
        self._lock = RLock()
        for path, text in (files or {}).items():
            failure = self.write(f"{ROOT}/{path}", text)
            if failure is not None:
                raise ValueError(failure.message)

    def list(self, folder: str) -> tuple[Entry, ...] | Failure | None:
        """List a folder."""
        place = normalise(folder)
        if place.problem:
            return unreadable(folder, place.problem)
        with self._lock:
            return entries_below(place, self._files)

    def read(self, path: str) -> str | Failure | None:
        """Give the text of a file."""
        place = normalise(path)
        return unreadable(path, place.problem) if place.problem else self._files.get(place.inside)

    def write(self, path: str, text: str) -> Failure | None:
        """Write a file."""
        place = normalise(path)
        with self._lock:
            problem = place.problem or self._blocked(place.inside) or _unstorable(text)
            if problem:
                return unwritable(path, problem)
            self._files[place.inside] = text
            return None

    def write_if(self, path: str, text: str | None, expected: str | None) -> Failure | None:
        """Write a file if what is expected stands there."""
        place = normalise(path)
        if place.problem:
            return unwritable(path, place.problem)
        with self._lock:
            if self._files.get(place.inside) != expected:
                return conflicting(place.path, "something else stands there than was expected")
            if text is None:
                self._files.pop(place.inside, None)
                return None
            return self.write(path, text)

    def _blocked(self, inside: str) -> str:
        if not inside or any(held.startswith(f"{inside}/") for held in self._files):
            return "a folder stands there"
        above = inside.split("/")[:-1]
        if any("/".join(above[: depth + 1]) in self._files for depth in range(len(above))):
            return "a file stands where a folder is needed"
        return ""


def _unstorable(text: str) -> str:
    return "the text holds half a character (a lone surrogate)" if any("\ud800" <= c <= "\udfff" for c in text) else ""
