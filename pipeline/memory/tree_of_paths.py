"""Owns how a flat set of paths reads as folders; knows nothing of what the paths hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.memory.paths import child
from pipeline.memory.port import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.memory.paths import Place


def entries_below(place: Place, paths: Iterable[str]) -> tuple[Entry, ...] | None:
    """List the names right below a place; None where the paths make no such folder."""
    start = f"{place.inside}/" if place.inside else ""
    found: set[Entry] = set()
    exists = not start
    for path in paths:
        if not path.startswith(start):
            continue
        exists = True
        name, slash, _ = path[len(start) :].partition("/")
        if not name.startswith("."):
            found.add(Entry(child(place.path, name), bool(slash)))
    return tuple(sorted(found)) if exists else None
