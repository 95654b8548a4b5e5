"""Owns the list of sources that a page names and no footnote cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.around.notes import said, source_line
from pipeline.site.around.origin import SOURCES_ID
from pipeline.site.around.told import folded
from pipeline.site.elements import Html, element, join

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.site.facts import Facts
    from pipeline.site.values import Quoted, Site
    from pipeline.wiki.format.page import Source

_SHOWN: Final = 12
_MOST: Final = 60
_QUOTED: Final = 200
"""Unicode characters."""


def other_sources(facts: Facts, site: Site, quoted: Mapping[str, Quoted], noted: Collection[str]) -> Html:
    """Make the list; `noted` are the labels whose footnotes show their source, below a heading of their own."""
    others = [source for source in facts.sources if source.id not in noted]
    if not others:
        return Html()
    heading = (
        element("h3", words.NOT_CITED, class_="wm-sources")
        if noted
        else element("h2", words.SOURCES, id=SOURCES_ID, class_="wm-sources")
    )
    entries = [_entry(source, facts.path, site, quoted.get(source.id)) for source in others[:_MOST]]
    return element(
        "section", heading, folded(entries, _SHOWN, len(others)), class_="wm-other", data_search_exclude=True
    )


def _entry(source: Source, page: str, site: Site, own: Quoted | None) -> Html:
    quotation = said(source, own, _QUOTED, quotations=site.quotations)
    line = source_line(source, page, site, own)
    return element("p", join((element("q", quotation) if quotation else "", line), " "), class_="wm-source")
