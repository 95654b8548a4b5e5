"""What holds of the files for CI as they are written: pins, rights, secrets, schedules, and how the sets differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from tests.workflows.places import FILES, GITLAB, NAMES, OWN, SETS, SHIPPED, short

if TYPE_CHECKING:
    from pathlib import Path

PIN = re.compile(r"^actions/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$")
FIELD = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)

PERMISSIONS: dict[str, dict[str, dict[str, str]]] = {
    "check.yml": {"check": {"contents": "read"}},
    "consolidate.yml": {
        "preflight": {"contents": "write", "pull-requests": "write"},
        "run": {"contents": "read", "pull-requests": "read"},
        "propose": {"contents": "write", "pull-requests": "write"},
        "outcome": {},
    },
    "publish.yml": {
        "build": {"contents": "read", "pages": "read"},
        "deploy": {"pages": "write", "id-token": "write"},
    },
}
"""All that each job may do; the guide shows the same table."""

SECRETS = {
    ("consolidate.yml", "preflight", "WIKIMILL_APP_PRIVATE_KEY"),
    ("consolidate.yml", "run", "OPENAI_API_KEY"),
    ("consolidate.yml", "propose", "WIKIMILL_APP_PRIVATE_KEY"),
}


def read(path: Path) -> dict[str, Any]:
    text = path.read_text(encoding="utf-8").replace("\non:\n", '\n"on":\n')  # which YAML 1.1 takes for a truth
    workflow: dict[str, Any] = yaml.safe_load(text)
    return workflow


def steps(workflow: dict[str, Any]) -> list[dict[str, Any]]:
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_both_sets_hold_the_same_three_files() -> None:
    assert {name: sorted(path.name for path in folder.iterdir()) for name, folder in SETS.items()} == {
        "own": list(NAMES),
        "shipped": list(NAMES),
    }


@pytest.mark.parametrize("path", FILES, ids=short)
def test_every_action_is_githubs_own_and_pinned_to_a_hash_with_its_version(path: Path) -> None:
    used = re.findall(r"uses: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    assert used
    assert [use for use in used if not PIN.match(use)] == []


def test_one_version_of_an_action_is_used_everywhere() -> None:
    pins: dict[str, set[str]] = {}
    for path in FILES:
        for action, pin in re.findall(r"uses: ([\w-]+/[\w-]+)[\w/-]*@(.+)$", path.read_text("utf-8"), re.MULTILINE):
            pins.setdefault(action, set()).add(pin)
    assert {action: len(found) for action, found in pins.items()} == dict.fromkeys(pins, 1)


@pytest.mark.parametrize("path", FILES, ids=short)
def test_a_job_may_do_what_the_table_says_and_nothing_else(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {}
    assert {name: job["permissions"] for name, job in workflow["jobs"].items()} == PERMISSIONS[path.name]


@pytest.mark.parametrize("path", FILES, ids=short)
def test_a_secret_is_shown_to_the_one_step_that_needs_it(path: Path) -> None:
    workflow = read(path)
    found = {
        (path.name, name, secret)
        for name, job in workflow["jobs"].items()
        for step in job["steps"]
        for secret in re.findall(r"secrets\.(\w+)", str(step))
    }
    assert found == {entry for entry in SECRETS if entry[0] == path.name}
    outside = {**workflow, "jobs": [{**job, "steps": []} for job in workflow["jobs"].values()]}
    assert "secrets" not in str(outside)


@pytest.mark.parametrize("path", FILES, ids=short)
def test_no_job_has_the_models_key_and_a_right_to_write(path: Path) -> None:
    for job in read(path)["jobs"].values():
        assert "OPENAI_API_KEY" not in str(job) or set(job["permissions"].values()) == {"read"}


@pytest.mark.parametrize("path", FILES, ids=short)
def test_no_expression_stands_in_a_script(path: Path) -> None:
    assert [step["run"] for step in steps(read(path)) if "${{" in step.get("run", "")] == []


@pytest.mark.parametrize("path", FILES, ids=short)
def test_scripts_run_in_a_shell_that_sees_a_failure_in_a_pipe(path: Path) -> None:
    assert read(path)["defaults"] == {"run": {"shell": "bash"}}
    assert not [step for step in steps(read(path)) if "shell" in step]


@pytest.mark.parametrize("path", FILES, ids=short)
def test_no_clone_keeps_credentials_and_every_clone_has_the_whole_history(path: Path) -> None:
    clones = [step["with"] for step in steps(read(path)) if "actions/checkout@" in step.get("uses", "")]
    assert clones
    assert all(clone["persist-credentials"] is False and clone["fetch-depth"] == 0 for clone in clones)


@pytest.mark.parametrize("path", FILES, ids=short)
def test_every_job_ends_in_time(path: Path) -> None:
    assert all(0 < job["timeout-minutes"] <= 120 for job in read(path)["jobs"].values())


@pytest.mark.parametrize("path", FILES, ids=short)
def test_nothing_is_triggered_by_a_foreign_pull_request_with_rights(path: Path) -> None:
    assert not {"pull_request_target", "workflow_run", "issue_comment"} & set(read(path)["on"])


@pytest.mark.parametrize("folder", SETS.values(), ids=list(SETS))
def test_a_required_check_always_reports(folder: Path) -> None:
    workflow = read(folder / "check.yml")
    assert set(workflow["on"]) == {"pull_request", "merge_group", "push", "workflow_dispatch"}
    assert workflow["on"]["pull_request"] is None
    assert workflow["on"]["push"] == {"branches": ["main"]}
    assert list(workflow["jobs"]) == ["check"]
    assert "if" not in workflow["jobs"]["check"]


@pytest.mark.parametrize("folder", SETS.values(), ids=list(SETS))
def test_the_site_of_a_change_can_be_looked_at(folder: Path) -> None:
    kept = [step["with"] for step in steps(read(folder / "check.yml")) if "upload-artifact" in step.get("uses", "")]
    assert [(each["name"], each["path"], each["retention-days"]) for each in kept] == [("site", ".build/site", 14)]


@pytest.mark.parametrize("folder", SETS.values(), ids=list(SETS))
def test_the_schedule_is_weekly_names_its_time_zone_and_stands_alone(folder: Path) -> None:
    scheduled = {name: read(folder / name)["on"].get("schedule") for name in NAMES}
    assert scheduled.pop("consolidate.yml") == [{"cron": "23 5 * * 1", "timezone": "Etc/UTC"}]
    assert set(scheduled.values()) == {None}


@pytest.mark.parametrize("folder", SETS.values(), ids=list(SETS))
def test_a_run_is_never_cancelled_by_another(folder: Path) -> None:
    assert read(folder / "consolidate.yml")["concurrency"] == {
        "group": "consolidate",
        "cancel-in-progress": False,
        "queue": "max",
    }
    assert read(folder / "publish.yml")["concurrency"]["cancel-in-progress"] is False


@pytest.mark.parametrize("folder", SETS.values(), ids=list(SETS))
def test_a_run_by_hand_can_be_told_what_to_do(folder: Path) -> None:
    inputs = read(folder / "consolidate.yml")["on"]["workflow_dispatch"]["inputs"]
    assert {name: (given["type"], given["default"]) for name, given in inputs.items()} == {
        "dry_run": ("boolean", False),
        "project": ("string", ""),
        "budget": ("number", 0),
        "retry_declined": ("boolean", False),
    }


@pytest.mark.parametrize("name", ["consolidate.yml", "publish.yml"])
def test_a_new_wiki_gets_the_same_workflows_but_installs_a_release(name: str) -> None:
    own = (SETS["own"] / name).read_text(encoding="utf-8")
    installs = "python -m pip install --quiet --requirement requirements-wikimill.txt\n"
    assert (SETS["shipped"] / name).read_text(encoding="utf-8") == own.replace(
        "python -m pip install --quiet .\n", installs
    )
    assert own.count("pip install") == {"consolidate.yml": 3, "publish.yml": 1}[name]


def test_the_check_of_a_new_wiki_is_ours_without_the_tests() -> None:
    own, shipped = (read(folder / "check.yml") for folder in SETS.values())
    assert own["on"] == shipped["on"]
    ours, theirs = own["jobs"]["check"]["steps"], shipped["jobs"]["check"]["steps"]
    assert [step.get("name") for step in ours[len(theirs) :]] == [
        "Look whether the code is touched",
        "Check everything",
    ]
    assert [step.get("run") for step in ours[3 : len(theirs)]] == [step.get("run") for step in theirs[3:]]


def test_dependabot_looks_after_actions_and_the_version_that_is_installed() -> None:
    for folder in (OWN, SHIPPED):
        updates = yaml.safe_load((folder / "dependabot.yml").read_text(encoding="utf-8"))["updates"]
        assert {update["package-ecosystem"] for update in updates} == {"github-actions", "pip"}


def test_gitlab_names_the_same_options_and_runs_the_same_commands() -> None:
    text = GITLAB.read_text(encoding="utf-8")
    workflow = read(SETS["shipped"] / "consolidate.yml")
    script = next(step["run"] for step in steps(workflow) if step.get("id") == "run")
    for option in re.findall(r"--[a-z-]+", script):
        assert option in text
    for step in steps(workflow) + steps(read(SETS["shipped"] / "check.yml")):
        for command in re.findall(r"^wikimill [a-z]+(?: --check)?$", step.get("run", ""), re.MULTILINE):
            assert f"- {command}\n" in text
    for command in ('wikimill run "$@" || code=$?', "wikimill propose || code=$?"):
        assert f"      {command}\n" in text


@pytest.mark.parametrize("folder", SETS.values(), ids=SETS)
def test_the_site_is_published_after_each_merge_and_only_what_was_built(folder: Path) -> None:
    workflow = read(folder / "publish.yml")
    assert workflow["on"]["push"] == {"branches": ["main"]}
    assert set(workflow["on"]) == {"push", "workflow_dispatch", "workflow_call"}
    assert workflow["jobs"]["deploy"]["needs"] == "build"


@pytest.mark.parametrize("folder", SETS.values(), ids=SETS)
def test_what_is_checked_reports_for_every_pull_request(folder: Path) -> None:
    """A required check that a filter of paths leaves out would never report."""
    trigger = read(folder / "check.yml")["on"]
    assert "pull_request" in trigger
    assert not {"paths", "paths-ignore", "branches"} & set(trigger["pull_request"] or {})
