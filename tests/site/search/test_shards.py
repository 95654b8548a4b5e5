"""The static files of the search."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pipeline.site.search.index import IN_TITLE, read_index
from pipeline.site.search.packing import unpack_numbers
from pipeline.site.search.shards import search_files
from pipeline.site.values import Inputs, Site
from tests.site.making import facts, library, section
from tests.site.search.shelf import sample_library

if TYPE_CHECKING:
    from pipeline.site.library import Library


def files_of(pages: Library, site: Site | None = None) -> dict[str, dict[str, Any]]:
    made = search_files(Inputs(site or Site(), {}), pages)
    assert all(path.startswith("find/") and path.endswith(".json") for path in made)
    return {path[5:-5]: json.loads(raw) for path, raw in made.items()}


def many(count: int) -> Library:
    return library(
        *(
            facts(
                f"p{number % 7}/concepts/page-{number}.md",
                title=f"Word{number} common",
                sections=(
                    section(
                        "Part", f"common name{number * 7919 % 10007} other{number % 97} 検索{chr(0x4E00 + number)}"
                    ),
                ),
            )
            for number in range(count)
        )
    )


def test_every_word_stands_in_the_piece_that_the_manifest_names() -> None:
    pages = many(3000)
    files = files_of(pages)
    manifest, index = files["manifest"], read_index(pages)
    starts = [start.encode("utf-16-be") for start in manifest["words"]]

    read: dict[str, list[int]] = {}
    for number in range(len(starts)):
        piece = files[f"words-{number}"]["words"]
        for term, packed in zip(piece[::2], piece[1::2], strict=True):
            key = term.encode("utf-16-be")
            assert starts[number] <= key
            assert number + 1 == len(starts) or key < starts[number + 1]
            before, found = 0, []
            steps = iter(unpack_numbers(packed))
            for step in steps:
                found.append(before + step)
                before = found[-1] // 8 * 8
                if term in index.titled and found[-1] % 8 == IN_TITLE:
                    assert next(steps) == index.lengths[found[-1] // 8]
            read[term] = found
    assert len(starts) > 5
    assert starts == sorted(starts)
    assert read == dict(index.postings)


def test_pieces_are_small_and_of_one_size() -> None:
    made = search_files(Inputs(Site(), {}), many(3000))

    sizes = [len(raw) for path, raw in made.items() if "words-" in path]
    assert max(sizes) < 20_000
    assert sorted(sizes)[1] > 8_000
    assert len(made["find/manifest.json"]) < 2_000


def test_every_page_stands_on_its_shelf() -> None:
    pages = many(100)
    files = files_of(pages)
    shelf = files["manifest"]["shelf"]

    for number, page in enumerate(read_index(pages).pages):
        shown = files[f"pages-{number // shelf}"]["pages"][number % shelf]
        assert shown["title"] == page.title
        assert shown["url"] == page.path.removesuffix(".md") + "/"


def test_the_text_of_every_page_stands_beside_it() -> None:
    pages = many(100)
    files = files_of(pages)
    shelf = files["manifest"]["shelf"]

    for number, page in enumerate(read_index(pages).pages):
        assert files[f"text-{number // shelf}"]["text"][number % shelf] == page.sections[0].text


def test_shows_of_a_page_what_readers_choose_by() -> None:
    files = files_of(sample_library())
    shown = {entry["title"]: entry for number in (0, 1) for entry in files[f"pages-{number}"]["pages"]}

    assert shown["Session cookies instead of JWT"] == {
        "title": "Session cookies instead of JWT",
        "url": "harbour/decisions/session-cookies/",
        "type": "Decision",
        "project": "harbour",
        "about": "We sign session cookies and keep no denylist.",
        "tags": ["auth", "Gateway"],
        "aliases": ["Signed cookies"],
        "tier": "human-reviewed",
        "sections": [["Why", "why"], ["How long cookies live", "how-long-cookies-live"]],
    }
    assert shown["JWT login for session cookies and sessions"]["heir"] == {
        "title": "Session cookies instead of JWT",
        "url": "harbour/decisions/session-cookies/",
    }
    assert shown["Schemes"]["url"] == "tide/gotchas/javascript:alert(1)/"


def test_facets_tell_type_project_and_tags_of_all_pages() -> None:
    files = files_of(
        library(
            facts("a/decisions/one.md", tags=("X", "y", "x")),
            facts("a/gotchas/two.md", tags=("X",)),
            facts("b/gotchas/three.md", tags=("x",), type="gotcha"),
            facts("four.md", type=""),
        )
    )

    told = files["facets"]
    assert told["types"] == ["Decision", "Gotcha", "Page"]
    assert told["projects"] == ["", "a", "b"]
    assert told["tags"] == ["X", "y"]
    assert unpack_numbers(told["project"]) == [1, 2, 2, 1, 0, 1]
    assert unpack_numbers(told["type"]) == [0, 1, 1, 2, 2, 1]
    assert [unpack_numbers(steps) for steps in told["tagged"]] == [[0, 1, 1], [0]]


def test_all_pieces_are_of_one_edition_and_equal_pages_give_equal_bytes() -> None:
    first = search_files(Inputs(Site(), {}), sample_library())
    editions = {json.loads(raw)["edition"] for raw in first.values()}

    assert len(editions) == 1
    assert search_files(Inputs(Site(), {}), sample_library()) == first
    other = files_of(library(facts("a/concepts/one.md")))
    assert other["manifest"]["edition"] not in editions


def test_places_follow_the_site_and_its_names() -> None:
    files = files_of(library(facts("search.md"), facts("a/x.md")), Site(directory_urls=False))

    assert files["manifest"]["search"] == "search-1.html"
    assert files["manifest"]["browse"] == "browse.html"
    assert [entry["url"] for entry in files["pages-0"]["pages"]] == ["a/x.html", "search.html"]


def test_a_wiki_without_pages_has_a_search() -> None:
    files = files_of(library())

    assert files["manifest"]["pages"] == 0
    assert files["manifest"]["words"] == []
    assert set(files) == {"manifest", "facets"}
