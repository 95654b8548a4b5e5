"""A derived site in a real browser, by two engines: fit for every reader and screen, quiet, and alone."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from pipeline.config import parse_settings
from pipeline.publishing.building import build_site
from tests.browser.axe import violations
from tests.browser.sites import HOST, opened, published
from tests.browser.surfing import CHROMIUM, DRIVER, Browser, free_port, hosts, open_browser, serving
from tests.publishing.trees import ENVIRONMENT
from tests.reading.sample import write_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and chromedriver"),
]

COOKIES = "tidemark/decisions/session-cookies/"
READINGS = "tidemark/concepts/readings/"
CLOCK = "tidemark/gotchas/gauge-clock/"
RELEASE = "tidemark/procedures/release/"
SESSION = "tidemark/sessions/2026-11-18-gauge-7/"
PAGES = [
    "",
    COOKIES,
    "tidemark/decisions/jwt-login/",
    "tidemark/concepts/readings/",
    "tidemark/procedures/release/",
    "tidemark/",
    "browse/",
    "changes/",
    "health/",
    "graph/",
    "tags/",
    "search/?q=gauge",
    "nowhere/session-cooky/",
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser(host=HOST) as started:
        yield started


@pytest.fixture(scope="module", params=["mkdocs", "zensical"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp(request.param)

    def make(address: str) -> Path:
        built = published(root, address, generator=request.param)
        moved = {"schema": "1", "redirects": {"tidemark/old/": COOKIES, "tidemark/away/": "https://example.org/"}}
        (built / "kb" / "redirects.json").write_text(json.dumps(moved), encoding="utf-8")
        (built / "tidemark" / "stub").mkdir()
        (built / "tidemark" / "stub" / "index.html").write_text(
            "<!doctype html><title>Moved</title><link rel=icon href=data:,>"
            '<script src="../../assets/wikimill-redirect.js" data-to="../decisions/session-cookies/"></script>',
            encoding="utf-8",
        )
        return built

    with opened(make) as address:
        yield address


def settled(browser: Browser, address: str) -> None:
    """Open a page and wait until its scripts have done what they do at once."""
    browser.open(address)
    browser.wait(lambda: browser.ask("return document.readyState === 'complete' && typeof document$ === 'object'"))
    browser.wait(lambda: not browser.all("[data-wm-previews][hidden]"))
    for part, done in (("wm-search", ".wm-count"), ("wm-browse", ".wm-facets"), ("wm-lost", "p"), ("wm-map", "canvas")):
        if browser.all(f"#{part}"):
            browser.ask(f"document.getElementById('{part}').scrollIntoView()")
            browser.wait(lambda part=part, done=done: browser.all(f"#{part} {done}"))  # type: ignore[misc]


def ready_to_go(browser: Browser, address: str) -> None:
    """Open a page and wait until the theme knows which links it may follow without loading a page."""
    settled(browser, address)
    fetched = "return performance.getEntriesByType('resource').some((one) => one.name.endsWith('/sitemap.xml'))"
    browser.wait(lambda: browser.ask(fetched))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, site: str, scheme: str) -> None:
    browser.prefer(scheme)
    browser.resize(1440, 900)
    browser.open(site)
    browser.ask("localStorage.clear()")
    found = {}
    for path in PAGES:
        settled(browser, site + path)
        found[path] = violations(browser)
    browser.resize(390, 844)
    settled(browser, site + COOKIES)
    found["small"] = violations(browser)
    browser.ask("localStorage.clear()")
    browser.prefer("light")

    assert {path: said for path, said in found.items() if said} == {}


def test_nothing_is_asked_of_others_and_nothing_goes_wrong(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    browser.complaints()
    browser.requests()
    for path in PAGES[:-1]:
        settled(browser, site + path)

    assert browser.complaints() == []
    assert hosts(browser.requests()) == {HOST}


@pytest.mark.parametrize("width", [320, 390, 768, 1440])
def test_fits_the_screen(browser: Browser, site: str, width: int) -> None:
    browser.resize(width, 844)
    for path in PAGES:
        settled(browser, site + path)
        assert cast("int", browser.ask("return document.documentElement.scrollWidth - innerWidth")) <= 0, path


def test_columns_are_aligned_as_the_page_says(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    settled(browser, site + COOKIES)

    aligned = browser.ask("""
        const row = document.querySelector("tbody tr");
        return [...row.cells].map((cell) => getComputedStyle(cell).textAlign.replace("-webkit-", ""));
    """)
    assert aligned == ["start", "right", "center"]


def test_a_line_holds_as_many_signs_as_reads_well(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    settled(browser, site + COOKIES)

    signs = browser.ask("""
        const measure = document.createElement("span");
        measure.textContent = "The tide gauges report each hour, and the offices read what they say. ".repeat(4);
        measure.style.cssText = "position: absolute; white-space: nowrap; visibility: hidden";
        const text = document.querySelector(".md-content__inner > p:not([class])");
        text.append(measure);
        const sign = measure.offsetWidth / measure.textContent.length;
        measure.remove();
        return text.offsetWidth / sign;
    """)
    assert 62 <= cast("float", signs) <= 80


def test_targets_are_large_enough_for_a_finger(browser: Browser, site: str) -> None:
    browser.resize(390, 844)
    settled(browser, site + COOKIES)

    for selector in (".wm-trail a", ".wm-badge", ".wm-act a", ".wm-footer a", ".md-header__button"):
        shown = [element for element in browser.all(selector) if element.is_displayed()]
        assert shown, selector
        assert min(element.size["height"] for element in shown) >= 24, selector


def test_one_can_go_by_keyboard(browser: Browser, site: str) -> None:
    browser.resize(1440, 600)
    settled(browser, site + COOKIES)
    browser.press(Keys.TAB)
    assert browser.focused() == "Skip to content"
    browser.press(Keys.ENTER)
    browser.wait(lambda: browser.focused() == "wm-text")

    for _ in range(25):
        browser.press(Keys.TAB)
        hidden = browser.ask("""
            const it = document.activeElement;
            if (it === document.body) return false;
            const box = it.getBoundingClientRect();
            const header = document.querySelector(".md-header").getBoundingClientRect();
            return box.top < header.bottom && box.bottom > 0 && !it.closest(".md-header") && box.height > 0;
        """)
        assert not hidden, browser.focused()
    outline = browser.ask("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline in {"solid", "auto"}

    browser.ask("document.activeElement.blur()")
    browser.press("/")
    assert browser.focused() == "q"


def test_escape_closes_what_a_footnote_shows(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    settled(browser, site + COOKIES)
    browser.ask("document.querySelector('.footnote-ref').focus()")
    browser.wait(lambda: "revoking a JWT needs a denylist" in browser.find(".md-tooltip2--active").text)

    browser.press(Keys.ESCAPE)
    browser.wait(lambda: not browser.all(".md-tooltip2--active"))


def test_previews_can_be_turned_off(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    ready_to_go(browser, site + COOKIES)
    link = ".md-content a[data-preview]"
    browser.ask(f"document.querySelector('{link}').focus()")
    browser.wait(lambda: browser.all(".md-tooltip2--active"))
    browser.press(Keys.ESCAPE)
    browser.wait(lambda: not browser.all(".md-tooltip2--active"))

    browser.find("[data-wm-previews] button").click()
    settled(browser, site + COOKIES)
    assert browser.find("[data-wm-previews] button").get_attribute("aria-pressed") == "false"
    browser.ask(f"window.reached = 0; document.querySelector('{link}').addEventListener('focus', () => (reached += 1))")
    browser.ask(f"document.querySelector('{link}').focus()")
    assert browser.ask("return reached") == 0
    browser.ask("localStorage.clear()")


def test_pages_that_lead_here_have_previews(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    ready_to_go(browser, site + CLOCK)
    browser.ask("document.querySelector('.wm-links a[data-preview]').focus()")
    browser.wait(lambda: "tide readings" in browser.find(".md-tooltip2--active").text)


def test_what_searches_is_asked_for_at_once(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    settled(browser, site + COOKIES)
    asked = browser.ask("""
        document.querySelector(".wm-find input").focus();
        return [...document.scripts].map((script) => script.src.split("/").pop());
    """)
    parts = [f"wikimill-{part}.js" for part in ("words", "index", "find", "search")]
    assert [script for script in cast("list[str]", asked) if script in parts] == parts
    browser.wait(lambda: browser.ask("return Object.isFrozen(window.wikimillSearch ?? [])"))


def test_instant_navigation_keeps_the_search_and_marks_the_place(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    ready_to_go(browser, site)
    browser.ask("window.same = true")
    browser.ask(f"document.querySelector('.md-content a[href*=\"{COOKIES}\"]').click()")
    browser.wait(lambda: browser.find(".md-content h1").text.startswith("Session cookies"))

    assert browser.ask("return window.same") is True
    assert browser.ask("return document.querySelector('.wm-find').action") == f"{site}search/"
    marked = [link.get_attribute("href") for link in browser.all(".md-nav--primary [aria-current]")]
    assert f"{site}tidemark/" in marked
    browser.find(".wm-find input").send_keys("denylist", Keys.ENTER)
    browser.wait(lambda: browser.all(".wm-found a"))
    assert browser.find(".wm-found a").get_attribute("href").startswith(site + COOKIES)  # type: ignore[union-attr]


def test_the_picture_of_neighbours_leads_to_them(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    ready_to_go(browser, site)
    browser.complaints()
    browser.ask("window.same = true")
    browser.ask("document.querySelector('.md-content a[href*=\"slots/state/\"]').click()")
    browser.wait(lambda: browser.all(".wm-graph svg a text"))
    assert browser.ask("return window.same") is True
    goal = "const link = document.querySelector('.wm-graph svg a'); return new URL(link.href.baseVal, location).href"
    neighbour = browser.ask(goal)
    assert neighbour in {site + path for path in (READINGS, CLOCK, RELEASE, SESSION)}
    browser.find(".wm-graph svg a text").click()

    browser.wait(lambda: browser.driver.current_url == neighbour)
    assert browser.complaints() == []


def test_browsing_keeps_its_choice_in_the_address(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    settled(browser, site + "browse/")
    Select(browser.find(".wm-facets select[name=type]")).select_by_value("Decision")
    browser.wait(lambda: "type=Decision" in browser.driver.current_url)
    assert browser.find(".wm-count").text == "2 of 8 pages"
    browser.find(".wm-facets input[name=q]").send_keys("json web")
    browser.wait(lambda: "q=json" in browser.driver.current_url)
    assert [link.text for link in browser.all("#wm-browse .wm-list a") if link.is_displayed()] == ["JWT for the login"]

    settled(browser, browser.driver.current_url)
    browser.wait(lambda: browser.find(".wm-count").text == "1 of 8 pages")
    browser.find(".wm-facets [type=reset]").click()
    browser.wait(lambda: browser.driver.current_url == site + "browse/")
    assert browser.find(".wm-count").text == "8 of 8 pages"


def test_tags_that_differ_by_case_are_one_when_browsing(browser: Browser, tmp_path: Path) -> None:
    tags = {"one": "[Auth]", "two": "[auth, macOS]", "three": "[auth]", "four": "[AUTH, MACOS]", "five": "[other]"}
    root = write_repository(tmp_path, pages={"index.md": "# Home\n"})
    for name, told in tags.items():
        place = root / f"wiki/p/concepts/{name}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f"---\ntype: Concept\ntitle: {name}\ntags: {told}\n---\n\n# {name}\n", encoding="utf-8")
    built = build_site(root, parse_settings(""), now=datetime(2026, 12, 1, tzinfo=UTC), environment=ENVIRONMENT)
    with serving(built.output, free_port()) as home:
        settled(browser, f"{home}browse/?tag=AUTH")
        browser.wait(lambda: browser.find(".wm-count").text == "4 of 5 pages")
        options = [option.text for option in Select(browser.find(".wm-facets select[name=tag]")).options]
        assert options == ["All", "auth (4)", "MACOS (2)", "other (1)"]


@pytest.mark.parametrize(
    ("path", "goal"),
    [
        ("tidemark/stub/#lifetime", COOKIES + "#lifetime"),
        ("tidemark/old/#lifetime", COOKIES + "#lifetime"),
        ("tidemark/old/index.html", COOKIES),
        ("tidemark/away/", "tidemark/away/"),
    ],
)
def test_a_former_address_leads_on(browser: Browser, site: str, path: str, goal: str) -> None:
    browser.open(site + path)

    browser.wait(lambda: browser.driver.current_url == site + goal)


def test_a_dead_link_names_pages_alike(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    settled(browser, site + "tidemark/decisions/session-cooky/?x=<img>")
    links = [str(link.get_attribute("href")) for link in browser.all("#wm-lost a")]

    assert site + COOKIES in links
    assert len(links) <= 6
    assert links[-1] == f"{site}search/?q=tidemark+decisions+session+cooky"


def test_a_review_becomes_due_after_the_build(browser: Browser, site: str) -> None:
    settled(browser, site + COOKIES)
    browser.ask("""
        const origin = document.querySelector(".wm-origin");
        origin.dataset.staleAfter = "2001-01-01";
        const due = document.createElement("p");
        due.className = "wm-due";
        due.hidden = true;
        origin.append(due);
        document$.next(document);
    """)
    assert browser.ask("return document.querySelector('.wm-due').hidden") is False


def test_a_page_can_be_copied_as_markdown(browser: Browser, tmp_path: Path) -> None:
    """On an address where a browser gives its clipboard."""
    port = free_port()
    built = published(tmp_path, f"http://{HOST}:{port}/")
    with serving(built, port) as address:
        browser.driver.execute_cdp_cmd(
            "Browser.grantPermissions",
            {"origin": address.rstrip("/"), "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]},
        )
        settled(browser, address + COOKIES)
        browser.ask("document.querySelector('[data-wm-copy]').click()")
        browser.wait(lambda: browser.find("[data-wm-copy]").text == "Copied")
        copied = browser.driver.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
    assert copied == (built / "tidemark/decisions/session-cookies.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("generator", ["mkdocs", "zensical"])
def test_a_copy_can_be_read_from_a_disk(browser: Browser, tmp_path: Path, generator: str) -> None:
    browser.resize(1440, 900)
    built = published(tmp_path, "", generator=generator, offline=True)
    page = built / "tidemark" / "decisions" / "session-cookies.html"
    for selector, goal in (
        (".md-logo", "index.html"),
        (".wm-trail a", "index.html"),
        (".md-nav--primary a[href$='browse.html']", "browse.html"),
        (".md-content a[href*='jwt-login']", "tidemark/decisions/jwt-login.html"),
    ):
        browser.open(page.as_uri())
        browser.wait(lambda: not browser.find("[data-wm-previews]").get_attribute("hidden"))
        browser.ask(f'document.querySelector("{selector}").click()')
        browser.wait(lambda goal=goal: browser.driver.current_url == (built / goal).as_uri())  # type: ignore[misc]
    browser.open((built / "search.html").as_uri())
    assert [link.get_attribute("href") for link in browser.all("#wm-search a")] == [
        (built / name).as_uri() for name in ("browse.html", "tags.html")
    ]
    browser.complaints()


def test_the_way_past_the_header_leads_somewhere_on_every_page(browser: Browser, site: str) -> None:
    for path in PAGES:
        browser.open(site + path)
        target = str(browser.find(".wm-skip").get_attribute("href")).partition("#")[2]
        assert len(browser.all(f"[id='{target}']")) == 1, path


def test_the_policy_allows_this_site_alone(browser: Browser, site: str) -> None:
    browser.open(site)

    assert browser.find("meta[http-equiv=Content-Security-Policy]").get_attribute("content") == (
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
        "base-uri 'self'; form-action 'self'"
    )


def test_without_scripts_everything_is_there(browser: Browser, site: str) -> None:
    browser.resize(1440, 900)
    browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.open(site + COOKIES)
        page = browser.find(".md-content").text
        browser.open(site + "browse/")
        listed = browser.find("#wm-browse").text
        browser.open(site + "nowhere/")
        lost = browser.find(".md-content").text
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})

    for said in ("Human-reviewed", "Sources", "2026-11.jsonl, line 12", "revoking a JWT needs a denylist"):
        assert said in page
    assert "Gauge 7 sends local time" in listed
    assert "Browse" in lost
