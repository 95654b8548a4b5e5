from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.landing import open_landing
from tests.killed_landing import CHAIN, CHANGES
from tests.repositories import AT, Ground, empty_ground, new_ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no kill -9 to survive")

HOUSE = Path(__file__).resolve().parents[1]

OLD = {"acme/index.md": b"an index\n", "acme/gone/old.md": b"old\n", "acme/stays.md": b"stays\n"}
NEW = {path: raw for path, raw in {**OLD, **CHANGES}.items() if raw is not None}

STEPS = 18
"""More than a landing has."""


def kill_at_each_step(grounds: list[Ground], *, git: bool, branch: str = "", chain: bool = False) -> list[str]:
    given = {"git": git, "branch": branch, "chain": chain, "roots": [str(ground.root) for ground in grounds]}
    environment = {**grounds[0].environment, "PYTHONPATH": str(HOUSE)}
    done = subprocess.run(
        [sys.executable, "-m", "tests.killed_landing"],
        cwd=HOUSE,
        env=environment,
        input=json.dumps(given) + "\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    ends: list[str] = json.loads(done.stdout)
    assert set(ends) == {"killed", "ended 0"}, (ends, done.stderr)
    return ends


def copies(ground: Ground, tmp_path: Path) -> list[Ground]:
    places = [tmp_path / f"copy {number}" for number in range(STEPS)]
    for place in places:
        shutil.copytree(ground.root, place, symlinks=True)
    return [Ground(place, ground.environment) for place in places]


def give_work_in_progress(ground: Ground) -> None:
    ground.write("code.py", "staged\n")
    ground.git("add", "code.py")
    ground.write("code.py", "and edited\n")
    ground.write("notes.txt", "untracked\n")


IN_PROGRESS = ["MM code.py", "?? notes.txt"]


def reopen(ground: Ground, *, git: bool = True, branch: str = "") -> Mapping[str, bytes]:
    with open_landing(
        ground.root, pages_folder="wiki", branch=branch, use_git=git, environment=ground.environment
    ) as landing:
        wiki = dict(landing.wiki)
        assert landing.land(CHANGES, "again", AT) or wiki == NEW or not git
        assert dict(landing.wiki) == NEW
    assert not list((ground.root / ".wikimill" / "journal").glob("*"))
    return wiki


@pytest.mark.parametrize("chain", [False, True])
def test_killed_on_the_branch_that_is_checked_out(tmp_path: Path, *, chain: bool) -> None:
    origin = new_ground(tmp_path / "origin")
    for path, raw in OLD.items():
        origin.write(f"wiki/{path}", raw)
    old = origin.commit("pages")
    give_work_in_progress(origin)
    grounds = copies(origin, tmp_path)
    ends = kill_at_each_step(grounds, git=True, chain=chain)
    commits = len(CHAIN) if chain else 1
    seen = []
    for ground, end in zip(grounds, ends, strict=True):
        landed = ground.tip() != old
        assert ground.files() == (NEW if landed else OLD)
        assert ground.git("rev-parse", f"HEAD~{commits}" if landed else "HEAD").strip() == old
        if not landed:
            assert ground.on_disk() == OLD
            assert ground.status() == IN_PROGRESS
        wiki = reopen(ground)
        assert wiki == (NEW if landed else OLD)
        assert ground.on_disk() == ground.files() == NEW
        assert ground.status() == IN_PROGRESS
        assert ground.git("show", ":code.py") == "staged\n"
        assert ground.read("code.py") == b"and edited\n"
        assert ground.git("rev-list", "--count", f"{old}..HEAD").strip() == str(commits if landed else 1)
        assert ground.is_sound()
        seen.append((end, landed))
    assert ("killed", False) in seen
    assert ("killed", True) in seen
    assert ("ended 0", True) in seen
    assert seen == sorted(seen, key=lambda one: (one[0] == "ended 0", one[1]))


def test_killed_before_the_first_commit(tmp_path: Path) -> None:
    origin = empty_ground(tmp_path / "origin")
    origin.write("code.py", "x")
    origin.git("add", "code.py")
    grounds = copies(origin, tmp_path)
    kill_at_each_step(grounds, git=True)
    created = {path: raw for path, raw in CHANGES.items() if raw is not None}
    for ground in grounds:
        with open_landing(ground.root, pages_folder="wiki", environment=ground.environment) as landing:
            landing.land(CHANGES, "again", AT)
        assert ground.files() == ground.on_disk() == created
        assert ground.status() == ["A  code.py"]
        assert ground.git("rev-list", "--count", "HEAD").strip() == "1"
        assert ground.is_sound()


@pytest.mark.parametrize("chain", [False, True])
def test_killed_on_another_branch(tmp_path: Path, *, chain: bool) -> None:
    origin = new_ground(tmp_path / "origin")
    for path, raw in OLD.items():
        origin.write(f"wiki/{path}", raw)
    old = origin.commit("pages")
    give_work_in_progress(origin)
    grounds = copies(origin, tmp_path)[:6]
    kill_at_each_step(grounds, git=True, branch="wiki/pages", chain=chain)
    for ground in grounds:
        wiki = reopen(ground, branch="wiki/pages")
        assert wiki in (OLD, NEW)
        assert ground.files("wiki/pages") == NEW
        commits = len(CHAIN) if chain and wiki == NEW else 1
        assert ground.git("rev-list", "--count", f"{old}..wiki/pages").strip() == str(commits)
        assert (ground.tip(), ground.on_disk(), ground.status()) == (old, OLD, IN_PROGRESS)
        assert ground.is_sound()


@pytest.mark.parametrize("chain", [False, True])
def test_killed_without_git(tmp_path: Path, *, chain: bool) -> None:
    origin = Ground(tmp_path / "origin", quiet_environment(tmp_path / "home"))
    for path, raw in OLD.items():
        origin.write(f"wiki/{path}", raw)
    grounds = copies(origin, tmp_path)
    ends = kill_at_each_step(grounds, git=False, chain=chain)
    seen = set()
    for ground, end in zip(grounds, ends, strict=True):
        promised = bool(list((ground.root / ".wikimill" / "journal").glob("*/manifest.json")))
        if end == "killed" and not promised:
            assert ground.on_disk() in (OLD, NEW)
        wiki = reopen(ground, git=False)
        assert wiki == (NEW if promised or end == "ended 0" else wiki)
        assert wiki in (OLD, NEW)
        assert ground.on_disk() == NEW
        seen.add((end, promised, wiki == NEW))
    assert {("killed", False, False), ("killed", True, True), ("ended 0", False, True)} <= seen
