"""The workflow `consolidate`, run as it is written, with a `wikimill` that notes how it is started and ends as told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.workflows.machine import ACTOR_TOKEN, APP_TOKEN, Job, Machine
from tests.workflows.places import SETS, calls, new_wiki, stand_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.workflows.expressions import Value

KEY = "sk-of-the-model"
APP = {"WIKIMILL_APP_CLIENT_ID": "Iv1"}
NO_FORK: Mapping[str, Value] = {"repository": {"fork": False, "archived": False, "default_branch": "main"}}


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_wiki(tmp_path_factory.mktemp("shipped"))


@dataclass
class Scene:
    """One run of the workflow, and what `wikimill` was told in it."""

    jobs: dict[str, Job]
    calls: list[dict[str, str | list[str]]]

    @property
    def results(self) -> list[str]:
        return [job.result for job in self.jobs.values()]

    @property
    def told(self) -> list[str]:
        return [" ".join(call["told"]) for call in self.calls]

    def call(self, *told: str) -> dict[str, str | list[str]]:
        return next(call for call in self.calls if call["told"] == list(told))


class Play:
    """Plays the workflow in one place, so that a second run finds the caches of the first."""

    def __init__(self, place: Path, origin: Path) -> None:
        self.place, self.origin, self.number = place, origin, 0

    def __call__(
        self,
        codes: Mapping[str, int] | None = None,
        *,
        inputs: Mapping[str, Value] | None = None,
        event: Mapping[str, Value] = NO_FORK,
        variables: Mapping[str, Value] | None = None,
    ) -> Scene:
        self.number += 1
        commands = stand_in(self.place / f"commands-{self.number}", codes or {})
        machine = Machine(
            self.place / f"machine-{self.number}",
            self.origin,
            commands,
            event_name="schedule" if inputs is None else "workflow_dispatch",
            event=event,
            inputs=inputs or {},
            variables=variables or {},
            secrets={"OPENAI_API_KEY": KEY, "WIKIMILL_APP_PRIVATE_KEY": "-----BEGIN"},
        )
        return Scene(machine.run(SETS["shipped"] / "consolidate.yml"), calls(commands))


@pytest.fixture
def play(tmp_path: Path, origin: Path) -> Play:
    return Play(tmp_path, origin)


def test_every_step_runs_when_all_goes_well_and_there_is_an_app(play: Play) -> None:
    scene = play(variables=APP)
    assert scene.results == ["success", "success", "success", "skipped"]
    assert [step.name for job in scene.jobs.values() for step in job.steps if step.outcome == "skipped"] == []
    assert scene.told == [
        "propose --check",
        "run --prepare",
        "report --markdown",
        "propose",
        "report --markdown",
    ]
    assert scene.jobs["run"].summary == scene.jobs["propose"].summary == "# A report\n"
    assert scene.jobs["propose"].step("propose").said == "proposed what was handed over\n"


def test_the_key_and_the_right_to_write_never_meet(play: Play) -> None:
    scene = play(variables=APP)
    seen = {
        told: (call["GITHUB_TOKEN"], call["OPENAI_API_KEY"]) for told, call in zip(scene.told, scene.calls, strict=True)
    }
    assert seen == {
        "propose --check": (APP_TOKEN, ""),
        "run --prepare": (ACTOR_TOKEN, KEY),
        "propose": (APP_TOKEN, ""),
        "report --markdown": ("", ""),
    }


def test_without_an_app_the_token_of_the_job_is_used(play: Play) -> None:
    scene = play()
    assert scene.results == ["success", "success", "success", "skipped"]
    assert scene.jobs["preflight"].step("app").outcome == "skipped"
    assert {scene.call("propose")["GITHUB_TOKEN"], scene.call("propose", "--check")["GITHUB_TOKEN"]} == {ACTOR_TOKEN}


@pytest.mark.parametrize(
    ("codes", "results", "last"),
    [
        ({"propose --check": 1}, ["failure", "skipped", "skipped", "skipped"], "propose --check"),
        ({"run": 1}, ["success", "failure", "skipped", "skipped"], "report --markdown"),
        ({"run": 2}, ["success", "failure", "skipped", "skipped"], "report --markdown"),
        ({"run": 3}, ["success", "success", "success", "failure"], "report --markdown"),
        ({"run": 3, "propose": 3}, ["success", "success", "success", "failure"], "report --markdown"),
        ({"propose": 3}, ["success", "success", "success", "failure"], "report --markdown"),
        ({"run": 4}, ["success", "success", "success", "failure"], "report --markdown"),
        ({"run": 4, "propose": 4}, ["success", "success", "success", "failure"], "report --markdown"),
        ({"run": 5}, ["success", "failure", "skipped", "skipped"], "report --markdown"),
        ({"run": 5, "report": 1}, ["success", "failure", "skipped", "skipped"], "report --markdown"),
        ({"run": 3, "propose": 1}, ["success", "success", "failure", "failure"], "report --markdown"),
        ({"propose": 5}, ["success", "success", "failure", "skipped"], "report --markdown"),
    ],
)
def test_every_failure_can_be_seen(play: Play, codes: dict[str, int], results: list[str], last: str) -> None:
    scene = play(codes)
    assert scene.results == results
    assert scene.told[-1] == last
    assert ("propose" in scene.told) is (codes.get("run", 0) in {0, 3, 4} and "propose --check" not in codes)


def test_a_run_that_was_done_in_part_is_proposed_and_fails_with_a_plain_line(play: Play) -> None:
    scene = play({"run": 3})
    assert scene.jobs["run"].outputs == {"code": "3"}
    assert "propose" in scene.told
    assert scene.jobs["outcome"].steps[0].said.startswith("::error::Done in part")


def test_a_model_that_did_not_answer_is_told_at_the_end_and_keeps_no_proposal_back(play: Play) -> None:
    scene = play({"run": 4, "propose": 4})
    assert scene.jobs["run"].outputs == {"code": "4"}
    assert "propose" in scene.told
    assert scene.jobs["outcome"].steps[0].said.startswith("::error::The language model did not answer.")


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"dry_run": False, "project": "", "budget": 0.0, "retry_declined": False}, []),
        ({"dry_run": False, "project": "acme", "budget": 12.0, "retry_declined": True},
         ["--project=acme", "--max-calls=12", "--retry-declined"]),
        ({"dry_run": False, "project": '"; touch pwned; #', "budget": 0.0, "retry_declined": False},
         ['--project="; touch pwned; #']),
        ({"dry_run": False, "project": "$(touch pwned)`touch pwned`", "budget": 0.0, "retry_declined": False},
         ["--project=$(touch pwned)`touch pwned`"]),
        ({"dry_run": False, "project": "--dry-run\n* ?", "budget": 0.0, "retry_declined": False},
         ["--project=--dry-run\n* ?"]),
        ({"dry_run": False, "project": "", "budget": "x[$(touch pwned)]", "retry_declined": False},
         ["--max-calls=x[$(touch pwned)]"]),
    ],
)  # fmt: skip
def test_inputs_reach_the_command_as_they_are_and_nothing_else(
    play: Play, inputs: dict[str, Value], told: list[str]
) -> None:
    scene = play(inputs=inputs)
    assert scene.calls[1]["told"] == ["run", "--prepare", *told]
    assert not list(play.place.rglob("pwned"))
    assert scene.results == ["success", "success", "success", "skipped"]


@pytest.mark.parametrize(("code", "results"), [(0, ["success", "success", "skipped", "skipped"]),
                                               (3, ["success", "success", "skipped", "failure"]),
                                               (4, ["success", "success", "skipped", "failure"])])  # fmt: skip
def test_a_dry_run_proposes_nothing(play: Play, code: int, results: list[str]) -> None:
    scene = play({"run": code}, inputs={"dry_run": True, "project": "", "budget": 0.0, "retry_declined": False})
    assert scene.told == ["propose --check", "run --prepare --dry-run"]
    assert scene.results == results
    assert not (play.place / "machine-1" / "artifacts").exists()


@pytest.mark.parametrize(
    ("repository", "by_hand", "runs"),
    [
        ({"fork": False, "archived": False}, False, True),
        ({"fork": True, "archived": False}, False, False),
        ({"fork": True, "archived": False, "default_branch": "main"}, True, True),
        ({"fork": False, "archived": False, "default_branch": "trunk"}, True, False),
        ({"fork": False, "archived": True}, False, False),
        ({"fork": False, "archived": True}, True, False),
        ({}, False, True),
    ],
)
def test_a_fork_consolidates_only_by_hand_and_nobody_from_another_branch(
    play: Play, repository: dict[str, Value], *, by_hand: bool, runs: bool
) -> None:
    scene = play(inputs={} if by_hand else None, event={"repository": repository})
    assert scene.results == (["success", "success", "success", "skipped"] if runs else ["skipped"] * 4)


def test_replies_that_were_paid_for_outlive_a_run_that_fails(tmp_path: Path, play: Play) -> None:
    scene = play({"run": 4})
    cache = tmp_path / "machine-1" / "caches"
    assert [path.relative_to(cache).as_posix() for path in cache.rglob("*.json")] == ["wikimill-replies-7-1/reply.json"]
    (tmp_path / "machine-2").mkdir()
    cache.rename(tmp_path / "machine-2" / "caches")
    again = play()
    assert (tmp_path / "machine-2" / "jobs" / "run" / "work" / ".wikimill" / "replies" / "reply.json").is_file()
    assert scene.results != again.results


def test_a_run_that_leaves_nothing_to_hand_over_fails(play: Play, origin: Path) -> None:
    commands = stand_in(play.place / "commands", {})
    text = (commands / "wikimill").read_text(encoding="utf-8").replace('"--dry-run" not in told', "False")
    (commands / "wikimill").write_text(text, encoding="utf-8")
    jobs = Machine(play.place / "machine", origin, commands, event=NO_FORK).run(SETS["shipped"] / "consolidate.yml")
    assert [job.result for job in jobs.values()] == ["success", "failure", "skipped", "skipped"]
    assert "no files were found" in jobs["run"].steps[-1].said


def test_no_step_writes_a_token_or_the_key_to_the_disk(play: Play) -> None:
    play(variables=APP)
    places = [path for path in (play.place / "machine-1").rglob("*") if path.is_file()]
    assert places
    secrets = [secret.encode() for secret in (KEY, ACTOR_TOKEN, APP_TOKEN)]
    assert [path for path in places if any(secret in path.read_bytes() for secret in secrets)] == []
