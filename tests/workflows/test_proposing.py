"""Consolidation in CI from end to end: our own commands, real git, and hosts that refuse what the real ones refuse.

On GitHub each job gets a token with exactly the permissions that it is written with.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import yaml

from pipeline.starting import starting_files
from tests.forge.github_double import GitHubDouble
from tests.forge.gitlab_double import TOKEN, GitLabDouble, Token
from tests.workflows import gitlab
from tests.workflows.machine import Job, Machine
from tests.workflows.places import GITLAB, SETS, installed_commands
from tests.workflows.test_guides import without_review

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.workflows.expressions import Value

pytestmark = pytest.mark.slow

BRANCH = "wikimill/consolidate"


def observation(session: str, body: str) -> str:
    values = {"ts": "2026-11-30T09:00:00Z", "session_id": session, "kind": "decision", "title": body, "body": body}
    return json.dumps(values) + "\n"


class Play:
    """A wiki on GitHub, whose workflow can be started."""

    def __init__(self, place: Path, github: GitHubDouble) -> None:
        self.place, self.github, self.number = place, github, 0
        files = {path: raw.decode() for path, raw in starting_files("wiki", "github")}
        github.repository.commit("main", files, "Start a wiki with wikimill init")
        self.note("a.jsonl", "s1", "We keep login state in signed cookies, because a JWT cannot be revoked.")

    def note(self, file: str, session: str, body: str) -> None:
        self.github.repository.commit("main", {f"observations/{file}": observation(session, body)}, "notes")

    def __call__(
        self,
        file: Path = SETS["shipped"] / "consolidate.yml",
        *,
        inputs: Mapping[str, Value] | None = None,
        variables: Mapping[str, Value] | None = None,
    ) -> dict[str, Job]:
        self.number += 1
        machine = Machine(
            self.place / f"machine-{self.number}",
            self.github.repository.place,
            installed_commands(self.place / f"commands-{self.number}"),
            event_name="schedule" if inputs is None else "workflow_dispatch",
            event={"repository": {"fork": False, "archived": False, "default_branch": "main"}},
            inputs=inputs or {},
            variables=variables or {},
            secrets={"WIKIMILL_APP_PRIVATE_KEY": "-----BEGIN"},
            environment={"GITHUB_API_URL": self.github.url, "GITHUB_SERVER_URL": self.github.web_url},
            mint=self._mint,
            app_token=self.github.token("app"),
        )
        return machine.run(file)

    def _mint(self, permissions: Mapping[str, str]) -> str:
        named = {name.replace("-", "_"): level for name, level in permissions.items()}
        return self.github.token("actions", permissions={"metadata": "read", **named})

    def tip(self) -> str:
        return self.github.repository.tip(BRANCH)


@pytest.fixture
def play(tmp_path: Path) -> Iterator[Play]:
    with GitHubDouble(tmp_path / "github.git") as github:
        yield Play(tmp_path, github)
        assert github.violations() == []


def results(jobs: dict[str, Job]) -> list[str]:
    return [job.result for job in jobs.values()]


def said(jobs: dict[str, Job]) -> str:
    return "\n".join(step.said for job in jobs.values() for step in job.steps)


def test_new_observations_become_one_pull_request_that_is_kept_up_to_date(play: Play) -> None:
    jobs = play()
    assert results(jobs) == ["success", "success", "success", "skipped"], said(jobs)
    (pull,) = play.github.open_pulls()
    assert (pull.branch, pull.base, pull.user.login) == (BRANCH, "main", "github-actions[bot]")
    changed = play.github.repository.changed("main", BRANCH)
    assert changed
    assert all(path.startswith("wiki/") for path in changed)
    assert all("# " in jobs[name].summary for name in ("run", "propose"))
    first = play.tip()
    jobs = play()
    assert results(jobs) == ["success", "success", "success", "skipped"], said(jobs)
    assert play.tip() == first  # nothing is new: nothing is pushed
    play.note("b.jsonl", "s2", "We build the site in CI, because a laptop has other versions.")
    jobs = play()
    assert results(jobs) == ["success", "success", "success", "skipped"], said(jobs)
    assert [each.number for each in play.github.open_pulls()] == [pull.number]
    assert play.tip() != first


def test_an_app_opens_the_pull_request_where_there_is_one(play: Play) -> None:
    jobs = play(variables={"WIKIMILL_APP_CLIENT_ID": "Iv1"})
    assert results(jobs) == ["success", "success", "success", "skipped"], said(jobs)
    (pull,) = play.github.open_pulls()
    assert pull.user.login == "wikimill-acme[bot]"


def test_a_dry_run_changes_nothing_on_github(play: Play) -> None:
    jobs = play(inputs={"dry_run": True, "project": "", "budget": 0.0, "retry_declined": False})
    assert results(jobs) == ["success", "success", "skipped", "skipped"], said(jobs)
    assert play.github.open_pulls() == []
    assert play.tip() == ""


def test_the_setting_that_forbids_pull_requests_is_named_before_anything_is_consolidated(play: Play) -> None:
    play.github.settings.actions_may_propose = False
    jobs = play()
    assert results(jobs) == ["failure", "skipped", "skipped", "skipped"]
    assert "Allow GitHub Actions to create and approve pull requests" in said(jobs)
    assert play.tip() == ""


def test_what_was_declined_is_proposed_again_only_when_somebody_asks(play: Play) -> None:
    play()
    (pull,) = play.github.open_pulls()
    play.github.close(pull.number)
    jobs = play()
    assert results(jobs) == ["success", "success", "success", "skipped"], said(jobs)
    assert play.github.open_pulls() == []
    jobs = play(inputs={"dry_run": False, "project": "", "budget": 0.0, "retry_declined": True})
    assert results(jobs) == ["success", "success", "success", "skipped"], said(jobs)
    assert [each.branch for each in play.github.open_pulls()] == [f"{BRANCH}-2"]


def test_without_review_the_commits_go_to_main(play: Play) -> None:
    written = yaml.safe_load(without_review())
    file = play.place / "consolidate.yml"
    file.write_text(yaml.safe_dump({**written, "jobs": {"run": written["jobs"]["run"]}}), encoding="utf-8")
    before = play.github.repository.tip("main")
    jobs = play(file)
    assert results(jobs) == ["success"], said(jobs)
    changed = play.github.repository.changed(before, "main")
    assert changed
    assert all(path.startswith("wiki/") for path in changed)
    assert (play.tip(), play.github.open_pulls()) == ("", [])


def test_on_gitlab_new_observations_become_one_merge_request(tmp_path: Path) -> None:
    with GitLabDouble(tmp_path / "gitlab.git") as host:
        files = {path: raw.decode() for path, raw in starting_files("wiki", "gitlab")}
        note = observation("s1", "We keep login state in signed cookies, because a JWT cannot be revoked.")
        host.repository.commit("main", {**files, "observations/a.jsonl": note}, "Start a wiki with wikimill init")
        host.tokens["glpat-reads"] = Token(scopes=("read_api", "read_repository"))
        for number in (1, 2):
            machine = gitlab.Machine(
                tmp_path / f"machine-{number}",
                host.repository.place,
                installed_commands(tmp_path / f"commands-{number}"),
                protected={
                    ("GITLAB_TOKEN", "wikimill-run"): "glpat-reads",
                    ("GITLAB_TOKEN", "wikimill-propose"): TOKEN,
                },
                environment={"CI_API_V4_URL": host.url, "CI_SERVER_URL": host.web_url},
            )
            jobs = machine.run(GITLAB)
            assert {name: job.code for name, job in jobs.items()} == {
                "preflight": 0,
                "run": 0,
                "propose": 0,
                "outcome": 0,
            }, jobs
            assert [(one.branch, one.base) for one in host.open_pulls()] == [(BRANCH, "main")]
        assert all(path.startswith("wiki/") for path in host.repository.changed("main", BRANCH))
        assert host.violations() == []
