"""Owns a page in one line, as catalogues and indexes list it; knows no file and no format."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One page in a line: `path` is relative to the wiki's root, with `/`."""

    path: str
    type: str
    title: str
    description: str = ""
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    status: str = "stable"
    date: str = ""
    """The time of the newest source (`2026-11-29 14:03`), else of the last change; sorts as text."""
