"""The search in a real browser, over its static files and the barest of pages, under a strict policy."""

from __future__ import annotations

import random
import re
import shutil
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.parse import urlencode

import pytest
from selenium.webdriver.common.keys import Keys

from pipeline.site.addresses import file_of, to_place
from pipeline.site.hubs.browse import browse_documents
from pipeline.site.hubs.shelf import shelf_of
from pipeline.site.machines.index_json import index_json
from pipeline.site.search.shards import search_files
from pipeline.site.search.words import LITTLE, name, words
from pipeline.site.values import Inputs, Site
from tests.browser.axe import violations
from tests.browser.surfing import CHROMIUM, DRIVER, Browser, free_port, open_browser, serving
from tests.site.making import facts, section
from tests.site.making import library as library_of
from tests.site.search.cases import CASES
from tests.site.search.shelf import QUESTIONS, question_library, sample_library

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.site.library import Library

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and chromedriver"),
]

ASSETS = Path(__file__).resolve().parents[2] / "site" / "overrides" / "assets"
SCRIPTS = [f"wikimill-{part}.js" for part in ("words", "index", "find", "search", "results")]
"""As `wikimill.js` loads them."""
POLICY = "default-src 'self'; style-src 'unsafe-inline'; img-src data:"
BELOW = "team/wiki/"
"""The site stands below its server's top."""
COOKIES = "harbour/decisions/session-cookies"
JWT = "harbour/decisions/jwt-login"
CLOCK = "harbour/gotchas/gauge-clock"
READINGS = "tide/concepts/readings"
GUN = "tide/gotchas/noon-gun"
CAFE = "tide/concepts/cafe"


def page(path: str, title: str, inside: str = "") -> str:
    root = to_place(path, "", Site())
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<title>{title}</title><link rel="icon" href="data:,">'
        "<style>[hidden]{display:none!important}</style>"
        f'<form class="wm-find" role="search" action="{root}search/" method="get">'
        '<input type="search" name="q" aria-label="Search"></form>'
        f"<main><h1>{title}</h1>{inside}</main>"
        + "".join(f'<script src="{root}assets/{script}"></script>' for script in SCRIPTS)
    )


def write_site(top: Path, library: Library, made: dict[str, bytes]) -> None:
    """Write the barest of sites below `top`: pages, the page of results, the scripts, and some files."""
    pages = {path: page(path, path) for path in library.pages}
    pages["index.md"] = page("index.md", "home")
    pages["search.md"] = page(
        "search.md", "Search", '<div id="wm-search"><a href="../browse.html">Browse</a> instead.</div>'
    )
    scripts = {f"assets/{script}": (ASSETS / script).read_bytes() for script in SCRIPTS}
    whole = {**{file_of(path): written.encode() for path, written in pages.items()}, **scripts, **made}
    for path, raw in whole.items():
        place = top / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(raw)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("search")
    library = sample_library()
    write_site(root / BELOW, library, search_files(Inputs(Site(), {}), library))
    with serving(root, free_port()) as address:
        yield address + BELOW


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    root = tmp_path_factory.mktemp("asked")
    write_site(root, question_library(), search_files(Inputs(Site(), {}), question_library()))
    with serving(root, free_port()) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser() as opened:
        yield opened


def listed(browser: Browser) -> list[str]:
    links = "return [...document.querySelectorAll('#wm-search ol > li > a:first-child')].map((link) => link.href)"
    return cast("list[str]", browser.ask(links))


def results(browser: Browser, site: str, query: str, **filters: str) -> list[str]:
    """Give the pages found for a query, best first: by its address, without loading the page of results again."""
    address = f"{site}search/?{urlencode({'q': query, **filters})}"
    if browser.driver.current_url.startswith(f"{site}search/"):
        go = "history.pushState(null, '', arguments[0]); dispatchEvent(new PopStateEvent('popstate'))"
        browser.driver.execute_script(go, address)
    else:
        browser.open(address)
    browser.wait(lambda: browser.all("#wm-search[aria-busy=false]"))
    return [link.removeprefix(site).strip("/") for link in listed(browser)]


