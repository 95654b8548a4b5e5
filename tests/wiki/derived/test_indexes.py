"""The generated indexes: what they list, in which order, and what they keep."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown import markdown
from markdown_it import MarkdownIt

from pipeline.wiki.derived.indexes import project_of, render_indexes, renew_all
from pipeline.wiki.entry import CatalogueEntry


def page(
    path: str, title: str = "", *, description: str = "", status: str = "stable", date: str = ""
) -> CatalogueEntry:
    kind = path.split("/")[-2].removesuffix("s").capitalize() if "/" in path else "Concept"
    name = title or path.rpartition("/")[2].removesuffix(".md")
    return CatalogueEntry(path, kind, name, description, status=status, date=date)


CATALOGUE = (
    page("acme/decisions/use-cookies.md", "Use cookies", description="The web app keeps its state there."),
    page("acme/decisions/apfel.md", "Äpfel"),
    page("acme/decisions/old.md", "Old way", status="deprecated"),
    page("acme/slots/state.md", "Current state", description="What is going on."),
    page("acme/sessions/first.md", "First", date="2026-11-28 09:00"),
    page("acme/sessions/second.md", "Second", date="2026-11-29 09:00"),
    page("lab/web/concepts/ast.md", "AST"),
)

ROOT = """---
okf_version: "0.2"
---

# Projects

* [acme](acme/index.md) - 5 pages: 1 slot, 2 decisions, 2 sessions.
* [lab/web](lab/web/index.md) - 1 page: 1 concept.

# Newest pages

* [Äpfel](acme/decisions/apfel.md)
* [AST](lab/web/concepts/ast.md)
* [Use cookies](acme/decisions/use-cookies.md) - The web app keeps its state there.
"""

PROJECT = """# acme

* [Log](log.md) - What changed, newest first.

# Slots

* [Current state](slots/state.md) - What is going on.
* [All slots](slots/index.md) - 1 page.

# Decisions

* [Äpfel](decisions/apfel.md)
* [Use cookies](decisions/use-cookies.md) - The web app keeps its state there.
* [All decisions](decisions/index.md) - 2 pages, 1 superseded.

# Sessions

* [Second](sessions/second.md)
* [First](sessions/first.md)
* [All sessions](sessions/index.md) - 2 pages.
"""

FOLDER = """# Decisions in acme

* [Äpfel](apfel.md)
* [Use cookies](use-cookies.md) - The web app keeps its state there.

# Superseded

