"""A run that is killed while it waits for a model: no paid reply is paid again, and the wiki comes out the same."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from tests.endpoint.behaviours import slow
from tests.endpoint.brain import obedient, thinking
from tests.endpoint.server import Endpoint

if TYPE_CHECKING:
    from pathlib import Path

LATENCY = 0.25
WORKERS = 3
QUIET = 0.08
"""Seconds without an answer before a kill: a reply that has just left the endpoint may not be kept yet, and nobody can
keep it then."""

CHILD = """
import sys
from pathlib import Path
from tests.model_runs import consolidate, settings
chosen = settings(sys.argv[2], workers=3, sessions_per_request=2, run={"drafted_together": 4})
consolidate(Path(sys.argv[1]), chosen, use_git=sys.argv[3] == "git")
"""

SAID = (
    ("decision", "We keep login state in signed cookies, because a JWT cannot be revoked."),
    ("error", "The build failed with exit code 137: the runner has 2 GB of memory."),
    ("note", "Raised the pool in config/db.yaml from 10 to 25 connections."),
)


def repository(place: Path) -> Path:
    (place / "observations").mkdir(parents=True)
    lines = []
    for session in range(18):
        for number, (kind, text) in enumerate(SAID):
            ts = f"2026-11-{1 + session:02}T10:{number:02}:00Z"
            body = f"{session}: {text}" + " Filler." * (400 if session % 3 else 1)
            told = {"ts": ts, "session_id": f"s{session}", "project": "acme", "kind": kind, "body": body}
            lines.append(json.dumps(told) + "\n")
    (place / "observations/day.jsonl").write_text("".join(lines), encoding="utf-8", newline="\n")
    (place / "wikimill.toml").write_text("", encoding="utf-8")
    for arguments in (
        ("init", "-q", "-b", "main"),
        ("config", "user.name", "Dana"),
        ("config", "user.email", "dana@example.org"),
    ):
        subprocess.run(["git", "-C", str(place), *arguments], check=True)
    return place


def start(root: Path, url: str, how: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    return subprocess.Popen([sys.executable, "-c", CHILD, str(root), url, how], env=environment)


def wiki(root: Path) -> dict[str, bytes]:
    found = sorted(path for path in (root / "wiki").rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in found}


def answered(endpoint: Endpoint) -> int:
    return sum(call.answered for call in endpoint.calls)


def kept(root: Path) -> int:
    return sum(1 for _ in (root / ".wikimill/replies").rglob("*.json"))


def kill_in_the_middle(endpoint: Endpoint, child: subprocess.Popen[bytes], chance: random.Random) -> bool:
    """Kill a run at some moment in which no answer has just been given; tell whether it was still going."""
    before, more = len(endpoint.calls), chance.randrange(1, 4)
    while child.poll() is None and len(endpoint.calls) < before + more:
        time.sleep(0.002)
    time.sleep(chance.random() * LATENCY)
    count, since = answered(endpoint), time.monotonic()
    while child.poll() is None and time.monotonic() - since < QUIET:
        time.sleep(0.002)
        if answered(endpoint) != count:
            count, since = answered(endpoint), time.monotonic()
    if child.poll() is not None:
        return False
    child.send_signal(signal.SIGKILL)
    child.wait()
    return True


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill a process at once")
@pytest.mark.parametrize(("how", "tries"), [("git", 10), ("plain", 3)])
def test_no_reply_is_paid_twice_and_the_wiki_is_the_same(tmp_path: Path, how: str, tries: int) -> None:
    with Endpoint(slow(LATENCY, thinking(obedient))) as endpoint:
        calm = repository(tmp_path / "calm")
        child = start(calm, endpoint.url, how)
        assert child.wait() == 0
        paid = answered(endpoint)
        assert paid == len(endpoint.calls) > 10

    chance = random.Random(11)
    with Endpoint(slow(LATENCY, thinking(obedient))) as endpoint:
        root = repository(tmp_path / "killed")
        kills = lost = 0
        for _ in range(tries):
            kills += kill_in_the_middle(endpoint, start(root, endpoint.url, how), chance)
            lost = answered(endpoint) - kept(root)
        child = start(root, endpoint.url, how)
        assert child.wait() == 0

        assert kills >= tries // 2
        assert kept(root) == paid
        # What was answered and not kept left the endpoint in the very moment of a kill; on a busy machine, such a
        # moment may be longer than `QUIET`.
        assert answered(endpoint) - lost == paid
        assert lost <= kills
        assert len(endpoint.calls) - answered(endpoint) <= kills * WORKERS
    assert wiki(root) == wiki(calm)
