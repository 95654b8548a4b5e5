"""The pipeline for GitLab, run as it is written: which jobs an event starts, and what each is told and given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml

from tests.workflows.gitlab import Job, Machine
from tests.workflows.places import GITLAB, calls, installed_commands, new_wiki, stand_in

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

KEY, WRITER, READER = "sk-of-the-model", "glpat-may-write", "glpat-may-read"
VARIABLES = {
    ("OPENAI_API_KEY", "wikimill-run"): KEY,
    ("GITLAB_TOKEN", "wikimill-run"): READER,
    ("GITLAB_TOKEN", "wikimill-propose"): WRITER,
}
CONSOLIDATION = ["preflight", "run", "propose", "outcome"]


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return new_wiki(tmp_path_factory.mktemp("shipped"))


class Play:
    def __init__(self, place: Path, origin: Path) -> None:
        self.place, self.origin = place, origin
        self.commands = place / "commands"

    def __call__(
        self,
        codes: Mapping[str, int] | None = None,
        *,
        source: str = "schedule",
        branch: str = "main",
        variables: Mapping[str, str] | None = None,
    ) -> dict[str, Job]:
        machine = Machine(
            self.place / "machine",
            self.origin,
            stand_in(self.commands, codes or {}),
            source=source,
            branch=branch,
            variables=variables or {},
            protected=VARIABLES,
        )
        return machine.run(GITLAB)

    @property
    def told(self) -> list[str]:
        return [" ".join(call["told"]) for call in calls(self.commands)]


@pytest.fixture
def play(tmp_path: Path, origin: Path) -> Play:
    return Play(tmp_path, origin)


@pytest.mark.parametrize(
    ("source", "branch", "jobs"),
    [
        ("merge_request_event", "feature", ["check"]),
        ("push", "main", ["check", "pages"]),
        ("push", "feature", []),
        ("schedule", "main", CONSOLIDATION),
        ("schedule", "feature", []),
        ("web", "main", CONSOLIDATION),
        ("web", "feature", []),
        ("api", "main", []),
    ],
)
def test_an_event_starts_its_jobs_and_no_others(play: Play, source: str, branch: str, jobs: list[str]) -> None:
    ran = play(source=source, branch=branch)
    assert {name: job.code for name, job in ran.items()} == dict.fromkeys(jobs, 0)


def test_the_key_and_the_right_to_write_never_meet(play: Play) -> None:
    assert [job.code for job in play().values()] == [0, 0, 0, 0]
    seen = [(call["told"], call["GITLAB_TOKEN"], call["OPENAI_API_KEY"]) for call in calls(play.commands)]
    assert seen == [
        (["propose", "--check"], WRITER, ""),
        (["run", "--prepare"], READER, KEY),
        (["propose"], WRITER, ""),
    ]


@pytest.mark.parametrize(
    ("codes", "ended"),
    [
        ({"propose --check": 1}, {"preflight": 1}),
        ({"run": 1}, {"preflight": 0, "run": 1}),
        ({"run": 3}, {"preflight": 0, "run": 0, "propose": 0, "outcome": 3}),
        ({"run": 4, "propose": 4}, {"preflight": 0, "run": 0, "propose": 0, "outcome": 4}),
        ({"run": 5}, {"preflight": 0, "run": 5}),
        ({"run": 3, "propose": 3}, {"preflight": 0, "run": 0, "propose": 0, "outcome": 3}),
        ({"propose": 3}, {"preflight": 0, "run": 0, "propose": 0, "outcome": 3}),
        ({"propose": 5}, {"preflight": 0, "run": 0, "propose": 5}),
    ],
)
def test_every_failure_can_be_seen(play: Play, codes: dict[str, int], ended: dict[str, int]) -> None:
    jobs = play(codes)
    assert {name: job.code for name, job in jobs.items()} == ended
    if "outcome" in ended:
        told = {3: "Done in part", 4: "The language model did not answer."}
        assert told[ended["outcome"]] in jobs["outcome"].said


@pytest.mark.parametrize(
    ("variables", "told"),
    [
        ({}, []),
        ({"WIKIMILL_PROJECT": "acme", "WIKIMILL_BUDGET": "12", "WIKIMILL_RETRY_DECLINED": "true"},
         ["--project=acme", "--max-calls=12", "--retry-declined"]),
        ({"WIKIMILL_PROJECT": '"; touch pwned; $(touch pwned) *', "WIKIMILL_BUDGET": ""},
         ['--project="; touch pwned; $(touch pwned) *']),
    ],
)  # fmt: skip
def test_variables_reach_the_command_as_they_are(play: Play, variables: dict[str, str], told: list[str]) -> None:
    play(source="web", variables=variables)
    assert calls(play.commands)[1]["told"] == ["run", "--prepare", *told]
    assert not list(play.place.rglob("pwned"))


def test_a_dry_run_proposes_nothing(play: Play) -> None:
    jobs = play(source="web", variables={"WIKIMILL_DRY_RUN": "true"})
    assert list(jobs) == ["preflight", "run", "outcome"]
    assert play.told == ["propose --check", "run --prepare --dry-run"]


def test_replies_that_were_paid_for_outlive_a_run_that_fails(play: Play) -> None:
    play({"run": 4})
    assert list((play.place / "machine" / "caches").rglob("reply.json"))


def test_what_was_consolidated_is_handed_over(play: Play) -> None:
    assert "proposed what was handed over" in play()["propose"].said


def test_a_new_wiki_is_checked_and_published(tmp_path: Path, origin: Path) -> None:
    commands = installed_commands(tmp_path / "commands")
    jobs = Machine(tmp_path / "machine", origin, commands, source="push").run(GITLAB)
    assert {name: job.code for name, job in jobs.items()} == {"check": 0, "pages": 0}, jobs
    artifacts = tmp_path / "machine" / "artifacts"
    assert (artifacts / ".build" / "site" / "404.html").is_file()
    page = (artifacts / "public" / "tags" / "index.html").read_text(encoding="utf-8")
    assert '<link rel="canonical" href="https://acme.gitlab.io/wiki/tags/">' in page


def test_jobs_of_a_consolidation_wait_for_each_other_and_none_is_interrupted() -> None:
    text = GITLAB.read_text(encoding="utf-8")
    jobs = yaml.safe_load(text.replace("!reference ", ""))
    assert jobs[".consolidation"]["resource_group"] == "consolidate"
    assert all(jobs[name].get("extends") == ".consolidation" for name in ("preflight", "run", "propose"))
    assert [name for name, job in jobs.items() if isinstance(job, dict) and job.get("interruptible")] == ["check"]
