"""Whole runs against an endpoint on loopback: what is asked, remembered, recorded, capped, and asked again."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from pipeline.report import as_json
from pipeline.wiki import ledger
from tests.benchmarks.model_calls import lines, measured, repository, write
from tests.endpoint.behaviours import answer, by_rung, in_order, rejecting, status
from tests.endpoint.brain import obedient, thinking
from tests.endpoint.server import Endpoint
from tests.endpoint.vendors import NO_SCHEMA
from tests.model_runs import consolidate, settings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

GOOD = thinking(obedient)
KEY = "sk-live-0123456789abcdefghijklmnopqrstuv"


def observe(root: Path, session: str, day: int, *said: str) -> None:
    (root / "observations").mkdir(parents=True, exist_ok=True)
    with (root / "observations/day.jsonl").open("a", encoding="utf-8", newline="\n") as file:
        for number, body in enumerate(said):
            ts = f"2026-11-{day:02}T10:{number:02}:00Z"
            told = {
                "ts": ts,
                "session_id": session,
                "project": "acme",
                "kind": "decision",
                "author": "dana",
                "body": body,
            }
            file.write(json.dumps(told) + "\n")


def files(root: Path, folder: str = "wiki") -> Mapping[str, bytes]:
    found = sorted(path for path in (root / folder).rglob("*") if path.is_file())
    return {path.relative_to(root / folder).as_posix(): path.read_bytes() for path in found}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    place = tmp_path / "team"
    for day in range(1, 5):
        observe(place, f"s{day}", day, f"We keep part {day} of the login state in signed cookies, because it is small.")
    return place


def test_what_was_recorded_is_replayed_without_anybody_to_ask(root: Path, tmp_path: Path) -> None:
    with Endpoint(GOOD) as endpoint:
        consolidate(root, settings(endpoint.url, replies="record"), use_git=False)
        asked = len(endpoint.calls)
    assert len(files(root, "recordings")) == asked == 1

    other = tmp_path / "ci"
    shutil.copytree(root / "observations", other / "observations")
    shutil.copytree(root / "recordings", other / "recordings")
    nobody = settings("http://127.0.0.1:9/v1", replies="replay")
    report = consolidate(other, nobody, use_git=False)
    assert files(other) == files(root)
    assert (report.spent.calls, report.spent.cache_hits) == (0, 1)

    observe(other, "new", 9, "We never recorded this.")
    before = files(other)
    fault = consolidate(other, nobody, use_git=False).fault
    assert fault is not None
    assert (fault.kind, "no recording" in fault.message) == ("Unavailable", True)
    assert files(other) == before


def test_a_dry_run_pays_and_the_run_after_it_does_not(root: Path) -> None:
    with Endpoint(GOOD) as endpoint:
        dry = consolidate(root, settings(endpoint.url), use_git=False, dry_run=True)
        assert "login state" in dry.diff
        assert not (root / "wiki").exists()
        assert len(endpoint.calls) == 1
        wet = consolidate(root, settings(endpoint.url), use_git=False)
        assert len(endpoint.calls) == 1
    assert [one.pages for one in wet.sessions] == [one.pages for one in dry.sessions]


def test_a_changed_prompt_costs_nothing_until_somebody_asks_for_it(root: Path) -> None:
    with Endpoint(GOOD) as endpoint:
        chosen = settings(endpoint.url, replies="off")
        first = consolidate(root, chosen, use_git=False)
        (root / "prompts").mkdir()
        (root / "prompts/batch_consolidate_system.md").write_text("Keep a wiki.\n", encoding="utf-8")
        before = files(root)
        assert consolidate(root, chosen, use_git=False).sessions == ()
        assert (len(endpoint.calls), files(root)) == (1, before)

        again = consolidate(root, chosen, use_git=False, reconsolidate=True)
        assert [one.state for one in again.sessions] == ["consolidated"] * 4
        assert len(endpoint.calls) == 2
        assert again.prompt_version != first.prompt_version
        assert again.intake.reread == 4
        recorded = {one.prompt for one in ledger.sessions(files(root))}
        assert recorded == {again.prompt_version}
        assert consolidate(root, chosen, use_git=False, reconsolidate=True).sessions == ()
        assert len(endpoint.calls) == 2


def test_the_single_mode_writes_one_page_a_session(root: Path) -> None:
    with Endpoint(GOOD) as endpoint:
        report = consolidate(root, settings(endpoint.url, mode="single"), use_git=False)
        assert len(endpoint.calls) == 4
        schema = endpoint.calls[0].schema
    assert schema is not None
    assert list(schema["properties"]) == ["title", "description", "tags", "body"]
    paths = [page.path for one in report.sessions for page in one.pages]
    assert len(paths) == 4
    assert all(path.startswith("acme/sessions/") for path in paths)


@pytest.mark.parametrize(
    ("caps", "done"),
    [({"calls": 2}, 2), ({"input_tokens": 3_000}, 2), ({"output_tokens": 300}, 2), ({"money": 0.0031}, 2)],
)
def test_a_cap_ends_the_run_cleanly_and_the_next_one_goes_on(root: Path, caps: dict[str, float], done: int) -> None:
    prices = [{"model": "small", "input": 1.0, "output": 1.0}]
    with Endpoint(GOOD) as endpoint:
        capped = settings(
            endpoint.url,
            caps=caps,
            prices=prices,
            workers=1,
            sessions_per_request=1,
            run={"drafted_together": 1},
        )
        report = consolidate(root, capped, use_git=False)
        states = [one.state for one in report.sessions]
        assert 1 <= states.count("consolidated") <= done
        assert states == ["consolidated"] * len(endpoint.calls) + ["left"] * (4 - len(endpoint.calls))
        assert "cap-reached" in {finding.rule for finding in report.findings}
        assert report.incomplete
        consolidate(root, settings(endpoint.url, sessions_per_request=1), use_git=False)
        assert len(endpoint.calls) == 4
    assert {one.state for one in ledger.sessions(files(root))} == {"done"}


def test_the_way_of_asking_that_worked_is_remembered(root: Path) -> None:
    refusing = rejecting({"json_schema"}, NO_SCHEMA["openai"], GOOD)
    told: list[str] = []
    with Endpoint(refusing) as endpoint:
        report = consolidate(root, settings(endpoint.url, replies="off"), use_git=False, tell=told.append)
        assert [call.rung for call in endpoint.calls] == ["json_schema", "json_object"]
        assert report.spent.rungs == ("json_schema", "json_object")
        observe(root, "late", 20, "We keep the rest of the login state there as well.")
        consolidate(root, settings(endpoint.url, replies="off"), use_git=False, tell=told.append)
        assert [call.rung for call in endpoint.calls[2:]] == ["json_object"]
    assert told[0] == f"Asking small at {endpoint.url}."


def test_an_endpoint_that_answers_prose_is_asked_in_plain_words_the_next_time(root: Path) -> None:
    prose = answer("Of course! Which wiki do you mean?")
    with Endpoint(by_rung(json_schema=prose, json_object=prose, text=GOOD)) as endpoint:
        report = consolidate(root, settings(endpoint.url, sessions_per_request=1, workers=1), use_git=False)
        rungs = [call.rung for call in endpoint.calls]
    # The first session's reply and its mending are wasted on finding out.
    assert rungs == ["json_schema", "json_object", "text", "text", "text"]
    assert [one.state for one in report.sessions] == ["failed", "consolidated", "consolidated", "consolidated"]


def test_a_fault_that_heals_is_waited_for_and_counted(root: Path) -> None:
    slept: list[float] = []
    busy = status(429, {"error": {"message": "slow down"}}, {"Retry-After": "7"})
    with Endpoint(in_order(busy, status(503), GOOD)) as endpoint:
        report = consolidate(root, settings(endpoint.url), use_git=False, sleep=slept.append)
        assert (len(endpoint.calls), report.spent.calls, report.spent.retries) == (3, 3, 2)
    assert 6.5 <= slept[0] <= 7
    assert [one.state for one in report.sessions] == ["consolidated"] * 4


def test_the_key_reaches_the_endpoint_and_nothing_else(root: Path) -> None:
    told: list[str] = []
    with Endpoint(GOOD) as endpoint:
        chosen = settings(endpoint.url, replies="record")
        report = consolidate(root, chosen, use_git=False, environment={"OPENAI_API_KEY": KEY}, tell=told.append)
        assert {call.authorization for call in endpoint.calls} == {f"Bearer {KEY}"}
    assert KEY not in json.dumps(as_json(report)) + "".join(told)
    for path, raw in files(root, ".").items():
        assert KEY.encode() not in raw, path


def test_a_secret_on_a_page_does_not_leave_the_machine(root: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    page = f"---\ntype: Concept\ntitle: Login state\n---\n\n# Login state\n\nKim pasted {secret} here.\n"
    (root / "wiki/acme/concepts").mkdir(parents=True)
    (root / "wiki/acme/concepts/login-state.md").write_text(page, encoding="utf-8", newline="\n")
    with Endpoint(GOOD) as endpoint:
        consolidate(root, settings(endpoint.url), use_git=False)
        sent = json.dumps([call.body for call in endpoint.calls])
    assert "Kim pasted [REDACTED:github-token] here." in sent
    assert secret not in sent
    assert f"Kim pasted {secret} here." in (root / "wiki/acme/concepts/login-state.md").read_text(encoding="utf-8")


def test_a_small_job_costs_one_call_and_few_characters(tmp_path: Path) -> None:
    place = repository(tmp_path / "small")
    read = write(place, "day.jsonl", [line for number in range(3) for line in lines(f"s{number}", 10, number)])
    job = measured("30 observations in 3 sessions", place, read, GOOD)
    more = measured("one more", place, write(place, "day.jsonl", lines("late", 1, 20, 196)), GOOD)
    again = measured("again", place, 0, GOOD)

    assert (job.calls, more.calls, again.calls) == (1, 1, 0)
    assert job.ratio <= 5
    assert more.sent <= 9_000
