"""The search page, as it is without JavaScript."""

from __future__ import annotations

from pipeline.site.search.document import search_document
from pipeline.site.values import Inputs, Site
from tests.site.making import facts, library


def test_leads_readers_without_a_script_on() -> None:
    made = search_document(Inputs(Site(), {}), library(facts()))

    assert made.path == "search.md"
    assert made.front["title"] == "Search"
    assert made.body == ""
    assert made.frame.title == "Search"
    assert made.frame.below_title == (
        '<div id="wm-search"><p>To search, let this page run its script; a copy on a disk has no search. '
        "Without it, you can "
        '<a href="../browse/">browse all pages</a> or <a href="../tags/">look through the tags</a>.</p></div>'
    )


def test_leaves_its_name_to_a_page_of_the_wiki() -> None:
    assert search_document(Inputs(Site(), {}), library(facts("search.md"))).path == "search-1.md"
