"""`observe` notes what it is told, without the secrets in it, where the pipeline will read it."""

from __future__ import annotations

import io
import json
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Say

FILE = "observations/2026-11-30.jsonl"
TOKEN = "ghp_" + "a1B2" * 9


def test_a_text_becomes_a_line_of_todays_file(wiki: Path, say: Say) -> None:
    said = say("observe", "We chose cookies.")
    assert said.code == 0
    assert said.out.startswith(f"Noted in {FILE}, line 1: session notes-2026-11-30 of project demo.")
    assert json.loads((wiki / FILE).read_bytes()) == {
        "ts": "2026-11-30T08:00:00Z",
        "session_id": "notes-2026-11-30",
        "project": "demo",
        "agent_kind": "human",
        "role": "user",
        "kind": "note",
        "body": "We chose cookies.",
        "importance": 5,
    }


def test_every_option_has_its_field(wiki: Path, say: Say) -> None:
    options = {
        "--project": "acme",
        "--session": "s1",
        "--kind": "decision",
        "--title": "Cookies",
        "--importance": "9",
        "--author": "dana",
        "--role": "assistant",
    }
    flat = [word for pair in options.items() for word in pair]
    assert say("observe", *flat, "--tag", "auth", "--tag", "web", "--file", "a.py", "日本 🙂").code == 0
    observation = parse_line((wiki / FILE).read_bytes(), Place("x", 1), default_project="x")
    assert str(observation.session) == "acme/s1"
    assert observation.ts == datetime(2026, 11, 30, 8, 0, tzinfo=UTC)
    assert (observation.kind, observation.title, observation.importance) == ("decision", "Cookies", 9)
    assert (observation.author, observation.role, observation.agent_kind) == ("dana", "assistant", "dana")
    assert (observation.tags, observation.files, observation.body) == (("auth", "web"), ("a.py",), "日本 🙂")


@pytest.mark.parametrize("arguments", [["observe"], ["observe", "-"], ["observe", "--title", "x"]])
def test_text_comes_from_standard_input(
    wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    raw = b"\xef\xbb\xbffirst\r\nsecond \xff\n\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert say(*arguments).code == 0
    assert json.loads((wiki / FILE).read_bytes())["body"] == "first\r\nsecond \ufffd"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_that_powershell_wrote_is_read(
    wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    raw = "\ufeffGröße zählt 潮位\r\n".encode(encoding)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))
    assert say("observe").code == 0
    assert json.loads((wiki / FILE).read_bytes())["body"] == "Größe zählt 潮位"


def test_what_is_no_text_is_refused(wiki: Path, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\x7fELF\x02\x01\0\0\xb0")))
    said = say("observe")
    assert said.code == 2
    assert "standard input is no text" in said.err
    assert not (wiki / FILE).exists()


@pytest.mark.parametrize("arguments", [["observe", ""], ["observe", "  "], ["observe", "--title", " ", "\n"]])
def test_an_empty_observation_is_refused(wiki: Path, say: Say, arguments: list[str]) -> None:
    said = say(*arguments)
    assert said.code == 2
    assert "the observation is empty" in said.err
    assert not (wiki / FILE).exists()


def test_secrets_are_taken_out_before_anything_is_written_and_that_is_said(wiki: Path, say: Say) -> None:
    said = say("observe", f"The token is {TOKEN}.", "--title", f"use {TOKEN}", "--tag", TOKEN, "--file", f"a/{TOKEN}")
    assert said.code == 0
    assert "A secret was taken out before writing: github-token (4 times)." in said.out
    assert TOKEN not in said.out
    assert TOKEN.encode() not in (wiki / FILE).read_bytes()
    assert json.loads((wiki / FILE).read_bytes())["body"] == "The token is [REDACTED:github-token]."


def test_what_is_already_there_stays(wiki: Path, say: Say) -> None:
    (wiki / FILE).write_bytes(b'{"unfinished": ')
    assert ", line 2:" in say("observe", "new").out
    first, second = (wiki / FILE).read_bytes().splitlines()
    assert first == b'{"unfinished": '
    assert json.loads(second)["body"] == "new"


def test_a_machine_gets_place_and_observation(wiki: Path, say: Say) -> None:
    told = say("observe", "--json", f"token {TOKEN}").json()
    assert (told["file"], told["line"], told["redactions"]) == (FILE, 1, {"github-token": 1})
    assert told["observation"] == json.loads((wiki / FILE).read_bytes())


def test_an_observation_that_could_not_be_read_again_is_not_written(wiki: Path, say: Say) -> None:
    said = say("observe", "--session", "s" * 201, "x")
    assert said.code == 1
    assert "session id is longer than 200 characters" in said.err
    assert not (wiki / FILE).exists()


def test_control_characters_do_not_reach_the_terminal(wiki: Path, say: Say) -> None:
    said = say("observe", "--session", "a\x1b[2J\nb", "x\x1b]0;t\x07")
    assert said.code == 0
    assert "\x1b" not in said.out
    assert said.out.count("\n") == 1
