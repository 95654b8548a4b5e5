"""A fresh clone, built by each generator without wikimill: the site is usable, and safe to read."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from tests.reading.generating import ENGINES, build
from tests.reading.payloads import BODIES, NAMES, hostile_pages
from tests.reading.sample import COOKIES, OLD, write_repository
from tests.reading.test_safe_markdown import Elements

if TYPE_CHECKING:
    from pathlib import Path

REPOSITORY = "https://github.com/harbour/wiki"
NEVER = {"iframe", "object", "embed", "base", "math", "noscript", "textarea", "applet", "frame", "foreignobject", "use"}


@lru_cache
def elements(file: Path) -> list[tuple[str, dict[str, str]]]:
    return Elements(file.read_text(encoding="utf-8")).found


@pytest.fixture(scope="module", params=ENGINES)
def usual(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_repository(tmp_path_factory.mktemp(f"usual-{request.param}"))
    return build(request.param, root, REPO_URL=REPOSITORY, WIKI_BRANCH="trunk")


@pytest.fixture(scope="module", params=ENGINES)
def hostile(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write_repository(tmp_path_factory.mktemp(f"hostile-{request.param}"), pages=hostile_pages(together=4))
    return build(request.param, root, strict=False, REPO_URL=REPOSITORY)


def read(site: Path, path: str) -> str:
    return (site / path / "index.html").read_text(encoding="utf-8")


def test_pages_say_where_they_come_from(usual: Path) -> None:
    text = read(usual, "tidemark/decisions/session-cookies")

    assert text.count("<h1") == 1
    assert text.index("</h1>") < text.index('class="wm-origin"') < text.index("Login state is kept")
    assert "human-reviewed" in text
    assert text.count('id="wm-sources"') == 1
    assert "wm-origin" not in read(usual, "tidemark/decisions")


def test_footnotes_tell_their_sources(usual: Path) -> None:
    text = read(usual, "tidemark/decisions/session-cookies")
    item = text.split(f'<li id="fn:{COOKIES.label}" class="wm-cited">', 1)[1].split("</li>", 1)[0]

    assert "denylist" in item
    assert f"{REPOSITORY}/blob/trunk/observations/tidemark/2026-11.jsonl" in item
    assert f'href="#fnref:{COOKIES.label}"' in item
    assert OLD.text in text.split('class="wm-other"', 1)[1]


def test_a_superseded_page_leads_to_its_successor(usual: Path) -> None:
    assert 'href="../session-cookies/"' in read(usual, "tidemark/decisions/jwt-login").split("Login uses", 1)[0]


def test_every_link_leads_somewhere(usual: Path) -> None:
    checked = 0
    for file in usual.rglob("*.html"):
        if file.name == "404.html":
            continue
        page = "/" + file.relative_to(usual).as_posix().removesuffix("index.html")
        for tag, attributes in elements(file):
            address = attributes.get("href") or attributes.get("src") or ""
            target = urlsplit(urljoin(f"https://wiki.invalid{page}", address))
            if tag not in {"a", "img", "script", "link"} or not address or target.netloc != "wiki.invalid":
                continue
            if target.fragment == "__skip":  # a theme's own, on pages without contents
                continue
            place = usual / unquote(target.path).lstrip("/")
            place = place / "index.html" if place.is_dir() else place
            assert place.is_file(), (page, address)
            if target.fragment and place.suffix == ".html":
                ids = {found.get("id") for _, found in elements(place)}
                assert unquote(target.fragment) in ids, (page, address)
            checked += 1
    assert checked > 200


def test_links_to_pages_can_be_previewed(usual: Path) -> None:
    text = read(usual, "tidemark/decisions/session-cookies")

    assert re.search(r'<a data-preview="" href="\.\./(?:\.\./decisions/)?jwt-login/">', text)


def test_all_hostile_pages_are_there(hostile: Path) -> None:
    count = sum(1 for _ in (hostile / "evil/concepts").rglob("index.html"))

    assert count >= len(BODIES) // 4
    assert sum(1 for _ in (hostile / "evil/names").rglob("index.html")) >= len(NAMES)


def test_nothing_of_a_hostile_page_runs(hostile: Path) -> None:
    for file in hostile.rglob("*.html"):
        for tag, attributes in elements(file):
            assert tag.lower() not in NEVER, (file, tag)
            assert not [name for name in attributes if name.startswith("on")], (file, tag, attributes)
            for name in ("href", "src", "action", "formaction", "xlink:href", "data", "srcdoc", "ping"):
                address = re.sub(r"[\x00-\x20]", "", attributes.get(name, "")).lower()
                harmless = address in {"", "javascript:void(0)"}  # the theme's own
                assert harmless or not address.startswith(("javascript:", "vbscript:", "data:")), (file, tag, address)
            if tag in {"img", "script", "link"} and attributes.get("rel") != "canonical":
                assert "//" not in attributes.get("src", attributes.get("href", "")), (file, tag, attributes)
            if tag == "script":
                assert attributes.get("src") or attributes.get("type") == "application/json", (file, attributes)
            if tag == "meta":
                assert attributes.get("http-equiv", "").lower() != "refresh", file


def test_nothing_of_a_hostile_page_gets_into_the_frame(hostile: Path) -> None:
    for file in hostile.rglob("*.html"):
        found = elements(file)
        ids = [attributes["id"] for _, attributes in found if "id" in attributes]
        assert ids.count("__config") == 1, file
        assert ids.count("wm-sources") <= 1, file
        for tag, attributes in found:
            assert "FORGED" not in attributes.get("class", "") + attributes.get("id", ""), (file, tag)
            if "wm-cited" in attributes.get("class", ""):
                assert tag == "li", file
                assert attributes["id"].startswith("fn:o-"), file


def test_titles_of_hostile_pages_are_text(hostile: Path) -> None:
    for file in hostile.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        title = text.split("<title>", 1)[1].split("</title>", 1)[0]
        assert "<" not in title, file
        assert [tag for tag, _ in elements(file)].count("title") == 1, file