def text(browser: Browser, selector: str) -> str:
    return browser.find(selector).text


def test_words_are_the_same_in_the_browser_and_in_the_index(browser: Browser, site: str) -> None:
    browser.open(site)
    browser.wait(lambda: browser.ask("return !!window.wikimillWords"))
    script = (
        "const { words, terms, name } = wikimillWords;"
        "return arguments[0].map((text) => [words(text).map(terms), name(text, arguments[1])])"
    )
    dice = random.Random(5)
    signs = [sign for sign in map(chr, range(0x20, 0x20000)) if unicodedata.category(sign) not in {"Cn", "Cs", "Co"}]
    joining = list("_./\\:@'-+#1 aB")
    some = [
        "".join(dice.choice(dice.choice((signs, joining))) for _ in range(dice.randint(1, 12))) for _ in range(3000)
    ]

    texts = [*CASES, *some]
    found = browser.driver.execute_script(script, texts, sorted(LITTLE))

    for text_, told in zip(texts, found, strict=True):
        assert told == [[list(word.terms) for word in words(text_)], name(text_)], text_


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("session cookies", COOKIES),
        ("Session cookies instead of JWT", COOKIES),
        ("signed cookies", COOKIES),
        ("session_cookie_ttl", COOKIES),
        ("sessionCookieTtl", COOKIES),
        ("session_coo", COOKIES),
        ("cookie_ttl", COOKIES),
        ("pipeline/auth/cookies.py", COOKIES),
        ("auth/cookies.py", COOKIES),
        ("cookies.py", COOKIES),
        ("1.14.2", COOKIES),
        ("v1.14.2", COOKIES),
        ("1.14 ", COOKIES),
        ("3.11", CAFE),
        ("parse_reading", CLOCK),
        ("parse reading", CLOCK),
        ("reading parse", CLOCK),
        ("UTF8", CLOCK),
        ("c++", CLOCK),
        ("balancer", CLOCK),
        ("oadbalance", CLOCK),
        ("gauge clock", CLOCK),
        ("検索", READINGS),
        ("課", READINGS),
        ("み", READINGS),
        ("缓存", READINGS),
        ("redis", READINGS),
        ("センチ", READINGS),
        ("ｾﾝﾁﾒｰﾄﾙ", READINGS),
        ("검색", READINGS),
        ("น้ำ", READINGS),
        ("cafe", CAFE),
        ("NAÏVE", CAFE),
        ("strasse", CAFE),
        ("СЕРВЕР", CAFE),
        ("серверы", CAFE),
        ("елка", CAFE),
        ("احمد", CAFE),
        ("مستودع", CAFE),
        ("كتابا", CAFE),
        ("policy", CAFE),
        ("deploy", CAFE),
        ("10.0.0.1", CAFE),
        ("__proto__", "tide/gotchas/javascript:alert(1)"),
        ("constructor", "tide/gotchas/javascript:alert(1)"),
    ],
)
def test_finds(browser: Browser, site: str, query: str, first: str) -> None:
    assert results(browser, site, query)[:1] == [first]
    assert browser.complaints() == []


@pytest.mark.parametrize("query", ["session cookies", "denylist", "jwt", "login jwt session cookies"])
def test_what_was_superseded_stands_below_its_successor(browser: Browser, site: str, query: str) -> None:
    found = results(browser, site, query)

    assert JWT in found
    assert COOKIES not in found[found.index(JWT) :]
    if COOKIES in found:
        assert found.index(COOKIES) < found.index(JWT)
    old = next(item for item in browser.all("#wm-search li") if "JWT login" in item.text)
    assert "Superseded by Session cookies instead of JWT" in old.text
    assert "Deprecated" in old.text


