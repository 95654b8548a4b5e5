"""Owns which parts of a page the search passes over: what stands on every page, and what repeats other pages.

A result would otherwise show the same note under each title, times of footnotes between sentences, and indexes
between the pages that they list. The titles and the prose of indexes are found all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from markdown.treeprocessors import Treeprocessor

from pipeline.reading.safe_markdown.departed import GENERATED
from pipeline.wiki.markdown.claims import COLLECTED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree import ElementTree as ET

PASSED_OVER = "data-search-exclude"


class _File(Protocol):
    src_uri: str


class Unsearched(Treeprocessor):
    """Marks them as the theme's search asks for it."""

    def run(self, root: ET.Element) -> None:
        """Mark the note on how a page was made, footnotes and, on generated pages, the entries that lead to pages."""
        passed_over = [*_notes(root), *_footnotes(root), *(_entries(root) if self._is_generated() else ())]
        for part in passed_over:
            part.set(PASSED_OVER, "")

    def _is_generated(self) -> bool:
        if "relpath" not in self.md.treeprocessors:
            return False
        page = cast("_File", getattr(self.md.treeprocessors["relpath"], "file"))  # noqa: B009 - typed as its base
        return page.src_uri.rpartition("/")[2] in GENERATED


def _notes(root: ET.Element) -> Iterator[ET.Element]:
    for quoted in root.iter("blockquote"):
        if "".join(quoted.itertext()).strip().startswith(COLLECTED):
            yield quoted


def _footnotes(root: ET.Element) -> Iterator[ET.Element]:
    for mark in root.iter("sup"):
        if any(link.get("class") == "footnote-ref" for link in mark):
            yield mark
    for division in root.iter("div"):
        if division.get("class") == "footnote":  # its list: the theme finds the division itself by its exact tag
            yield from division.iter("ol")


def _entries(root: ET.Element) -> Iterator[ET.Element]:
    for entry in root.iter("li"):
        if any(link.get("href", "").partition("#")[0].endswith(".md") for link in entry.iter("a")):
            yield entry
