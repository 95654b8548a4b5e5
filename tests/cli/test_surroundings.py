"""What the door finds around it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.cli.surroundings import find_root, read_clock, read_surroundings, wants_debugging
from pipeline.errors import ConfigError

if TYPE_CHECKING:
    from pathlib import Path


def test_the_clock_is_the_systems_and_aware() -> None:
    now = read_clock({})()
    assert now.tzinfo is UTC
    assert abs(now - datetime.now(UTC)) < timedelta(minutes=1)


def test_source_date_epoch_fixes_the_clock() -> None:
    clock = read_clock({"SOURCE_DATE_EPOCH": "1764504000"})
    assert clock() == clock() == datetime(2025, 11, 30, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize("wrong", ["yesterday", "1.5", "9" * 30, "-"])
def test_a_wrong_source_date_epoch_is_told(wrong: str) -> None:
    with pytest.raises(ConfigError, match="SOURCE_DATE_EPOCH: is not a number of seconds since 1970"):
        read_clock({"SOURCE_DATE_EPOCH": wrong})


def test_the_root_is_the_nearest_folder_with_settings(tmp_path: Path) -> None:
    inner = tmp_path / "wiki" / "acme"
    inner.mkdir(parents=True)
    (tmp_path / "wikimill.toml").touch()
    assert find_root(inner) == tmp_path
    (tmp_path / "wiki" / "wikimill.toml").touch()
    assert find_root(inner) == tmp_path / "wiki"


def test_without_settings_the_next_step_is_init(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="wikimill init"):
        find_root(tmp_path)


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no such folder"):
        read_surroundings(tmp_path / "nowhere")


def test_a_file_is_no_folder_to_work_in(tmp_path: Path) -> None:
    (tmp_path / "wikimill.toml").touch()
    with pytest.raises(ConfigError, match=r"is a file\. Name the folder"):
        read_surroundings(tmp_path / "wikimill.toml")


@pytest.mark.parametrize(("value", "wanted"), [("", False), ("0", False), ("1", True), ("yes", True)])
def test_debugging_is_asked_for_in_the_environment(value: str, *, wanted: bool) -> None:
    assert wants_debugging({"WIKIMILL_DEBUG": value}) is wanted


def test_ci_is_seen(tmp_path: Path) -> None:
    assert read_surroundings(tmp_path, environment={"CI": "true"}).in_ci
    assert not read_surroundings(tmp_path, environment={}).in_ci
