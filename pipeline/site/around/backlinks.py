"""Owns the list of the pages that link to a page, each with the sentence that it does so in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.around.told import fact, folded
from pipeline.site.elements import Html, element, join, page_link
from pipeline.text import one_line

if TYPE_CHECKING:
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Site

_SHOWN: Final = 20
_MOST: Final = 60
_SENTENCE: Final = 160
"""Unicode characters; and so on below."""
_TITLE: Final = 120
_TYPE: Final = 40


def backlinks(facts: Facts, library: Library, site: Site) -> Html:
    """Make the list, each page once; nothing for a page that no other links to."""
    sentences: dict[str, str] = {}
    for one in library.backlinks.get(facts.path, ()):
        if one.path != facts.path and one.path in library.pages:
            sentences.setdefault(one.path, one.sentence)
    if not sentences:
        return Html()
    entries = [
        _entry(facts.path, library.pages[path], sentence, site) for path, sentence in list(sentences.items())[:_MOST]
    ]
    heading = element("h2", words.LINKED_FROM)
    return element(
        "section", heading, folded(entries, _SHOWN, len(sentences)), class_="wm-links", data_search_exclude=True
    )


def _entry(here: str, page: Facts, sentence: str, site: Site) -> Html:
    told = one_line(sentence, _SENTENCE)
    return join(
        (
            page_link(to_page(here, page.path, site), one_line(page.title, _TITLE)),
            fact(one_line(page.type, _TYPE)) if page.type else "",
            element("span", told, class_="wm-sentence") if told else "",
        ),
        " ",
    )
