"""Owns the entries of the index that belong to given paths; all other staged work is not looked at.

Paths are those from the top of the repository.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.git.process import explain, left_lock
from pipeline.git.snapshot import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pipeline.git.process import GitProcess

ARGUMENT_LIMIT = 8_000
"""Characters of paths on one command line; Windows allows 32,767 in all."""

LOCK_PATIENCE = 2.0
"""Seconds that another git command may hold the index before its lock counts as left behind."""


@dataclass(frozen=True, slots=True)
class Staged:
    """One path in the index; `entry` is nothing in the middle of a merge, when several versions stand there."""

    entry: Entry | None
    absent: bool = False
    """Left out of the work tree by a sparse checkout."""


def read_index(git: GitProcess, paths: Iterable[str], folder: str) -> dict[str, Staged]:
    """Read the entries of some paths, all of them below one folder; a path without an entry is left out."""
    wanted = set(paths)
    short = sum(len(path) + 3 for path in wanted) <= ARGUMENT_LIMIT
    listing = git.run("ls-files", "-s", "-t", "-z", "--", *(sorted(wanted) if short else (folder,)))
    found: dict[str, Staged] = {}
    for record in listing.split(b"\0"):
        head, tab, raw_path = record.partition(b"\t")
        path = raw_path.decode("utf-8", "replace")
        if not tab or path not in wanted:
            continue
        tag, mode, identity, stage = head.decode("ascii").split()
        found[path] = Staged(Entry(mode, identity) if stage == "0" else None, absent=tag in {"S", "s"})
    return found


def write_index(git: GitProcess, entries: Mapping[str, Entry | None], zero: str) -> None:
    """Set the entries of exactly these paths; nothing stands for a path that goes.

    Another git command may hold the index for a moment: that is waited for.
    """
    lines = (
        f"{entry.mode} {entry.id}\t{path}\0" if entry else f"0 {zero}\t{path}\0" for path, entry in entries.items()
    )
    stdin = "".join(lines).encode("utf-8")
    patience = time.monotonic() + LOCK_PATIENCE
    while (answer := git.ask("update-index", "-z", "--index-info", stdin=stdin)).code:
        if ".lock': File exists" not in answer.complaint or time.monotonic() > patience:
            raise explain(("update-index",), answer, git.folder)
        time.sleep(0.05)


def wait_for_index(lock: Path) -> None:
    """Return when no git command holds the index, or tell which file is in the way."""
    patience = time.monotonic() + LOCK_PATIENCE
    while lock.exists():
        if time.monotonic() > patience:
            raise left_lock(str(lock))
        time.sleep(0.05)


def refresh_index(git: GitProcess) -> None:
    """Let the index know times and sizes of the files again, so that `git diff-index` sees no change either."""
    git.ask("update-index", "-q", "--refresh")
