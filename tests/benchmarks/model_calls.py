"""Benchmark of what a language model is asked; not collected by pytest.

    python -m tests.benchmarks.model_calls [FOLDER]

Runs the whole pipeline against an obedient endpoint on loopback and prints calls and characters sent: a small job of 30
observations in three sessions, 30 small sessions, one more observation, an edited page, a clone, endpoints that
misbehave; with FOLDER, the observation files there: once, again, one more, and after a change of the prompt. Then the
time of a run with an endpoint that takes two seconds, as a ratio to what the calls alone need. Exits with 1 when an aim
is missed.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ModelError
from tests.endpoint.behaviours import answer, slow, status
from tests.endpoint.brain import obedient, thinking
from tests.endpoint.server import Endpoint
from tests.model_runs import consolidate, settings

if TYPE_CHECKING:
    from pipeline.report import Report
    from tests.endpoint.exchange import Script

SUBJECTS = (
    (
        "decision",
        "We decided to keep login state in signed cookies, because a JWT cannot be revoked before it expires.",
    ),
    ("error", "The nightly build failed with exit code 137: the runner has 2 GB and webpack took 2.6 GB."),
    ("note", "Raised the pool in config/db.yaml from 10 to 25 connections; the p95 fell from 900 ms to 210 ms."),
    ("rule", "Never restart the importer between 02:00 and 03:00 UTC, said Dana: the ledger job holds its lock."),
    ("note", "The importer reads exports/*.csv in order of name and skips rows without an id."),
)
BUSY = status(429, {"error": {"message": "slow down"}})
OBSERVATION_CHARACTERS = 107
"""Unicode characters of one, so that thirty of them are 3.2 kB."""


@dataclass
class Row:
    """One measured run."""

    what: str
    calls: int
    sent: int
    read: int
    report: Report | None

    @property
    def ratio(self) -> float:
        return self.sent / max(self.read, 1)


def lines(session: str, count: int, day: int, characters: int = OBSERVATION_CHARACTERS) -> list[str]:
    made = []
    for number in range(count):
        kind, text = SUBJECTS[(number + day) % len(SUBJECTS)]
        body = f"{session}.{number}: {text}"[:characters].ljust(characters, ".")
        ts = f"2026-10-{1 + day % 28:02}T{9 + number // 60:02}:{number % 60:02}:00Z"
        told = {"ts": ts, "session_id": session, "project": "acme", "role": "user", "kind": kind, "body": body}
        made.append(json.dumps(told, ensure_ascii=False) + "\n")
    return made


def write(root: Path, file: str, told: list[str]) -> int:
    path = root / "observations" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="\n") as target:
        target.writelines(told)
    return sum(len(json.loads(line)["body"]) + len(json.loads(line).get("title", "")) for line in told)


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def repository(place: Path) -> Path:
    place.mkdir(parents=True)
    git(place, "init", "-q", "-b", "main")
    git(place, "config", "user.name", "Dana")
    git(place, "config", "user.email", "dana@example.org")
    (place / "wikimill.toml").write_text("", encoding="utf-8")
    (place / ".gitignore").write_text(".wikimill/\n", encoding="utf-8")
    return place


def measured(what: str, root: Path, read: int, script: Script) -> Row:
    with Endpoint(script) as endpoint:
        try:
            report: Report | None = consolidate(root, settings(endpoint.url, replies="off"), sleep=lambda _: None)
        except ModelError as fault:
            print(f"  {type(fault).__name__}: {fault}")
            report = None
        return Row(what, len(endpoint.calls), endpoint.characters_sent, read, report)


def small_jobs(scratch: Path) -> list[Row]:
    good = thinking(obedient)
    root = repository(scratch / "small")
    read = write(root, "day.jsonl", [line for number in range(3) for line in lines(f"s{number}", 10, number)])
    rows = [measured("30 observations in 3 sessions", root, read, good)]
    rows.append(measured("  again", root, 0, good))
    more = write(root, "day.jsonl", lines("late", 1, 20, 196))
    rows.append(measured("  one more observation of 196 bytes", root, more, good))
    git(root, "add", ".")
    git(root, "commit", "-qm", "observations")
    page = next(path for path in sorted((root / "wiki/acme/sessions").glob("*.md")) if path.name != "index.md")
    page.write_bytes(page.read_bytes() + b"\nA person's sentence.\n")
    git(root, "commit", "-qam", "edit")
    rows.append(measured("  after a person's edit", root, 0, good))
    edited = write(root, "day.jsonl", lines("s0", 11, 0)[10:])
    rows.append(measured("  one more of a session whose page was edited", root, edited, good))
    kept = b"A person's sentence." in page.read_bytes()
    git(root, "add", ".")
    git(root, "commit", "-qm", "observations")
    clone = scratch / "clone"
    git(scratch, "clone", "-q", str(root), str(clone))
    rows.append(measured("  a fresh clone", clone, 0, good))
    unchanged = not git(clone, "status", "--porcelain")
    print(f"  the person's sentence stands: {kept}; the clone's tree is unchanged: {unchanged}")
    many = repository(scratch / "many")
    read = write(many, "day.jsonl", [line for number in range(30) for line in lines(f"m{number}", 10, number)])
    rows.append(measured("30 sessions of 1 kB", many, read, good))
    more = write(many, "day.jsonl", lines("late", 1, 27, 196))
    rows.append(measured("  one more observation of 196 bytes", many, more, good))
    for what, script in (("429 for ever", BUSY), ("no JSON ever", answer("I will not."))):
        broken = repository(scratch / what.replace(" ", "-"))
        read = write(broken, "day.jsonl", [line for number in range(3) for line in lines(f"s{number}", 10, number)])
        rows.append(measured(what, broken, read, script))
    return rows


def team_jobs(scratch: Path, folder: Path) -> list[Row]:
    good = thinking(obedient)
    root = repository(scratch / "team")
    shutil.copytree(
        folder, root / "observations", ignore=lambda _, names: [n for n in names if not n.endswith((".jsonl", ".gz"))]
    )
    read = 0
    for path in sorted((root / "observations").glob("*.jsonl")):
        path.chmod(0o644)
        for line in path.read_bytes().splitlines():
            told = json.loads(line)
            read += len(str(told.get("body") or told.get("content") or told.get("text") or "")) + len(
                str(told.get("title") or "")
            )
    rows = [measured(f"{folder.name}: all of it", root, read, good)]
    rows.append(measured("  again", root, 0, good))
    more = write(root, "2027-01-01.jsonl", lines("late", 1, 20, 196))
    rows.append(measured("  one more observation of 196 bytes", root, more, good))
    (root / "prompts").mkdir()
    (root / "prompts/batch_consolidate_system.md").write_text("You keep a wiki. Answer as asked.\n", encoding="utf-8")
    rows.append(measured("  a changed prompt", root, 0, good))
    return rows


def speed(scratch: Path, latency: float, workers: int) -> float:
    root = repository(scratch / "speed")
    write(root, "day.jsonl", [line for number in range(64) for line in lines(f"q{number}", 10, number)])
    with Endpoint(slow(latency, thinking(obedient))) as endpoint:
        cpu, began = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
        consolidate(root, settings(endpoint.url, replies="off", workers=workers, sessions_per_request=1))
        took = time.perf_counter() - began
        after = resource.getrusage(resource.RUSAGE_SELF)
        calls = len(endpoint.calls)
    own = (after.ru_utime + after.ru_stime - cpu.ru_utime - cpu.ru_stime) / calls
    ratio = took / (calls / workers * latency)
    print(f"\n{calls} calls of {latency} s by {workers} workers: {ratio:.2f} times what the calls alone need;", end=" ")
    print(f"{own * 1000:.0f} ms of processor a call, the endpoint's included")
    return ratio


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--latency", type=float, default=2.0)
    asked = parser.parse_args()
    missed: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        rows = small_jobs(Path(place))
        if asked.folder:
            rows += team_jobs(Path(place), asked.folder)
        print(f"\n{'':46} calls      sent      read  ratio  states")
        for row in rows:
            states: list[str] = [one.state for one in row.report.sessions] if row.report else ["stopped"]
            told = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states)) or "nothing new"
            print(f"{row.what:46} {row.calls:5} {row.sent:9,} {row.read:9,} {row.ratio:6.2f}  {told}")
        by = {row.what.strip(): row for row in rows}
        aims = {
            "at most 5 characters sent for one of the small job": by["30 observations in 3 sessions"].ratio <= 5,
            "no call without news": not any(
                row.calls for row in rows if row.what.strip() in {"again", "a fresh clone"}
            ),
            "no call after a person's edit": by["after a person's edit"].calls == 0,
            "one call for one more observation": all(row.calls == 1 for row in rows if "one more" in row.what),
        }
        if asked.folder:
            whole = by[f"{asked.folder.name}: all of it"]
            aims["at most 2 characters sent for one of the folder"] = whole.ratio <= 2
            aims["no call for a changed prompt"] = by["a changed prompt"].calls == 0
        aims["1.25 times what the calls alone need"] = speed(Path(place), asked.latency, 8) <= 1.25
    for aim, met in aims.items():
        print(f"{'met   ' if met else 'MISSED'} {aim}")
        missed += [] if met else [aim]
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
