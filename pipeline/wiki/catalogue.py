"""Owns which files of a wiki are pages, and the list of them in a line each; knows no folder on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.derived.indexes import NAME as INDEX
from pipeline.wiki.derived.log import NAME as LOG
from pipeline.wiki.format.page import catalogue_entry, parse_page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.wiki.entry import CatalogueEntry


def is_page(path: str) -> bool:
    """Whether a path, relative to the wiki's root, is that of a page.

    Indexes and logs are generated; what starts with a dot or an underscore, at any depth, is not published.
    """
    parts = path.split("/")
    if any(part.startswith((".", "_")) for part in parts):
        return False
    return parts[-1].endswith(".md") and parts[-1].casefold() not in {INDEX, LOG}


def read_catalogue(wiki: Mapping[str, bytes]) -> tuple[dict[str, CatalogueEntry], tuple[Finding, ...]]:
    """List every page; one that cannot be parsed is left out, left alone, and named in a finding."""
    entries: dict[str, CatalogueEntry] = {}
    findings = []
    for path, raw in wiki.items():
        if not is_page(path):
            continue
        try:
            entries[path] = catalogue_entry(path, parse_page(path, raw))
        except Rejected as fault:
            findings.append(Finding(path, "page-unreadable", "warning", fault.message, fault.next_step))
    return dict(sorted(entries.items())), tuple(sorted(findings))
