"""The doctor's look at the host: what a token sees is told, nothing there is an error, and nobody is waited for."""

from __future__ import annotations

import shutil
import time
from typing import TYPE_CHECKING

import pytest

from pipeline.config import parse_settings
from pipeline.proposing.watching import examine_host
from tests.forge.gitlab_double import BOT
from tests.forge.gitlab_double.state import MAINTAINER
from tests.forge.served import html
from tests.git_server import free_port, mute_host, new_host, serve_git
from tests.proposing.stage import Stage, on_stage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.proposal.proposal import HostName

WORKFLOW = """on:
  schedule:
    - cron: %s # not on the hour
      timezone: Etc/UTC
"""


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        permissions = {
            "contents": "write",
            "pull_requests": "write",
            "actions": "read",
            "pages": "read",
            "metadata": "read",
        }
        ground.token = ground.double.token("fine-grained", permissions=permissions)
        yield ground


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path, host="gitlab") as ground:
        ground.lab.schedule()
        yield ground


def examined(stage: Stage) -> tuple[str, list[tuple[str, str]]]:
    """Look, and hold what always holds: all can be mended, nothing is an error, and nothing holds the token."""
    told, findings = examine_host(stage.settings, stage.root, stage.outside)
    assert all(one.next_step and one.severity in {"warning", "note"} for one in findings)
    assert "\n" not in told
    assert stage.token not in told + "".join(map(str, findings))
    assert len({*findings}) == len(findings)
    return told, [(one.rule, one.severity) for one in findings]


def test_without_a_remote_nothing_is_wrong(stage: Stage) -> None:
    stage.clone.git("remote", "remove", "origin")
    assert examined(stage) == ("there is no remote 'origin', so commits stay here", [])
    assert stage.double.requests == []


@pytest.mark.parametrize(
    ("settings", "severity"), [("", "note"), ("[proposal]\ndraft = true\n", "warning")], ids=["by default", "wanted"]
)
def test_a_host_that_is_not_known_matters_to_those_who_propose(stage: Stage, settings: str, severity: str) -> None:
    stage.settings = parse_settings(settings)
    stage.clone.git("remote", "set-url", "origin", "https://dana:secret-word@git.example.org/acme/wiki.git")
    stage.extra = {"GITHUB_API_URL": "", "GITHUB_SERVER_URL": "", "GITHUB_REPOSITORY": ""}
    told, findings = examined(stage)
    assert (told, findings) == ("the remote 'origin' stands on no host that is known", [("host", severity)])
    assert "secret-word" not in told


def test_without_a_token_nobody_is_asked(stage: Stage) -> None:
    stage.extra = {"GITHUB_TOKEN": ""}
    told, findings = examined(stage)
    assert (told, findings) == ("GitHub acme/wiki, not asked without a token", [("no-token", "note")])
    _, (note,) = examine_host(stage.settings, stage.root, stage.outside)
    assert "GITHUB_TOKEN or GH_TOKEN" in note.next_step
    assert stage.double.requests == []


def test_what_a_token_sees_on_github_is_told(stage: Stage) -> None:
    stage.double.settings.protected = ("main",)
    stage.double.settings.pages = {"html_url": "https://acme.test/wiki/", "build_type": "workflow", "public": True}
    told, findings = examined(stage)
    assert findings == []
    for part in (
        "fine-grained personal access token: push",
        "consolidate.yml is active",
        "Pages at https://acme.test/wiki/",
    ):
        assert part in told
    assert "main is protected" in told
    assert {asked.method for asked in stage.double.requests} == {"GET"}


def test_what_is_wrong_on_github_is_a_warning(stage: Stage) -> None:
    stage.double.settings.workflows = {"consolidate.yml": "disabled_inactivity"}
    stage.double.settings.private = True
    stage.double.settings.pages = {"html_url": "https://acme.test/", "build_type": "workflow", "public": True}
    told, findings = examined(stage)
    assert findings == [("workflow-disabled-inactivity", "warning"), ("pages-public", "warning")]
    assert "main is not seen to be protected" in told
    stage.double.settings.archived = True
    assert ("repository-archived", "warning") in examined(stage)[1]


def test_what_a_token_sees_on_gitlab_is_told(lab: Stage) -> None:
    lab.lab.protect("main")
    told, findings = examined(lab)
    assert findings == []
    assert "the next at 2026-12-07 06:00 UTC" in told
    assert "main is protected" in told
    assert {asked.method for asked in lab.lab.requests} == {"GET"}


def test_what_is_wrong_on_gitlab_is_a_warning(lab: Stage) -> None:
    lab.lab.schedule(owner=None)
    assert examined(lab)[1] == [("schedule-owner", "warning")]
    lab.lab.set_push_rule(branch_name_regex="^feature/")
    lab.lab.project.settings["archived"] = True
    assert "warning" in {severity for _, severity in examined(lab)[1]}


