"""What a published page says about itself, and that nothing of a hostile page gets into the frame around it."""

from __future__ import annotations

import html
import json
import os
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from pipeline.reading.build import build_site
from tests.reading.payloads import BODIES, FRONT, IMG, STEERING, Front, page
from tests.reading.sample import COOKIES, OLD, SMOKE, write_repository
from tests.reading.test_safe_markdown import Elements

if TYPE_CHECKING:
    from pathlib import Path


def read(site: Path, path: str) -> str:
    return (site / path / "index.html").read_text(encoding="utf-8")


class _Words(HTMLParser):
    """The words of a part of a page, as a reader sees them."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def words(text: str) -> str:
    return re.sub(r" ([,;.)])", r"\1", " ".join(_Words(text).words)).replace("( ", "(")


def part(text: str, begin: str, end: str) -> str:
    assert begin in text, begin
    return text.split(begin, 1)[1].split(end, 1)[0]


def origin(site: Path, path: str) -> str:
    return words(part(read(site, path), '<div class="wm-origin" data-search-exclude>', "</div>"))


SESSION = "session 7f4c21d8 (claude-code)"
EXTRACTIVE = "Made without a language model on 2026-11-30"
ORIGINS = {
    "decisions/session-cookies": (
        f"Decision Stable Human-reviewed {EXTRACTIVE} from 4 sources {SESSION} reviewed by miguel on 2026-11-30"
    ),
    "decisions/jwt-login": f"Decision Deprecated Machine-confirmed {EXTRACTIVE} from 1 source {SESSION}",
    "concepts/readings": f"Concept Stable Unverified Drafted by gpt-6-luna on 2026-11-30 from 1 source {SESSION}",
    "slots/state": f"Slot Draft Machine-confirmed {EXTRACTIVE} {SESSION}",
}


@pytest.mark.parametrize("path", ORIGINS)
def test_says_what_it_is_and_where_it_comes_from(sample_site: Path, path: str) -> None:
    assert origin(sample_site, f"tidemark/{path}") == ORIGINS[path]


def test_stands_under_the_title(sample_site: Path) -> None:
    text = read(sample_site, "tidemark/decisions/session-cookies")

    assert text.count("<h1") == 1
    assert text.index("</h1>") < text.index("wm-origin") < text.index("Login state is kept")


@pytest.mark.parametrize("path", ["", "tags", "tidemark", "tidemark/decisions", "tidemark/log"])
def test_generated_pages_say_nothing_of_origin(sample_site: Path, path: str) -> None:
    assert "wm-origin" not in read(sample_site, path)


def test_a_footnote_says_what_its_source_says_and_leads_to_the_line(sample_site: Path) -> None:
    text = read(sample_site, "tidemark/decisions/session-cookies")
    item = part(text, f'<li id="fn:{COOKIES.label}"', "</li>")

    assert COOKIES.text in html.unescape(item)
    assert "2026-11-12 09:14, dana" in words(item)
    line = "https://github.com/harbour/wiki/blob/trunk/observations/tidemark/2026-11.jsonl#L12"
    assert f'<a href="{line}">2026-11.jsonl, line 12</a>' in item
    assert f'href="#fnref:{COOKIES.label}"' in item


def test_a_source_that_an_agent_wrote_names_the_agent(sample_site: Path) -> None:
    item = part(read(sample_site, "tidemark/procedures/release"), f'<li id="fn:{SMOKE.label}"', "</li>")

    assert "claude-code (agent)" in words(item)


def test_sources_that_no_footnote_names_are_listed(sample_site: Path) -> None:
    text = read(sample_site, "tidemark/decisions/session-cookies")
    other = words(part(text, '<section class="wm-other" data-search-exclude>', "</section>"))

    assert other == f"Read, but not cited {OLD.text} 2026-10-02 13:00, dana 2026-10.jsonl, line 7"
    assert text.count('id="wm-sources"') == 1


def test_a_deprecated_page_leads_to_its_successor(sample_site: Path) -> None:
    notice = part(read(sample_site, "tidemark/decisions/jwt-login"), '<aside class="wm-notice"', "</aside>")

    assert '<a href="../session-cookies/">session cookies</a>' in notice
    assert (sample_site / "tidemark/decisions/jwt-login" / "../session-cookies/index.html").is_file()


def test_a_page_that_names_its_successor_is_not_told_twice(tmp_path: Path) -> None:
    front = {"type": "Concept", "status": "deprecated", "superseded_by": "two.md"}
    body = "# One\n\n> Superseded by [Two](https://example.org/two) on 2026-11-30.\n\nText."
    text = one_page(tmp_path, front, body=body)

    assert words(part(text, '<aside class="wm-notice" aria-label="Deprecated page">', "</aside>")) == (
        "This page is no longer current. It is kept for its history."
    )


def test_breadcrumbs_lead_up(sample_site: Path) -> None:
    trail = part(read(sample_site, "tidemark/decisions/session-cookies"), '<nav class="wm-trail"', "</nav>")

    assert re.findall(r'href="([^"]*)">([^<]*)<', trail) == [
        ("../../..", "Home"),
        ("../../", "tidemark"),
        ("../", "decisions"),
    ]
    assert "wm-trail" not in read(sample_site, "")


def test_the_edit_link_leads_to_the_page_in_the_repository(sample_site: Path) -> None:
    text = read(sample_site, "tidemark/decisions/session-cookies")

    edit = "https://github.com/harbour/wiki/edit/trunk/wiki/tidemark/decisions/session-cookies.md"
    assert f'<a href="{edit}" title="Edit this page"' in text


def test_tags_lead_to_the_tags_page(sample_site: Path) -> None:
    assert '<a href="../../../tags/#tag:auth" class="md-tag">auth</a>' in read(
        sample_site, "tidemark/decisions/session-cookies"
    )
    assert 'href="../tidemark/decisions/session-cookies/">Session cookies instead of JWT</a>' in read(
        sample_site, "tags"
    )


def test_the_navigation_holds_indexes_only(sample_site: Path) -> None:
    nav = part(read(sample_site, "tidemark/decisions"), '<nav class="md-nav md-nav--primary"', 'data-md-type="toc"')

    assert "Decisions" in nav
    assert "Gotchas" in nav
    assert "Session cookies" not in nav


REPOSITORIES = {
    "https://gitlab.com/a/b": "https://gitlab.com/a/b/-/blob/main/observations/a%20b.jsonl#L3",
    "https://github.com/a/b/": "https://github.com/a/b/blob/main/observations/a%20b.jsonl#L3",
    "https://codeberg.org/a/b": "https://codeberg.org/a/b/src/branch/main/observations/a%20b.jsonl#L3",
    "https://bitbucket.org/a/b": "https://bitbucket.org/a/b/src/main/observations/a%20b.jsonl#L3",
}


def one_page(
    tmp_path: Path, front: Front, *, body: str = "# One\n\nText.", configuration: str = "", **variables: str
) -> str:
    root = write_repository(tmp_path, pages={"index.md": "# Home\n", "p/concepts/one.md": page(front, body)})
    if configuration:
        text = (root / "mkdocs.yml").read_text(encoding="utf-8")
        (root / "mkdocs.yml").write_text(
            text.replace("  wikimill:\n", f"  wikimill:\n{configuration}", 1), encoding="utf-8"
        )
    environment = {
        key: value for key, value in os.environ.items() if key not in {"SITE_URL", "REPO_URL", "WIKI_BRANCH"}
    }
    return read(build_site(root, environment={**environment, **variables}).output, "p/concepts/one")


def source(resource: str) -> dict[str, object]:
    entry = {"id": "o-1", "resource": resource, "title": "2026-11-30 10:00 dana: said", "author": "human:dana"}
    return {"type": "Concept", "sources": [entry]}


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_each_git_host_has_its_addresses(tmp_path: Path, repository: str) -> None:
    text = one_page(tmp_path, source("../../../observations/a b.jsonl#L3"), REPO_URL=repository)

    assert f'<a href="{REPOSITORIES[repository]}">a b.jsonl, line 3</a>' in text


def test_a_wiki_in_a_folder_of_its_repository(tmp_path: Path) -> None:
    text = one_page(
        tmp_path,
        source("../../../observations/a.jsonl#L3"),
        configuration="    prefix: docs/team/\n    host: gitlab\n",
        REPO_URL="https://git.example/a/b",
    )

    assert 'href="https://git.example/a/b/-/blob/main/docs/team/observations/a.jsonl#L3"' in text
    assert 'href="https://git.example/a/b/-/edit/main/docs/team/wiki/p/concepts/one.md"' in text


@pytest.mark.parametrize(
    ("resource", "shown"),
    [
        ("../../../observations/a.jsonl#L3", "a.jsonl, line 3"),
        (
            "https://example.org/a?b=1&c=2",
            '<a href="https://example.org/a?b=1&amp;c=2">https://example.org/a?b=1&amp;c=2</a>',
        ),
        ("javascript:alert(1)", '<q>said</q> <span class="wm-fact">2026-11-30 10:00, dana</span></p>'),
        ("/etc/passwd", '<q>said</q> <span class="wm-fact">2026-11-30 10:00, dana</span></p>'),
    ],
)
def test_without_a_repository_sources_are_text(tmp_path: Path, resource: str, shown: str) -> None:
    text = one_page(tmp_path, source(resource))

    assert shown in text
    assert "/blob/" not in text
    assert 'rel="edit"' not in text


def test_a_page_written_by_hand_says_so(tmp_path: Path) -> None:
    text = one_page(tmp_path, {"type": "Concept", "title": "One"})

    assert words(part(text, '<div class="wm-origin" data-search-exclude>', "</div>")) == (
        "Concept Stable Unverified Written by hand"
    )


@pytest.mark.parametrize(
    ("verified", "tier"),
    [
        (None, "Unverified"),
        ([], "Unverified"),
        ("human:dana", "Unverified"),
        ([{"by": "process:wikimill-gates"}], "Machine-confirmed"),
        ([{"by": "process:x"}, {"by": "human:dana"}], "Human-reviewed"),
        ([{"by": "process:human:dana"}], "Machine-confirmed"),
        ([{"at": "2026"}], "Unverified"),
    ],
)
def test_the_tier_follows_from_who_verified(tmp_path: Path, verified: object, tier: str) -> None:
    text = one_page(tmp_path, {"type": "Concept", "verified": verified})

    badges = re.findall(r'<li class="wm-badge[^>]*>([^<]*)<', text)
    assert badges == ["Concept", "Stable", tier]


def test_dead_links_end_on_a_page_that_helps(sample_site: Path) -> None:
    text = (sample_site / "404.html").read_text(encoding="utf-8")

    assert "<title>Page not found - Harbour wiki</title>" in text
    assert 'data-wm-home="/."' in text


def test_no_page_asks_another_host(sample_site: Path) -> None:
    for file in sample_site.rglob("*.html"):
        for tag, attributes in Elements(file.read_text(encoding="utf-8")).found:
            wanted = [attributes.get(name, "") for name in ("src", "srcset", "action", "data")]
            if tag == "link" and attributes.get("rel") != "canonical":
                wanted.append(attributes.get("href", ""))
            assert not [address for address in wanted if "//" in address], (file, tag)


def test_scripts_stand_in_files(sample_site: Path) -> None:
    for file in (*sample_site.rglob("*.html"),):
        text = file.read_text(encoding="utf-8")
        assert "script-src 'self';" in text
        for script in re.findall(r"<script[^>]*>", text):
            assert " src=" in script or 'type="application/json"' in script


def test_hostile_pages_are_all_published(hostile_site: Path) -> None:
    for name in (*BODIES, "front", "front heading", *(f"steer {key}" for key in STEERING)):
        assert (hostile_site / f"evil/concepts/{name.replace(' ', '-')}/index.html").is_file(), name


def test_no_element_of_a_hostile_page_carries_a_handler(hostile_site: Path) -> None:
    for file in hostile_site.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        for tag, attributes in Elements(text).found:
            assert not [name for name in attributes if name.startswith("on")], (file, tag)
            assert tag not in {"iframe", "object", "embed", "base", "style", "math", "noscript", "textarea"}, (
                file,
                tag,
            )
            address = attributes.get("href", "")
            assert not re.match(r"\s*(?:javascript|data|vbscript):(?!void\(0\)$)", address, re.IGNORECASE), (file, tag)


def test_no_hostile_page_takes_the_place_of_the_frame(hostile_site: Path) -> None:
    for file in hostile_site.rglob("*.html"):
        ids = [
            attributes["id"] for _, attributes in Elements(file.read_text(encoding="utf-8")).found if "id" in attributes
        ]
        for name in ("__config", "__search", "__drawer"):
            assert ids.count(name) == 1, (file, name)


def test_front_matter_reads_as_the_text_that_it_is(hostile_site: Path) -> None:
    text = read(hostile_site, "evil/concepts/front")

    assert html.unescape(part(text, "<title>", "</title>")) == f"{' '.join(str(FRONT['title']).split())} - Harbour wiki"
    assert html.unescape(part(text, '<meta name="description" content="', '"')) == FRONT["description"]
    assert words(part(text, "<h1>", "</h1>")) == " ".join(str(FRONT["title"]).split())
    assert IMG in html.unescape(part(text, '<ul class="wm-badges"', "</ul>"))


def test_the_search_index_holds_text_only(hostile_site: Path) -> None:
    index = json.loads((hostile_site / "search/search_index.json").read_text(encoding="utf-8"))
    kept = re.compile(r"</?(?:p|code|pre|li|ol|ul|sub|sup)>")

    assert len(index["docs"]) > len(BODIES)
    for entry in index["docs"]:
        for text in (entry["title"], entry["text"], *entry.get("tags", [])):
            assert "<" not in kept.sub("", text), entry
            assert ">" not in kept.sub("", text), entry


def test_a_snippet_of_the_configuration_is_not_published(hostile_site: Path) -> None:
    assert "site_name" not in read(hostile_site, "evil/concepts/snippet")
    assert "{{ 7 * 7 }}" in html.unescape(read(hostile_site, "evil/concepts/jinja"))


def test_the_search_passes_over_what_all_pages_say_and_what_indexes_repeat(tmp_path: Path) -> None:
    note = "> Collected without a language model: every statement is a quotation."
    pages = {
        "index.md": "# Projects\n\n- [tidemark](p/index.md) - 2 pages.\n",
        "p/index.md": "# tidemark\n\nAbout gauges.\n\n## Concepts\n\n- [Marigraph](concepts/one.md) - A pen draws.\n",
        "p/log.md": "# Update log\n\n## 2026-11-30\n\n- **Creation**: created [Marigraph](concepts/one.md).\n",
        "p/concepts/one.md": f"# Marigraph\n\n{note}\n\n## What it is\n\n"
        "- A pen draws the tide. See [itself](one.md).[^o-1]\n\n[^o-1]: 2026-11-29 14:03, dana\n",
    }
    built = build_site(write_repository(tmp_path, pages=pages), environment=dict(os.environ))

    index = json.loads((built.output / "search/search_index.json").read_text(encoding="utf-8"))
    texts = {entry["location"]: words(entry["text"]) for entry in index["docs"]}
    assert texts["p/"] == "About gauges."
    assert texts["p/concepts/one/"] == ""
    assert texts["p/concepts/one/#what-it-is"] == "A pen draws the tide. See itself."
    assert [location for location, text in texts.items() if "Marigraph" in text or "2 pages" in text] == []
    assert note.removeprefix("> ") in words(read(built.output, "p/concepts/one"))
