"""Owns the wiki's files as they stand on disk, listed once and read when asked for; writes nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pipeline.errors import StoreError
from pipeline.wiki.tree.disk import cannot
from pipeline.wiki.tree.journal import digest

if TYPE_CHECKING:
    from pathlib import Path

NEAR_COPY = ".wikimill"
"""The ending of a file that is on its way to its place."""


class Files(Mapping[str, bytes]):
    """The plain files below a folder, sorted, by their path below it.

    Symbolic links, devices and names that are not UTF-8 are left out. What was read is remembered by its digest,
    so that whoever writes later can tell that nobody else wrote in between.
    """

    def __init__(self, home: Path) -> None:
        self._home = home
        self.left_out: dict[str, str] = {}
        """What is left out, by its path as it can be shown, and why."""
        self._paths = dict.fromkeys(sorted(_walk(home, home, "", self.left_out)))
        self.seen: dict[str, str] = {}
        """The digests of what was read."""

    def __getitem__(self, path: str) -> bytes:
        if path not in self._paths:
            raise KeyError(path)
        place = self._home / path
        try:
            raw = place.read_bytes()
        except OSError as fault:
            raise cannot("read", place, fault) from None
        self.seen.setdefault(path, digest(raw))
        return raw

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, path: object) -> bool:
        return path in self._paths


def _walk(home: Path, folder: Path, start: str, left_out: dict[str, str]) -> Iterator[str]:
    try:
        with os.scandir(folder) as found:
            entries = list(found)
    except FileNotFoundError:
        return
    except NotADirectoryError:
        raise StoreError(
            "a file stands where the wiki's folder should be.",
            where=str(home),
            next_step="Move it away, then run again.",
        ) from None
    except OSError as fault:
        raise cannot("read", folder, fault) from None
    for entry in entries:
        name = entry.name
        if name.endswith(NEAR_COPY) or name.casefold() == ".git":
            continue
        if not _is_text(name):
            left_out[start + name.encode("utf-8", "backslashreplace").decode()] = "its name is not UTF-8"
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(home, folder / name, f"{start}{name}/", left_out)
        elif entry.is_file(follow_symlinks=False):
            yield start + name
        else:
            left_out[start + name] = "it is a symbolic link" if entry.is_symlink() else "it is no plain file"


def _is_text(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
