"""`report` through the door, and what `run` keeps for it."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import click
import pytest

from pipeline import keeping
from pipeline.cli.app import wikimill
from pipeline.cli.output import Speaker
from pipeline.cli.reporting import kept as keep_reports
from pipeline.cli.reporting import report
from pipeline.cli.surroundings import Surroundings
from pipeline.errors import StoreError
from pipeline.report import Report, exit_code, from_json
from tests.cli.conftest import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Say

FIRST = "20261130T080000Z"


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(wikimill.commands, "report", report)


def kept(wiki: Path) -> list[str]:
    return sorted(place.name for place in (wiki / ".wikimill" / "runs").glob("*"))


def test_a_run_can_be_read_again(wiki: Path, say: Say) -> None:
    ran = say("run")
    assert kept(wiki) == [f"{FIRST}.json"]
    assert ran.err.splitlines()[-1].startswith(f"Report {FIRST}: run, wikimill ")
    shown = say("report")
    assert (shown.code, shown.err) == (0, "")
    assert shown.out == ran.out + ran.err.splitlines()[-1] + "\n"
    assert say("report", FIRST).out == shown.out
    second = say("run")
    assert second.err.startswith(f"Report {FIRST}-2: run, ")
    assert "Nothing new." in say("report").out
    assert say("report", FIRST).out == shown.out


def test_a_machine_gets_what_it_got_when_the_command_ran(wiki: Path, say: Say) -> None:
    ran = say("run", "--json")
    told = ran.json()
    assert ran.err == ""
    assert (told["id"], told["command"], told["started_at"]) == (FIRST, "run", "2026-11-30T08:00:00Z")
    assert say("report", "--json").json() == told
    assert json.loads((wiki / ".wikimill" / "runs" / f"{FIRST}.json").read_bytes()) == told
    assert from_json(told).id == FIRST  # type: ignore[arg-type]  # plain data


def test_a_page_gets_the_report_as_markdown(wiki: Path, say: Say) -> None:
    say("run")
    shown = say("report", "--markdown")
    assert shown.code == 0
    assert shown.out.startswith("## wikimill run\n\n**Done: 1 session consolidated; ")
    assert f"\nReport {FIRST}: run, " in shown.out


def test_a_dry_run_leaves_no_report(wiki: Path, say: Say) -> None:
    assert say("run", "--dry-run").code == 0
    assert kept(wiki) == []
    none = say("report")
    assert none.code == 1
    assert "there is no report yet. `wikimill run` leaves one." in none.err
    assert say("report", "--list").out == "0 reports.\n"


def test_a_run_that_an_error_ended_leaves_a_report_as_well(wiki: Path, say: Say) -> None:
    shutil.rmtree(wiki / ".git")
    ran = say("run")
    assert ran.code == 5
    shown = say("report")
    assert shown.code == 0
    assert "GitError: " in shown.out
    assert "--no-git" in shown.out
    assert "Ended before its time (GitError): Nothing new." in shown.out
    told: dict[str, Any] = say("report", "--json").json()
    assert (told["exit_code"], told["model"], told["fault"]["kind"]) == (5, "extractive", "GitError")


def test_reports_are_listed_the_newest_first(wiki: Path, say: Say) -> None:
    say("run")
    say("run")
    (wiki / ".wikimill" / "runs" / "20260101T000000Z.json").write_text("{", encoding="utf-8")
    listed = say("report", "--list")
    assert listed.code == 0
    lines = listed.out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == [f"{FIRST}-2", FIRST, "20260101T000000Z"]
    assert lines[2].split()[1:5] == ["2026-11-30", "08:00", "run", "Done"]
    assert "the report is damaged" in lines[3]
    assert lines[-1] == "3 reports."
    entries: Any = say("report", "--list", "--json").json()["reports"]
    assert [entry["id"] for entry in entries] == [f"{FIRST}-2", FIRST, "20260101T000000Z"]
    assert (entries[1]["sessions"], entries[1]["exit_code"], entries[1]["cost"]) == (1, 0, 0)
    assert entries[1]["pages"] >= 1
    assert set(entries[2]) == {"id", "error"}


def test_an_unknown_report_is_told_with_the_nearest(wiki: Path, say: Say) -> None:
    say("run")
    said = say("report", "20261130T090000Z")
    assert said.code == 2
    assert f"there is no report '20261130T090000Z'; near: {FIRST}." in said.err
    assert "report --list" in say("report", "../../etc/passwd").err


@pytest.mark.parametrize(
    "options", [("--json", "--markdown"), ("--list", "--markdown"), ("--list", FIRST)], ids=" ".join
)
def test_ways_of_telling_exclude_each_other(wiki: Path, say: Say, options: tuple[str, ...]) -> None:
    assert say("report", *options).code == 2


def test_a_report_that_cannot_be_kept_costs_a_finding(wiki: Path, say: Say) -> None:
    (wiki / ".wikimill").mkdir(exist_ok=True)
    (wiki / ".wikimill" / "runs").write_text("in the way", encoding="utf-8")
    said = say("run")
    assert said.code == 0
    assert "[report-not-kept]" in said.out
    assert said.out.splitlines()[-1].startswith("Done: 1 session consolidated; ")
    shutil.rmtree(wiki / ".git")
    failed = say("run")
    assert failed.code == 5
    assert "[report-not-kept]" in failed.err


def surroundings(wiki: Path) -> Surroundings:
    return Surroundings(folder=wiki, clock=lambda: NOW, environment={})


@pytest.mark.parametrize(
    ("error", "kind", "code"),
    [
        (StoreError("the disk is full."), "StoreError", 1),
        (KeyboardInterrupt(), "Interrupted", 130),
        (SystemExit(143), "Terminated", 143),
        (KeyError("SECRET"), "KeyError", 1),
    ],
)
def test_whatever_ends_the_work_is_kept_and_goes_on(wiki: Path, error: BaseException, kind: str, code: int) -> None:
    with pytest.raises(type(error)), keep_reports(surroundings(wiki), wiki, "run", speaker=Speaker(), model="gpt"):
        raise error
    told = keeping.read(wiki)
    assert told.fault is not None
    assert (told.fault.kind, told.model, told.command, exit_code(told)) == (kind, "gpt", "run", code)
    assert "SECRET" not in (wiki / ".wikimill" / "runs" / f"{FIRST}.json").read_text(encoding="utf-8")


def test_a_wrong_command_line_is_no_run(wiki: Path) -> None:
    with (
        pytest.raises(click.UsageError),
        keep_reports(surroundings(wiki), wiki, "run", speaker=Speaker(), model="gpt"),
    ):
        raise click.UsageError("no")
    assert kept(wiki) == []


def test_an_error_after_the_report_leaves_the_report(wiki: Path) -> None:
    def work() -> None:
        with keep_reports(surroundings(wiki), wiki, "propose", speaker=Speaker(), model="gpt") as keep:
            assert keep(Report("gpt", "v1", branch="main")).id == FIRST
            raise StoreError("too late.")

    with pytest.raises(StoreError, match="too late"):
        work()
    assert kept(wiki) == [f"{FIRST}.json"]
    assert (keeping.read(wiki).branch, keeping.read(wiki).command) == ("main", "propose")


def test_the_schema_of_reports_is_told_and_fits_them(wiki: Path, say: Say) -> None:
    schema = json.loads(say("report", "--schema").out)
    assert schema["properties"]["sessions"]["description"] == "What became of each session with news."
    say("run")
    told = json.loads(say("report", "--json").out)
    assert set(schema["required"]) <= set(told) <= set(schema["properties"])
