"""Schedulers as processes: signals, a second one, a run by hand beside it, and one that is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.schedule.alone import alone
from pipeline.schedule.status import LOCK, Status, read_status, standing
from pipeline.schedule.stopping import TOGETHER
from pipeline.starting import start
from tests.repositories import AT
from tests.schedule.processes import AT_WORK, WIKIMILL, ended, line_with, started, surroundings, until

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no signals between processes")


@pytest.fixture
def wiki(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give a new wiki repository with one observation, and nobody's git configuration."""
    for name, value in surroundings(tmp_path).items():
        monkeypatch.setenv(name, value)
    folder = tmp_path / "demo"
    start(folder, now=AT)
    return folder


def wikimill(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *WIKIMILL, *arguments]
    return subprocess.run(
        command, cwd=folder, env=surroundings(folder.parent), capture_output=True, text=True, check=False
    )


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def status_of(folder: Path) -> Status:
    found = read_status(folder / ".wikimill")
    assert found is not None
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda one: one.name)
def test_a_signal_lets_the_run_at_work_be_finished(tmp_path: Path, number: signal.Signals) -> None:
    with started(*AT_WORK, str(tmp_path), "second", folder=tmp_path) as process:
        until((tmp_path / "begun").exists)
        process.send_signal(number)
        code, said = ended(process)
    assert code == 0
    assert (tmp_path / "done").read_text(encoding="utf-8") == "True\n"
    assert "stopping; the session at work is finished first." in said
    assert said.splitlines()[-1].endswith("UTC: stopped.")
    assert "Traceback" not in said
    assert json.loads((tmp_path / ".wikimill" / "schedule.json").read_bytes())["state"] == "stopped"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_second_signal_ends_it_at_once(tmp_path: Path, number: signal.Signals, code: int) -> None:
    with started(*AT_WORK, str(tmp_path), "stubborn", folder=tmp_path) as process:
        until((tmp_path / "begun").exists)
        process.send_signal(number)
        process.send_signal(number)  # one wish, that came twice
        time.sleep(TOGETHER + 0.2)
        assert process.poll() is None
        begun = time.monotonic()
        process.send_signal(number)
        assert ended(process)[0] == code
        assert time.monotonic() - begun < 2


def test_one_that_waits_ends_at_once(wiki: Path) -> None:
    with started(*WIKIMILL, "schedule", "--timezone", "Asia/Kathmandu", folder=wiki) as process:
        line = line_with(process, "next run at")
        assert " +0545: next run at " in line
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        code, said = ended(process)
    assert code == 0
    assert [line.partition(": ")[2] for line in said.splitlines()] == ["stopping.", "stopped."]
    assert time.monotonic() - begun < 3


def test_two_schedulers_and_one_that_is_killed(wiki: Path) -> None:
    state = wiki / ".wikimill"
    with started(*WIKIMILL, "schedule", folder=wiki) as process:
        line_with(process, "next run at")
        second = wikimill(wiki, "schedule")
        assert second.returncode == 5
        assert "another scheduler is at work on this wiki" in second.stderr
        alive = wikimill(wiki, "schedule", "--status")
        assert alive.returncode == 0
        assert alive.stdout.startswith(f"The scheduler is waiting.\nProcess {process.pid}, wikimill ")
        process.kill()
        assert ended(process)[0] == -signal.SIGKILL
    killed = wikimill(wiki, "schedule", "--status")
    assert killed.returncode == 1
    assert killed.stdout.startswith("The scheduler was killed and does not run; what follows is what it left.\n")
    with alone(state / LOCK):  # the next one is not kept out
        assert standing(state, read_status(state), datetime.now(UTC)) == "waiting"
    assert git(wiki, "status", "--porcelain") == ""


def held_commits(folder: Path) -> tuple[Path, Path]:
    """Hold each commit: give the file that tells that one is being made, and the one that lets them all pass."""
    sign, go = folder.parent / "committing", folder.parent / "go"
    hook = folder / ".git" / "hooks" / "reference-transaction"
    waiting = f'while [ ! -e "{go}" ] && [ -d "{folder}" ]; do sleep 0.02; done'
    hook.write_text(
        f'#!/bin/sh\n[ "$1" = prepared ] || exit 0\ngrep -q refs/heads/ || exit 0\ntouch "{sign}"\n{waiting}\n',
        encoding="utf-8",
    )
    hook.chmod(0o755)
    return sign, go


