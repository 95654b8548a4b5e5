"""Benchmark of the main job on a folder of real observation files; not collected by pytest.

    python -m tests.benchmarks.whole_run FOLDER [--keep DIR]

Makes a wiki repository with `wikimill init`, copies the files in, consolidates everything offline, builds the
site strictly, runs a second time, and checks what was promised: no observation missing, one commit a session,
every footnote leads to a line that holds the quoted text. Exits with 1 when a promise is broken. Times are
printed beside the time that the same machine needs to read and parse the same lines once.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from pipeline.config import RedactionSettings
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line
from pipeline.observations.redaction.redact import make_redactor
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.markdown.quoting import plain

CHILD = """
import json, resource, sys, time
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from pipeline.config import read_settings
from pipeline.models.extractive.model import ExtractiveModel
from pipeline import run
from pipeline.report import as_json
root = Path(sys.argv[1])
seen = [time.perf_counter()]
start = seen[0]
report = run.consolidate(read_settings(root), root, clock=lambda: datetime.now(timezone.utc), model=ExtractiveModel(),
                         progress=lambda progress: seen.append(time.perf_counter()))
print(json.dumps({"seconds": time.perf_counter() - start, "steps": [b - a for a, b in zip(seen, seen[1:])],
                  "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, "report": as_json(report)}))
"""


def wikimill(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # our own command, our own arguments
        [sys.executable, "-m", "pipeline", *arguments], check=False, capture_output=True, encoding="utf-8"
    )


def consolidate(root: Path) -> dict[str, Any]:
    done = subprocess.run([sys.executable, "-c", CHILD, str(root)], check=False, capture_output=True, encoding="utf-8")
    if done.returncode:
        sys.exit(f"the run failed:\n{done.stderr[-3000:]}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def import_only() -> int:
    """Peak memory of a process that does nothing but import the pipeline, in the unit of `getrusage`."""
    code = "import pipeline.run, resource; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    return int(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8").stdout)


def lines_of(folder: Path) -> dict[tuple[str, int], bytes]:
    found = {}
    for path in sorted([*folder.rglob("*.jsonl"), *folder.rglob("*.jsonl.gz")]):
        raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        for number, line in enumerate(raw.split(b"\n"), 1):
            if line.strip():
                found[path.relative_to(folder).as_posix(), number] = line
    return found


def check_quotations(root: Path, lines: dict[tuple[str, int], bytes]) -> tuple[Counter[str], list[str]]:
    """Follow every footnote of every page to its line; tell what does not hold."""
    scrub = make_redactor(RedactionSettings()).scrub_observation
    spoken: dict[tuple[str, int], str] = {}
    counts: Counter[str] = Counter()
    broken = []
    for path in sorted((root / "wiki").rglob("*.md")):
        name = path.relative_to(root / "wiki").as_posix()
        if path.name in {"index.md", "log.md"} or name.startswith((".", "_")) or "/" not in name:
            continue
        page = parse_page(name, path.read_bytes())
        counts["pages"] += 1
        counts[page.type] += 1
        resources = {source.id: source.resource for source in page.sources}
        for statement in re.findall(r"^(?:[*-]|\d+\.) .*\[\^.*$", page.body, re.MULTILINE):
            counts["statements"] += 1
            words = re.sub(r"\[\^[^]]+\]", "", re.sub(r"^(?:[*-]|\d+\.) ", "", statement))
            for label in re.findall(r"\[\^([^]]+)\]", statement):
                counts["citations"] += 1
                file, _, number = resources.get(label, "").partition("#L")
                place = (re.sub(r"^(?:\.\./)+observations/", "", file), int(number or 0))
                if place not in lines:
                    broken.append(f"{name}: [^{label}] leads to no line")
                    continue
                if place not in spoken:
                    observation, _ = scrub(parse_line(lines[place], Place(*place), default_project="default"))
                    spoken[place] = plain(f"{observation.title}\n{observation.body}")
                if plain(words) in spoken[place]:
                    counts["held"] += 1
                    break
            else:
                broken.append(f"{name}: {words!r} stands in none of its lines")
    return counts, broken


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keep", type=Path, help="make the repository there and leave it")
    options = parser.parse_args()
    root = options.keep or Path(tempfile.mkdtemp(prefix="wikimill-benchmark-")) / "bench"
    made = wikimill("init", str(root))
    if made.returncode:
        sys.exit(made.stderr)
    shutil.rmtree(root / "observations")
    shutil.copytree(options.folder, root / "observations", ignore=shutil.ignore_patterns("LICENSE"))

    lines = lines_of(root / "observations")
    start = time.perf_counter()
    for line in lines.values():
        json.loads(line)
    once = time.perf_counter() - start

    idle = import_only()
    first = consolidate(root)
    start = time.perf_counter()
    built = wikimill("-C", str(root), "build")
    build = time.perf_counter() - start
    second = consolidate(root)

    report = first["report"]
    intake = report["intake"]
    states = Counter(session["state"] for session in report["sessions"])
    accounted = intake["observations"] + intake["duplicates"] + len(intake["set_aside"]) + len(intake["conflicts"])
    accounted += intake["unfinished"]
    trailers = subprocess.run(
        ["git", "-C", str(root), "log", "--format=%(trailers:key=Session,valueonly)"],
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout.split()
    counts, broken = check_quotations(root, lines)
    steps = sorted(first["steps"])
    observations = intake["observations"]

    rows = [
        ("observations", f"{observations} of {len(lines)} lines, accounted for {accounted}"),
        ("sessions", ", ".join(f"{number} {state}" for state, number in sorted(states.items()))),
        ("whole run", f"{first['seconds']:.1f} s, {observations / first['seconds']:.0f} observations a second"),
        ("against one reading", f"{first['seconds'] / once:.0f} times the time of parsing the lines once"),
        ("a session", f"median {statistics.median(steps):.2f} s, longest {steps[-1]:.2f} s"),
        (
            "peak memory",
            f"{first['peak'] / 1024:.0f} MB, {first['peak'] / idle:.1f} times a process that only imports",
        ),
        ("commits", f"{len(trailers)} with a session, {len(set(trailers))} sessions"),
        ("pages", ", ".join(f"{number} {kind}" for kind, number in sorted(counts.items()) if kind[0].isupper())),
        ("statements", f"{counts['statements']}, {counts['statements'] / max(1, counts['pages']):.1f} a page"),
        ("quotations held", f"{counts['held']} of {counts['statements']}"),
        ("strict build", f"{'passed' if built.returncode == 0 else 'FAILED'} in {build:.1f} s"),
        ("second run", f"{second['seconds']:.2f} s, {len(second['report']['commits'])} commits"),
    ]
    for name, told in rows:
        print(f"{name:>20}  {told}")
    for fault in broken[:20]:
        print(fault, file=sys.stderr)
    promises = {
        "every line accounted for": accounted == len(lines),
        "a commit for each session": len(trailers) == len(set(trailers)) == len(report["sessions"]),
        "every session consolidated": set(states) == {"consolidated"},
        "every quotation held": not broken,
        "strict build": built.returncode == 0,
        "second run makes no commit": not second["report"]["commits"],
        "no session takes a second": steps[-1] <= 1,
    }
    for promise, kept in promises.items():
        print(f"{'kept' if kept else 'BROKEN':>20}  {promise}")
    if built.returncode:
        print(built.stderr[-2000:], file=sys.stderr)
    if not options.keep:
        shutil.rmtree(root.parent)
    sys.exit(0 if all(promises.values()) else 1)


if __name__ == "__main__":
    main()
