"""Owns where the files for CI stand, and the clean repositories and commands that tests run them with."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.starting import start
from tests.repositories import Ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

ROOT = Path(__file__).resolve().parents[2]
START = ROOT / "pipeline" / "shipped" / "start"
OWN, SHIPPED = ROOT / ".github", START / "github"
GITLAB = START / "gitlab-ci.yml"
NAMES = ("check.yml", "consolidate.yml", "publish.yml")
SETS = {"own": OWN / "workflows", "shipped": SHIPPED / "workflows"}
FILES = [folder / name for folder in SETS.values() for name in NAMES]

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def own_repository(place: Path) -> Path:
    """Make a bare repository of the tree as it stands; `.ci/run` is one that tells that it ran, for it runs us."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    tree = place / "tree"
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    (tree / ".ci" / "run").write_text("echo everything is checked\n", encoding="utf-8")
    return _publish(tree, place)


def new_wiki(place: Path) -> Path:
    """Make a bare repository of what `wikimill init` writes for both hosts."""
    start(place / "tree", now=NOW, use_git=False, ci="both")
    return _publish(place / "tree", place)


def _publish(tree: Path, place: Path) -> Path:
    ground = Ground(tree, quiet_environment(place / "home"))
    ground.git("init", "--quiet", "--initial-branch=main")
    ground.git("config", "user.name", "Dana")
    ground.git("config", "user.email", "dana@example.org")
    ground.commit("the beginning")
    ground.git("clone", "--quiet", "--bare", str(tree), str(place / "origin.git"))
    return place / "origin.git"


def write_command(folder: Path, name: str, text: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text, encoding="utf-8")
    (folder / name).chmod(0o755)


def installed_commands(folder: Path) -> Path:
    """Make commands as they are after the step that installs: `wikimill` is ours, and pip notes what it is told."""
    write_command(folder, "wikimill", f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m pipeline "$@"\n')
    write_command(folder, "python", f'#!/bin/sh\necho "$@" >> "{folder}/python.log"\n')
    return folder


STAND_IN = """\
#!{python} -IS
import json, os, pathlib, sys
told = sys.argv[1:]
seen = {{name: os.environ.get(name, "") for name in ("GITHUB_TOKEN", "GITLAB_TOKEN", "OPENAI_API_KEY")}}
with open({log!r}, "a", encoding="utf-8") as log:
    log.write(json.dumps({{"told": told, **seen}}) + "\\n")
handed, kept = pathlib.Path(".wikimill/proposal"), pathlib.Path(".wikimill/replies")
if told[0] == "run":
    kept.mkdir(parents=True, exist_ok=True)
    (kept / "reply.json").write_text("{{}}")
    if "--dry-run" not in told:
        handed.mkdir(parents=True)
        (handed / "seen.json").write_text("handed over")
if told == ["propose"]:
    print("proposed what was", (handed / "seen.json").read_text())
if told == ["build"]:
    pathlib.Path(".build/site").mkdir(parents=True)
if told[0] == "report":
    print("# A report")
sys.exit({codes!r}.get(" ".join(told[:2]) if told[0] == "propose" else told[0], 0))
"""


def stand_in(folder: Path, codes: Mapping[str, int]) -> Path:
    """Make a `wikimill` that only notes how it was started, leaves what is handed over, and ends as it is told."""
    installed_commands(folder)
    text = STAND_IN.format(python=sys.executable, log=str(folder / "wikimill.log"), codes=dict(codes))
    write_command(folder, "wikimill", text)
    return folder


def calls(folder: Path) -> list[dict[str, str | list[str]]]:
    """Read how the stand-in was started, call by call."""
    log = folder / "wikimill.log"
    return [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()] if log.exists() else []
