"""Benchmark of the published site's search against those that it could have had; not collected by pytest.

    python -m tests.benchmarks.site_search [--pages 10000]

The same pages of about 2 KB, of invented words that are as unequally frequent as those of a language, are searched in
three ways: by our index, by the theme's own search, and by Pagefind where the package `pagefind` is installed. A
headless Chromium with a processor four times slower types a query as soon as a page is loaded, over a line of
1.6 Mbit/s whose answers begin after 150 ms; the cache is empty. For each way it prints what its search fetched until
the first result was seen, and how long after the loading of the page that was: the median of several queries.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import itertools
import json
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pipeline.site.addresses import file_of
from pipeline.site.search.shards import search_files
from pipeline.site.values import Inputs, Site
from tests.benchmarks.slow_server import SlowServer
from tests.browser.surfing import open_browser
from tests.site.making import facts, library, section

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.site.library import Library

ASSETS = Path(__file__).resolve().parents[2] / "site" / "overrides" / "assets"
KINDS = {"decisions": "Decision", "gotchas": "Gotcha", "concepts": "Concept", "procedures": "Procedure"}
WORDS = 30_000
NAMES = 5_000
CPU = 4
PATIENCE = 300

TYPED = """
const [field, shown, query, done] = arguments;
const [{ loadEventEnd }] = performance.getEntriesByType("navigation");
const input = document.querySelector(field);
input.focus();
input.value = query;
for (const name of ["keydown", "input", "keyup"]) input.dispatchEvent(new Event(name, { bubbles: true }));
const look = () => {
  const found = document.querySelector(shown);
  if (found) done(performance.now() - loadEventEnd);
  else requestAnimationFrame(look);
};
look();
"""
LATE = """
document.querySelector("input").addEventListener("focus", () => {
  for (const part of ["words", "index", "find", "search"]) {
    const script = document.createElement("script");
    document.head.append(Object.assign(script, { async: false, src: `assets/wikimill-${part}.js` }));
  }
}, { once: true });
"""
PAGEFIND = """
const field = document.querySelector("input");
field.addEventListener("input", async () => {
  const { search } = await import("/pagefind/pagefind.js");
  const { results } = await search(field.value);
  for (const result of results.slice(0, 8).map((one) => one.data())) {
    const { url, meta } = await result;
    document.querySelector("ol").append(Object.assign(document.createElement("li"), { textContent: meta.title + url }));
  }
});
"""


@dataclass
class Way:
    """One search: its site, how long it took to make, its index, all that only the search fetches, what to look at."""

    name: str
    site: Path
    seconds: float
    index: str
    fetched: tuple[str, ...]
    field: str
    shown: str


def invented_words(dice: random.Random) -> list[str]:
    parts = [a + b for a, b in itertools.product("bdfgklmnprstvz", ("a", "e", "i", "o", "u", "ar", "en", "ol"))]
    found: dict[str, None] = {}
    while len(found) < WORDS:
        found["".join(dice.choices(parts, k=dice.choice((1, 2, 2, 3, 3, 4))))] = None
    return list(found)


def invented_pages(count: int, dice: random.Random) -> Library:
    words = invented_words(dice)
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))
    names = ["_".join(dice.choices(words, k=2)) for _ in range(NAMES)]

    def sentence(length: int) -> str:
        told = dice.choices(words, cum_weights=weights, k=length)
        name = dice.choices(names, cum_weights=weights[:NAMES])[0]
        return f"{' '.join(told)} {name} {dice.randint(0, 9)}.{dice.randint(0, 20)}.{dice.randint(0, 9)}.".capitalize()

    pages = []
    for number in range(count):
        kind = list(KINDS)[number % len(KINDS)]
        pages.append(
            facts(
                f"project-{number * 20 // count:02}/{kind}/page-{number:05}.md",
                title=" ".join(dice.choices(words, k=3)).capitalize(),
                description=sentence(12),
                tags=tuple(dice.choices(words[100:400], k=2)),
                sections=tuple(section(sentence(2), " ".join(sentence(14) for _ in range(5))) for _ in range(3)),
            )
        )
    return library(*pages)


def queries(pages: Library) -> list[str]:
    """Give words of the middle, two words of one page, and an identifier: what readers type."""
    chosen = list(pages.pages.values())[:: max(len(pages.pages) // 5, 1)][:4]
    told = [page.sections[0].text.split() for page in chosen]
    return [told[0][0].lower(), f"{told[1][1]} {told[1][2]}", chosen[2].title, next(w for w in told[3] if "_" in w)]


def bare(inside: str, script: str) -> str:
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Home</title><link rel="icon" href="data:,">'
        f"{inside}<script {script}></script>"
    )


def ours(root: Path, pages: Library) -> Way:
    start = time.perf_counter()
    files = search_files(Inputs(Site(), {}), pages)
    seconds = time.perf_counter() - start
    form = '<form class="wm-find" action="search/"><input type="search" name="q"></form>'
    page = bare(form, 'src="late.js"').encode()
    scripts = {
        f"assets/{name}": (ASSETS / name).read_bytes()
        for name in (f"wikimill-{part}.js" for part in ("words", "index", "find", "search"))
    }
    for path, raw in {**files, **scripts, "index.html": page, "late.js": LATE.encode()}.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(raw)
    return Way("ours", root, seconds, "find", ("/find/", "/assets/wikimill-"), ".wm-find input", ".wm-find-hit")


def theirs(root: Path, pages: Library) -> Way:
    """Build a site of one page with the theme, and give it the index that it would have for all of them."""
    (root / "docs").mkdir(parents=True)
    (root / "docs" / "index.md").write_text("# Home\n", encoding="utf-8")
    (root / "mkdocs.yml").write_text(
        "site_name: Wiki\ntheme: {name: material, font: false, features: [search.suggest]}\nplugins: [search]\n",
        encoding="utf-8",
    )
    command = [sys.executable, "-m", "mkdocs", "build", "-q", "-d", "out"]
    subprocess.run(command, cwd=root, check=True, capture_output=True)
    start = time.perf_counter()
    index = root / "out" / "search" / "search_index.json"
    docs = []
    for page in pages.pages.values():
        place = page.path.removesuffix(".md") + "/"
        docs.append({"location": place, "title": page.title, "text": f"<p>{page.description}</p>", "tags": page.tags})
        docs += [
            {"location": f"{place}#{part.anchor}", "title": part.title, "text": f"<p>{part.text}</p>"}
            for part in page.sections
        ]
    whole = {**json.loads(index.read_bytes()), "docs": docs}
    index.write_text(json.dumps(whole, separators=(",", ":")), encoding="utf-8")
    seconds = time.perf_counter() - start
    return Way(
        *("the theme's", root / "out", seconds, "search"),
        ("/search/", "/assets/javascripts/workers/", "/assets/javascripts/lunr/"),
        *("input.md-search__input", ".md-search-result__item:not([hidden])"),
    )


def pagefind(root: Path, pages: Library) -> Way:
    for page in pages.pages.values():
        place = root / file_of(page.path)
        place.parent.mkdir(parents=True, exist_ok=True)
        told = "".join(f'<h2 id="{part.anchor}">{part.title}</h2><p>{part.text}</p>' for part in page.sections)
        place.write_text(
            f'<!doctype html><html lang="en"><title>{page.title}</title><body data-pagefind-body>'
            f"<h1>{page.title}</h1><p>{page.description}</p>{told}",
            encoding="utf-8",
        )
    start = time.perf_counter()
    command = [sys.executable, "-m", "pagefind", "--site", str(root)]
    subprocess.run(command, check=True, capture_output=True)
    seconds = time.perf_counter() - start
    (root / "index.html").write_text(bare("<input><ol></ol>", 'src="late.js" type="module"'), encoding="utf-8")
    (root / "late.js").write_text(PAGEFIND, encoding="utf-8")
    return Way("Pagefind", root, seconds, "pagefind", ("/pagefind/",), "input", "li")


def measured(way: Way, asked: list[str]) -> tuple[float, float, float]:
    """Give bytes raw, bytes as sent, and seconds until the first result."""
    rows = []
    with SlowServer(way.site, slow=True).serving() as server:
        for query in asked:
            with open_browser() as browser:
                browser.driver.set_script_timeout(PATIENCE)
                browser.driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": CPU})
                server.sent.clear()
                browser.open(server.address)
                took = cast("Any", browser.driver.execute_async_script)(TYPED, way.field, way.shown, query)
                rows.append((*server.bytes_sent(way.fetched), float(took) / 1000))
    return cast("tuple[float, float, float]", tuple(statistics.median(column) for column in zip(*rows, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=10_000)
    count = parser.parse_args().pages
    dice = random.Random(7)
    pages = invented_pages(count, dice)
    makers: list[Callable[[Path, Library], Way]] = [ours, theirs]
    if importlib.util.find_spec("pagefind"):
        makers.append(pagefind)
    else:
        print("Pagefind is not installed and left out.")
    print(f"{count:,} pages; queries: {', '.join(queries(pages))}\n")
    print(
        f"{'':<12}{'files':>8}{'index KB':>10}{'gz KB':>9}{'made in s':>11}"
        f"{'until the first result KB':>27}{'gz KB':>8}{'s':>8}"
    )
    first: tuple[float, float, float] | None = None
    with contextlib.ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for number, make in enumerate(makers):
            way = make(scratch / str(number), pages)
            files = [path for path in (way.site / way.index).rglob("*") if path.is_file()]
            raw = sum(path.stat().st_size for path in files)
            small = sum(len(SlowServer(way.site).read(path)[0]) for path in files)
            found = measured(way, queries(pages))
            first = first or found
            print(
                f"{way.name:<12}{len(files):>8,}{raw / 1000:>10,.0f}{small / 1000:>9,.0f}{way.seconds:>11.1f}"
                f"{found[0] / 1000:>27,.0f}{found[1] / 1000:>8,.0f}{found[2]:>8.2f}"
                f"   = {found[1] / first[1]:.1f} times our bytes, {found[2] / first[2]:.1f} times our time"
            )
            shutil.rmtree(way.site)


if __name__ == "__main__":
    main()
