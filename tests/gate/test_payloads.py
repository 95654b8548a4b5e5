"""Nothing that pages, observations, commits or branches plant runs or is taken for ours, without any policy's help.

The policy is switched off here, so that what holds is the cleaning alone. Whatever runs sets `window.ran`.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast
from urllib.parse import quote

import pytest

from tests.browser.surfing import CHROMIUM, DRIVER, Browser, free_port, hosts, open_browser, serving
from tests.gate.builds import ADDRESS, ENGINES, HOST, Built, Sites, generator_build, wikimill_build
from tests.gate.hostile import REVIEWED, hostile, pages
from tests.reading.payloads import BRANCHES, IMG, OBSERVED, RUN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

pytestmark = [
    pytest.mark.slow,
    pytest.mark.browser,
    pytest.mark.skipif(not (CHROMIUM and DRIVER), reason="needs Chromium and chromedriver"),
]

KINDS = [f"{how} {engine}" for how in ("derived", "plain") for engine in ENGINES]
HARMLESS = ("Failed to load resource", "favicon", "Autofocus processing was blocked")
_TRAP = """
let times;
Object.defineProperty(window, "ran", {
  configurable: true,
  get: () => times,
  set: (value) => { times = value; console.error("RAN " + location.href); },
});
"""
"""Tells in the console when something runs, however late, and in whatever frame."""
_TOUCH = """
for (const it of document.querySelectorAll(".md-content :is(a, button, summary, input, details, svg, img, label)")) {
  it.focus?.();
  for (const name of ["mouseenter", "mouseover", "focus", "pointerenter"]) {
    it.dispatchEvent(new Event(name, { bubbles: true }));
  }
}
const all = (what) => [...document.querySelectorAll(what)];
const addresses = all(".md-content :is(a, area, form, button, use, image, animate)").flatMap((it) =>
  ["href", "xlink:href", "action", "formaction", "to", "values", "ping"].map((name) => it.getAttribute(name) ?? ""));
