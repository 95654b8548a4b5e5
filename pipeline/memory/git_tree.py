"""Owns a memory over the files of one commit, which cannot be written; knows no git.

The files come in as a mapping from path to bytes, such as `pipeline.git.Snapshot`, which lists plain files alone:
a symbolic link in the commit has no place here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import WikimillError
from pipeline.memory.failure import Failure, unreadable, unwritable
from pipeline.memory.paths import normalise
from pipeline.memory.tree_of_paths import entries_below

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.memory.port import Entry

_READ_ONLY = "it belongs to a commit, and a commit does not change"


class GitTreeMemory:
    """A memory over a commit; its Markdown files alone are listed."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def list(self, folder: str) -> tuple[Entry, ...] | Failure | None:
        """List a folder of the commit."""
        place = normalise(folder)
        if place.problem:
            return unreadable(folder, place.problem)
        try:
            return entries_below(place, (path for path in self._files if path.endswith(".md")))
        except (WikimillError, OSError) as fault:
            return unreadable(folder, _told(fault))

    def read(self, path: str) -> str | Failure | None:
        """Give the text of a file of the commit."""
        place = normalise(path)
        if place.problem:
            return unreadable(path, place.problem)
        try:
            raw = self._files.get(place.inside)
            return None if raw is None else raw.decode("utf-8")
        except UnicodeDecodeError:
            return unreadable(path, "it is not UTF-8")
        except (WikimillError, OSError) as fault:
            return unreadable(path, _told(fault))

    def write(self, path: str, text: str) -> Failure | None:  # noqa: ARG002  # the port's own signature
        """Refuse: `write_failed`."""
        return unwritable(path, normalise(path).problem or _READ_ONLY)

    def write_if(self, path: str, text: str | None, expected: str | None) -> Failure | None:  # noqa: ARG002
        """Refuse: `write_failed`."""
        return unwritable(path, normalise(path).problem or _READ_ONLY)


def _told(fault: Exception) -> str:
    return str(fault).removesuffix(".")
