"""`run` and `plan` through the door: what they say, what they write, how they end."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Say


def note(wiki: Path, **fields: str) -> None:
    line = {"ts": "2026-11-29T10:00:00Z", "session_id": "s1", "project": "demo", **fields}
    with (wiki / "observations" / "day.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def subjects(wiki: Path) -> list[str]:
    log = subprocess.run(["git", "log", "--format=%s"], cwd=wiki, check=True, capture_output=True)
    return log.stdout.decode().splitlines()


def state(wiki: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in (wiki / "wiki").rglob("*") if path.is_file()}


def pages(wiki: Path) -> dict[str, bytes]:
    made = ("index.md", "log.md")
    return {path: raw for path, raw in state(wiki).items() if path.endswith(".md") and not path.endswith(made)}


def test_a_run_makes_a_commit_for_each_session_and_a_second_one_nothing(wiki: Path, say: Say) -> None:
    said = say("run")
    assert said.code == 0
    assert said.out.startswith("1 new observation in 1 of 1 file.\nconsolidated demo/start: 1 observation, ")
    assert said.out.splitlines()[-1].startswith("Done: 1 session consolidated; ")
    assert len(subjects(wiki)) == 2
    again = say("run")
    assert (again.code, again.out) == (0, "0 new observations in 0 of 1 file.\nDone: Nothing new.\n")
    assert len(subjects(wiki)) == 2


def test_a_dry_run_shows_the_change_and_writes_nothing(wiki: Path, say: Say) -> None:
    before = state(wiki)
    said = say("run", "--dry-run")
    assert said.code == 0
    assert "\n--- /dev/null\n+++ b/wiki/demo/" in said.out
    assert said.out.splitlines()[-1].startswith("Dry run, nothing was written: 1 session consolidated; ")
    assert state(wiki) == before
    assert len(subjects(wiki)) == 1


def test_the_diff_of_a_dry_run_can_be_applied(wiki: Path, say: Say) -> None:
    diff = say("run", "--dry-run", "--json").json()["diff"]
    assert isinstance(diff, str)
    subprocess.run(["git", "apply", "-"], cwd=wiki, input=diff.encode(), check=True)
    applied = pages(wiki)
    subprocess.run(["git", "reset", "--hard", "--quiet"], cwd=wiki, check=True)
    subprocess.run(["git", "clean", "-fdq"], cwd=wiki, check=True)
    assert say("run").code == 0
    assert pages(wiki) == applied
    assert len(applied) >= 2


def test_a_machine_gets_the_whole_report(wiki: Path, say: Say) -> None:
    note(wiki, body="We decided to use SQLite, because one file is enough.")
    said = say("run", "--json")
    told = said.json()
    assert said.err == ""
    assert told["model"] == "extractive"
    assert told["changed"] is True
    assert told["incomplete"] is False
    assert isinstance(told["commits"], list)
    assert len(told["commits"]) == 2
    assert isinstance(told["sessions"], list)
    assert [session["state"] for session in told["sessions"]] == ["consolidated", "consolidated"]


def test_a_line_that_cannot_be_read_is_told_and_stops_nothing_unless_asked(wiki: Path, say: Say) -> None:
    (wiki / "observations" / "bad.jsonl").write_bytes(b"no JSON\n")
    strict = say("run", "--strict")
    assert strict.code == 1
    assert strict.err.startswith("wikimill: bad.jsonl:1: ")
    assert len(subjects(wiki)) == 1
    said = say("run")
    assert said.code == 0
    assert "bad.jsonl:1:" in said.out
    assert "1 line set aside" in said.out


def test_a_folder_that_is_no_repository_is_told_how_to_go_on(wiki: Path, say: Say) -> None:
    shutil.rmtree(wiki / ".git")
    said = say("run")
    assert said.code == 5
    assert "--no-git" in said.err
    assert say("plan", "--no-git").code == 0
    done = say("run", "--no-git")
    assert done.code == 0
    assert (wiki / "wiki" / "demo" / "index.md").is_file()
    assert say("run", "--no-git").out.endswith("Done: Nothing new.\n")


def test_uncommitted_work_on_pages_stops_a_run_before_it_begins(wiki: Path, say: Say) -> None:
    (wiki / "wiki" / "mine.md").write_text("# Mine\n", encoding="utf-8")
    said = say("run")
    assert said.code == 5
    assert "wiki/mine.md" in said.err
    assert len(subjects(wiki)) == 1


def test_a_plan_tells_what_is_new_and_writes_nothing(wiki: Path, say: Say) -> None:
    before = state(wiki)
    said = say("plan")
    assert said.code == 0
    assert "demo/start" in said.out
    assert said.out.splitlines()[-1].startswith("A run would consolidate 1 session in 1 window, about ")
    assert state(wiki) == before
    planned = say("plan", "--json").json()["sessions"]
    assert isinstance(planned, list)
    assert [session["state"] for session in planned] == ["planned"]


def test_a_secret_reaches_no_page_and_no_message(wiki: Path, say: Say) -> None:
    token = "ghp_" + "a1B2" * 9
    note(wiki, body=f"We decided to keep the token {token} in the vault, because it was in the log.", title=token)
    said = say("run")
    assert said.code == 0
    assert "Secrets redacted: 2 x github-token." in said.out
    assert token not in said.out + said.err
    assert not [path for path, raw in state(wiki).items() if token.encode() in raw]
    assert token not in "".join(subjects(wiki))


@pytest.mark.parametrize("epoch", ["1764504000", "0"])
def test_the_clock_of_the_environment_is_what_pages_say(
    wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch, epoch: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    assert say("run").code == 0
    stamp = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=wiki, check=True, capture_output=True)
    assert stamp.stdout.decode().strip() == epoch


def test_a_plan_shows_what_a_model_would_see(wiki: Path, say: Say) -> None:
    note(wiki, body="We decided to keep sessions in signed cookies, because a JWT cannot be revoked.", kind="decision")
    assert say("run").code == 0
    note(wiki, session_id="s2", body="The signed cookies of a session end after an hour.", ts="2026-11-29T11:00:00Z")
    before = state(wiki)

    said = say("plan", "--show-context", "s2")

    assert said.code == 0
    lines = said.out.splitlines()
    assert lines[0] == "demo/s2, window 1 of 1"
    assert {"## Pages as they stand", "# The observations", "# The reply"} <= set(lines)
    assert [line.split()[0] for line in lines[2:9]] == [
        *("system", "instructions", "slots", "catalogue", "pages", "observations", "whole")
    ]
    (prompt,) = say("plan", "--show-context", "demo/s2", "--json").json()["prompts"]  # type: ignore[misc]
    sizes = {size["part"]: size for size in prompt["sizes"]}  # type: ignore[has-type]
    text = prompt["text"]  # type: ignore[has-type]
    assert sizes["whole prompt"]["characters"] == len(text)
    assert sizes["observations"]["entries"] == 1
    assert sizes["pages"]["entries"] >= 1
    assert "signed cookies of a session end" in text
    assert "Its sections, as JSON: [" in text
    assert state(wiki) == before
    unknown = say("plan", "--show-context", "none")
    assert unknown.code == 2
    assert "nothing new of a session 'none'" in unknown.err
