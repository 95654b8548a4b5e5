"""The built site in a real browser: found by search, quiet, alone, and deaf to what pages want it to run."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.action_chains import ActionChains

from pipeline.reading.build import build_site
from tests.browser.surfing import CHROMIUM, DRIVER, Browser, free_port, open_browser, serving
from tests.reading.payloads import FRONT, hostile_pages
from tests.reading.sample import sample_pages, write_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and chromedriver"),
]

HOSTILE = hostile_pages(together=6)
HOST = "wiki.test"
"""Another name of this machine: on its usual ones the site relaxes its policy for the live preview."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser(host=HOST) as opened:
        yield opened


def built_site(root: Path, pages: dict[str, str], *, strict: bool) -> Iterator[str]:
    port = free_port()
    variables = {"SITE_URL": f"http://{HOST}:{port}/", "REPO_URL": "https://github.com/harbour/wiki"}
    write_repository(root, pages=pages)
    built = build_site(root, strict=strict, environment={**os.environ, **variables})
    with serving(built.output, port, HOST) as address:
        yield address


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from built_site(tmp_path_factory.mktemp("sample"), sample_pages(), strict=True)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    yield from built_site(tmp_path_factory.mktemp("hostile"), HOSTILE, strict=False)


@pytest.fixture(scope="module")
def hostile_without_policy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The same pages where no Content-Security-Policy is the second line."""
    root = write_repository(tmp_path_factory.mktemp("bare"), pages=HOSTILE)
    configuration = root / "mkdocs.yml"
    configuration.write_text(
        configuration.read_text(encoding="utf-8").replace("  wikimill:\n", "  wikimill:\n    csp: ''\n"),
        encoding="utf-8",
    )
    port = free_port()
    built = build_site(root, strict=False, environment={**os.environ, "SITE_URL": f"http://{HOST}:{port}/"})
    assert "Content-Security-Policy" not in (built.output / "index.html").read_text(encoding="utf-8")
    with serving(built.output, port, HOST) as address:
        yield address


def hosts(requests: list[str]) -> set[str]:
    return {urlsplit(address).hostname or "" for address in requests if address.startswith(("http:", "https:", "ws"))}


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("session cookies", "tidemark/decisions/session-cookies/"),
        ("denylist", "tidemark/decisions/session-cookies/"),
        ("parse_reading", "tidemark/gotchas/gauge-clock/"),
        ("session_cookie_ttl", "tidemark/decisions/session-cookies/"),
        ("stations.toml", "tidemark/gotchas/gauge-clock/"),
        ("1.14.2", "tidemark/slots/state/"),
        ("潮位", "tidemark/concepts/readings/"),
        ("センチメートル", "tidemark/concepts/readings/"),
    ],
)
def test_search_finds(browser: Browser, sample: str, query: str, first: str) -> None:
    browser.resize(1440, 900)
    browser.open(sample)

    found = browser.search(query)

    assert found
    assert found[0].removeprefix(sample).split("?")[0] == first


def test_a_result_leads_to_its_page_without_a_reload(browser: Browser, sample: str) -> None:
    browser.resize(1440, 900)
    browser.open(sample)
    browser.ask("window.same = true")
    browser.complaints()

    browser.search("denylist")
    browser.find(".md-search-result__link").click()
    browser.wait(lambda: "session-cookies" in browser.driver.current_url)
    browser.wait(lambda: browser.find(".md-content h1").text.startswith("Session cookies instead of JWT"))

    assert browser.ask("return window.same") is True
    assert [mark.text for mark in browser.all(".md-content mark")][:1] == ["denylist"]
    time.sleep(0.3)
    browser.find(".md-tags a").click()
    browser.wait(lambda: browser.find(".md-content h1").text.startswith("Tags"))
    assert browser.ask("return [window.same, __md_scope.pathname]") == [True, "/"]
    browser.driver.back()
    browser.wait(lambda: browser.find(".md-content h1").text.startswith("Session cookies"))
    assert browser.complaints() == []


def test_nothing_is_asked_of_others_and_nothing_goes_wrong(browser: Browser, sample: str) -> None:
    browser.resize(1440, 900)
    browser.complaints()
    browser.requests()
    for path in ("", "tidemark/", "tidemark/decisions/session-cookies/", "tidemark/gotchas/gauge-clock/", "tags/"):
        browser.open(sample + path)
        browser.search("gauge")

    assert browser.complaints() == []
    assert hosts(browser.requests()) == {HOST}


def test_a_footnote_shows_its_source_on_hover(browser: Browser, sample: str) -> None:
    browser.resize(1440, 900)
    browser.open(sample + "tidemark/decisions/session-cookies/")

    ActionChains(browser.driver).move_to_element(browser.find(".footnote-ref")).perform()
    browser.wait(lambda: browser.all(".md-tooltip2 .wm-source"))
    browser.wait(lambda: "revoking a JWT needs a denylist" in browser.find(".md-tooltip2 .wm-source").text)

    assert "2026-11.jsonl, line 12" in browser.find(".md-tooltip2").text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_follows_the_readers_colours_and_keeps_a_choice(browser: Browser, sample: str, scheme: str) -> None:
    browser.prefer(scheme)
    browser.open(sample)
    browser.ask("localStorage.clear()")
    browser.open(sample)

    def background() -> str:
        return str(browser.ask("return getComputedStyle(document.body).backgroundColor"))

    light, dark = "rgb(253, 253, 252)", "rgb(26, 32, 34)"
    assert background() == (dark if scheme == "dark" else light)
    next(label for label in browser.all("form[data-md-component=palette] label") if label.is_displayed()).click()
    browser.wait(lambda: background() == (light if scheme == "dark" else dark))
    browser.open(sample + "tags/")
    assert background() == (light if scheme == "dark" else dark)
    browser.ask("localStorage.clear()")
    browser.prefer("light")


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_fits_the_screen(browser: Browser, sample: str, width: int) -> None:
    browser.resize(width, 844)
    pages = [path.removesuffix(".md").removesuffix("index") for path in sample_pages() if path[0] not in "._"]
    for path in [*pages, "tags", "nowhere/at/all"]:
        browser.open(sample + path)
        assert browser.ask("return document.documentElement.scrollWidth - innerWidth") == 0, path


def test_targets_are_large_enough_for_a_finger(browser: Browser, sample: str) -> None:
    browser.resize(390, 844)
    browser.open(sample + "tidemark/decisions/session-cookies/")

    for selector in (".wm-trail a", ".md-tags a", ".md-content__button", ".md-header__button"):
        shown = [element for element in browser.all(selector) if element.is_displayed()]
        assert shown, selector
        assert min(element.size["height"] for element in shown) >= 24, selector


def test_a_dead_link_offers_a_search(browser: Browser, sample: str) -> None:
    browser.resize(1440, 900)
    browser.open(sample + "tidemark/decisions/session-cooky/")
    browser.find("[data-wm-home] a").click()
    browser.wait(lambda: browser.all(".md-search-result__link"))

    found = [str(link.get_attribute("href")) for link in browser.all(".md-search-result__link")]
    assert any("session-cookies" in address for address in found)


def test_without_scripts_a_page_is_complete(browser: Browser, sample: str) -> None:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(sample + "tidemark/decisions/session-cookies/")
        text = browser.find(".md-content").text
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    for said in ("Human-reviewed", "Made without a language model", "Sources", "2026-11.jsonl, line 12"):
        assert said in text


@pytest.fixture(scope="module")
def unprotected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A few of the same pages, by the generator and its theme alone."""
    root = tmp_path_factory.mktemp("unprotected")
    names = ("script.md", "front.md", "attributes.md", "front-heading.md")
    pages = {path: text for path, text in hostile_pages().items() if path.endswith(names)}
    write_repository(root, pages={"index.md": "# Home\n", **pages})
    (root / "mkdocs.yml").write_text(
        "site_name: x\ndocs_dir: wiki\nsite_dir: .build/site\n"
        "theme: { name: material, font: false }\nmarkdown_extensions: [attr_list]\n",
        encoding="utf-8",
    )
    built = build_site(root, strict=False, environment=dict(os.environ))
    with serving(built.output, free_port(), HOST) as address:
        yield address


