"""The guide is under test: its expressions, its commands, its unit and its container file say what is true."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from dataclasses import fields
from datetime import timedelta
from pathlib import Path

import click
import pytest

from pipeline.cli.app import wikimill
from pipeline.cli.exits import ExitCode
from pipeline.config import parse_settings
from pipeline.schedule import keeper
from pipeline.schedule.cron import NAMED, parse_cron
from pipeline.schedule.status import LOCK, STATUS, LastRun, Status

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "wiki" / "wikimill" / "guides" / "running-on-a-schedule.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    return [text for name, text in BLOCKS if name == language]


def rows(head: str) -> list[list[str]]:
    table = GUIDE.split(f"| {head} |")[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.strip().split("\n")[1:]]


def understood(line: str) -> None:
    """Hold a command of wikimill to its options; what is unknown raises."""
    words = shlex.split(line, comments=True)
    command: click.Command = wikimill.load()[words[1]]
    with click.Context(command) as context:
        command.parse_args(context, words[2:])


def test_the_settings_are_understood() -> None:
    (block,) = blocks("toml")
    schedule = parse_settings(block).schedule
    assert set(tomllib.loads(block)["schedule"]) == set(type(schedule).model_fields)
    assert (schedule.timezone, schedule.then) == ("Europe/Berlin", "commit")


def test_the_expressions_are_understood() -> None:
    told = [re.findall(r"`([^`]+)`", row[0])[0] for row in rows("expression | when")]
    assert len(told) >= 10
    for text in told:
        assert bool(parse_cron(text).remarks) == text.startswith("@")
    names = {"@daily", *re.findall(r"`(@\w+)`", rows("expression | when")[-1][1])}
    assert names == set(NAMED)
    assert parse_cron("22-23,0-2 * * * *").minutes == (0, 1, 2, 22, 23)
    with pytest.raises(ValueError, match=r"'22-23,0-2'"):
        parse_cron("0 22-2 * * *")


def test_every_command_is_understood() -> None:
    unit = re.findall(r"^ExecStart=(.*)$", blocks("ini")[0], re.MULTILINE)
    typed = [line for text in blocks("sh") for line in text.splitlines() if line.startswith("wikimill ")]
    lists = [shlex.join(json.loads(one)) for one in re.findall(r"(\[\".*\])$", blocks("dockerfile")[0], re.MULTILINE)]
    told = re.findall(r"`(wikimill [^`]+)`", GUIDE)
    assert len(unit) == 1
    assert len(typed) == 3
    assert lists == ["wikimill schedule --status", "wikimill", "schedule"]
    for line in (*unit, *typed, lists[0], " ".join(lists[1:]), *told):
        understood(line)
    with pytest.raises(click.NoSuchOption):
        understood("wikimill schedule --none")


def test_the_unit_knows_the_exit_codes() -> None:
    (unit,) = blocks("ini")
    assert re.findall(r"^\[(\w+)\]$", unit, re.MULTILINE) == ["Unit", "Service", "Install"]
    codes = {
        key: {int(one) for one in value.split()}
        for key, value in re.findall(r"^(\w+ExitStatus)=(.*)$", unit, re.MULTILINE)
    }
    assert codes == {
        "SuccessExitStatus": {ExitCode.TERMINATED},
        "RestartPreventExitStatus": {ExitCode.USAGE, ExitCode.CONFLICT},
    }
    told = {int(one) for row in rows("code | when | what a supervisor should do") for one in row[0].split(",")}
    assert told == {*(set(ExitCode) - {ExitCode.IN_PART, ExitCode.UNAVAILABLE})}


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not here")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    place = tmp_path / "wikimill.service"
    place.write_text(
        blocks("ini")[0].replace("/opt/wikimill/bin/wikimill", shutil.which("true") or ""), encoding="utf-8"
    )
    command = ["systemd-analyze", "verify", "--man=no", str(place)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    about = [line for line in done.stderr.splitlines() if "wikimill.service" in line]
    assert not about, about


def test_the_container_runs_as_nobody_special_and_copies_what_is_there() -> None:
    (text,) = blocks("dockerfile")
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    known = {"FROM", "RUN", "COPY", "USER", "ENV", "WORKDIR", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"}
    assert {line.split()[0] for line in lines} == known
    user = max(number for number, line in enumerate(lines) if line.startswith("USER "))
    assert lines[user] == "USER wikimill"
    assert not [line for line in lines[user:] if line.startswith(("RUN", "COPY"))]
    assert {"git", "ca-certificates"} <= set(" ".join(lines).split())
    assert [line.split()[1] for line in lines if line.startswith("COPY")] == ["requirements-wikimill.txt"]
    assert "STOPSIGNAL SIGTERM" in lines


def test_the_status_file_is_told_whole() -> None:
    told = {name for row in rows("field | what it holds") for name in re.findall(r"`(\w+)`", row[0])}
    assert told == {field.name for field in fields(Status)}
    (last,) = (row[1] for row in rows("field | what it holds") if row[0] == "`last_run`")
    assert {field.name for field in fields(LastRun)} <= set(re.findall(r"`(\w+)`", last))
    assert f"`.wikimill/{STATUS}`" in GUIDE
    assert f"`.wikimill/{LOCK}`" in GUIDE


def test_the_lines_look_as_they_are_shown() -> None:
    (shown,) = blocks("")
    assert f"after {keeper._length(timedelta(seconds=70))}: Done" in shown
    assert keeper.IN_A_ROW == 3
