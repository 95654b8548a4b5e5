"""Owns all pages together: who links to whom, what took whose place, which names are alike. Knows no HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.finding import Finding
    from pipeline.site.facts import Facts


@dataclass(frozen=True, slots=True)
class Backlink:
    """A page that links here, and the sentence that it does so in (plain text, at most 160 characters)."""

    path: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """A name that several pages bear, as most of them write it, and their paths, sorted."""

    name: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Library:
    """All pages, by path, sorted; what is not known of them (a single page rendered alone) is empty.

    `backlinks` leave out indexes and logs. `namesakes` are the other pages with a title or another name that reads
    the same, without case, accents and punctuation. `replaced` are the pages that a page took the place of.
    """

    pages: Mapping[str, Facts]
    backlinks: Mapping[str, tuple[Backlink, ...]] = field(default_factory=dict)
    namesakes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    replaced: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ambiguous: tuple[Ambiguous, ...] = ()
    """The names of namesakes, sorted; those that more pages bear than a reader could tell apart are left out."""
    findings: tuple[Finding, ...] = ()
    """Pages that cannot be read, and links that lead to no page."""
    whole: bool = True
    """False where only one page is at hand, so that nothing can be said of the others."""
