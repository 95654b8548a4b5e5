"""Owns what a page tells of its sources as a whole: the sessions they come from, and those that no footnote cites."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.around.notes import beginning, source_line
from pipeline.site.around.origin import SOURCES_ID
from pipeline.site.around.told import folded, listed
from pipeline.site.elements import Html, element, join, link
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Quoted, Site
    from pipeline.wiki.format.page import Source

_SHOWN: Final = 12
_MOST: Final = 60
_QUOTED: Final = 200
"""Unicode characters; and so on below."""
_NAME: Final = 60
_MOST_SESSIONS: Final = 5


def from_sessions(facts: Facts, library: Library, site: Site, around: Surroundings, sessions: Sequence[str]) -> Html:
    """Name the sessions that a page rests on, the one that changed it last first; a link where they have a page."""
    shown: list[object] = []
    for name in sessions:
        page = around.session_page(facts.project, name)
        if page and page != facts.path:
            shown.append(link(to_page(facts.path, page, site), one_line(library.pages[page].title, _NAME)))
        elif not page:
            shown.append(element("code", one_line(name, _NAME)))
    if not shown:
        return Html()
    label = words.FROM_SESSION if len(shown) == 1 else words.FROM_SESSIONS
    return element(
        "p", f"{label} ", listed(shown, _MOST_SESSIONS), ".", class_="wm-sessions wm-fact", data_search_exclude=True
    )


def other_sources(
    facts: Facts, site: Site, quoted: Mapping[str, Quoted], noted: Collection[str], sessions: Html
) -> Html:
    """Make the list of sources that no footnote cites, with the line on the sessions where no footnote shows one.

    `noted` are the labels whose footnotes show their source, below a heading of their own.
    """
    others = [source for source in facts.sources if source.id not in noted]
    if not others:
        return sessions
    heading = (
        join((sessions, element("h3", words.NOT_CITED, class_="wm-sources")))
        if noted
        else join((element("h2", words.SOURCES, id=SOURCES_ID, class_="wm-sources"), sessions))
    )
    return element(
        "section",
        heading,
        folded(_entries(others, facts.path, site, quoted), _SHOWN, len(others)),
        class_="wm-other",
        data_search_exclude=True,
    )


def _entries(others: Sequence[Source], page: str, site: Site, quoted: Mapping[str, Quoted]) -> list[Html]:
    return [_entry(source, page, site, quoted.get(source.id)) for source in others[:_MOST]]


def _entry(source: Source, page: str, site: Site, own: Quoted | None) -> Html:
    quotation = beginning(source, own, _QUOTED, quotations=site.quotations)
    line = source_line(source, page, site, own)
    return element("p", join((element("q", quotation) if quotation else "", line), " "), class_="wm-source")
