"""A wiki repository, and a door to it that is walked through in this process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

import pytest

from pipeline.cli.app import run_command
from pipeline.starting import start

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended, and what it said."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, object]:
        value = json.loads(self.out)
        assert isinstance(value, dict)
        return value


class Say(Protocol):
    """A walk through the door with a command line."""

    def __call__(self, *arguments: str) -> Said: ...


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a new wiki repository that is the current folder, at a fixed time and with nobody's git configuration."""
    for name, value in {
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CEILING_DIRECTORIES": str(tmp_path),
        "SOURCE_DATE_EPOCH": str(int(NOW.timestamp())),
    }.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("WIKIMILL_DEBUG", raising=False)
    folder = tmp_path / "demo"
    start(folder, now=NOW)
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def say(capfd: pytest.CaptureFixture[str]) -> Say:
    """Give a function that runs a command line and tells how it ended."""

    def run(*arguments: str) -> Said:
        capfd.readouterr()
        code = run_command(list(arguments))
        said = capfd.readouterr()
        return Said(code, said.out, said.err)

    return run
