"""Builds the gate's sites as people do: with `wikimill build`, and with a generator alone on a fresh clone."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.gate.fixture import NOW, REPOSITORY, harbour
from tests.reading.sample import CHECKOUT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime
    from pathlib import Path

    from tests.repositories import Ground

ENGINES: Final = ("mkdocs", "properdocs", "zensical")
HOST: Final = "wiki.test"
ADDRESS: Final = f"http://{HOST}/"


@dataclass(frozen=True, slots=True)
class Built:
    """A site, how the command that built it ended, and what that said."""

    root: Path
    site: Path
    code: int
    said: str


class Sites:
    """The gate's sites below a folder that several processes may share."""

    def __init__(self, folder: Path, lock: Callable[[Path], AbstractContextManager[object]]) -> None:
        self._folder = folder
        self._lock = lock

    def derived(self, engine: str) -> Built:
        """Give the site that `wikimill build` makes."""
        return self.once(f"derived-{engine}", self._harbour, lambda root: wikimill_build(root, engine))

    def plain(self, engine: str) -> Built:
        """Give the site that a generator makes of a clone, without wikimill."""
        return self.once(f"plain-{engine}", self._harbour, lambda root: generator_build(root, engine))

    def once(self, name: str, origin: Callable[[], Path], build: Callable[[Path], tuple[int, str]]) -> Built:
        """Clone a repository and build there, unless that was done; give the site."""
        place = self._folder / name
        told = self._folder / f"{name}.json"
        with self._lock(place):
            if not told.is_file():
                clone(origin(), place)
                told.write_text(json.dumps(build(place)), encoding="utf-8")
        code, said = json.loads(told.read_text(encoding="utf-8"))
        return Built(place, place / ".build" / "site", code, said)

    def repository(self, name: str, make: Callable[[Path], Ground]) -> Path:
        """Make a repository, unless that was done; give its folder."""
        place = self._folder / name
        done = self._folder / f"{name}.done"
        with self._lock(place):
            if not done.is_file():
                make(place)
                done.touch()
        return place

    def _harbour(self) -> Path:
        return self.repository("harbour", harbour)


def clone(origin: Path, place: Path) -> None:
    subprocess.run(["git", "clone", "-q", str(origin), str(place)], check=True, capture_output=True)


def wikimill_build(
    root: Path, engine: str, *, at: datetime = NOW, options: Sequence[str] = (), **variables: str
) -> tuple[int, str]:
    """Run `wikimill build` at a moment; gives its code, and what it said."""
    settings = root / "wikimill.toml"
    text = settings.read_text(encoding="utf-8")
    wanted = re.sub(r'(?m)^(?:# )?generator = "[a-z]+"', f'generator = "{engine}"', text)
    assert f'\ngenerator = "{engine}"' in wanted
    settings.write_text(wanted, encoding="utf-8")
    moment = {"SOURCE_DATE_EPOCH": str(int(at.timestamp())), "PYTHONPATH": str(CHECKOUT)}
    return _run([sys.executable, "-m", "pipeline", "build", *options], root, {**moment, **variables})


def generator_build(root: Path, engine: str, *, strict: bool = True, **variables: str) -> tuple[int, str]:
    """Run a generator's own build."""
    quiet = {"NO_MKDOCS_2_WARNING": "1", "DISABLE_MKDOCS_2_WARNING": "true"}
    return _run(
        [sys.executable, "-m", engine, "build", *(["--strict"] if strict else [])], root, {**quiet, **variables}
    )


def _run(command: Sequence[str], folder: Path, variables: dict[str, str]) -> tuple[int, str]:
    unset = {"SITE_URL", "REPO_URL", "WIKI_BRANCH", "SOURCE_DATE_EPOCH", "WIKIMILL_DEBUG"}
    kept = {key: value for key, value in os.environ.items() if key not in unset}
    environment = {**kept, "NO_COLOR": "1", "SITE_URL": ADDRESS, "REPO_URL": REPOSITORY, **variables}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", errors="replace", check=False
    )
    return done.returncode, done.stdout + done.stderr
