"""Benchmark of building the site of many pages; not collected by pytest.

    python -m tests.benchmarks.site_scale [PAGES ...]

Makes wikis of 100, 1,000 and 10,000 pages of about 2 KB, each one commit, and builds them three ways in the same run:
by the bare generator (MkDocs with Material, its search and the same Markdown extensions but ours, the indexes alone in
the navigation), by `wikimill build`
from nothing, and by `wikimill build` after one page changed. Prints seconds of the wall clock and of all processors as
ratios to the bare generator, what gathering and deriving take of the build, and the sizes of the HTML. Exits with 1
when a promise is not kept: 1.2 times the bare generator at 10,000 pages, 30 KB a page, a quarter for what is derived,
and from 1,000 pages on an incremental build in less than half. In a small wiki the starts of processes weigh more.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipeline.config import read_settings
from pipeline.publishing.gathering import Asked, gather
from pipeline.publishing.known_pages import KnownPages
from pipeline.publishing.spreading import Spread
from pipeline.site.derive import derive
from tests.benchmarks.many_pages import write_pages

SIZES = (100, 1_000, 10_000)
LIMIT_TO_BARE = 1.2
LIMIT_DERIVED = 0.25
LIMIT_AGAIN = 0.5
LIMIT_HTML = 30_000
BARE = """\
site_name: Bare
docs_dir: wiki
site_dir: bare
theme:
  name: material
  font: false
  features: [navigation.instant, navigation.indexes, navigation.prune, content.footnote.tooltips]
not_in_nav: |
  *.md
  !index.md
plugins: [search]
markdown_extensions: [admonition, attr_list, def_list, footnotes, sane_lists, tables, {toc: {permalink: true}},
  pymdownx.details, pymdownx.highlight, pymdownx.magiclink, pymdownx.superfences, {pymdownx.tabbed: {alternate_style:
  true}}, pymdownx.tasklist, {pymdownx.tilde: {subscript: false}}]
"""


@dataclass(frozen=True, slots=True)
class Taken:
    wall: float
    processors: float

    def of(self, other: Taken) -> str:
        return f"{self.wall / other.wall:5.2f} (processors {self.processors / other.processors:5.2f})"


def take(command: list[str], folder: Path) -> Taken:
    def used() -> float:
        spent = resource.getrusage(resource.RUSAGE_CHILDREN)
        return spent.ru_utime + spent.ru_stime

    before, start = used(), time.perf_counter()
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, env=environment)
    return Taken(time.perf_counter() - start, used() - before)


def derived_alone(root: Path) -> tuple[float, float]:
    """Give the seconds of gathering, in which pages are read, and of deriving, as the build does both."""
    settings = read_settings(root)
    each = Spread(len(os.sched_getaffinity(0)))
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as nothing_known:
        known = KnownPages(Path(nothing_known), "pages", each)
        gathered = gather(root, settings, Asked(datetime.now(UTC), os.environ), known)
    between = time.perf_counter()
    derive(gathered.inputs, gathered.library, each=each)
    return between - start, time.perf_counter() - between


def measure(count: int, folder: Path) -> bool:
    root = folder / f"wiki-{count}"
    run = [sys.executable, "-m", "pipeline"]
    subprocess.run([*run, "init", str(root)], check=True, stdout=subprocess.DEVNULL)
    paths = write_pages(root / "wiki", count)
    git = ["git", "-c", "user.name=Bench", "-c", "user.email=bench@example.org", "-C", str(root)]
    subprocess.run([*git, "add", "--all"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--message", "Pages"], check=True)
    (root / "bare.yml").write_text(BARE, encoding="utf-8")

    bare = take([sys.executable, "-m", "mkdocs", "build", "--quiet", "--config-file", "bare.yml"], root)
    full = take([*run, "build"], root)
    with (root / "wiki" / paths[count // 2]).open("ab") as page:
        page.write(b"\nOne more line.\n")
    again = take([*run, "build"], root)
    gathering, deriving = derived_alone(root)

    # A page for printing holds many others; it is no page of 2 KB.
    built = [page for page in (root / ".build/site").rglob("*.html") if "print" not in page.parts]
    pages = [page.stat().st_size for page in built]
    share = deriving / full.wall
    kept = {
        f"derived views below {LIMIT_DERIVED} of the build": share < LIMIT_DERIVED,
        f"HTML of at most {LIMIT_HTML:,} bytes": max(pages) <= LIMIT_HTML,
    }
    if count >= SIZES[1]:
        kept[f"after one changed page below {LIMIT_AGAIN}"] = again.wall < LIMIT_AGAIN * full.wall
    if count >= SIZES[2]:
        kept[f"at most {LIMIT_TO_BARE} times the bare generator"] = full.wall <= LIMIT_TO_BARE * bare.wall
    print(f"\n{count:,} pages; the bare generator took {bare.wall:.1f} s ({bare.processors:.1f} s of processors)")
    print(f"  wikimill build, all of it      {full.of(bare)} times the bare generator")
    print(f"  after one page changed         {again.of(full)} times the full build")
    print(f"  gathering and reading pages {gathering / full.wall:5.2f}, deriving {share:5.2f} of the full build")
    print(f"  HTML: {len(pages):,} files, mean {sum(pages) / len(pages):,.0f}, largest {max(pages):,} bytes")
    for promise, holds in kept.items():
        print(f"  {'kept    ' if holds else 'NOT KEPT'} {promise}")
    return all(kept.values())


def main() -> None:
    sizes = [int(word) for word in sys.argv[1:]] or list(SIZES)
    with tempfile.TemporaryDirectory() as folder:
        kept = [measure(size, Path(folder)) for size in sizes]
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
