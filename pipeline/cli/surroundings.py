"""Owns what the process stands in: the folder, clocks, chance, the environment; the only reader of the latter.

Everything below the door gets these as values, so that a test or another program can give its own. The variables for
proxies and certificates alone are read where a language model is asked, by the HTTP library.
"""

from __future__ import annotations

import os
import random
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.config import FILE_NAME, Settings, read_settings
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.choosing import Outside


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a command runs: `folder` is the current one or what `-C` names; `clock` gives aware times in UTC.

    `environment` is what processes that are started get.
    """

    folder: Path
    clock: Callable[[], datetime]
    environment: Mapping[str, str]
    in_ci: bool = False
    debug: bool = False

    @property
    def outside(self) -> Outside:
        """What a language model needs of the world."""
        from pipeline.choosing import Outside  # noqa: PLC0415  # all that asks models is loaded where one is asked

        # Chance spreads retries over time; no page depends on it.
        chance = random.SystemRandom()
        return Outside(self.environment, self.clock, time.monotonic, time.sleep, chance.random)

    def open_wiki(self) -> tuple[Path, Settings]:
        """Find the wiki repository that the folder belongs to, and read its settings."""
        root = find_root(self.folder)
        return root, read_settings(root)


def read_surroundings(
    folder: Path | None, *, debug: bool = False, environment: Mapping[str, str] = os.environ
) -> Surroundings:
    """Look around once, at the door."""
    place = Path.cwd() if folder is None else Path.cwd() / folder
    if place.is_file():
        raise ConfigError("is a file.", where=f"-C {folder}", next_step="Name the folder that holds wikimill.toml.")
    if not place.is_dir():
        raise ConfigError("there is no such folder.", where=f"-C {folder}", next_step="Create it with `wikimill init`.")
    return Surroundings(
        folder=place,
        clock=read_clock(environment),
        environment=environment,
        in_ci=bool(environment.get("CI")),
        debug=debug or wants_debugging(environment),
    )


def wants_debugging(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether WIKIMILL_DEBUG asks for tracebacks."""
    return environment.get("WIKIMILL_DEBUG", "") not in {"", "0"}


def read_clock(environment: Mapping[str, str]) -> Callable[[], datetime]:
    """Give the clock: the system's or, for a reproducible result, the moment that SOURCE_DATE_EPOCH names."""
    given = environment.get("SOURCE_DATE_EPOCH", "")
    if not given:
        return lambda: datetime.now(UTC)
    try:
        fixed = datetime.fromtimestamp(_not_negative(int(given)), UTC)
    except (ValueError, OverflowError, OSError):
        raise ConfigError(
            "is not a number of seconds since 1970.", where="SOURCE_DATE_EPOCH", next_step="Unset it or correct it."
        ) from None
    return lambda: fixed


def _not_negative(seconds: int) -> int:
    if seconds < 0:
        raise ValueError(seconds)
    return seconds


def find_root(folder: Path) -> Path:
    """Find the nearest folder, from `folder` upwards, that holds a `wikimill.toml`."""
    for place in (folder, *folder.parents):
        if (place / FILE_NAME).is_file():
            return place
    raise ConfigError(
        f"no {FILE_NAME} here or in a folder above.",
        where=str(folder),
        next_step="Make a new wiki with `wikimill init DIR`, or name one with `wikimill -C DIR ...`.",
    )