@pytest.mark.parametrize(
    ("query", "first", "told"),
    [
        ("denylsit", COOKIES, "No page found\nThese pages have a word that is spelt like it.\nDid you mean denylist?"),
        ("gauges denylist", COOKIES, "No page found with all of these words\nThese pages have some of them."),
        ("oadbal", CLOCK, "1 page found\nNo page has just this word. These have it within another."),
        ("denyxqzv", COOKIES, "No page found\nThese pages have a word that begins like it."),
        ("検課金", READINGS, "No page found with all of these words\nThese pages have some of them."),
    ],
)
def test_no_result_is_no_dead_end(browser: Browser, site: str, query: str, first: str, told: str) -> None:
    assert first in results(browser, site, query)[:2]
    assert re.sub(r"\n+", "\n", told) in re.sub(r"\s*\n\s*", "\n", text(browser, "#wm-search"))
    assert [link.get_attribute("href") for link in browser.all(".wm-further a")] == [f"{site}browse/", f"{site}tags/"]


def test_of_pages_that_fit_alike_what_was_learnt_stands_before_the_session(browser: Browser, site: str) -> None:
    assert results(browser, site, "noon gun") == [GUN, "tide/sessions/noon-gun"]
    assert results(browser, site, "noon gun cleaned") == ["tide/sessions/noon-gun", GUN]
    assert "Session · tide · Human-reviewed" in text(browser, "#wm-search li")
    assert text(browser, "#wm-search [role=status]") == "1 page found"
    assert "Behind those with all of these words stand pages with some." in text(browser, "#wm-search")


def test_a_question_is_asked_by_its_telling_words(browser: Browser, site: str) -> None:
    assert results(browser, site, "How do we sign the session cookies?") == [COOKIES, JWT]
    assert text(browser, "#wm-search [role=status]") == "1 page found"
    assert "No page" not in text(browser, "#wm-search")
    assert len(results(browser, site, "with a")) == 20


def test_even_nonsense_leads_on(browser: Browser, site: str) -> None:
    assert results(browser, site, "☃ ☃") == []
    assert results(browser, site, "zzqx 9x9x9x") == []
    assert text(browser, "#wm-search [role=status]") == "No page found"
    assert "browse all pages or look through the tags" in text(browser, ".wm-further")


def test_a_suggested_spelling_is_a_click_away(browser: Browser, site: str) -> None:
    results(browser, site, "sesion denylst")

    assert text(browser, "#wm-search p button") == "session denylist"
    browser.find("#wm-search p button").click()

    browser.wait(lambda: browser.driver.current_url.endswith("?q=session+denylist"))
    browser.wait(lambda: text(browser, "#wm-search [role=status]") == "2 pages found")


def test_facets_narrow_and_stand_in_the_address(browser: Browser, site: str) -> None:
    results(browser, site, "common words")
    assert text(browser, "#wm-search [role=status]") == "40 pages found"
    assert len(listed(browser)) == 20
    browser.find("#wm-search button").click()
    browser.wait(lambda: len(listed(browser)) == 40)

    found = results(browser, site, "jwt")
    browser.wait(lambda: len(browser.all("select[name=tag] option")) == 3)
    assert [option.text for option in browser.all("select[name=tag] option")] == ["All", "auth (2)", "Gateway (1)"]
    assert [select.is_displayed() for select in browser.all("#wm-search select")] == [False, False, True]
    form, field = browser.find(".wm-facets"), browser.find(".wm-facets input")
    assert field.find_element("xpath", "..").value_of_css_property("grid-column-end") == "-1"
    assert form.is_displayed()
    assert set(found) == {COOKIES, JWT}
    browser.find("select[name=tag]").send_keys("G")
    browser.wait(lambda: browser.driver.current_url.endswith("?q=jwt&tag=Gateway"))
    browser.wait(lambda: len(listed(browser)) == 1)

    assert results(browser, site, "jwt", tag="gateway", type="decision", project="harbour") == [COOKIES]
    assert results(browser, site, "jwt", project="tide") == []
    assert text(browser, "#wm-search [role=status]") == "No page of this choice found"
    assert len(results(browser, site, "", type="Session")) == 20
    assert text(browser, "#wm-search [role=status]") == "41 pages found"


