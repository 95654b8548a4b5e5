"""`wikimill schedule` through the door, where it ends by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline.cli.app import run_command
from pipeline.schedule.status import Board, LastRun, Status
from tests.schedule.reference import utc

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Say = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(utc(2026, 3, 27, 12).timestamp())))
    monkeypatch.delenv("WIKIMILL_DEBUG", raising=False)
    (tmp_path / "wikimill.toml").write_text("[schedule]\ntimezone = 'Europe/Berlin'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def say(wiki: Path, capfd: pytest.CaptureFixture[str]) -> Say:
    def run(*arguments: str) -> tuple[int, str, str]:
        code = run_command(["schedule", *arguments])
        return (code, *capfd.readouterr())

    return run


def test_the_next_times_are_told_by_both_clocks(say: Say) -> None:
    code, out, err = say("--next", "2", "--cron", "30 2 * * *")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "Sat 2026-03-28 02:30:00+01:00 CET = 2026-03-28 01:30:00 UTC",
        "Sun 2026-03-29 03:00:00+02:00 CEST = 2026-03-29 01:00:00 UTC",
    ]
    code, out, err = say("--next", "1", "--cron", "@hourly", "--timezone", "Asia/Kathmandu")
    assert (code, out) == (0, "Fri 2026-03-27 18:00:00+05:45 +0545 = 2026-03-27 12:15:00 UTC\n")
    assert err == "note: GitHub Actions does not know @hourly: there, write '0 * * * *'.\n"


def test_the_next_times_are_those_of_the_settings_and_fit_for_machines(say: Say) -> None:
    code, out, err = say("--next", "1", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "cron": "23 5 * * 1",
        "timezone": "Europe/Berlin",
        "next": [{"local": "2026-03-30T05:23:00+02:00", "utc": "2026-03-30T03:23:00+00:00"}],
        "remarks": [],
    }


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--cron", "0 0 L * *"], "--cron: in its field 'day of the month' has 'L' (the last one), which other"),
        (["--cron", "61 * * * *", "--once"], "--cron: in its field 'minute' has '61'"),
        (["--timezone", "Berlin"], "--timezone: there is no such time zone. Did you mean 'Europe/Berlin'?"),
        (["--timezone", "europe/berlin"], "--timezone: there is no such time zone. Did you mean 'Europe/Berlin'?"),
        (["--timezone", "America/New York"], "there is no such time zone. Did you mean 'America/New_York'?"),
        (["--timezone", "Mars/Olympus"], "there is no such time zone. Take an IANA name such as 'Europe/Berlin'."),
        (["--timezone", "../../etc/passwd"], "there is no such time zone. Take an IANA name"),
        (["--once", "--status"], "--once, --next and --status exclude each other"),
        (["--once", "--next", "3"], "--once, --next and --status exclude each other"),
        (["--json"], "--json goes with --next or --status"),
        (["--once", "--json"], "--json goes with --next or --status"),
        (["--status", "--health-port", "0"], "--health-port goes with a scheduler that stays"),
        (["--next", "0"], "0 is not in the range 1<=x<=1000"),
        (["--health-port", "70000"], "70000 is not in the range 0<=x<=65535"),
    ],
)
def test_what_is_wrong_on_the_command_line_ends_with_2(say: Say, arguments: list[str], told: str) -> None:
    code, out, err = say(*arguments)
    assert (code, out) == (2, "")
    assert told in err


def test_settings_that_are_wrong_end_with_2(wiki: Path, say: Say) -> None:
    (wiki / "wikimill.toml").write_text("[schedule]\ncron = 'daily'\n", encoding="utf-8")
    assert say()[0] == 2
    (wiki / "wikimill.toml").write_text("[schedule]\ntimezone = 'Europe/Berlln'\n", encoding="utf-8")
    code, _, err = say()
    assert code == 2
    assert "wikimill.toml: 'schedule.timezone': there is no such time zone. Did you mean 'Europe/Berlin'?" in err


def test_a_key_that_is_missing_is_told_at_the_start(wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_SUCH_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    (wiki / "wikimill.toml").write_text(
        "[model]\nprovider = 'openai'\nname = 'small'\napi_key_variable = 'NO_SUCH_KEY'\n",
        encoding="utf-8",
    )
    code, _, err = say()
    assert code == 2
    assert "NO_SUCH_KEY" in err


def test_the_status_of_none(say: Say) -> None:
    assert say("--status") == (1, "No scheduler was started here.\n", "")
    code, out, _ = say("--status", "--json")
    assert (code, json.loads(out)) == (1, {"standing": "never started", "well": False})


def test_the_status_that_one_left(wiki: Path, say: Say) -> None:
    state = wiki / ".wikimill"
    board = Board(state, Status(7, "0.1", "23 5 * * 1", "Europe/Berlin", utc(2026, 3, 1)), print)
    last = LastRun(utc(2026, 3, 23, 4, 23), utc(2026, 3, 23, 4, 25), 4, "failed", "no answer.\x1b[31m\nforged", "r7")
    board.change(last_run=last, failing_since=utc(2026, 3, 16, 4, 23), failures=2, next_run=utc(2026, 3, 30, 3, 23))
    code, out, _ = say("--status")
    assert (code, out.splitlines()) == (
        1,
        [
            "The scheduler was killed and does not run; what follows is what it left.",
            "Process 7, wikimill 0.1, since 2026-03-01 01:00:00 CET.",
            "Times: 23 5 * * 1 in Europe/Berlin.",
            "Next run: 2026-03-30 05:23:00 CEST.",
            "Last run: failed with code 4 at 2026-03-23 05:25:00 CET: no answer.[31m forged Report: r7.",
            "Failing since 2026-03-16 05:23:00 CET: 2 in a row.",
        ],
    )
    told = json.loads(say("--status", "--json")[1])
    assert (told["standing"], told["well"], told["failures"], told["last_run"]["report_id"]) == (
        "killed",
        False,
        2,
        "r7",
    )
