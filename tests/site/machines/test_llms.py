"""llms.txt and llms-full.txt: what they list, in which order, how long they get, and that titles stay text."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt

from pipeline.site.machines.llms import LARGEST, LARGEST_FULL, llms_files
from tests.site.machines.wiki import FILES, SITE, inputs_of, machines_of
from tests.site.making import facts, library

if TYPE_CHECKING:
    from pipeline.site.library import Library

OFFLINE = replace(SITE, url="")


def guide_of(made: Library) -> str:
    return llms_files(OFFLINE, made, dict.fromkeys(made.pages, b"# Page\n"))["llms.txt"].decode()


def test_the_guide_lists_current_pages_by_type() -> None:
    guide = machines_of(inputs_of()).files["llms.txt"].decode()
    head, *sections = guide.split("\n## ")
    assert head.startswith("# Harbour wiki\n\n> What the team knows.\n\n3 pages in Markdown")
    assert "- [All pages](https://wiki.example.org/harbour/kb/index.json): " in head
    assert sections == [
        (
            "Decisions\n\n- [Cookies](https://wiki.example.org/harbour/harbour/decisions/cookies.md): "
            "About Cookies. (reviewed by a person, 2026-11-29)\n"
        ),
        (
            "Gotchas\n\n- [The clock drifts](https://wiki.example.org/harbour/harbour/gotchas/clock.md): "
            "About The clock drifts. (2026-11-30)\n"
        ),
    ]


def test_its_links_lead_to_files_of_the_site() -> None:
    files = machines_of(inputs_of(site=OFFLINE)).files
    targets = re.findall(r"\]\(([^)]*)\)", files["llms.txt"].decode())
    assert len(targets) == 7
    assert set(targets) <= set(files)


def test_the_most_trusted_and_the_newest_come_first() -> None:
    pages = [
        facts("a/decisions/a.md", title="old", changed_on="2026-01-01"),
        facts("a/decisions/b.md", title="new", changed_on="2026-11-01"),
        facts("a/decisions/c.md", title="checked", changed_on="2026-01-01", tier="machine-confirmed"),
        facts("a/decisions/d.md", title="reviewed", changed_on="2025-01-01", tier="human-reviewed"),
        facts("a/decisions/e.md", title="draft", status="draft", tier="human-reviewed"),
        facts("a/decisions/f.md", title="gone", status="deprecated"),
        facts("a/decisions/g.md", title="replaced", superseded_by="a/decisions/a.md"),
    ]
    assert re.findall(r"- \[(\w+)\]\(a/", guide_of(library(*pages))) == ["reviewed", "checked", "new", "old", "draft"]


def test_a_large_wiki_gets_a_share_for_each_type() -> None:
    pages = [facts(f"a/decisions/n{number}.md", description="word " * 30) for number in range(2_000)]
    pages += [facts(f"a/gotchas/n{number}.md") for number in range(20)]
    guide = guide_of(library(*pages))
    assert LARGEST * 0.95 < len(guide.encode()) <= LARGEST
    decisions, gotchas = guide.split("\n## ")[1:]
    assert gotchas.count("\n- ") == 20
    listed = decisions.count("\n- [N")
    assert f"- [{2_000 - listed:,} more pages](kb/index.json)\n" in decisions


def test_many_types_stay_below_the_limit() -> None:
    pages = [facts(f"a/x/n{number}.md", type=f"Type {number} " + "long " * 60) for number in range(3_000)]
    assert len(guide_of(library(*pages)).encode()) <= LARGEST


def test_titles_stay_text() -> None:
    title = "a](javascript:x) [b] <script> `c` \\\n# d"
    html = MarkdownIt().render(guide_of(library(facts("a/x (1).md", title=title, description=f"> {title}"))))
    assert html.count("<h1>") == 1
    assert html.count("<a ") == 6
    assert 'href="a/x%20%281%29.md"' in html
    assert "<script" not in html


def test_all_text_in_one_file() -> None:
    full = machines_of(inputs_of()).files["llms-full.txt"].decode()
    assert full.startswith(
        "# Harbour wiki\n\n---\n\nSource: <https://wiki.example.org/harbour/harbour/decisions/cookies/>\n"
    )
    assert "Type: Decision, trust: human-reviewed, changed: 2026-11-29\n\n# Cookies\n" in full
    assert "[^o-3f2a9c1e55]: 2026-11-29 14:03, dana\n" in full
    assert "sources:" not in full
    assert "# JWT" not in full


def test_the_file_of_all_text_is_left_out_when_it_is_large() -> None:
    body = b"---\ntype: X\n---\n\n" + b"word " * 20_000
    few = library(*(facts(f"a/x/n{number}.md") for number in range(19)))
    many = library(*(facts(f"a/x/n{number}.md") for number in range(21)))
    full = llms_files(SITE, few, dict.fromkeys(few.pages, body))["llms-full.txt"]
    assert 1_900_000 < len(full) <= LARGEST_FULL
    assert "llms-full.txt" not in llms_files(SITE, many, dict.fromkeys(many.pages, body))


def test_an_empty_wiki_has_a_guide() -> None:
    files = machines_of(inputs_of({})).files
    assert files["llms.txt"].startswith(b"# Harbour wiki\n")
    assert "llms-full.txt" not in files


def test_what_is_not_published_is_not_listed() -> None:
    made = library(facts("a/x/a.md", title="Shown"), facts("a/x/b.md", title="Hidden"))
    guide = llms_files(SITE, made, {"a/x/a.md": b"# Shown\n"})["llms.txt"].decode()
    assert ("Shown" in guide, "Hidden" in guide) == (True, False)


def test_each_page_has_its_twin() -> None:
    files = machines_of(inputs_of()).files
    assert {path: files[path] for path in FILES} == FILES