* [Old way](old.md)
"""


def test_every_level_is_listed() -> None:
    found = render_indexes(CATALOGUE, ["acme/decisions/old.md"], {})
    assert {path: raw.decode() for path, raw in found.items()} == {
        "index.md": ROOT,
        "acme/index.md": PROJECT,
        "acme/decisions/index.md": FOLDER,
    }


def test_sessions_stand_newest_first() -> None:
    found = render_indexes(CATALOGUE, ["acme/sessions/first.md"], {})["acme/sessions/index.md"].decode()
    assert found == "# Sessions in acme\n\n* [Second](second.md)\n* [First](first.md)\n"


def test_a_workspace_has_an_index_too() -> None:
    found = render_indexes(CATALOGUE, ["lab/web/concepts/ast.md"], {})
    assert sorted(found) == ["index.md", "lab/index.md", "lab/web/concepts/index.md", "lab/web/index.md"]
    assert found["lab/index.md"].decode() == "# lab\n\n* [web](web/index.md) - 1 page: 1 concept.\n"
    assert found["lab/web/concepts/index.md"].decode() == "# Concepts in lab/web\n\n* [AST](ast.md)\n"


def test_a_project_names_ten_pages_of_a_kind_and_counts_all() -> None:
    pages = [page(f"acme/rules/r{number:02}.md", date=f"2026-11-{number:02}") for number in range(1, 14)]
    lines = render_indexes(pages, ["acme/rules/r01.md"], {})["acme/index.md"].decode().splitlines()
    rules = [line for line in lines if "rules/" in line]
    assert rules[0] == "* [r13](rules/r13.md)"
    assert rules[-1] == "* [All rules](rules/index.md) - 13 pages."
    assert len(rules) == 11


def test_folders_of_a_persons_own_belong_to_the_nearest_project() -> None:
    catalogue = (*CATALOGUE, page("acme/notes/deep/x.md", "X"), page("lab/web/y.md", "Y"), page("z.md", "Z"))
    homes = project_of(catalogue)
    assert [homes[path] for path in ("acme/notes/deep/x.md", "lab/web/y.md", "z.md")] == ["acme", "lab/web", ""]
    found = render_indexes(catalogue, ["acme/notes/deep/x.md", "z.md"], {})
    assert found["acme/notes/index.md"].decode() == "# Notes in acme\n\n* [deep](deep/index.md)\n"
    assert found["acme/notes/deep/index.md"].decode() == "# Notes/deep in acme\n\n* [X](x.md)\n"
    assert found["index.md"].decode().endswith("# Pages\n\n* [Z](z.md)\n")
    assert "# Notes/deep\n\n* [X](notes/deep/x.md)\n* [All notes/deep]" in found["acme/index.md"].decode()


def test_equal_pages_give_equal_bytes_and_no_file() -> None:
    everything = [entry.path for entry in CATALOGUE]
    first = render_indexes(CATALOGUE, everything, {})
    assert render_indexes(tuple(reversed(CATALOGUE)), reversed(everything), {}) == first
    assert render_indexes(CATALOGUE, everything, first) == {}


def test_a_wiki_without_pages_has_an_index_that_stays() -> None:
    first = render_indexes((), (), {})
    assert first == {"index.md": b'---\nokf_version: "0.2"\n---\n\n# Projects\n'}
    assert render_indexes((), (), first) == {}
    alone = render_indexes([page("mine.md", "Mine")], (), {})
    assert alone["index.md"].endswith(b"# Projects\n\n# Pages\n\n* [Mine](mine.md)\n")
    assert render_indexes([page("mine.md", "Mine")], (), alone) == {}


KEPT = {
    "a keep block above": (
        "<!-- keep -->\nRead this first.\n<!-- /keep -->\n\n# old\n\n* [x](x.md)\n",
        "<!-- keep -->\nRead this first.\n<!-- /keep -->\n\n" + FOLDER,
    ),
    "a keep block below": (
        "# old\n\n* [x](x.md)\n\n<!-- keep -->\n# Mine\n\n* [y](y.md)\n<!-- /keep -->\n",
        FOLDER + "\n<!-- keep -->\n# Mine\n\n* [y](y.md)\n<!-- /keep -->\n",
    ),
    "words without markers get them": (
        "# old\n\n* [x](x.md)\n\nAsk dana.\n\n- or eve\n",
        FOLDER + "\n<!-- keep -->\n\nAsk dana.\n\n- or eve\n\n<!-- /keep -->\n",
    ),
    "both, above and below": (
        "Hello.\n\n# old\n\n<!-- keep -->a<!-- /keep -->\n\n## Notes\n\nb\n",
        "<!-- keep -->\n\nHello.\n\n<!-- /keep -->\n\n"
        + FOLDER
        + "\n<!-- keep -->a<!-- /keep -->\n\n<!-- keep -->\n\n## Notes\n\nb\n\n<!-- /keep -->\n",
    ),
    "front matter that does not belong goes": ("---\ntitle: x\n---\n\n# old\n", FOLDER),
}


@pytest.mark.parametrize("case", KEPT)
def test_a_persons_words_stay(case: str) -> None:
    before, after = KEPT[case]
    path = "acme/decisions/index.md"
    found = render_indexes(CATALOGUE, ["acme/decisions/old.md"], {path: before.encode()})
    assert found[path].decode() == after
    assert path not in render_indexes(CATALOGUE, ["acme/decisions/old.md"], {path: after.encode()})


def test_line_ends_of_the_old_index_stay() -> None:
    old = "<!-- keep -->\r\nRead.\r\n<!-- /keep -->\r\n# old\r\n"
    path = "acme/decisions/index.md"
    found = render_indexes(CATALOGUE, ["acme/decisions/old.md"], {path: old.encode()})[path].decode()
    assert found == ("<!-- keep -->\nRead.\n<!-- /keep -->\n\n" + FOLDER).replace("\n", "\r\n")


@pytest.mark.parametrize("old", [b"<!-- keep -->\nno end\n", b"\xff\xfe"])
def test_an_index_that_is_not_clear_is_left_alone(old: bytes) -> None:
    path = "acme/decisions/index.md"
    assert path not in render_indexes(CATALOGUE, ["acme/decisions/old.md"], {path: old})


HOSTILE = st.text(st.sampled_from(list("[]()|*_<>`\\&;!#ab{}^:~ \n")), max_size=30)


@settings(deadline=None)
@given(HOSTILE, HOSTILE)
def test_titles_and_descriptions_are_text(title: str, description: str) -> None:
    entry = CatalogueEntry("acme/rules/x.md", "Rule", title, description)
    text = render_indexes([entry], [entry.path], {})["acme/rules/index.md"].decode()
    html = MarkdownIt("commonmark").enable("table").render(text)
    assert html.count("<a ") == html.count("<li>") == 1
    assert 'href="x.md"' in html
    assert not any(f"<{tag}" in html for tag in ("em", "strong", "code", "img", "table", "b>", "a>"))
    assert "<a href" in markdown(text, extensions=["tables", "attr_list", "footnotes"])


def test_awkward_file_names_are_encoded() -> None:
    entry = page("acme/rules/a b (c).md", "T")
    assert b"* [T](a%20b%20%28c%29.md)" in render_indexes([entry], [entry.path], {})["acme/rules/index.md"]


def test_an_index_whose_pages_all_went_says_so() -> None:
    everything = renew_all(CATALOGUE, {})
    wiki = {**everything, "acme/log.md": b"", "lab/web/log.md": b"", "notes/index.md": b"# mine\n"}
    left = tuple(page for page in CATALOGUE if "/decisions/" not in page.path and not page.path.startswith("lab/"))
    renewed = renew_all(left, wiki)
    assert (
        renewed["acme/decisions/index.md"]
        == b"# Decisions in acme\n\n* [acme](../index.md) - No page stands here any more.\n"
    )
    assert renewed["lab/web/index.md"] == b"# lab/web\n\n* [Log](log.md) - No page stands here any more.\n"
    assert "notes/index.md" not in renewed
    assert renew_all(left, {**wiki, **renewed}) == {}
