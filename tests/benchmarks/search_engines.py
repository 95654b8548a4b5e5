"""Benchmark of search over 10,000 generated pages: our own index beside SQLite FTS5, bm25s and tantivy.

    python -m tests.benchmarks.search_engines [--pages 10000]

All engines get the same words, split by `pipeline.relevance`. Times are told as multiples of the time that reading
all files once takes on the same machine, memory as that of a process of its own; engines that are not installed are
passed over. Not collected by pytest.

Measured in November 2026 with 10,000 pages of 22 MB together, one reading of them being 1:

    engine               build    query  first  in 10  peak memory  installed beside Python
    own index, stored     35.8   0.0219    100    100          1.3  nothing
    SQLite FTS5           25.2   0.0214    100    100          1.4  nothing, where SQLite was compiled with it
    bm25s                 31.4   0.0016    100    100          2.8  numpy, 73 MB
    tantivy               33.2   0.0005    100    100          2.0  17 MB of machine code

Most of every build is reading front matter and splitting words, which all of them need. Our own is as fast as
FTS5, depends on nothing, works on pages that stand in no file, and gives the same scores however it was filled; a
query takes a fiftieth of one reading, so faster ones would not be felt.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pipeline.config import Settings
from pipeline.memory.search.sheet import read_sheet
from pipeline.memory.stored_index import StoredIndex
from pipeline.relevance import terms
from pipeline.searching import STORED, find_pages

QUERIES = 100
LETTERS = "abcdefghijklmnopqrstuvwxyz"
Search = Callable[[list[str]], list[str]]


def generate(root: Path, pages: int) -> list[tuple[str, list[str]]]:
    """Write pages of about 2 KB, a tenth of them in Japanese or Russian; give queries with the page they belong to."""
    chance = random.Random(7)
    words = ["".join(chance.choices(LETTERS, k=chance.randint(4, 10))) for _ in range(20_000)]
    other = ["".join(chance.choices("認証鍵署名検索索引更新履歴", k=4)) for _ in range(2_000)]
    other += ["".join(chance.choices("абвгдежзиклмнопрст", k=7)) for _ in range(2_000)]
    common = [1 / (place + 1) ** 0.9 for place in range(len(words))]
    asked = []
    for number in range(pages):
        body = chance.choices(words, common, k=250) if number % 10 else chance.choices(other, k=120)
        title = " ".join(chance.sample(body, 4))
        paragraphs = [" ".join(body[start : start + 40]) for start in range(0, len(body), 40)]
        sections = "\n\n".join(f"## {text.split()[0]}\n\n{text}.[^o-1]" for text in paragraphs)
        path = f"p{number % 7}/concepts/page-{number}.md"
        place = root / "wiki" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        front = f"---\ntype: Concept\ntitle: {title}\ntags: [{body[0]}]\nstatus: stable\n---\n\n# {title}\n\n"
        place.write_text(f"{front}{sections}\n\n[^o-1]: 2026-11-29, dana\n", encoding="utf-8")
        if number % (pages // QUERIES) == 0:
            asked.append((path, [*chance.sample(body, min(10, len(body))), *chance.sample(words, 5)]))
    return asked


def read_all(root: Path) -> dict[str, bytes]:
    home = root / "wiki"
    return {path.relative_to(home).as_posix(): path.read_bytes() for path in sorted(home.rglob("*.md"))}


def split(pages: dict[str, bytes]) -> list[tuple[str, list[str]]]:
    """Split pages for the other engines; field weights become repetitions, as our own index counts them."""
    return [(path, list(read_sheet(path, raw, "")[1].elements())) for path, raw in pages.items()]


def build_own(root: Path) -> Search:
    find_pages(Settings(), root, "x", limit=1, now=datetime.now(UTC) + timedelta(hours=1))
    kept = StoredIndex(root / STORED)
    return lambda query: [one.sheet.path for one in kept.index.rank(terms(" ".join(query)), 10)]


def build_fts5(root: Path) -> Search:
    base = sqlite3.connect(root / "fts5.sqlite")
    base.execute("CREATE VIRTUAL TABLE pages USING fts5(path UNINDEXED, words, tokenize=\"ascii tokenchars '_./:@-'\")")
    base.executemany("INSERT INTO pages VALUES (?, ?)", ((p, " ".join(w)) for p, w in split(read_all(root))))
    base.commit()
    question = "SELECT path FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT 10"

    def search(query: list[str]) -> list[str]:
        asked = " OR ".join(f'"{term}"' for term in terms(" ".join(query)))
        return [path for (path,) in base.execute(question, (asked,))]

    return search


def build_bm25s(root: Path) -> Search:
    import bm25s  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415  # only where it is installed

    pages = split(read_all(root))
    index = bm25s.BM25()
    index.index([words for _, words in pages], show_progress=False)

    def search(query: list[str]) -> list[str]:
        found, _ = index.retrieve([list(terms(" ".join(query)))], k=10, show_progress=False)
        return [pages[place][0] for place in found[0]]

    return search


def build_tantivy(root: Path) -> Search:
    import tantivy  # type: ignore[import-not-found,import-untyped,unused-ignore]  # noqa: PLC0415  # only where it is installed

    form = tantivy.SchemaBuilder()
    form.add_text_field("path", stored=True, tokenizer_name="raw")
    form.add_text_field("words", tokenizer_name="whitespace")
    schema = form.build()
    (root / "tantivy").mkdir()
    index = tantivy.Index(schema, path=str(root / "tantivy"))
    writer = index.writer(num_threads=1)
    for path, words in split(read_all(root)):
        writer.add_document(tantivy.Document(path=path, words=" ".join(words)))
    writer.commit()
    index.reload()
    searcher = index.searcher()

    def search(query: list[str]) -> list[str]:
        parts = [
            (tantivy.Occur.Should, tantivy.Query.term_query(schema, "words", term)) for term in terms(" ".join(query))
        ]
        hits = searcher.search(tantivy.Query.boolean_query(parts), 10).hits
        return [searcher.doc(place)["path"][0] for _, place in hits]

    return search


ENGINES: dict[str, Callable[[Path], Search]] = {
    "own index, stored": build_own,
    "SQLite FTS5": build_fts5,
    "bm25s": build_bm25s,
    "tantivy": build_tantivy,
}


def measure(name: str, root: Path) -> None:
    """Measure one engine in this process, and print what was measured."""
    asked = json.loads((root / "asked.json").read_text(encoding="utf-8"))
    start = time.perf_counter()
    search = ENGINES[name](root)
    built = time.perf_counter() - start
    times, first, ten = [], 0, 0
    for path, query in asked:
        start = time.perf_counter()
        found = search(query)
        times.append(time.perf_counter() - start)
        first += found[:1] == [path]
        ten += path in found
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps([built, statistics.median(times), max(times), first, ten, peak]))


def time_of(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def apart(*arguments: str) -> str:
    command = [sys.executable, "-m", "tests.benchmarks.search_engines", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, encoding="utf-8")
    return done.stdout if done.returncode == 0 else ""


def compare(root: Path, pages: int) -> None:
    asked = generate(root, pages)
    (root / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    once = min(time_of(lambda: read_all(root)) for _ in range(3))
    size = sum(map(len, read_all(root).values()))
    idle = int(apart("--engine", "none", "--root", str(root)))
    print(f"{pages} pages, {size / 1e6:.1f} MB; reading them once takes {once:.2f} s, the unit of what follows")
    print(f"{'engine':<20}{'build':>8}{'query':>9}{'slowest':>9}{'first':>7}{'in 10':>7}{'peak memory':>13}")
    for name in ENGINES:
        told = apart("--engine", name, "--root", str(root))
        if not told:
            print(f"{name:<20}  not installed")
            continue
        built, query, slowest, first, ten, peak = json.loads(told)
        row = f"{built / once:>8.1f}{query / once:>9.4f}{slowest / once:>9.4f}{first:>7}{ten:>7}"
        print(f"{name:<20}{row}{peak / idle:>9.1f} idle  ({built:.1f} s, {query * 1000:.1f} ms)")
    later = datetime.now(UTC) + timedelta(hours=1)

    def whole(query: str) -> float:
        return time_of(lambda: find_pages(Settings(), root, query, limit=10, now=later))

    same = whole("page")
    place = root / "wiki" / asked[0][0]
    place.write_bytes(place.read_bytes() + b"\nzebra\n")
    print(f"own, open, look for changes, answer: {same / once:.2f}; after one change: {whole('zebra') / once:.2f}")
    print(f"own, size of the index: {(root / STORED).stat().st_size / size:.2f} of the pages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--engine", help=argparse.SUPPRESS)
    parser.add_argument("--root", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.engine == "none":
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
    elif options.engine:
        measure(options.engine, options.root)
    else:
        root = Path(tempfile.mkdtemp(prefix="wikimill-search-"))
        try:
            compare(root, options.pages)
        finally:
            shutil.rmtree(root)


if __name__ == "__main__":
    main()
