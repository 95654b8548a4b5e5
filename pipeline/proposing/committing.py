"""Owns how a story makes one of our commits: files below the wiki's root, sealed, each with the mode that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.git import Content, Entry, NewCommit, named, seal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pipeline.proposing.opening import Hosted

PLAIN = "100644"


def sealed_commit(
    hosted: Hosted,
    files: Mapping[str, bytes | None],
    message: str,
    *,
    standing: Mapping[str, Entry],
    at: datetime | None = None,
) -> NewCommit:
    """Make a commit of files by their paths below the wiki's root; nothing stands for one that goes.

    `standing` are the entries of the files as they stand, whose modes stay; without `at` the chain's time counts.
    """
    contents: dict[str, Content | None] = {}
    ids: dict[str, str | None] = {}
    for path, raw in sorted(files.items()):
        entry = standing.get(path)
        mode = entry.mode if entry is not None and entry.regular else PLAIN
        full = f"{hosted.folder}/{path}"
        contents[full] = None if raw is None else Content(raw, mode)
        ids[full] = None if raw is None else named(Entry(mode, hosted.repository.blob_id(raw)))
    return NewCommit(contents, seal(message, ids), at=at)
