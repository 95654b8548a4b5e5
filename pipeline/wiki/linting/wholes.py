"""Owns the rules on the wiki as a whole: names of files, titles, and indexes that fit the pages."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.derived.indexes import project_of, renew_all
from pipeline.wiki.paths import check_path
from pipeline.wiki.slugs import portable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipeline.wiki.entry import CatalogueEntry
    from pipeline.wiki.linting.sheets import Sheet


def check_paths(paths: Iterable[str]) -> Iterator[Finding]:
    """Find names that some system cannot hold, or takes for the name of another file."""
    first: dict[str, str] = {}
    for path in sorted(paths):
        try:
            check_path(path)
        except Rejected as refused:
            yield Finding(_shown(path), "path-not-portable", "error", refused.message, "Rename the file.")
        if not unicodedata.is_normalized("NFC", path):
            message = "the name is not in the normal form NFC, so some systems do not find it."
            yield Finding(_shown(path), "path-not-portable", "warning", message, "Rename the file.")
        other = first.setdefault(portable(path), path)
        if other != path:
            message = f"some systems take it for {_shown(other)!r}: the names differ only by case or normal form."
            yield Finding(_shown(path), "path-clash", "error", message, "Rename one of the two.")


def check_titles(catalogue: Sequence[CatalogueEntry]) -> Iterator[Finding]:
    """Find pages of one project that bear the same title; superseded ones may."""
    homes = project_of(catalogue)
    first: dict[tuple[str, str], CatalogueEntry] = {}
    for page in sorted(catalogue, key=lambda one: one.path):
        if page.status == "deprecated" or not page.title:
            continue
        key = (homes[page.path], portable(" ".join(page.title.split()).replace("/", "\0")))
        other = first.setdefault(key, page)
        if other is not page:
            sessions = "session" in {page.type.casefold(), other.type.casefold()}
            message = f"{other.path} bears the same title, “{page.title}”."
            step = "Fold the two together, or tell their titles apart."
            yield Finding(page.path, "title-duplicate", "note" if sessions else "warning", message, step)


def check_indexes(catalogue: Sequence[CatalogueEntry], sheets: Mapping[str, Sheet]) -> Iterator[Finding]:
    """Find indexes that do not tell what stands below them."""
    if not catalogue:
        return
    existing = {path: sheet.raw for path, sheet in sheets.items()}
    for path in renew_all(catalogue, existing):
        if path in existing:
            message = "the index does not fit the pages below it."
            yield Finding(
                path, "index-outdated", "warning", message, "The next run that finds something new renews it."
            )
        else:
            message = "the folder has pages and no index."
            yield Finding(path, "index-missing", "warning", message, "The next run that finds something new makes one.")


def _shown(path: str) -> str:
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in path)
