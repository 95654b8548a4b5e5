"""`propose` and the ways of `run` through the door: what is said, how it ends, and which report is kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline import keeping
from pipeline.cli.proposing import report_url
from tests.proposing.stage import BRANCH, OF_HOSTS, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from tests.cli.conftest import Said, Say


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Give a clone of a repository on a host, which is the current folder, with one session to consolidate."""
    with on_stage(tmp_path, '[model]\nprovider = "extractive"\n') as ground:
        for name in [name for name in ground.clone.environment if name.startswith(OF_HOSTS)]:
            monkeypatch.delenv(name, raising=False)
        for name in ("CI", "WIKIMILL_DEBUG"):
            monkeypatch.delenv(name, raising=False)
        for name, value in {**ground.outside.environment, "SOURCE_DATE_EPOCH": "1795000000"}.items():
            monkeypatch.setenv(name, value)
        ground.observe("day1", line("s1", 1, COOKIES))
        ground.clone.git("pull", "-q")
        monkeypatch.chdir(ground.root)
        yield ground
        assert ground.double.violations() == []


WAYS = (["run", "--prepare"], ["run", "--propose"], ["propose"], ["propose", "--check"])


def reports(stage: Stage) -> list[dict[str, object]]:
    """Give the reports that are kept, the oldest first."""
    runs = reversed(keeping.list_runs(stage.root))
    return [json.loads((stage.root / ".wikimill" / "runs" / f"{run}.json").read_bytes()) for run in runs]


def everything(stage: Stage) -> tuple[str, dict[str, str], dict[str, bytes]]:
    files = {path: raw for path, raw in stage.clone.on_disk(".").items() if not path.startswith(".git/")}
    return stage.clone.git("for-each-ref", "refs/heads", "refs/wikimill"), stage.double.repository.branches(), files


def proposal(said: Said) -> dict[str, object]:
    told = said.json()["proposal"]
    assert isinstance(told, dict)
    return told


def test_a_run_prepares_and_propose_opens(stage: Stage, say: Say) -> None:
    first = say("run", "--prepare", "--json")
    assert (first.code, proposal(first)["action"]) == (0, "prepared")
    assert stage.double.open_pulls() == []
    said = say("propose")
    assert said.code == 0
    assert "https://github.test/acme/wiki/pull/1" in said.out
    assert [(one["command"], one["fault"]) for one in reports(stage)] == [("run", None), ("propose", None)]
    again = say("propose", "--json")
    assert (again.code, proposal(again)["action"]) == (0, "unchanged"), "a job that is started again does no harm"
    stage.double.close(1)
    late = say("propose", "--json")
    assert (late.code, late.out) == (5, "")
    assert "somebody changed the proposal" in late.err
    fault = reports(stage)[-1]["fault"]
    assert isinstance(fault, dict)
    assert fault["kind"] == "BranchMoved"


def test_run_proposes_and_says_where(stage: Stage, say: Say) -> None:
    said = say("run", "--propose")
    assert said.code == 0
    assert "https://github.test/acme/wiki/pull/1" in said.out
    told = say("run", "--propose", "--json")
    assert (told.code, proposal(told)["action"], proposal(told)["number"]) == (0, "unchanged", 1)
    assert len(reports(stage)) == 2


def test_run_pushes(stage: Stage, say: Say) -> None:
    said = say("run", "--push", "--json")
    assert (said.code, proposal(said)["action"]) == (0, "pushed")
    assert stage.clone.tip("main") == stage.double.repository.tip("main")
    assert stage.double.pulls == {}


@pytest.mark.parametrize("way", ["--prepare", "--propose", "--push"])
def test_a_dry_run_writes_and_pushes_nothing(stage: Stage, say: Say, way: str) -> None:
    stage.observe("day2", line("s2", 2, PORT))
    before = everything(stage)
    said = say("run", way, "--dry-run", "--json")
    assert said.code == 0
    assert "+++ b/wiki/acme/" in str(said.json()["diff"])
    assert everything(stage) == before
    assert stage.double.pulls == {}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "--prepare", "--push"], "--prepare and --push exclude each other"),
        (["run", "--propose", "--prepare"], "--prepare and --propose exclude each other"),
        (["run", "--no-git", "--propose"], "--no-git and --propose exclude each other"),
        (["run", "--retry-declined"], "--retry-declined goes with --prepare or --propose"),
        (["run", "--push", "--retry-declined"], "--retry-declined goes with --prepare or --propose"),
        (["run", "--max-calls", "-1"], "--max-calls"),
        (["run", "--max-calls", "many"], "--max-calls"),
        (["run", "--project"], "--project"),
        (["propose", "main"], "unexpected"),
    ],
)
def test_a_wrong_command_line_is_told_and_nothing_is_done(
    stage: Stage, say: Say, arguments: list[str], told: str
) -> None:
    before = everything(stage)
    said = say(*arguments)
    assert (said.code, said.out, told in said.err) == (2, "", True), said.err
    assert everything(stage) == before
    assert reports(stage) == []
    assert stage.double.requests == []


