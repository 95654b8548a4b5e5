"""Forty pages, as a reader's browser shows them: fit for everybody, quiet, alone, small, and whole without scripts.

What `tests/browser/test_looks.py` holds of a smaller wiki (the keyboard, targets, facets, copying) is not repeated.
"""

from __future__ import annotations

import gzip
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browser.axe import violations
from tests.browser.surfing import CHROMIUM, DRIVER, Browser, free_port, hosts, open_browser, serving
from tests.gate.builds import ADDRESS, HOST, Built, Sites
from tests.gate.checker import file_at
from tests.gate.fixture import CLOCK, COOKIES, SUPERSEDED
from tests.gate.pages import SAID, pages

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and chromedriver"),
]

KINDS = {
    "page": COOKIES,
    "page with tabs": "tidemark/procedures/log-in/",
    "page with tasks": "tidemark/procedures/release/",
    "contradicted page": "tidemark/gotchas/receiver-port/",
    "page with pictures": "tidemark/concepts/gauge/",
    "Japanese page": "tidemark/concepts/readings/",
    "Russian page": "tidemark/concepts/water-level/",
    "Arabic page": "tidemark/concepts/tide-level/",
    "person's page": "tidemark/notes/",
    "superseded page": SUPERSEDED,
    "draft": "tidemark/slots/state/",
    "namesake": "pier/gotchas/clock/",
    "home": "",
    "browse": "browse/",
    "type": "types/decision/",
    "tags": "tags/",
    "changes": "changes/",
    "health": "health/",
    "history": f"history/{COOKIES}",
    "search": "search/?q=gauge",
    "graph": "graph/",
    "project": "tidemark/",
    "folder": "tidemark/decisions/",
    "log": "tidemark/log/",
    "print": "print/decision/",
    "lost": "nowhere/session-cooky/",
}
ALIKE = {"Russian page", "draft", "namesake", "folder", "page with tasks"}
"""Pages that are made of what others hold too: what hinders people is looked for on the others."""
FIRST_VIEW = 130 * 1024
"""Bytes that a first visit may fetch, all files packed with gzip."""


@pytest.fixture(scope="module", params=["mkdocs", "zensical"])
def built(request: pytest.FixtureRequest, sites: Sites) -> Built:
    return sites.derived(request.param)


@pytest.fixture(scope="module")
def browser(built: Built) -> Iterator[Browser]:
    assert built.code == 0, built.said
    port = free_port()
    with serving(built.site, port), open_browser(host=HOST, port=port) as started:
        started.resize(1440, 900)
        yield started


@contextmanager
def without_scripts(browser: Browser) -> Iterator[None]:
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        yield
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def settled(browser: Browser, path: str) -> None:
    """Open a page and wait until its scripts have done what they do at once."""
    browser.open(ADDRESS + path)
    browser.wait(lambda: browser.ask("return document.readyState === 'complete' && typeof document$ === 'object'"))
    for part, done in (("wm-search", ".wm-count"), ("wm-browse", ".wm-facets"), ("wm-lost", "p"), ("wm-map", "canvas")):
        if browser.all(f"#{part}"):
            browser.ask(f"document.getElementById('{part}').scrollIntoView()")
            browser.wait(lambda part=part, done=done: browser.all(f"#{part} {done}"))  # type: ignore[misc]


def said(browser: Browser, selector: str = ".md-content") -> str:
    return " ".join(browser.find(selector).text.split())


_COLOURS = """
const done = arguments[arguments.length - 1];
axe.run(document, { runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] } }).then((found) =>
  done(found.violations.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.target.join(" ")}`))));
"""
"""Asks the rules of axe that look at colours; it stands on the page by then."""


def test_no_kind_of_page_hinders_anybody_in_light_or_dark(browser: Browser) -> None:
    browser.open(ADDRESS)
    browser.ask("localStorage.clear()")
    found: dict[tuple[str, str], object] = {}
    for kind in KINDS.keys() - ALIKE:
        paint(browser, "light")
        settled(browser, KINDS[kind])
        found[kind, "light"] = violations(browser)
        paint(browser, "dark")
        found[kind, "dark"] = browser.driver.execute_async_script(_COLOURS)
    paint(browser, "light")
    assert len(found) == 2 * (len(KINDS) - len(ALIKE))
    assert {key: told for key, told in found.items() if told} == {}