@pytest.mark.parametrize("path", ["script", "front-heading"])
def test_what_pages_plant_does_run_without_protection(browser: Browser, unprotected: str, path: str) -> None:
    browser.open(f"{unprotected}evil/concepts/{path}/")

    assert browser.ask("return window.ran") is not None


@pytest.mark.parametrize("site", ["hostile", "hostile_without_policy"])
def test_nothing_that_a_page_plants_runs(browser: Browser, request: pytest.FixtureRequest, site: str) -> None:
    address: str = request.getfixturevalue(site)
    browser.resize(1440, 900)
    browser.complaints()
    browser.requests()
    pages = [path.removesuffix(".md").removesuffix("index") for path in HOSTILE]
    for path in [*pages, "tags"]:
        browser.open(f"{address}{path}/".replace("//", "/").replace(":/", "://", 1))
        for reference in browser.all(".footnote-ref")[:2]:
            ActionChains(browser.driver).move_to_element(reference).perform()
            time.sleep(0.3)
        for link in browser.all(".md-content a"):
            assert "javascript" not in str(link.get_attribute("href")), path
        assert browser.ask("return window.ran") is None, path
        assert browser.ask("return typeof document$") == "object", path

    browser.open(address)
    for query in ("title", "img", "onerror", "script", "tag", "C++", "heading", *str(FRONT["title"]).split("<")[:1]):
        browser.search(query)
        for more in browser.all(".md-search-result__more summary")[:5]:
            browser.driver.execute_script("arguments[0].click()", more)
        assert browser.ask("return window.ran") is None, query

    missing = {"Failed to load resource", "favicon"}
    assert [said for said in browser.complaints() if not any(word in said for word in missing)] == []
    assert hosts(browser.requests()) == {HOST}
