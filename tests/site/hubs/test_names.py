from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.site.hubs.names import names_of, type_names, type_slug
from tests.site.making import facts, library


def test_the_names_where_nothing_stands_in_their_way() -> None:
    names = names_of(library(facts(tags=("auth",))))
    assert (names.search, names.graph, names.health(), names.health("orphans")) == (
        *("search.md", "graph.md", "health.md", "health/orphans.md"),
    )
    assert (names.browse(), names.browse(2), names.changes(3)) == ("browse.md", "browse/2.md", "changes/3.md")
    assert (names.type("Decision"), names.type("decision", 2)) == ("types/decision.md", "types/decision/2.md")
    assert names.printed("Decision") == "print/decision.md"
    assert names.history("harbour/gotchas/x.md") == "history/harbour/gotchas/x.md"
    assert names.tag("Auth") == ("tags.md", "tag-auth")
    assert names.tag("nobody's") == ("tags.md", "")


def test_a_page_keeps_its_name() -> None:
    wiki = library(
        facts("search.md"), facts("Browse.md"), facts("types/decisions/a.md"), facts("tags.md"), facts("tags-1/x.md")
    )
    names = names_of(wiki)
    assert (names.search, names.browse(2), names.type("Rule")) == ("search-1.md", "browse-1/2.md", "types-1/rule.md")
    assert (names.tags(), names.changes()) == ("tags-2.md", "changes.md")


def test_a_list_goes_on_beside_a_page_that_bears_its_number() -> None:
    names = names_of(library(facts("a/decisions/index/2.md")))
    assert names.part("a/decisions/index.md", 2) == "a/decisions/index/2-1.md"
    assert names.part("a/decisions/index.md", 3) == "a/decisions/index/3.md"


def test_types_that_read_the_same_are_one() -> None:
    assert type_names(["Decision", "decision", "Decision", "", "How-to"]) == {
        "decision": "Decision",
        "how-to": "How-to",
        "page": "Page",
    }
    assert type_slug("") == type_slug("Page") == "page"


def test_tags_that_would_share_an_address_are_told_apart() -> None:
    tags = ("c", "c#", "c++", "2", "tag-2", "C")
    names = names_of(library(facts(tags=tags)))
    assert len({names.tag(tag) for tag in ("c", "c#", "c++", "2", "tag-2")}) == 5
    assert names.tag("C") == names.tag("c")


def test_a_tag_of_many_pages_has_a_document_of_its_own() -> None:
    pages = [facts(f"a/decisions/{number}.md", tags=("busy", "2")) for number in range(61)]
    names = names_of(library(*pages, facts("a/decisions/x.md", tags=("rare",))))
    assert names.tag("busy") == ("tags/busy.md", "")
    assert names.tag("2") == ("tags/tag-2.md", "")
    assert names.tag("rare") == ("tags.md", "tag-rare")


@given(st.lists(st.text(min_size=1, max_size=8), max_size=12))
def test_each_tag_has_one_place(tags: list[str]) -> None:
    names = names_of(library(facts(tags=tuple(tags))))
    places = [(shelf.path, shelf.anchor) for shelf in names.tag_shelves.values()]
    assert len(set(places)) == len(places) == len({tag.casefold() for tag in tags})
    assert names == names_of(library(facts(tags=tuple(tags))))
