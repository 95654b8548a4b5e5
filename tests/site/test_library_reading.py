"""What the site knows of all pages together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.site.library import Backlink
from pipeline.site.library_reading import read_library

if TYPE_CHECKING:
    from pipeline.finding import Finding

OURS = "generated: { by: wikimill/extractive, at: 2026-11-30 }"


def page(title: str, body: str = "", more: str = "type: X") -> bytes:
    return f'---\ntitle: "{title}"\n{more}\n---\n\n{body}\n'.encode()


def test_pages_are_those_of_the_wiki_sorted() -> None:
    library = read_library(
        {
            "b.md": page("B"),
            "a/index.md": b"# Index\n",
            "a/log.md": b"# Log\n",
            "a/x.md": page("X"),
            ".ledger/y.md": page("Y"),
            "_prompts/z.md": page("Z"),
            "tags.md": b"---\ntype: Index\n---\n\n# Tags\n\n<!-- material/tags -->\n",
        }
    )

    assert list(library.pages) == ["a/x.md", "b.md"]
    assert library.whole
    assert library.findings == ()


def test_a_page_of_tags_that_a_person_wrote_is_a_page() -> None:
    assert list(read_library({"tags.md": page("Tags", "On tags.")}).pages) == ["tags.md"]


def test_unreadable_pages_are_named_and_left_out() -> None:
    library = read_library({"a.md": b"---\na: [\n---\n", "b.md": page("B")})

    assert list(library.pages) == ["b.md"]
    (finding,) = library.findings
    assert (finding.where, finding.rule, finding.severity) == ("a.md", "page-unreadable", "error")


def test_backlinks_come_once_a_page_and_not_from_indexes() -> None:
    library = read_library(
        {
            "a/index.md": b"- [One](one.md)\n",
            "a/log.md": b"- [One](one.md)\n",
            "a/one.md": page("One", "[itself](one.md)"),
            "a/two.md": page("Two", "See [one](one.md#x). And [again](one.md)."),
            "b/three.md": page("Three", "Not without [one](../a/one.md)!"),
        }
    )

    assert library.backlinks == {
        "a/one.md": (Backlink("a/two.md", "See one."), Backlink("b/three.md", "Not without one!"))
    }


def test_pages_that_are_called_alike() -> None:
    library = read_library(
        {
            "a.md": page("Café-Karte"),
            "b.md": page("cafe karte"),
            "c.md": page("Other", more="aliases: [CAFÉ KARTE]"),
            "d.md": page("!!!"),
            "e.md": page("???"),
            "f.md": page("が"),
            "g.md": page("か"),
            "h.md": page("ＦＵＬＬ"),
            "i.md": page("full"),
        }
    )

    assert library.namesakes == {
        "a.md": ("b.md", "c.md"),
        "b.md": ("a.md", "c.md"),
        "c.md": ("a.md", "b.md"),
        "h.md": ("i.md",),
        "i.md": ("h.md",),
    }


def test_a_page_and_its_successor_are_no_namesakes() -> None:
    library = read_library(
        {
            "a.md": page("Port", more="superseded_by: b.md"),
            "b.md": page("Port", more="superseded_by: c.md"),
            "c.md": page("Port"),
            "loop.md": page("Loop", more="superseded_by: pool.md"),
            "pool.md": page("Loop", more="superseded_by: loop.md"),
        }
    )

    assert library.namesakes == {}
    assert library.replaced == {"b.md": ("a.md",), "c.md": ("b.md",), "loop.md": ("pool.md",), "pool.md": ("loop.md",)}


def test_many_pages_of_one_name_stay_few_namesakes() -> None:
    library = read_library({f"p{number:03}.md": page("Same") for number in range(100)})

    assert {len(names) for names in library.namesakes.values()} == {20}
    assert all(path not in names for path, names in library.namesakes.items())


def test_what_a_page_says_that_it_supersedes_counts_too() -> None:
    library = read_library({"a.md": page("A"), "b.md": page("B", more="supersedes: [a.md, gone.md, b.md]")})

    assert library.replaced == {"b.md": ("a.md",)}


def test_links_that_lead_nowhere() -> None:
    body = "[a](gone.md) [b](plan.png) [c](../p) [d](index.md) [e](../q/index.md) [f](#x) [g](two.md)"
    files = {"p/one.md": page("One", body), "p/two.md": page("Two")}

    def broken(findings: tuple[Finding, ...]) -> list[str]:
        assert {(found.rule, found.severity) for found in findings} == {("link-broken", "warning")}
        return [found.message for found in findings]

    assert broken(read_library(files).findings) == [
        "the link to 'p/gone.md' leads nowhere.",
        "the link to 'q/index.md' leads nowhere.",
    ]
    assert broken(read_library(files, {"p/plan.png"}).findings) == broken(read_library(files).findings)
    assert "the link to 'p/plan.png' leads nowhere." in broken(read_library(files, set()).findings)


def test_our_footnotes_have_sources() -> None:
    body = (
        "Claim.[^o-1] Other.[^o-2]\n\n<!-- keep -->\nMine.[^mine]\n<!-- /keep -->\n\n[^o-1]: x\n[^o-2]: y\n[^mine]: z"
    )
    sources = "sources:\n- { id: o-1, resource: x }"
    library = read_library(
        {"ours.md": page("Ours", body, f"{OURS}\n{sources}"), "theirs.md": page("Theirs", body, sources)}
    )

    (finding,) = library.findings
    assert (finding.where, finding.rule, finding.severity) == ("ours.md", "footnote-without-source", "error")
    assert "o-2" in finding.message


def test_a_page_outside_the_kinds_belongs_to_the_nearest_project() -> None:
    library = read_library(
        {
            "acme/gateway/decisions/a.md": page("A"),
            "acme/gateway/guides/deep/b.md": page("B"),
            "acme/other/c.md": page("C"),
            "d.md": page("D"),
        }
    )

    assert {path: facts.project for path, facts in library.pages.items()} == {
        "acme/gateway/decisions/a.md": "acme/gateway",
        "acme/gateway/guides/deep/b.md": "acme/gateway",
        "acme/other/c.md": "acme",
        "d.md": "",
    }