def test_shows_the_words_found_and_the_sections(browser: Browser, site: str) -> None:
    results(browser, site, "cookies live")

    item = browser.find("#wm-search li")
    assert [mark.text for mark in item.find_elements("css selector", ":scope > a mark")] == ["cookies"]
    section = next(link for link in item.find_elements("css selector", "a") if "How long" in link.text)
    assert section.get_attribute("href") == f"{site}{COOKIES}/#how-long-cookies-live"
    assert [mark.text for mark in section.find_elements("css selector", "mark")] == ["cookies", "live"]
    assert results(browser, site, "検索の")[0] == READINGS
    assert [mark.text for mark in browser.all("#wm-search li:first-child > a mark")] == ["検索の"]


def test_a_result_shows_why_it_was_found(browser: Browser, site: str) -> None:
    results(browser, site, "twelve hours")
    said = "#wm-search li .wm-said"
    browser.wait(lambda: text(browser, said) == "Twelve hours, see pipeline/auth/cookies.py and v1.14.2.")
    assert [mark.text for mark in browser.all("#wm-search li:first-child .wm-said mark")] == ["Twelve", "hours"]

    results(browser, site, "denylist jwt")
    browser.wait(lambda: "Revoking a JWT needs a denylist." not in text(browser, said))
    assert text(browser, said).startswith("We sign session cookies and keep no denylist.")

    results(browser, site, "session cookies")
    assert text(browser, said).startswith("We sign session cookies and keep no denylist.")
    results(browser, site, "검색을 한다")
    browser.wait(lambda: [mark.text for mark in browser.all(f"{said} mark")] == ["검색을", "한다"])


def test_a_long_sentence_is_quoted_around_the_words(browser: Browser, tmp_path: Path) -> None:
    far = "word " * 60 + "then the needle stands here " + "and more " * 60
    made = library_of(
        facts("a/x.md", title="Long", description="Nothing of it.", sections=(section("", far),)),
        facts("a/y.md", title="長", description="", sections=(section("", "水" * 300 + "検索" + "火" * 300),)),
    )
    write_site(tmp_path, made, search_files(Inputs(Site(), {}), made))
    with serving(tmp_path, free_port()) as address:
        for query, word in (("needle", "needle"), ("検索", "検索")):
            results(browser, address, query)
            browser.wait(lambda word=word: text(browser, "#wm-search .wm-said mark") == word)  # type: ignore[misc]
            quoted = text(browser, "#wm-search .wm-said")
            assert quoted.startswith("… ")
            assert quoted.endswith(" …")
            assert len(quoted) < 250
    browser.complaints()


@pytest.mark.parametrize(("question", "page"), QUESTIONS.items())
def test_a_question_leads_to_its_page(browser: Browser, asked: str, question: str, page: str) -> None:
    assert page in results(browser, asked, question)[:3]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("gauge", ["harbour/concepts/gauge", "harbour/concepts/gauge-id", "harbour/concepts/gauges-count"]),
        ("Gauges", ["harbour/concepts/gauge", "harbour/concepts/gauge-id", "harbour/concepts/gauges-count"]),
        ("lanes", ["harbour/concepts/lanes", "harbour/concepts/fairway"]),
        ("tide table", ["harbour/concepts/tide-tables"]),
    ],
)
def test_a_page_that_is_called_so_comes_first_then_short_titles(
    browser: Browser, asked: str, query: str, first: list[str]
) -> None:
    assert results(browser, asked, query)[: len(first)] == first


