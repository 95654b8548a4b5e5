"""One run as `run` and `schedule` do it: what is asked for holds for this run alone, and its report is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline import keeping
from pipeline.cli.output import Speaker
from pipeline.cli.performing import Wanted, perform
from pipeline.cli.surroundings import Surroundings
from pipeline.config import Settings
from pipeline.errors import GitError
from tests.endpoint.brain import obedient, thinking
from tests.endpoint.server import Endpoint
from tests.model_runs import AT
from tests.repositories import Ground, empty_ground

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.report import Report

KEY = "sk-live-0123456789abcdefghijklmnopqrstuv"


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    """Give a wiki with four sessions that nobody has consolidated."""
    place = empty_ground(tmp_path / "team")
    told = [
        {
            "ts": f"2026-11-0{day}T10:00:00Z",
            "session_id": f"s{day}",
            "project": "acme" if day < 4 else "other",
            "author": "dana",
            "kind": "decision",
            "body": f"We keep part {day} of the login state in signed cookies, because it is small.",
        }
        for day in range(1, 5)
    ]
    place.commit("begin", **{"observations/day.jsonl": "".join(f"{json.dumps(one)}\n" for one in told)})
    return place


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with Endpoint(thinking(obedient)) as served:
        yield served


def performed(ground: Ground, chosen: Settings, wanted: Wanted, *, stops: bool = False) -> Report:
    environment = {**ground.environment, "LLM_KEY": KEY}
    around = Surroundings(ground.root, lambda: AT, environment)
    return perform(around, ground.root, chosen, wanted, Speaker(as_json=True), stopping=lambda: stops)


def single(url: str, **model: object) -> Settings:
    """Let every session be asked about alone, one after the other."""
    alone = {"provider": "openai", "name": "small", "sessions_per_request": 1, "workers": 1, "replies": "off"}
    return Settings.model_validate({"model": {**alone, "base_url": url, **model}})


@pytest.mark.parametrize(("most", "calls"), [(1, 1), (2, 2), (0, 4), (None, 3)])
def test_a_cap_for_one_run_takes_the_place_of_that_of_the_settings(
    ground: Ground, endpoint: Endpoint, most: int | None, calls: int
) -> None:
    report = performed(ground, single(endpoint.url, caps={"calls": 3}), Wanted(max_calls=most))
    assert len(endpoint.calls) == calls
    assert sum(one.state == "consolidated" for one in report.sessions) == calls
    kept = keeping.read(ground.root)
    assert (kept.command, kept.model, len(kept.sessions), kept.fault) == ("run", "small", 4, None)


def test_one_project_alone_is_asked_about(ground: Ground, endpoint: Endpoint) -> None:
    report = performed(ground, single(endpoint.url), Wanted(project="other"))
    assert ([str(one.session) for one in report.sessions], len(endpoint.calls)) == (["other/s4"], 1)
    rest = performed(ground, single(endpoint.url), Wanted())
    assert [str(one.session) for one in rest.sessions] == ["acme/s1", "acme/s2", "acme/s3"]


def test_a_dry_run_keeps_nothing(ground: Ground, endpoint: Endpoint) -> None:
    before = ground.git("for-each-ref"), ground.status()
    report = performed(ground, single(endpoint.url), Wanted(dry_run=True))
    assert report.dry_run
    assert keeping.list_runs(ground.root) == ()
    assert (ground.git("for-each-ref"), ground.status()) == before


def test_who_is_to_stop_leaves_the_rest_for_the_next_run(ground: Ground, endpoint: Endpoint) -> None:
    report = performed(ground, single(endpoint.url), Wanted(), stops=True)
    assert {one.state for one in report.sessions} <= {"consolidated", "left"}
    assert keeping.read(ground.root).sessions == report.sessions
    assert len(performed(ground, single(endpoint.url), Wanted()).sessions) > 0


@pytest.mark.parametrize(
    ("model", "wanted", "kind"),
    [
        ({}, Wanted(way="propose"), GitError),
        ({"base_url": ""}, Wanted(way="push"), GitError),
    ],
    ids=["no remote", "no remote to push to"],
)
def test_what_stops_a_run_is_raised_and_kept(
    ground: Ground, endpoint: Endpoint, model: dict[str, object], wanted: Wanted, kind: type[Exception]
) -> None:
    before = ground.git("for-each-ref")
    with pytest.raises(kind):
        performed(ground, single(endpoint.url, **model), wanted)
    kept = keeping.read(ground.root)
    assert kept.fault is not None
    assert (kept.fault.kind, kept.command, kept.model) == (kind.__name__, "run", "small")
    assert KEY not in str(kept)
    assert (ground.git("for-each-ref"), endpoint.calls) == (before, [])


def test_a_model_that_does_not_answer_is_told_with_what_is_left(ground: Ground, endpoint: Endpoint) -> None:
    before = ground.git("for-each-ref")
    report = performed(ground, single(endpoint.url, base_url="http://127.0.0.1:9/v1", retries=0), Wanted())
    assert keeping.read(ground.root) == report
    assert report.fault is not None
    assert (report.fault.kind, report.command, report.model) == ("Unavailable", "run", "small")
    assert {one.state for one in report.sessions} == {"left"}
    assert (report.intake.observations > 0, KEY in str(report)) == (True, False)
    assert (ground.git("for-each-ref"), endpoint.calls) == (before, [])