def paint(browser: Browser, scheme: str) -> None:
    """Let the reader's system prefer a scheme, which the page follows."""
    name = {"light": "default", "dark": "slate"}[scheme]
    browser.prefer(scheme)
    browser.wait(lambda: browser.ask("return document.body.dataset.mdColorScheme") == name)


def test_no_kind_of_page_complains_or_asks_others_or_overflows(browser: Browser) -> None:
    """The policy is in force: what it forbids would stand in the console."""
    browser.complaints()
    browser.requests()
    browser.resize(390, 844)
    wide: dict[str, int] = {}
    for kind, path in KINDS.items():
        settled(browser, path)
        over = cast("int", browser.ask("return document.documentElement.scrollWidth - innerWidth"))
        wide |= {kind: over} if over > 0 else {}
        assert browser.ask("return !!document.querySelector('meta[http-equiv=Content-Security-Policy]')")
    browser.resize(1440, 900)
    assert wide == {}
    complaints = [one for one in browser.complaints() if f"{ADDRESS}nowhere/" not in one]
    assert complaints == []
    assert hosts(browser.requests()) == {HOST}


@pytest.mark.parametrize("kind", ["home", "page", "browse", "search", "graph", "lost"])
def test_a_first_visit_fetches_little(browser: Browser, built: Built, kind: str) -> None:
    browser.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    browser.open("about:blank")
    browser.requests()
    settled(browser, KINDS[kind])
    asked = {address.partition("#")[0].partition("?")[0] for address in browser.requests()}
    sizes = {}
    for address in asked:
        if address.startswith(ADDRESS):
            file = file_at(built.site, address) or built.site / "404.html"
            sizes[address] = len(gzip.compress(file.read_bytes(), 6, mtime=0))
    assert 4 < len(sizes) < 30
    assert sum(sizes.values()) <= FIRST_VIEW, sorted((size, address) for address, size in sizes.items())


def test_pages_follow_one_another_without_a_reload(browser: Browser) -> None:
    settled(browser, "browse/")
    browser.ask("window.same = true")
    browser.ask(f"document.querySelector('#wm-browse a[href$=\"{COOKIES}\"]').click()")
    browser.wait(lambda: browser.find(".md-content h1").text.startswith("Session cookies"))
    browser.ask("document.querySelector('.md-content a[href*=\"jwt-login\"]').click()")
    browser.wait(lambda: browser.find(".md-content h1").text.startswith("JWT for the login"))
    assert browser.ask("return document.querySelector('.wm-notice') !== null")
    browser.ask("document.querySelector('.md-header__button.md-logo').click()")
    browser.wait(lambda: urlsplit(browser.driver.current_url).path == "/")
    browser.driver.back()
    browser.wait(lambda: browser.find(".md-content h1").text.startswith("JWT for the login"))
    assert browser.ask("return window.same") is True


@pytest.mark.parametrize("goal", ["session-cookies/#lifetime", "concepts/gauge/", "release/#steps"])
def test_a_link_shows_what_it_leads_to(browser: Browser, goal: str) -> None:
    paths = {"session-cookies/#lifetime": "tidemark/notes/", "concepts/gauge/": CLOCK, "release/#steps": COOKIES}
    words = {
        "session-cookies/#lifetime": "stays at 12 hours",
        "concepts/gauge/": "reports every six minutes",
        "release/#steps": "Wait until the gauges report",
    }
    settled(browser, paths[goal])
    link = f".md-content a[data-preview][href$='{goal}']"
    browser.ask(f"document.querySelector(\"{link}\").scrollIntoView({{ block: 'center' }})")
    browser.ask(f'document.querySelector("{link}").focus()')
    browser.wait(lambda: words[goal] in said(browser, ".md-tooltip2--active"))
    browser.press(Keys.ESCAPE)
    browser.wait(lambda: not browser.all(".md-tooltip2--active"))