def test_sigterm_while_a_session_is_being_committed_leaves_the_commit_whole(wiki: Path) -> None:
    for number in (1, 2):
        line = {"ts": "2026-11-29T10:00:00Z", "session_id": f"s{number}", "project": "demo"}
        body = f"We decided to keep part {number} in SQLite, because one file is enough."
        with (wiki / "observations" / "day.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps({**line, "body": body}) + "\n")
    sign, go = held_commits(wiki)
    with started(*AT_WORK, str(wiki), "wiki", folder=wiki) as process:
        until(sign.exists)
        process.send_signal(signal.SIGTERM)
        line_with(process, "stopping; the session at work is finished first.")
        go.touch()
        code, said = ended(process)
    assert code == 0, said
    subjects = git(wiki, "log", "--format=%s").splitlines()
    done = [subject for subject in subjects if subject.startswith("consolidate(demo/")]
    assert len(done) == 1, "the session at hand is committed, and no other is begun"
    assert git(wiki, "status", "--porcelain", "wiki") == ""
    assert git(wiki, "fsck", "--strict", "--no-dangling").strip() == ""
    assert not list((wiki / ".wikimill" / "journal").glob("*"))
    status = status_of(wiki)
    assert (status.state, status.running_since) == ("stopped", None)
    assert status.last_run is not None
    assert status.last_run.outcome == "fine"
    assert (wiki / ".wikimill" / "runs" / f"{status.last_run.report_id}.json").is_file()
    shutil.rmtree(wiki / ".git" / "hooks")
    assert wikimill(wiki, "run").returncode == 0  # the rest, if there is any
    sessions = [line for line in git(wiki, "log", "--format=%B").splitlines() if line.startswith("Session: ")]
    assert len(sessions) == len(set(sessions)) == 3


def test_a_run_by_hand_is_not_disturbed_and_told_as_no_failure(wiki: Path) -> None:
    sign, go = held_commits(wiki)
    with started(*WIKIMILL, "run", folder=wiki) as by_hand:
        until(sign.exists)
        with started(*AT_WORK, str(wiki), "wiki", folder=wiki) as process:
            line = line_with(process, "run skipped: ")
            assert f"another run is at work on this wiki (process {by_hand.pid}, since " in line
            go.touch()
            assert ended(by_hand)[0] == 0
            line_with(process, "run ended with code 0")
            process.send_signal(signal.SIGTERM)
            code, said = ended(process)
    assert code == 0
    assert "failed" not in said
    assert git(wiki, "log", "--format=%s").count("consolidate(demo/start)") == 1


def test_changes_that_nobody_committed_are_a_failure(wiki: Path) -> None:
    (wiki / "wiki" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    with started(*AT_WORK, str(wiki), "wiki", folder=wiki) as process:
        line = line_with(process, "run failed with code 5")
        assert "wiki/mine.md" in line
        line_with(process, "failing since ")
        process.send_signal(signal.SIGTERM)
        assert ended(process)[0] == 0
    status = status_of(wiki)
    assert status.failing_since is not None
    assert status.failures >= 3


def test_once_ends_with_the_code_of_the_run(wiki: Path) -> None:
    (wiki / "wiki" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    refused = wikimill(wiki, "schedule", "--once")
    assert refused.returncode == 5
    assert "uncommitted changes" in refused.stdout
    assert not (wiki / ".wikimill" / "schedule.json").exists()


def test_once_runs_at_once_and_hears_a_signal_as_well(wiki: Path) -> None:
    sign, go = held_commits(wiki)
    with started(*WIKIMILL, "schedule", "--once", folder=wiki) as process:
        until(sign.exists)
        process.send_signal(signal.SIGTERM)
        go.touch()
        code, said = ended(process)
    assert (code, said[:30]) == (0, "Done: 1 session consolidated; ")
    assert git(wiki, "log", "--format=%s").count("consolidate(demo/start)") == 1


def test_health_over_a_life(tmp_path: Path) -> None:
    with started(*AT_WORK, str(tmp_path), "second", folder=tmp_path) as process:
        address = line_with(process, "health at ").split()[-1]
        line_with(process, "run ended with code 0")
        with urllib.request.urlopen(address, timeout=5) as answer:
            told = json.loads(answer.read())
        assert (answer.status, told["alive"], told["last_run_ok"], told["last_run"]["code"]) == (200, True, True, 0)
        assert told["next_run"].endswith("Z")
        assert "told" not in told["last_run"]
        process.send_signal(signal.SIGTERM)
        assert ended(process)[0] == 0
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(address, timeout=5)


def test_whoever_stops_reading_its_lines_stops_nothing(tmp_path: Path) -> None:
    with started(*AT_WORK, str(tmp_path), "second", folder=tmp_path) as process:
        line_with(process, "next run at")
        assert process.stdout is not None
        process.stdout.close()
        until((tmp_path / "done").exists)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


def namespaces() -> bool:
    done = subprocess.run(["unshare", "-pf", "--mount-proc", "true"], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.skipif(shutil.which("unshare") is None or not namespaces(), reason="no process may be the first here")
def test_the_first_process_of_a_container_hears_sigterm(tmp_path: Path) -> None:
    before = ("unshare", "-pf", "--mount-proc", "--kill-child")
    with started(*AT_WORK, str(tmp_path), "second", folder=tmp_path, before=before) as outer:
        assert ", process 1: " in line_with(outer, "scheduler started")
        until((tmp_path / "begun").exists)
        inner = subprocess.run(["pgrep", "-P", str(outer.pid)], capture_output=True, text=True, check=True)
        os.kill(int(inner.stdout), signal.SIGTERM)
        code, said = ended(outer)
    assert code == 0
    assert said.splitlines()[-1].endswith("stopped.")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="who adopts orphans is a matter of Linux")
def test_orphans_are_let_go() -> None:
    script = (
        "import ctypes, os, subprocess, time\n"
        "from pipeline.schedule.stopping import reap\n"
        f"assert ctypes.CDLL(None).prctl({PR_SET_CHILD_SUBREAPER}, 1) == 0\n"
        "subprocess.run(['sh', '-c', 'sleep 0.1 & exit 0'], check=True)\n"
        "time.sleep(0.4)\n"
        "children = lambda: open(f'/proc/self/task/{os.getpid()}/children').read().split()\n"
        "assert len(children()) == 1\n"
        "reap()\n"
        "assert not children()\n"
        "reap()\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


PR_SET_CHILD_SUBREAPER = 36


def test_ctrl_c_in_a_terminal_reaches_git_as_well_and_costs_no_commit(wiki: Path) -> None:
    sign, go = held_commits(wiki)
    with started(*AT_WORK, str(wiki), "wiki", folder=wiki) as process:
        until(sign.exists)
        os.killpg(process.pid, signal.SIGINT)  # a terminal sends it to everybody
        line_with(process, "stopping; the session at work is finished first.")
        go.touch()
        code, said = ended(process)
    assert code == 0, said
    assert "failed" not in said
    assert git(wiki, "log", "--format=%s").count("consolidate(demo/start)") == 1