def test_an_old_name_leads_to_what_took_its_place(browser: Browser, site: str) -> None:
    assert results(browser, site, "JWT login for session cookies and sessions")[:2] == [COOKIES, JWT]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("policy", True),
        ("policies", True),
        ("boxes", False),
        ("caches", True),
        ("cache", True),
        ("class", True),
        ("classes", True),
        ("status", True),
        ("cookie", True),
        ("parse_arg", True),
        ("busies", False),
    ],
)
def test_singular_and_plural_are_one(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory, query: str, *, found: bool
) -> None:
    told = "A policy of caches and class loaders, its status, some cookies, redis, parse_args."
    made = library_of(facts("a/x.md", title="X", description=told))
    root = tmp_path_factory.mktemp("plural")
    write_site(root, made, search_files(Inputs(Site(), {}), made))
    with serving(root, free_port()) as address:
        results(browser, address, query)
        status = text(browser, "#wm-search [role=status]")
        assert status == ("1 page found" if found else "No page found")


def test_no_identifier_loses_its_end(browser: Browser, tmp_path: Path) -> None:
    names = ["redis", "redi", "clas", "class", "parse_args", "parse_arg", "statu", "status", "indexes", "indexe"]
    made = library_of(*(facts(f"a/{name}.md", title="Page", description=f"About {name}.") for name in names))
    write_site(tmp_path, made, search_files(Inputs(Site(), {}), made))
    with serving(tmp_path, free_port()) as address:
        assert [results(browser, address, name)[0] for name in names] == [f"a/{name}" for name in names]


def test_by_the_keyboard_alone(browser: Browser, site: str) -> None:
    browser.open(site + COOKIES + "/")
    field = browser.find(".wm-find input")
    field.send_keys("denylist")
    browser.wait(lambda: len(browser.all("[role=option]")) == 3)
    assert field.get_attribute("aria-expanded") == "true"
    assert "2 pages found" in str(browser.ask("return document.querySelector('.wm-find [role=status]').textContent"))

    field.send_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    active = browser.find(f"#{field.get_attribute('aria-activedescendant')}")
    assert active.get_attribute("aria-selected") == "true"
    assert "JWT login" in active.text
    field.send_keys(Keys.ESCAPE)
    browser.wait(lambda: field.get_attribute("aria-expanded") == "false")
    assert field.get_attribute("value") == "denylist"
    field.send_keys(Keys.ARROW_DOWN)
    browser.wait(lambda: field.get_attribute("aria-expanded") == "true")
    field.send_keys(Keys.ARROW_UP, Keys.ARROW_UP, Keys.ENTER)
    browser.wait(lambda: browser.driver.current_url == f"{site}{JWT}/")

    browser.find(".wm-find input").send_keys("denylist", Keys.ENTER)
    browser.wait(lambda: browser.driver.current_url == f"{site}search/?q=denylist")
    browser.wait(lambda: len(listed(browser)) == 2)


def test_titles_run_nothing(browser: Browser, site: str) -> None:
    assert results(browser, site, "attack")[0] == "tide/gotchas/attack"
    assert "onerror" in text(browser, "#wm-search li")
    results(browser, site, "<img src=x onerror=document.title='run'>")
    browser.find(".wm-find input").send_keys("onerror")
    browser.wait(lambda: browser.all("[role=option]"))

    assert browser.ask("return document.title") == "Search"
    assert browser.all("#wm-search img, #wm-search script, .wm-find img") == []
    assert results(browser, site, "schemes") == ["tide/gotchas/javascript:alert(1)"]
    assert browser.complaints() == []


def test_asks_for_no_more_than_it_needs(browser: Browser, site: str) -> None:
    browser.open(site)
    browser.requests()
    results(browser, site, "denylist")

    asked = sorted(address.removeprefix(site).split("?")[0] for address in browser.requests() if "/find/" in address)
    assert asked == [
        "find/facets.json",
        "find/manifest.json",
        "find/pages-0.json",
        "find/pages-1.json",
        "find/text-1.json",
        "find/words-0.json",
    ]


def test_says_when_its_files_are_missing(browser: Browser, tmp_path: Path) -> None:
    write_site(tmp_path, sample_library(), {"find/manifest.json": b'{"schema":"1"}'})
    with serving(tmp_path, free_port()) as bare:
        browser.open(f"{bare}search/?q=x")
        browser.wait(lambda: "could not be loaded" in text(browser, "#wm-search"))
        ways = [link.get_attribute("href") for link in browser.all(".wm-further a")]
        assert ways == [f"{bare}browse.html", f"{bare}tags/"]
    browser.complaints()


