"""Owns which parts of a page the search passes over: what stands on every page, and what repeats other pages.

A result would otherwise show the same note under each title, times of footnotes between sentences, and indexes
between the pages that they list. The titles and the prose of indexes are found all the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.reading.safe_markdown.departed import GENERATED
from pipeline.wiki.markdown.claims import COLLECTED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from xml.etree import ElementTree as ET

PASSED_OVER: Final = "data-search-exclude"


def pass_over(root: ET.Element, here: str) -> None:
    """Mark them as the theme's search asks for it.

    These are the note on how a page was made, footnotes and, on the generated pages, the entries that lead to pages.
    """
    is_generated = here.rpartition("/")[2] in GENERATED
    for part in [*_notes(root), *_footnotes(root), *(_entries(root) if is_generated else ())]:
        part.set(PASSED_OVER, "")


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