def test_a_preview_shows_how_far_a_page_can_be_trusted(browser: Browser) -> None:
    settled(browser, CLOCK)
    browser.ask("document.querySelector(\".md-content a[data-preview][href$='concepts/gauge/']\").focus()")
    browser.wait(lambda: "Review due" in said(browser, ".md-tooltip2--active"))
    browser.press(Keys.ESCAPE)
    browser.wait(lambda: not browser.all(".md-tooltip2--active"))


def test_a_footnote_that_is_cited_twice_shows_its_words_at_both_places(browser: Browser) -> None:
    settled(browser, COOKIES)
    first = SAID["cookies"].words.partition("\n")[0]
    numbers = browser.ask(
        "return [...document.querySelectorAll('.footnote-ref')].map((link, at) => [link.hash, at])"
        ".filter(([hash], _, all) => all.filter(([other]) => other === hash).length === 2).map(([, at]) => at)"
    )
    assert len(cast("list[int]", numbers)) == 2
    for number in cast("list[int]", numbers):
        browser.ask(f"document.querySelectorAll('.footnote-ref')[{number}].focus()")
        browser.wait(lambda: first in said(browser, ".md-tooltip2--active"))
        browser.press(Keys.ESCAPE)
        browser.wait(lambda: not browser.all(".md-tooltip2--active"))


def test_a_language_and_its_direction_hold(browser: Browser) -> None:
    settled(browser, KINDS["Arabic page"])
    told = browser.ask(
        "const it = [...document.querySelectorAll('.md-content p')].find((one) => one.textContent.includes('المد'));"
        "return [it.closest('[lang]').lang, getComputedStyle(it).direction, getComputedStyle(it).textAlign]"
    )
    assert told == ["ar", "rtl", "start"]
    settled(browser, KINDS["Japanese page"])
    assert browser.ask("return document.querySelector('.md-content table').closest('[lang]').lang") == "ja"


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("parse_reading", CLOCK),
        ("単位", KINDS["Japanese page"]),
        ("датчик", KINDS["Russian page"]),
        ("المد", KINDS["Arabic page"]),
        ("session_cookie_ttl", COOKIES),
        ("cookie session", COOKIES),
    ],
)
def test_search_finds_in_every_script(browser: Browser, query: str, path: str) -> None:
    browser.search(ADDRESS, query)
    browser.wait(lambda: ADDRESS + path in results(browser)[:3])


def test_a_superseded_page_comes_after_its_successor(browser: Browser) -> None:
    browser.search(ADDRESS, "JWT login")
    browser.wait(lambda: {ADDRESS + COOKIES, ADDRESS + SUPERSEDED} <= set(results(browser)))
    found = results(browser)
    assert found.index(ADDRESS + COOKIES) < found.index(ADDRESS + SUPERSEDED)


def results(browser: Browser) -> list[str]:
    """Give the pages that were found, best first."""
    links = browser.ask("return [...document.querySelectorAll('.wm-found a')].map((link) => link.href)")
    return list(dict.fromkeys(address.partition("#")[0] for address in cast("list[str]", links)))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("tidemark/gotchas/clock-of-gauge-7/", f"{CLOCK}#what-helps"),
        ("tidemark/concepts/meter/", "tidemark/concepts/gauge/#what-helps"),
    ],
)
def test_a_former_address_leads_on_and_keeps_the_section(browser: Browser, old: str, new: str) -> None:
    browser.open(f"{ADDRESS}{old}#what-helps")
    browser.wait(lambda: browser.driver.current_url == ADDRESS + new)
    with without_scripts(browser):
        browser.open(ADDRESS + old)
        browser.wait(lambda: browser.driver.current_url.partition("#")[0] == ADDRESS + new.partition("#")[0])
        assert browser.find(".md-content h1").text


# Without scripts