def test_a_site_that_was_published_again_is_searched_as_it_is_now(browser: Browser, tmp_path: Path) -> None:
    before, after = sample_library(), library_of(facts("tide/concepts/new.md", title="Neap tide"))
    write_site(tmp_path, before, search_files(Inputs(Site(), {}), before))
    with serving(tmp_path, free_port()) as address:
        assert results(browser, address, "denylist") == [COOKIES, JWT]
        shutil.rmtree(tmp_path / "find")
        write_site(tmp_path, after, search_files(Inputs(Site(), {}), after))
        field = browser.find("#wm-search input")
        field.clear()
        field.send_keys("neap")
        browser.wait(lambda: listed(browser) == [f"{address}tide/concepts/new/"])
    browser.complaints()


def test_hinders_nobody(browser: Browser, site: str) -> None:
    results(browser, site, "denylist cookies")
    browser.find(".wm-find input").send_keys("cookie")
    browser.wait(lambda: browser.all("[role=option]"))

    assert violations(browser) == []


BROWSER = """
window.document$ = { subscribe: (mount) => mount() };
"""


@pytest.fixture(scope="module")
def listing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The list of all pages and the page of dead links, as bare as the page of results."""
    root = tmp_path_factory.mktemp("listing")
    library = sample_library()
    inputs = Inputs(Site(), {})
    shelf = shelf_of(inputs, library)
    static = next(browse_documents(shelf)).frame.below_title
    scripts = '<script src="../assets/steady.js"></script><script src="../assets/wikimill-{}.js"></script>'
    lost = '<div id="wm-lost" data-index="../kb/index.json" data-redirects="../kb/redirects.json"></div><h2>Where</h2>'
    written = {
        "browse/index.html": page("browse.md", "Browse", static + scripts.format("browse")),
        "lost/cafe/index.html": page("lost/cafe.md", "Lost", lost.replace("../", "../../"))
        + scripts.format("lost").replace("../", "../../"),
        "assets/steady.js": BROWSER,
    }
    write_site(root, library, {"kb/index.json": index_json(inputs, library), "kb/redirects.json": b"{}"})
    for name_ in ("browse", "lost"):
        shutil.copy(ASSETS / f"wikimill-{name_}.js", root / "assets")
    for path, told in written.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(told, encoding="utf-8")
    with serving(root, free_port()) as address:
        yield address


def test_entries_look_the_same_before_and_after_narrowing(browser: Browser, listing: str) -> None:
    rows = "return [...document.querySelectorAll('#wm-browse li')].filter((row) => row.checkVisibility()).map((row) => "
    browser.open(f"{listing}browse/")
    browser.wait(lambda: browser.all(".wm-facets"))
    before = cast("list[str]", browser.ask(f"{rows} row.textContent)"))
    browser.open(f"{listing}browse/?q=e")
    browser.wait(lambda: browser.all(".wm-facets"))
    browser.wait(lambda: text(browser, ".wm-count") == "49 of 49 pages")
    after = cast("list[str]", browser.ask(f"{rows} row.textContent)"))

    assert len(after) == 49
    assert after[: len(before)] == before
    assert before[0].endswith("Gotcha · tide · Unverified")
    assert [one.text for one in browser.all("#wm-browse option[value='']")] == ["All"] * 5
    browser.complaints()


def test_a_dead_link_leads_first_to_the_page_of_that_name(browser: Browser, listing: str) -> None:
    browser.open(f"{listing}lost/cafe/")
    browser.wait(lambda: browser.all("#wm-lost a"))

    assert browser.find("#wm-lost li a").get_attribute("href") == f"{listing}{CAFE}/"
    assert browser.all("#wm-lost ~ h2") == []
    browser.complaints()
