"""What a published page says about itself, and that nothing of a hostile page gets into the frame around it."""

from __future__ import annotations

import html
import json
import re
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from tests.reading.generating import build, rendered
from tests.reading.payloads import BODIES, FRONT, STEERING
from tests.reading.sample import COOKIES, write_repository
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
    assert words(item).count("2026-11-12 09:14") == words(item).count("dana") == 1
    line = "https://github.com/harbour/wiki/blob/trunk/observations/tidemark/2026-11.jsonl#L12"
    assert f'<a href="{line}">2026-11.jsonl, line 12</a>' in item
    assert f'href="#fnref:{COOKIES.label}"' in item


def test_the_navigation_holds_indexes_only(sample_site: Path) -> None:
    nav = part(read(sample_site, "tidemark/decisions"), '<nav class="md-nav md-nav--primary"', 'data-md-type="toc"')

    assert "Decisions" in nav
    assert "Gotchas" in nav
    assert "Session cookies" not in nav


REPOSITORIES = {
    "https://gitlab.com/a/b": "https://gitlab.com/a/b/-/blob/main/observations/a%20b.jsonl#L3",
    "https://github.com/a/b/": "https://github.com/a/b/blob/main/observations/a%20b.jsonl#L3",
    "https://codeberg.org/a/b": "https://codeberg.org/a/b/src/branch/main/observations/a%20b.jsonl#L3",
    "https://bitbucket.org/a/b": "https://bitbucket.org/a/b/src/main/observations/a%20b.jsonl#lines-3",
}


def one_page(resource: str, **options: str) -> str:
    entry = {"id": "o-1", "resource": resource, "title": "2026-11-30 10:00 dana: said", "author": "human:dana"}
    return rendered("p/concepts/one.md", "# One\n\nText.", {"type": "Concept", "sources": [entry]}, options=options)


@pytest.mark.parametrize("repository", REPOSITORIES)
def test_each_git_host_has_its_addresses(repository: str) -> None:
    text = one_page("../../../observations/a b.jsonl#L3", repository=repository)

    assert f'href="{REPOSITORIES[repository]}"' in text


def test_a_wiki_in_a_folder_of_its_repository() -> None:
    options = {"repository": "https://git.example/a/b", "prefix": "docs/team/", "host": "gitlab"}
    text = one_page("../../../observations/a.jsonl#L3", **options)

    assert 'href="https://git.example/a/b/-/blob/main/docs/team/observations/a.jsonl#L3"' in text
    assert 'href="https://git.example/a/b/-/edit/main/docs/team/wiki/p/concepts/one.md"' in text


@pytest.mark.parametrize("resource", ["javascript:alert(1)", "/etc/passwd", "../../../../../x", "data:text/html,x"])
def test_a_resource_that_leads_nowhere_is_no_link(resource: str) -> None:
    text = one_page(resource)

    assert "said" in text
    assert not [
        found for _, found in Elements(text).found if "passwd" in found.get("href", "") or ":" in found.get("href", "")
    ]


def test_without_a_repository_nothing_leads_to_one() -> None:
    text = one_page("../../../observations/a.jsonl#L3")

    assert "a.jsonl, line 3" in text
    assert "/blob/" not in text
    assert "/edit/" not in text


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
    assert "Decision<img src=x" in html.unescape(part(text, '<ul class="wm-badges"', "</ul>"))


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
    site = build("mkdocs", write_repository(tmp_path, pages=pages))

    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    texts = {entry["location"]: words(entry["text"]) for entry in index["docs"]}
    assert texts["p/"] == "About gauges."
    assert texts["p/concepts/one/"] == ""
    assert texts["p/concepts/one/#what-it-is"] == "A pen draws the tide. See itself."
    assert [location for location, text in texts.items() if "Marigraph" in text or "2 pages" in text] == []
    assert note.removeprefix("> ") in words(read(site, "p/concepts/one"))
