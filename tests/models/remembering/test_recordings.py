"""Recordings as people commit them, and the model that answers from them alone."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.errors import Unavailable
from pipeline.models.model import Model, Reply
from pipeline.models.remembering import RecordingModel, Recordings, ReplayingModel
from pipeline.prompt import fingerprint
from pipeline.spending import Spent, Usage
from tests.models.remembering.asked import answering, ask, hide, names, window

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.prompt import Request


def record(folder: Path, request: Request, text: str = "an answer") -> Path:
    before = set(folder.glob("**/*.json"))
    RecordingModel(answering(text), Recordings(folder, scrub=hide), identity="gpt").complete(request)
    (made,) = set(folder.glob("**/*.json")) - before
    return made


def replaying(folder: Path) -> ReplayingModel:
    return ReplayingModel("gpt", Recordings(folder, scrub=hide), identity="gpt", workers=3)


def miss(model: ReplayingModel, request: Request) -> Unavailable:
    with pytest.raises(Unavailable) as caught:
        model.complete(request)
    return caught.value


def test_a_recording_is_made_for_people(tmp_path: Path) -> None:
    request = ask("Is hunter2 safe?\nNo.", "The Login!")
    key = fingerprint(request, model="gpt")
    made = record(tmp_path, request, '{"updates": "hunter2 é"}')
    assert made.relative_to(tmp_path).as_posix() == f"acme/the-login-w1-{key[:12]}.json"
    assert json.loads(made.read_bytes()) == {
        "asked": "Is [REDACTED:password] safe?",
        "ending": "stop",
        "format": 1,
        "key": key,
        "model": "scripted",
        "reply": '{"updates": "[REDACTED:password] é"}',
        "sessions": ["acme/The Login!"],
        "usage": {"input_tokens": 120, "output_tokens": 30},
        "window": "1 of 1",
    }
    assert made.read_bytes() == record(tmp_path / "again", request, '{"updates": "hunter2 é"}').read_bytes()
    assert names(made.parent) == [made.name]


def test_a_repair_and_a_shared_request_say_what_they_are(tmp_path: Path) -> None:
    repair = ask("x", "s1", "s2").mended("the reply", ["a date that nobody gave\nand more"])
    told = json.loads(record(tmp_path, repair).read_bytes())
    assert (told["asked"], told["sessions"]) == ("Mend: a date that nobody gave and more", ["acme/s1", "acme/s2"])


def test_without_leave_to_keep_recordings_answer_and_stay_as_they_are(tmp_path: Path) -> None:
    made = record(tmp_path, ask("known"))
    before = made.read_bytes()
    inner = answering("another hunter2")
    model = RecordingModel(inner, Recordings(tmp_path, scrub=hide, keeps=False), identity="gpt")
    assert model.complete(ask("known")).text == "an answer"
    assert model.complete(ask("new")).text == "another [REDACTED:password]"
    model.forget(ask("known"))
    assert model.complete(ask("known")).text == "another [REDACTED:password]"
    assert inner.spent.calls == 2
    assert [path.read_bytes() for path in tmp_path.glob("**/*.json")] == [before]
    assert model.findings == ()


@pytest.mark.parametrize(
    ("project", "session", "name"),
    [
        ("../../etc", "../x", "etc/x-w1-"),
        ("acme", "x" * 500, f"acme/{'x' * 60}-w1-"),
        ("acme", "\U00020bb7" * 60, "acme/" + "\U00020bb7" * 45 + "-w1-"),
        ("CON", "\x00\n", "con-page/page-"),
    ],
    ids=["escapes", "long", "long in bytes", "reserved"],
)
def test_no_name_is_trusted(tmp_path: Path, project: str, session: str, name: str) -> None:
    made = record(tmp_path / "r", ask("x", session, project_name=project)).relative_to(tmp_path / "r")
    assert made.as_posix().startswith(name)
    assert len(made.parts) == 2
    assert len(os.fsencode(made.name)) <= 255
    assert "\n" not in made.name


def test_recorded_replies_are_replayed(tmp_path: Path) -> None:
    record(tmp_path, ask("one"), "first")
    record(tmp_path, ask("two"), "second")
    model: Model = replaying(tmp_path)
    assert model.complete(ask("two")) == Reply("second", Usage(120, 30))
    model.forget(ask("two"))
    assert [model.complete(ask(text)).text for text in ("one", "two")] == ["first", "second"]
    assert model.spent == Spent(cache_hits=3)
    assert (model.name, model.quotes, model.workers, model.tokens_ratio) == ("gpt", False, 3, 1.0)
    assert replaying(tmp_path).findings == ()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_any_reply_is_replayed(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "r"
    model = RecordingModel(answering(text), Recordings(folder, scrub=hide), identity="gpt")
    given_reply = model.complete(ask())
    assert replaying(folder).complete(ask()) == given_reply
    model.forget(ask())


def test_a_miss_stops_and_names_the_session(tmp_path: Path) -> None:
    record(tmp_path, ask("one"))
    fault = miss(replaying(tmp_path), ask("changed", "s\n9 hunter2"))
    assert str(fault) == (
        f"{tmp_path}: no recording for this request of session acme/s 9 [REDACTED:password], window 1 of 1; "
        '1 others are recorded. Record it with `replies = "record"` under `[model]`, and commit the recordings.'
    )
    shared = replace(ask("x", "s1", "s2"), windows=(replace(window("s1", "x"), number=2, of=3), window("s2", "x")))
    assert miss(replaying(tmp_path / "none"), shared).message == (
        "no recording for this request of session acme/s1 and 1 more, window 2 of 3; 0 others are recorded."
    )


def test_a_miss_names_what_is_damaged(tmp_path: Path) -> None:
    made = record(tmp_path, ask("one"))
    made.write_bytes(b"<<<<<<< HEAD\n" + made.read_bytes())
    (tmp_path / "acme" / "other.json").write_bytes(b"{}")
    for name in ("w\n1", "w2", "w3"):
        (tmp_path / f"{name}.json").write_bytes(b"[]")
    model = replaying(tmp_path)
    names = f"acme/other.json, acme/{made.name}, w 1.json and 2 more"
    assert f"; damaged: {names}." in str(miss(model, ask("one")))
    assert [(found.where, found.rule, found.message) for found in model.findings[:3]] == [
        ("acme/other.json", "recording-damaged", "is no recording: it is of another format."),
        (f"acme/{made.name}", "recording-damaged", "is no recording: it is not JSON."),
        ("w 1.json", "recording-damaged", "is no recording: it is no JSON object."),
    ]


def test_what_is_damaged_while_it_is_replayed_is_named(tmp_path: Path) -> None:
    made = record(tmp_path, ask("one"))
    model = replaying(tmp_path)
    assert model.complete(ask("one")).text == "an answer"
    made.write_bytes(b"{")
    assert f"damaged: acme/{made.name}" in str(miss(model, ask("one")))


def test_a_damaged_recording_is_recorded_anew(tmp_path: Path) -> None:
    made = record(tmp_path, ask())
    whole = made.read_bytes()
    made.write_bytes(whole[:-9])
    model = RecordingModel(answering(), Recordings(tmp_path, scrub=hide), identity="gpt")
    assert model.complete(ask()).text == "an answer"
    assert made.read_bytes() == whole
    assert model.findings == ()


def test_a_file_may_bear_any_name(tmp_path: Path) -> None:
    made = record(tmp_path, ask())
    (tmp_path / "moved" / "deeper").mkdir(parents=True)
    made.rename(tmp_path / "moved" / "deeper" / "renamed.json")
    model = RecordingModel(answering("no"), Recordings(tmp_path, scrub=hide), identity="gpt")
    assert model.complete(ask()).text == "an answer"
    model.forget(ask())
    assert not list(tmp_path.glob("**/*.json"))


def test_of_two_recordings_the_first_counts(tmp_path: Path) -> None:
    made = record(tmp_path, ask(), "second")
    told = json.loads(made.read_bytes())
    (tmp_path / "acme" / "a.json").write_text(json.dumps({**told, "reply": "first"}), encoding="utf-8")
    (tmp_path / "acme" / "b.json").write_text(
        json.dumps({**told, "reply": "first", "asked": "by another"}), encoding="utf-8"
    )
    model = replaying(tmp_path)
    assert model.complete(ask()).text == "first"
    assert [str(found) for found in model.findings] == [
        (
            f"acme/{made.name}: warning [recording-doubled] answers the same request as acme/a.json, and otherwise; "
            "it does not count. Remove one of them."
        )
    ]
    recording = RecordingModel(answering("third"), Recordings(tmp_path, scrub=hide), identity="gpt")
    recording.forget(ask())
    assert recording.complete(ask()).text == "third"
    assert names(tmp_path / "acme") == [made.name]


def test_left_overs_go_when_something_is_recorded(tmp_path: Path) -> None:
    made = record(tmp_path, ask("one"))
    half = made.with_name(".0a.wikimill")
    half.write_bytes(b"half")
    assert replaying(tmp_path).complete(ask("one")).text == "an answer"
    assert half.exists()
    record(tmp_path, ask("two"))
    assert not half.exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="links need a right on this system")
def test_links_are_not_followed(tmp_path: Path) -> None:
    made = record(tmp_path / "real", ask())
    (tmp_path / "r" / "acme").mkdir(parents=True)
    (tmp_path / "r" / "acme" / "link.json").symlink_to(made)
    (tmp_path / "r" / "linked").symlink_to(made.parent)
    assert "damaged: acme/link.json." in str(miss(replaying(tmp_path / "r"), ask()))
    (tmp_path / "top").symlink_to(tmp_path / "real")
    (tmp_path / "q").mkdir()
    (tmp_path / "q" / "acme").symlink_to(made.parent)
    for folder in ("top", "q"):
        model = RecordingModel(answering("new"), Recordings(tmp_path / folder, scrub=hide), identity="gpt")
        assert model.complete(ask("other")).text == "new"
        assert [found.rule for found in model.findings] == ["recording-not-written"]
        assert "symbolic link" in model.findings[0].message
    assert names(made.parent) == [made.name]