def test_only_one_project_is_taken(stage: Stage, say: Say) -> None:
    stage.observe("day2", line("s2", 2, PORT, project="other"))
    said = say("run", "--propose", "--project", "other", "--json")
    assert said.code == 0
    assert {path.split("/")[0] for path in stage.pages()} == {"other"}
    rest = say("run", "--propose", "--project", "nobody", "--json")
    assert (rest.code, proposal(rest)["action"]) == (0, "unchanged")
    say("run", "--propose")
    assert {path.split("/")[0] for path in stage.pages()} == {"acme", "other"}


def test_what_was_declined_comes_again_when_somebody_asks(stage: Stage, say: Say) -> None:
    say("run", "--propose")
    stage.double.close(1)
    told = say("run", "--propose", "--json")
    assert (told.code, proposal(told)["suppressed"], proposal(told)["suppressed_by"]) == (0, 1, [1])
    asked = say("run", "--propose", "--retry-declined", "--json")
    assert (asked.code, proposal(asked)["action"], proposal(asked)["number"]) == (0, "opened", 2)


@pytest.mark.parametrize(
    ("arguments", "change", "code", "told"),
    [
        *((one, {"GITHUB_TOKEN": ""}, 2, "there is no token") for one in WAYS),
        *((one, {"remote": "gone"}, 5, "there is no remote") for one in (*WAYS, ["run", "--push"])),
        *((one, {"GITHUB_API_URL": "http://127.0.0.1:9"}, 5, "no answer") for one in WAYS),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list | dict) else "",
)
def test_without_token_remote_or_host_nothing_is_done(  # noqa: PLR0917  # each case whole
    stage: Stage,
    say: Say,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    change: Mapping[str, str],
    code: int,
    told: str,
) -> None:
    before = stage.clone.git("for-each-ref", "refs/heads"), stage.double.repository.branches()
    monkeypatch.setattr("time.sleep", lambda _: None)
    for name, value in change.items():
        if name == "remote":
            stage.clone.git("remote", "remove", "origin")
        else:
            monkeypatch.setenv(name, value)
    said = say(*arguments)
    assert (said.code, said.out, told in said.err) == (code, "", True), said.err
    assert (stage.clone.git("for-each-ref", "refs/heads"), stage.double.repository.branches()) == before
    faults = [one["fault"] for one in reports(stage)]
    assert len(faults) == ("--check" not in arguments), "a run that came to nothing is kept as well"
    assert stage.token not in said.err + json.dumps(faults)


def test_a_model_that_does_not_answer_ends_with_4_and_nothing_is_pushed(stage: Stage, say: Say) -> None:
    chosen = '[model]\nprovider = "openai"\nname = "small"\nbase_url = "http://127.0.0.1:9/v1"\nretries = 0\n'
    stage.clone.write("wikimill.toml", chosen)
    for way in ("--prepare", "--propose", "--push"):
        said = say("run", way)
        assert (said.code, said.out.startswith("Unavailable: ")) == (4, True), said.err
    assert (stage.double.pulls, list(stage.double.repository.branches())) == ({}, ["main"])
    assert [one["fault"]["kind"] for one in reports(stage)] == ["Unavailable"] * 3  # type: ignore[index]  # a fault
    said = say("propose")
    assert (said.code, stage.double.pulls) == (4, {}), "it tells on that nothing could be done"


