"""Which pages a word leads to, in which order."""

from __future__ import annotations

from pipeline.site.search.index import ALSO_CALLED, CALLED, IN_TITLE, LEVELS, PLACES, Index, read_index
from tests.site.making import facts, library, section


def told(index: Index, term: str) -> dict[str, float]:
    """What a word tells of each page."""
    levels = (*LEVELS, 14.0)
    return {index.pages[one // PLACES].path: levels[one % PLACES] for one in index.postings.get(term, ())}


def test_a_word_tells_by_where_it_stands() -> None:
    index = read_index(
        library(
            facts("a/title.md", title="Tide tables of the harbour"),
            facts("a/named.md", title="Tide"),
            facts("a/alias.md", title="One", aliases=("Tide gauge",)),
            facts("a/tag.md", title="Two", tags=("tide",)),
            facts("a/heading.md", title="Three", sections=(section("The tide"),)),
            facts("a/about.md", title="Four", description="About the tide."),
            facts("a/body.md", title="Five", sections=(section("", "The tide comes."),)),
            facts("a/often.md", title="Six", sections=(section("", "Tide, tide and tide, so tide."),)),
            facts("a/none.md", title="Seven", sections=(section("", "Plain words of a long page. " * 20),)),
        )
    )

    found = told(index, "tide")
    assert sorted(found, key=lambda path: (-found[path], path)) == [
        *("a/named.md", "a/title.md", "a/alias.md", "a/tag.md"),
        *("a/about.md", "a/heading.md", "a/often.md", "a/body.md"),
    ]
    assert "tide" in index.titled
    assert "comes" not in index.titled
    lengths = {page.path: length for page, length in zip(index.pages, index.lengths, strict=True)}
    assert (lengths["a/named.md"], lengths["a/title.md"]) == (1, 5)


def test_a_whole_name_is_known_as_a_title_or_as_another_name() -> None:
    index = read_index(library(facts("a.md", title="The tide", aliases=("Ebb and flow", "tide")), facts("b.md")))

    assert index.postings["tide="] == [CALLED]
    assert index.postings["ebbflow="] == [ALSO_CALLED]
    assert index.postings["tide"] == [IN_TITLE]
    assert not any(spelled.endswith("=") for spelled in index.spelled)


def test_a_page_is_found_by_the_parts_of_its_address() -> None:
    index = read_index(library(facts("harbour/gotchas/gauge-clock.md", title="Local time")))

    assert set(told(index, "gauge")) == set(told(index, "harbour")) == {"harbour/gotchas/gauge-clock.md"}


def test_old_pages_come_last_sessions_before_them_and_reviewed_ones_first() -> None:
    index = read_index(
        library(
            facts("a.md", superseded_by="d.md"),
            facts("b.md", status="deprecated"),
            facts("c.md"),
            facts("d.md", tier="human-reviewed"),
            facts("e.md", tier="machine-confirmed"),
            facts("f.md", type="Session", tier="human-reviewed"),
            facts("g.md", type="session"),
            facts("h.md", type="Session", status="deprecated"),
        )
    )

    assert [page.path for page in index.pages] == [f"{name}.md" for name in "decfgabh"]
    assert (index.restating, index.current) == (3, 5)
    assert index.heirs == (0, None, None)


def test_successors_in_a_circle_are_none() -> None:
    index = read_index(
        library(
            facts("a.md", superseded_by="b.md"),
            facts("b.md", superseded_by="a.md"),
            facts("c.md", superseded_by="a.md"),
            facts("d.md", superseded_by="e.md"),
            facts("e.md", superseded_by="f.md"),
            facts("f.md"),
            facts("g.md", superseded_by="gone.md"),
        )
    )

    assert [page.path for page in index.pages] == ["f.md", "a.md", "b.md", "c.md", "d.md", "e.md", "g.md"]
    assert index.heirs == (None, None, None, 5, 0, None)


def test_spelled_are_the_plain_words() -> None:
    index = read_index(library(facts("a/b.md", title="Session_ttl 1.2.3 0a1b2c3d 検索語 to")))

    assert index.spelled == {"session": 1, "ttl": 1}


def test_no_pages_no_words() -> None:
    assert read_index(library()) == Index((), 0, 0, (), {}, set(), (), {})