def test_every_page_can_be_read_without_scripts(browser: Browser, built: Built) -> None:
    with without_scripts(browser):
        for path, page in pages().items():
            browser.open(ADDRESS + path.removesuffix(".md") + "/")
            text = said(browser)
            assert page.title in text, path
            for cited in re.findall(r"\[\^([a-z]\w*)\]", page.body):
                words = SAID[cited].words.partition("\n")[0]
                assert " ".join(words.replace("`", "").split())[:60] in text.replace("`", ""), (path, cited)


def test_what_stands_around_a_page_is_there_without_scripts(browser: Browser) -> None:
    expected = {
        "page": ["Human-reviewed", "Also known as Login cookies", "Linked from", "Sources"],
        "contradicted page": ["Contradicted"],
        "superseded page": ["No longer current", "Session cookies instead of JWT"],
        "page with pictures": ["Review due since"],
        "namesake": ["Not to be confused with"],
        "draft": ["Draft"],
        "person's page": ["Human-reviewed", "A footnote of a person's own."],
        "page with tabs": ["curl --cookie-jar", "The proxy passes"],
        "changes": ["Session cookies instead of JWT"],
        "health": ["The port of the receiver", "A gauge"],
        "history": ["Miguel Ångström", "Correct the lifetime", "gpt-6-luna"],
        "graph": ["Gauge 7 sends local time"],
        "tags": ["auth", "C++"],
        "log": ["Cookies instead of JWT"],
        "print": ["Session cookies instead of JWT", "is a row of"],
    }
    missing: dict[tuple[str, str], str] = {}
    with without_scripts(browser):
        for kind, words in expected.items():
            browser.open(ADDRESS + KINDS[kind])
            text = said(browser).casefold()
            missing |= {(kind, one): text[:600] for one in words if one.casefold() not in text}
    assert missing == {}


def test_one_can_get_about_without_scripts(browser: Browser) -> None:
    with without_scripts(browser):
        browser.open(ADDRESS)
        hubs = [link for link in browser.all(".md-nav--primary a") if link.is_displayed()]
        assert {"Browse", "Recent changes", "Health"} <= {link.text for link in hubs}
        next(link for link in hubs if link.text == "Browse").click()
        assert browser.driver.current_url == f"{ADDRESS}browse/"
        listed = said(browser, "#wm-browse")
        assert [page.title for page in pages().values() if page.title not in listed] == []

        browser.open(ADDRESS + COOKIES)
        reference = browser.find(".footnote-ref")
        goal = str(reference.get_attribute("href"))
        reference.click()
        assert browser.driver.current_url == goal
        item = browser.find(f"[id='{goal.partition('#')[2]}']")
        assert SAID["cookies"].words.partition("\n")[0] in item.text
        box = item.rect
        assert box["height"] > 0
        item.find_element("css selector", ".footnote-backref").click()
        assert "#fnref" in browser.driver.current_url

        field = browser.find(".wm-find input")
        field.send_keys("gauge", Keys.ENTER)
        browser.wait(lambda: browser.driver.current_url == f"{ADDRESS}search/?q=gauge")
        ways = {link.get_attribute("href") for link in browser.all(".md-content a")}
        assert f"{ADDRESS}browse/" in ways

        browser.open(f"{ADDRESS}nowhere/at/all/")
        assert browser.find(".md-content h1").text == "Page not found"
        ways = {link.get_attribute("href") for link in browser.all(".md-content a")}
        assert {ADDRESS, f"{ADDRESS}browse/"} <= ways
        next(link for link in browser.all(".md-content a") if link.get_attribute("href") == f"{ADDRESS}browse/").click()
        assert browser.driver.current_url == f"{ADDRESS}browse/"


def test_on_a_small_screen_one_can_get_about_without_scripts(browser: Browser) -> None:
    browser.resize(390, 844)
    try:
        with without_scripts(browser):
            browser.open(ADDRESS + COOKIES)
            browser.find("label.md-header__button[for=__drawer]").click()
            browser.wait(
                lambda: any(link.text == "Browse" and link.is_displayed() for link in browser.all(".md-nav a"))
            )
    finally:
        browser.resize(1440, 900)