def test_a_check_asks_and_pushes_nothing(stage: Stage, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    said = say("propose", "--check")
    assert (said.code, said.out.startswith("A proposal could be made: ")) == (0, True)
    told = say("propose", "--check", "--json").json()
    assert told["possible"] is True
    assert "acme/wiki" in str(told["told"])
    stage.double.settings.actions_may_propose = False
    refused = say("propose", "--check")
    assert (refused.code, "Allow GitHub Actions to create and approve" in refused.err) == (5, True)
    monkeypatch.setenv("GITHUB_TOKEN", stage.double.token(permissions={"contents": "read"}))
    assert say("propose", "--check").code == 5
    assert (stage.double.pulls, reports(stage), BRANCH in stage.double.repository.branches()) == ({}, [], False)


def test_nothing_handed_over_is_told(stage: Stage, say: Say) -> None:
    said = say("propose")
    assert (said.code, said.out) == (1, "")
    assert "there is nothing to propose. Run `wikimill run --prepare` first" in said.err
    assert [one["command"] for one in reports(stage)] == ["propose"]


def test_a_push_that_is_refused_ends_with_5_and_a_whole_report(stage: Stage, say: Say) -> None:
    stage.double.repository.refuse_pushes("main", "GH006: Protected branch update failed")
    said = say("run", "--push")
    assert said.code == 5
    assert "GH006" in said.out + said.err
    (kept,) = reports(stage)
    assert isinstance(kept["fault"], dict)
    assert (kept["fault"]["kind"], len(kept["sessions"])) == ("PushRefused", 1)  # type: ignore[arg-type]  # a list


@pytest.mark.parametrize(
    ("environment", "url"),
    [
        ({}, ""),
        ({"GITHUB_ACTIONS": "true"}, ""),
        (
            {
                "GITHUB_ACTIONS": "true",
                "GITHUB_SERVER_URL": "https://github.test",
                "GITHUB_REPOSITORY": "acme/wiki",
                "GITHUB_RUN_ID": "7",
            },
            "https://github.test/acme/wiki/actions/runs/7",
        ),
        ({"GITHUB_SERVER_URL": "https://github.test", "GITHUB_REPOSITORY": "acme/wiki", "GITHUB_RUN_ID": "7"}, ""),
        ({"GITLAB_CI": "true", "CI_PIPELINE_URL": "https://gitlab.test/p/7"}, "https://gitlab.test/p/7"),
        ({"CI_PIPELINE_URL": "https://gitlab.test/p/7"}, ""),
    ],
)
def test_a_ci_system_tells_where_the_report_can_be_read(environment: dict[str, str], url: str) -> None:
    assert report_url(environment) == url


def test_the_text_leads_to_the_run_that_wrote_it(stage: Stage, say: Say, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "4711"}.items():
        monkeypatch.setenv(name, value)
    address = f"[full report](<{stage.double.web_url}/acme/wiki/actions/runs/4711>)"
    assert say("run", "--prepare").code == 0
    assert say("propose").code == 0
    assert address in stage.double.pull(1).body
    stage.observe("day2", line("s2", 2, PORT))
    monkeypatch.setenv("GITHUB_RUN_ID", "4712")
    assert say("run", "--propose").code == 0
    assert address.replace("4711", "4712") in stage.double.pull(1).body


def test_a_scheduled_run_proposes_where_the_settings_say_so(stage: Stage, say: Say) -> None:
    chosen = '[model]\nprovider = "extractive"\n[schedule]\nthen = "propose"\n'
    stage.double.repository.commit("main", {"wikimill.toml": chosen}, "propose")
    stage.clone.git("pull", "-q")
    said = say("schedule", "--once")
    assert said.code == 0, said.err
    assert "Proposal opened: number 1" in said.out
    assert len(stage.double.open_pulls()) == 1


def test_a_scheduler_asks_at_its_start_whether_it_may_propose(stage: Stage, say: Say) -> None:
    chosen = '[model]\nprovider = "extractive"\n[schedule]\nthen = "propose"\n'
    stage.double.repository.commit("main", {"wikimill.toml": chosen}, "propose")
    stage.clone.git("pull", "-q")
    stage.double.settings.actions_may_propose = False
    said = say("schedule")
    assert said.code == 5
    assert "Allow GitHub Actions to create and approve pull requests" in said.err


def rules_of(said: Said) -> list[str]:
    findings = said.json()["findings"]
    assert isinstance(findings, list)
    return [str(one["rule"]) for one in findings if isinstance(one, dict)]


def test_what_is_amiss_and_forbids_nothing_is_told_by_the_check_and_the_run(
    stage: Stage, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    soon = datetime.now(UTC) + timedelta(days=3)
    token = stage.double.token("classic", expires=f"{soon:%Y-%m-%d %H:%M:%S} UTC")
    monkeypatch.setenv("GITHUB_TOKEN", token)
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    said = say("propose", "--check", "--json")
    rules = rules_of(said)
    assert (said.code, len(rules) > 0) == (0, True)
    assert f"[{rules[0]}]" in say("propose", "--check").out
    assert rules[0] in rules_of(say("run", "--propose", "--json"))
