"""Owns the document of the search page: what it says to readers without JavaScript. Finds nothing.

With it, `site/overrides/assets/wikimill-results.js` puts the search in the place of these words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.site.addresses import to_page
from pipeline.site.document import Document
from pipeline.site.elements import element, link
from pipeline.site.frame import Frame
from pipeline.site.hubs.names import names_of

if TYPE_CHECKING:
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs
    from pipeline.wiki.format.frontmatter import Yaml


def search_document(inputs: Inputs, library: Library) -> Document:
    """Make the page of results."""
    site, names = inputs.site, names_of(library)
    here = names.search
    told = element(
        "p",
        "To search, let this page run its script; a copy on a disk has no search. Without it, you can ",
        link(to_page(here, names.browse(), site), "browse all pages"),
        " or ",
        link(to_page(here, names.tags(), site), "look through the tags"),
        ".",
    )
    front: dict[str, Yaml] = {
        "title": "Search",
        "description": "Find pages by their words.",
        "hide": ["toc"],
        "search": {"exclude": True},
    }
    return Document(here, front, "", Frame(title="Search", below_title=element("div", told, id="wm-search")))