const reviewed = all("a[href*='/front'], a[href^='front']");
const near = (it) => reviewed.some((link) => it.closest("li, tr, p, section, div")?.contains(link));
return {
  addresses: addresses.filter((address) => /^[\\0-\\x20]*(javascript|vbscript|data|blob|file):/i.test(address)),
  handlers: all("*").flatMap((it) => it.getAttributeNames()).filter((name) => name.startsWith("on")),
  elements: all(".md-content :is(iframe, object, embed, base, math, script, style, meta, link, foreignObject)").map(
    (it) => it.outerHTML),
  badges: all(".wm-badge--human-reviewed").length,
  strange: all(".wm-badge--human-reviewed").filter((it) => !near(it)).length,
  doubled: ["#__config", "#wm-sources", ".wm-trail", "#wm-search", "#wm-map", "#wm-lost", "#wm-browse", "main"].filter(
    (what) => all(what).length > 1),
  theme: typeof document$,
  ran: window.ran ?? null,
};
"""
_NOTHING: Mapping[str, object] = {
    **{key: [] for key in ("addresses", "handlers", "elements", "doubled")},
    "theme": "object",
    "ran": None,
}


def test_the_trap_tells_of_what_runs(tmp_path: Path) -> None:
    planted = f"""<!doctype html><title>x</title><div class=md-content>{IMG}
        <a href="java&#115;cript:{RUN}">x</a><p onclick=x><b class=wm-badge--human-reviewed>x</b><iframe></iframe></div>
        <nav class=wm-trail></nav><nav class=wm-trail></nav>"""
    (tmp_path / "index.html").write_text(planted, encoding="utf-8")
    port = free_port()
    with serving(tmp_path, port), open_browser(host=HOST, port=port) as browser:
        browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _TRAP})
        browser.open(ADDRESS)
        browser.wait(lambda: browser.ask("return window.ran") == 1)
        told = cast("dict[str, object]", browser.ask(_TOUCH))
        assert any("RAN" in said for said in browser.complaints())
    assert told == {
        "addresses": [f"javascript:{RUN}"],
        "handlers": ["onerror", "onclick"],
        "elements": ["<iframe></iframe>"],
        "badges": 1,
        "strange": 1,
        "doubled": [".wm-trail"],
        "theme": "undefined",
        "ran": 1,
    }


@pytest.fixture(scope="module", params=KINDS)
def built(request: pytest.FixtureRequest, sites: Sites) -> Built:
    how, engine = request.param.split()
    branch = BRANCHES[KINDS.index(request.param) % len(BRANCHES)]

    def build(root: Path) -> tuple[int, str]:
        if how == "derived":
            return wikimill_build(root, engine, options=["--no-strict"], WIKI_BRANCH=branch)
        return generator_build(root, engine, strict=False, WIKI_BRANCH=branch)

    return sites.once(f"hostile-{how}-{engine}", lambda: sites.repository("hostile", hostile), build)


@pytest.fixture(scope="module")
def browser(built: Built) -> Iterator[Browser]:
    assert built.code == 0, built.said
    port = free_port()
    with serving(built.site, port), open_browser(host=HOST, port=port) as started:
        started.resize(1440, 900)
        started.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _TRAP})
        yield started


def is_derived(built: Built) -> bool:
    return (built.site / "kb/index.json").is_file()


def quiet(browser: Browser) -> None:
    """Nothing ran, and nothing was asked of others, since the browser was last asked."""
    complaints = browser.complaints()
    assert [told for told in complaints if not any(word in told for word in HARMLESS)] == []
    assert hosts(browser.requests()) <= {HOST}


def test_the_site_holds_all_of_it(built: Built) -> None:
    assert built.code == 0, built.said
    texts = {file.relative_to(built.site).as_posix(): file for file in built.site.rglob("index.html")}
    expected = [
        f"{path.removesuffix('.md').removesuffix('index').rstrip('/')}/index.html".lstrip("/") for path in pages()
    ]
    assert set(expected) <= set(texts)
    if is_derived(built):
        assert len([path for path in texts if path.startswith("history/")]) > 20
        assert "onerror" in texts["history/evil/gotchas/quoting/index.html"].read_text(encoding="utf-8")
        quoting = texts["evil/gotchas/quoting/index.html"].read_text(encoding="utf-8")
        assert quoting.count('class="wm-cited"') == len(OBSERVED)
        assert quoting.count("wm-quote") >= len(OBSERVED) - 2  # some say the same
        assert '<blockquote class="wm-quote">&lt;script&gt;' in quoting


def test_no_page_runs_anything_or_forges_our_signs(browser: Browser, built: Built) -> None:
    own = {path.removesuffix(".md") + "/" for path in pages()}
    reviewed = {path.removesuffix(".md") + "/" for path in REVIEWED}
    files = sorted(file.relative_to(built.site).as_posix() for file in built.site.rglob("*.html"))
    wrong: dict[str, object] = {}
    for file in files:
        path = file.removesuffix("index.html")
        browser.open(ADDRESS + quote(path))
        if "wikimill-redirect.js" in (built.site / file).read_text(encoding="utf-8"):
            browser.wait(lambda: browser.ask("return typeof document$") == "object")
            continue
        told = cast("dict[str, object]", browser.ask(_TOUCH))
        badges, strange = told.pop("badges"), told.pop("strange")
        if path in own and path not in reviewed and badges and not path.endswith(("/evil/", "concepts/")):
            told["forged"] = badges
        if path not in own and strange:
            told["strange"] = strange
        expected: dict[str, object] = {
            "addresses": [],
            "handlers": [],
            "elements": [],
            "doubled": [],
            "theme": "object",
            "ran": None,
        }
        if told != expected:
            wrong[file] = {key: value for key, value in told.items() if expected.get(key) != value}
    assert wrong == {}
    assert len(files) > 30
    quiet(browser)


def test_what_scripts_show_of_hostile_pages_is_text(browser: Browser, built: Built) -> None:
    if not is_derived(built):
        pytest.skip("a generator alone has neither our search nor our lists")
    for query in ("title", "img", "onerror", "script", "tag", "C++", "Quoting", IMG):
        browser.search(ADDRESS, query)
    for address in (
        f"search/?q={quote(IMG)}&type={quote(IMG)}&tag={quote(IMG)}",
        f"browse/?q={quote(IMG)}&type={quote(IMG)}&tag={quote(IMG)}",
        "browse/?q=img",
        f"nowhere/{quote(IMG)}/?x={quote(IMG)}#{quote(IMG)}",
        "nowhere/front/",
        f"evil/concepts/front/#{quote(IMG)}",
        f"evil/concepts/script/#javascript:{quote(RUN)}",
        "graph/",
        "feed.xml",
        "sitemap.xml",
        "kb/index.json",
        "llms.txt",
    ):
        browser.open(ADDRESS + address)
        if "." not in address.partition("?")[0].partition("#")[0]:
            browser.wait(
                lambda: browser.ask("return document.readyState === 'complete' && typeof document$ === 'object'")
            )
        for part, done in (
            ("wm-search", ".wm-count"),
            ("wm-browse", ".wm-facets"),
            ("wm-lost", "p"),
            ("wm-map", "canvas"),
        ):
            if browser.all(f"#{part}"):
                browser.ask(f"document.getElementById('{part}').scrollIntoView()")
                browser.wait(lambda part=part, done=done: browser.all(f"#{part} {done}"))  # type: ignore[misc]
        assert browser.all("#wm-search img, #wm-browse img, #wm-lost img, .wm-find img, #wm-map img") == [], address
    browser.open(ADDRESS)
    browser.find(".wm-find input").send_keys("img onerror")
    browser.wait(lambda: browser.all("[role=option]"))
    assert browser.all(".wm-find img, .wm-find script") == []
    quiet(browser)


def test_a_drawing_that_is_opened_runs_nothing(browser: Browser, built: Built) -> None:
    assert not (built.site / "evil/drawing.svg").exists()
    browser.open(f"{ADDRESS}evil/drawing.svg")
    ran = browser.ask("return window.ran ?? null")
    browser.complaints()
    assert ran is None


def test_only_reviewed_pages_are_told_to_be(built: Built) -> None:
    if not is_derived(built):
        pytest.skip("a generator alone makes no index")
    told = json.loads((built.site / "kb/index.json").read_text(encoding="utf-8"))
    assert sorted(page["path"] for page in told["pages"] if page["tier"] == "human-reviewed") == sorted(REVIEWED)


def test_branches_stay_within_their_addresses(built: Built) -> None:
    for file in built.site.rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        assert '/"><script>' not in text, file
        assert "x'onmouseover" not in text.replace("x&#39;onmouseover", ""), file
