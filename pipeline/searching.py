"""Owns the story of one search on disk: what changed is read, the index is kept, the pages are found.

Knows no score and no form of a file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.errors import StoreError
from pipeline.memory.search.index import key_of
from pipeline.memory.stored_index import Damaged, StoredIndex
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.tree import Files

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.memory.search.index import Filters, Hit

STORED: Final = ".wikimill/search.sqlite"
"""Where the index is kept, below the root and outside git."""
_SURE_NANOSECONDS: Final = 2_000_000_000
"""A file that changed less than this ago may change again without showing it: its content is looked at."""


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, and of how many pages; `read` of them were read for the index."""

    hits: tuple[Hit, ...]
    pages: int
    read: int


def find_pages(  # noqa: PLR0913  # what a door may ask of a search
    settings: Settings, root: Path, query: str, *, limit: int, now: datetime, filters: Filters | None = None
) -> Found:
    """Find pages of the wiki below `root` as it stands in the work tree; writes the index and nothing else.

    A damaged index is made anew, without a word.
    """
    home = root / settings.wiki.pages
    files = Files(home)
    stored = root / STORED
    with StoredIndex(stored) as kept:
        read = _refresh(kept, home, files, now)
        try:
            return Found(kept.index.search(query, files.__getitem__, limit, filters), len(kept.index), read)
        except Damaged:
            kept.forget()
    with StoredIndex(stored) as kept:
        read = _refresh(kept, home, files, now)
        return Found(kept.index.search(query, files.__getitem__, limit, filters), len(kept.index), read)


def _refresh(kept: StoredIndex, home: Path, files: Mapping[str, bytes], now: datetime) -> int:
    """Read what changed, and save what that changes."""
    latest = int(now.timestamp() * 1_000_000_000) - _SURE_NANOSECONDS
    stamps: dict[str, tuple[str, str]] = {}
    keys: dict[str, str] = {}
    for path in filter(is_page, files):
        try:
            told = (home / path).stat()
        except OSError as fault:
            raise StoreError(f"cannot be read: {fault.strerror}.", where=path, next_step="Search again.") from None
        stamp = f"{told.st_mtime_ns}-{told.st_size}-{told.st_ino}"
        seen = kept.stamps.get(path)
        keys[path] = seen[1] if seen and seen[0] == stamp else key_of(files[path])
        if told.st_mtime_ns < latest:
            stamps[path] = (stamp, keys[path])
    try:
        changed = kept.index.refresh(keys, files.__getitem__)
    except Damaged:
        kept.forget()
        changed = kept.index.refresh(keys, files.__getitem__)
    if changed or stamps != kept.stamps:
        kept.save(stamps)
    return changed