@pytest.mark.parametrize("host", ["github", "gitlab"])
@pytest.mark.parametrize("trouble", ["nobody there", "nobody speaks", "no address", "no token that works"])
def test_a_host_that_does_not_answer_is_a_warning_and_not_waited_for(
    tmp_path: Path, host: HostName, trouble: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.forge.exchange.HURRIED_SECONDS", 0.1)
    with on_stage(tmp_path, host=host) as stage, mute_host() as mute:
        api = "GITHUB_API_URL" if host == "github" else "CI_API_V4_URL"
        if trouble == "no token that works":
            stage.token = "ghp_0000WRONGwrongWRONGwrong"
        elif trouble == "no address":
            stage.extra = {api: "http://git.example.org/api"}
        else:
            stage.extra = {api: f"http://127.0.0.1:{mute if trouble == 'nobody speaks' else free_port()}/api/v4"}
        start = time.monotonic()
        _, findings = examined(stage)
        assert {severity for _, severity in findings} == {"warning"}
        assert time.monotonic() - start < 5


@pytest.mark.parametrize("status", [200, 403, 429, 500, 502])
def test_a_proxy_in_the_place_of_a_host_is_a_warning(stage: Stage, status: int) -> None:
    stage.double._served.handle = lambda _: html(status)
    assert {severity for _, severity in examined(stage)[1]} == {"warning"}
    assert len(stage.double.requests) == 1, "nothing is asked again"


@pytest.mark.parametrize("quoted", ['"23 5 * * 1"', "'23 5 * * 1'", "23 5 * * 1"])
def test_the_times_of_a_workflow_are_told(stage: Stage, quoted: str) -> None:
    stage.extra = {"GITHUB_TOKEN": ""}
    stage.clone.write(".github/workflows/consolidate.yml", WORKFLOW % quoted)
    assert ".github/workflows/consolidate.yml is there, at '23 5 * * 1'" in examined(stage)[0]


@pytest.mark.parametrize("time", ["61 5 * * 1", "@weekly", "* * * * *", "0 0 30 2 *", "x" * 300, ""])
def test_times_that_never_come_are_found(stage: Stage, time: str) -> None:
    stage.extra = {"GITHUB_TOKEN": ""}
    stage.clone.write(".github/workflows/consolidate.yml", WORKFLOW % f'"{time}"')
    assert ("cron", "warning") in examined(stage)[1]


def test_no_workflow_hangs_the_look(stage: Stage) -> None:
    stage.clone.write(".github/workflows/consolidate.yml", "- cron:" + " " * 600_000 + "\n" + "-" * 600_000)
    start = time.monotonic()
    examined(stage)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize(("ignored", "found"), [("", True), ("/.wikimill/\n", False), ("wiki*\n.wikimill\n", False)])
def test_a_folder_that_git_does_not_ignore_is_found(stage: Stage, ignored: str, *, found: bool) -> None:
    stage.extra = {"GITHUB_TOKEN": ""}
    stage.clone.write(".gitignore", ignored)
    assert (("wikimill-folder", "warning") in examined(stage)[1]) is found


def test_a_detached_head_is_no_obstacle_where_the_branch_is_told(lab: Stage) -> None:
    lab.clone.git("checkout", "-q", "--detach")
    assert "main is not seen to be protected" in examined(lab)[0]
    lab.extra = {"CI_COMMIT_BRANCH": ""}
    lab.lab.requests.clear()
    assert examined(lab) == ("GitLab acme/wiki, not asked for want of a branch", [])
    assert lab.lab.requests == []


MODEL = '[model]\nprovider = "openai"\nname = "small"\nbase_url = "https://api.example/v1"\n'


def test_a_key_that_no_job_would_get_is_named(stage: Stage) -> None:
    assert ("secret-missing", "note") not in examined(stage)[1], "the offline model needs none"
    stage.settings = parse_settings(MODEL)
    stage.double.settings.private = True
    assert ("secret-missing", "note") not in examined(stage)[1], "this token may not see the names"
    permissions = {**stage.double.tokens[stage.token].permissions, "secrets": "read"}
    stage.token = stage.double.token("fine-grained", permissions=permissions)
    assert ("secret-missing", "note") in examined(stage)[1]
    stage.double.settings.secrets = ("OPENAI_API_KEY",)
    assert ("secret-missing", "note") not in examined(stage)[1]


def test_a_key_that_no_job_would_get_is_named_on_gitlab(lab: Stage) -> None:
    lab.settings = parse_settings(MODEL)
    assert ("secret-missing", "note") not in examined(lab)[1], "a Developer may not see the names"
    lab.lab.project.roles[BOT] = MAINTAINER
    assert ("secret-missing", "note") in examined(lab)[1]
    lab.lab.project.variables = ("OPENAI_API_KEY",)
    assert ("secret-missing", "note") not in examined(lab)[1]


def test_a_fork_and_a_zone_that_there_is_not_are_told(stage: Stage) -> None:
    stage.double.settings.fork = True
    assert ("workflow-in-fork", "note") in examined(stage)[1]
    path = stage.root / ".github" / "workflows" / "consolidate.yml"
    path.parent.mkdir(parents=True)
    path.write_text(WORKFLOW.replace("Etc/UTC", "Europe/Berln") % '"23 5 * * 1"', encoding="utf-8")
    assert ("timezone", "warning") in examined(stage)[1]
    path.write_text(WORKFLOW % '"23 5 * * 1"', encoding="utf-8")
    assert ("timezone", "warning") not in examined(stage)[1]


def test_a_token_with_which_git_may_not_push_is_told(stage: Stage) -> None:
    assert ("host", "warning") not in examined(stage)[1]
    host = new_host(stage.place / "served", token="writing-token", readers=[stage.token])
    shutil.copytree(stage.double.repository.place, host.folder / "wiki.git")
    with serve_git(host.folder, host=host) as base:
        stage.clone.git("remote", "set-url", "origin", f"{base}/wiki.git")
        stage.extra = {"GITHUB_SERVER_URL": base}
        assert ("host", "warning") in examined(stage)[1]
