"""Processes for tests: started with their output on a pipe, waited for with patience, and never left behind."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

HOUSE = Path(__file__).resolve().parents[2]
PATIENCE = 30.0
WIKIMILL = ("-m", "pipeline")
AT_WORK = ("-m", "tests.schedule.at_work")


def surroundings(home: Path) -> dict[str, str]:
    """Give the environment of a process: nothing of the configuration of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "PYTEST"))}
    return {
        **kept,
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(home),
        "PYTHONPATH": str(HOUSE),
    }


@contextmanager
def started(
    *arguments: str, folder: Path, environment: Mapping[str, str] | None = None, before: tuple[str, ...] = ()
) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*before, sys.executable, *arguments],
        cwd=folder,
        env=environment or surroundings(folder.parent),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()


def line_with(process: subprocess.Popen[str], words: str) -> str:
    """Read lines until one holds some words."""
    assert process.stdout is not None
    seen: list[str] = []
    patience = time.monotonic() + PATIENCE
    for line in process.stdout:
        assert time.monotonic() < patience, f"it goes on without saying {words!r}: {''.join(seen[-5:])}"
        seen.append(line)
        if words in line:
            return line
    raise AssertionError(f"it ended without saying {words!r}: {''.join(seen)}")


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the end; give the code and what was said."""
    said, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, said


def until(true: Callable[[], bool]) -> None:
    patience = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < patience, "it did not happen"
        time.sleep(0.01)
