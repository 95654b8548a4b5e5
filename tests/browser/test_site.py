"""The built site in a real browser: usable without wikimill's own build, and deaf to what pages want it to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.sites import HOST, opened, plain, published
from tests.browser.surfing import CHROMIUM, DRIVER, Browser, hosts, open_browser
from tests.reading.generating import build
from tests.reading.payloads import hostile_pages
from tests.reading.sample import sample_pages, write_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and chromedriver"),
]

HOSTILE = hostile_pages(together=6)
COOKIES = "tidemark/decisions/session-cookies/"

MAKERS: dict[str, Callable[[Path, str], Path]] = {
    "published": lambda root, address: published(root, address, pages=HOSTILE),
    "published, no policy": lambda root, address: published(root, address, pages=HOSTILE, policy=False),
    "zensical, no policy": lambda root, address: published(
        root, address, pages=HOSTILE, generator="zensical", policy=False
    ),
    "plain mkdocs": lambda root, address: plain(root, address, pages=HOSTILE, generator="mkdocs"),
    "plain properdocs": lambda root, address: plain(root, address, pages=HOSTILE, generator="properdocs"),
    "plain zensical": lambda root, address: plain(root, address, pages=HOSTILE, generator="zensical"),
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser(host=HOST) as started:
        yield started


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("sample")
    with opened(lambda address: published(root, address)) as address:
        yield address


@pytest.fixture(scope="module", params=["mkdocs", "zensical"])
def clone(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A fresh clone, built by a generator alone."""
    root = tmp_path_factory.mktemp("clone")
    with opened(lambda address: plain(root, address, pages=sample_pages(), generator=request.param)) as address:
        yield address


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("session cookies", COOKIES),
        ("denylist", COOKIES),
        ("parse_reading", "tidemark/gotchas/gauge-clock/"),
        ("session_cookie_ttl", COOKIES),
        ("stations.toml", "tidemark/gotchas/gauge-clock/"),
        ("1.14.2", "tidemark/slots/state/"),
        ("潮位", "tidemark/concepts/readings/"),
        ("センチメートル", "tidemark/concepts/readings/"),
    ],
)
def test_search_finds(browser: Browser, sample: str, query: str, first: str) -> None:
    found = browser.search(sample, query)

    assert sample + first in [address.split("#")[0] for address in found[:2]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_follows_the_readers_colours_and_keeps_a_choice(browser: Browser, sample: str, scheme: str) -> None:
    browser.resize(1440, 900)
    browser.prefer(scheme)
    browser.open(sample)
    browser.ask("localStorage.clear()")
    browser.open(sample)

    def background() -> str:
        return str(browser.ask("return getComputedStyle(document.body).backgroundColor"))

    def toggle() -> str:
        label = next(label for label in browser.all("form[data-md-component=palette] label") if label.is_displayed())
        name = label.get_attribute("title")
        label.click()
        return str(name)

    colours = {"light": "rgb(253, 253, 252)", "dark": "rgb(26, 32, 34)"}
    other = "light" if scheme == "dark" else "dark"
    assert background() == colours[scheme]
    browser.prefer(other)
    browser.wait(lambda: background() == colours[other])
    browser.prefer(scheme)
    browser.wait(lambda: background() == colours[scheme])

    while toggle() != f"Switch to {other} mode":
        pass
    browser.wait(lambda: background() == colours[other])
    browser.open(sample + "tags/")
    assert background() == colours[other]
    while toggle() != "Follow the system":
        pass
    browser.wait(lambda: background() == colours[scheme])
    browser.ask("localStorage.clear()")
    browser.prefer("light")


def test_a_fresh_clone_is_usable(browser: Browser, clone: str) -> None:
    browser.resize(1440, 900)
    browser.complaints()
    browser.requests()
    browser.open(clone + COOKIES)
    assert browser.ask("return typeof document$") == "object"
    assert "Human-reviewed" in browser.find(".wm-badges").text
    assert browser.all(".wm-cited .wm-source")
    for path in ("", "tidemark/", "tags/"):
        browser.open(clone + path)
        assert browser.all(".md-content h1")
        assert len(browser.all("#wm-text")) == len(browser.all(".wm-skip[href$='#wm-text']")) == 1
    assert browser.complaints() == []
    assert hosts(browser.requests()) == {HOST}

    browser.open(clone + "nowhere/")
    assert browser.find(".md-content h1").text == "Page not found"
    assert not browser.all("#wm-lost, .wm-find, link[href$='llms.txt']")


@pytest.fixture(scope="module")
def unprotected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A few of the hostile pages, by the generator and its theme alone."""
    root = tmp_path_factory.mktemp("unprotected")
    names = ("script.md", "front.md", "attributes.md", "front-heading.md")
    pages = {path: text for path, text in hostile_pages().items() if path.endswith(names)}
    write_repository(root, pages={"index.md": "# Home\n", **pages})
    (root / "mkdocs.yml").write_text(
        "site_name: x\ndocs_dir: wiki\nsite_dir: .build/site\n"
        "theme: { name: material, font: false }\nmarkdown_extensions: [attr_list]\n",
        encoding="utf-8",
    )
    with opened(lambda _: build("mkdocs", root, strict=False)) as address:
        yield address


@pytest.mark.parametrize("path", ["script", "front-heading"])
def test_what_pages_plant_does_run_without_protection(browser: Browser, unprotected: str, path: str) -> None:
    browser.open(f"{unprotected}evil/concepts/{path}/")

    assert browser.ask("return window.ran") is not None


_TOUCH = """
for (const it of document.querySelectorAll(".md-content :is(a, button, summary, input, details, svg, img)")) {
  it.focus?.();
  for (const name of ["mouseenter", "mouseover", "focus"]) it.dispatchEvent(new Event(name, { bubbles: true }));
}
return [...document.querySelectorAll(".md-content a[href]")].map((link) => String(link.href)).filter(
  (address) => !/^(https?|mailto):/.test(address) && address !== "[object SVGAnimatedString]");
"""


@pytest.mark.parametrize("maker", MAKERS)
def test_nothing_that_a_page_plants_runs(browser: Browser, tmp_path: Path, maker: str) -> None:
    browser.resize(1440, 900)
    browser.complaints()
    browser.requests()
    paths: list[str] = []

    def make(address: str) -> Path:
        built = MAKERS[maker](tmp_path, address)
        paths.extend(sorted(str(file.parent.relative_to(built)) for file in built.rglob("index.html")))
        return built

    with opened(make) as address:
        for path in paths:
            browser.open(address if path == "." else f"{address}{path}/")
            assert browser.ask(_TOUCH) == [], path
            assert browser.ask("return window.ran") is None, path
            assert browser.ask("return typeof document$") == "object", path
        if maker.startswith(("published", "zensical")):
            for query in ("title", "img", "onerror", "script", "tag", "C++", "heading"):
                browser.search(address, query)
                assert browser.ask("return window.ran") is None, query

    harmless = {"Failed to load resource", "favicon", "Autofocus processing was blocked"}
    assert [said for said in browser.complaints() if not any(word in said for word in harmless)] == []
    assert hosts(browser.requests()) == {HOST}
