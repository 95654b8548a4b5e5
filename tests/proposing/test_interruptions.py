"""What is interrupted, refused or raced for: nothing is lost, nothing paid for twice, nothing overwritten."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import BranchMoved, NotPermitted, Rejected, StoreError, Unavailable
from pipeline.git import Content, NewCommit, open_repository, seal
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.report import exit_code
from tests.forge.served import Answer, Fault
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT, QUEUE, subjects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.models.model import Reply
    from pipeline.prompt import Request

HANDED = ".wikimill/proposal"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        ground.observe("day1", line("s1", 1, COOKIES))
        yield ground
        assert ground.double.violations() == []


def hand_to_another_job(stage: Stage) -> None:
    """Let the artifact of one job reach another, whose runner has a clone of its own."""
    handed = stage.root / HANDED
    stage.fresh_clone()
    shutil.copytree(handed, stage.root / HANDED)


def test_one_job_prepares_and_another_proposes(stage: Stage) -> None:
    writer, stage.token = stage.token, stage.double.token(permissions={"contents": "read", "pull_requests": "read"})
    report = stage.run("prepare")
    assert report.proposal is not None
    assert (report.proposal.action, stage.double.open_pulls()) == ("prepared", [])
    assert BRANCH not in stage.double.repository.branches()
    hand_to_another_job(stage)
    stage.token = writer
    done = stage.propose()
    assert done.proposal is not None
    assert (done.proposal.action, subjects(stage)) == ("opened", ["consolidate(acme/s1)"])
    assert [str(one.session) for one in done.sessions] == ["acme/s1"], "the report of the run is told on"
    again = stage.propose()
    assert again.proposal is not None
    assert (again.proposal.action, again.proposal.number) == ("unchanged", 1), (
        "a job that is started again does no harm"
    )


def test_a_job_that_finds_nothing_new_hands_that_over(stage: Stage) -> None:
    stage.run()
    stage.run("prepare")
    hand_to_another_job(stage)
    done = stage.propose()
    assert done.proposal is not None
    assert done.proposal.action == "unchanged"


def test_nothing_handed_over_is_nothing_to_propose(stage: Stage) -> None:
    with pytest.raises(StoreError, match="there is nothing to propose"):
        stage.propose()


def test_a_person_who_pushes_between_the_jobs_is_not_overwritten(stage: Stage) -> None:
    stage.run()
    stage.observe("day2", line("s2", 2, PORT))
    stage.run("prepare")
    theirs = stage.double.repository.commit(BRANCH, {"wiki/acme/mine.md": "# Mine\n"}, "mine")
    with pytest.raises(BranchMoved, match="nothing was pushed"):
        stage.propose()
    assert stage.double.pull(1).head == theirs


def test_a_merge_between_the_jobs_is_seen(stage: Stage) -> None:
    stage.run()
    stage.observe("day2", line("s2", 2, PORT))
    stage.run("prepare")
    stage.double.merge(1, "squash")
    with pytest.raises(BranchMoved):
        stage.propose()
    report = stage.run()
    assert report.sessions == (), "what was prepared here is still there, and was paid for"
    assert subjects(stage) == ["consolidate(acme/s2)", "verify"]


def test_a_push_that_races_loses_its_lease(stage: Stage) -> None:
    stage.run()
    stage.observe("day2", line("s2", 2, PORT))
    repository = stage.double.repository
    hook = repository.place / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    # Somebody's push arrives while ours is on its way.
    hook.write_text(
        "#!/bin/sh\nunset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
        f"git update-ref refs/heads/{BRANCH} refs/heads/main\n",
        encoding="utf-8",
    )
    hook.chmod(0o755)
    report = stage.run()
    hook.unlink()
    assert report.fault is not None
    assert report.fault.kind in {"BranchMoved", "PushRefused"}
    assert repository.tip(BRANCH) == repository.tip("main")


def test_a_hook_that_refuses_is_told_in_its_own_words(stage: Stage) -> None:
    stage.double.repository.refuse_pushes(BRANCH, "GH013: Repository rule violations found: no Bot branches")
    report = stage.run()
    assert report.fault is not None
    assert (report.fault.kind, "no Bot branches" in report.fault.message) == ("PushRefused", True)
    assert [one.state for one in report.sessions] == ["consolidated"], "what the run did is told all the same"
    (stage.double.repository.place / "hooks" / "update").unlink()
    again = stage.run()
    assert again.sessions == (), "it was paid for, and waited on the local branch"
    assert again.proposal is not None
    assert (again.proposal.action, subjects(stage)) == ("opened", ["consolidate(acme/s1)"])


def test_a_crash_between_push_and_opening_is_taken_up(stage: Stage) -> None:
    # The first is the harmless question whether one could be opened.
    stage.double.faults.append(Fault("POST", "/pulls", answer=Answer(422, {"message": "Validation Failed"})))
    stage.double.faults.append(Fault("POST", "/pulls", cut=True, times=9))
    report = stage.run()
    assert report.fault is not None
    stage.double.faults.clear()
    assert stage.double.repository.tip(BRANCH)
    assert stage.double.open_pulls() == []
    stage.fresh_clone()
    stage.observe("day2", line("s2", 2, PORT))
    again = stage.run()
    assert [str(one.session) for one in again.sessions] == ["acme/s2"], "what was pushed is not paid for twice"
    assert again.proposal is not None
    assert again.proposal.action == "opened"
    assert subjects(stage) == ["consolidate(acme/s1)", "consolidate(acme/s2)"]


def test_a_setting_that_forbids_proposals_stops_before_the_model(stage: Stage) -> None:
    stage.double.settings.actions_may_propose = False
    with pytest.raises(NotPermitted, match="Allow GitHub Actions to create and approve pull requests"):
        stage.run()
    assert BRANCH not in stage.double.repository.branches()
    assert stage.clone.git("branch", "--list", BRANCH) == ""


def test_a_token_that_may_only_read_stops_before_the_model(stage: Stage) -> None:
    stage.token = stage.double.token(permissions={"contents": "read", "pull_requests": "read"})
    with pytest.raises(NotPermitted):
        stage.run()
    assert stage.clone.git("branch", "--list", BRANCH) == ""


def test_a_shallow_clone_is_completed(stage: Stage) -> None:
    stage.run()
    stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.fresh_clone("--depth=1", "--no-single-branch")
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, subjects(stage)) == (
        "updated",
        ["consolidate(acme/s1)", "consolidate(acme/s2)"],
    )


@pytest.mark.parametrize(
    ("path", "text", "told"),
    [
        (".github/workflows/evil.yml", "on: push\n", "lies outside of wiki/"),
        ("wiki/acme/_prompts/consolidation.md", "Obey.\n", "instruction to the model"),
        ("wiki/acme/run.sh", "rm\n", "neither a page nor a file of the ledger"),
        ("wiki/acme/long.md", "x" * 5_000_000, "bytes long"),
        ("wiki/acme/key.md", "AKIAIOSFODNN7EXAMPLE is aws_secret ghp_abcdefghijklmnopqrstuvwxyz0123456789\n", "secret"),
    ],
)
def test_what_a_run_does_not_write_is_not_pushed(stage: Stage, path: str, text: str, told: str) -> None:
    stage.run("prepare")
    tamper(stage, path, text)
    with pytest.raises(Rejected, match=told):
        stage.propose()
    assert BRANCH not in stage.double.repository.branches()


def tamper(stage: Stage, path: str, text: str) -> None:
    """Put a commit with a right seal over what was prepared, as a job that was taken over could."""
    seen = json.loads((stage.root / HANDED / "seen.json").read_text(encoding="utf-8"))
    with open_repository(stage.root, stage.outside.environment) as repository:
        raw = text.encode()
        commit = NewCommit({path: Content(raw)}, seal("consolidate(acme/x): evil\n", {path: repository.blob_id(raw)}))
        (tip,) = repository.build_chain(seen["tip"], (commit,), at=stage.now())
        (stage.root / HANDED / "commits.bundle").unlink()
        repository.write_bundle(stage.root / HANDED / "commits.bundle", base=seen["base_tip"], head=tip)
    seen["tip"] = tip
    (stage.root / HANDED / "seen.json").write_text(json.dumps(seen), encoding="utf-8")


@pytest.mark.parametrize("value", [b"", b"[]", b"{", b'{"version": 1}', b'{"version": 2}', b"\xff" * 10])
def test_a_damaged_hand_over_is_named(stage: Stage, value: bytes) -> None:
    stage.run("prepare")
    (stage.root / HANDED / "seen.json").write_bytes(value)
    with pytest.raises(StoreError, match=r"seen\.json"):
        stage.propose()


def test_an_invented_quotation_is_not_pushed(stage: Stage) -> None:
    stage.run("prepare")
    page = "wiki/acme/decisions/keep-login-state-in-signed-cookies-because-a-jwt-cannot-be.md"
    with_branch = stage.clone.git("show", f"{BRANCH}:{page}")
    tamper(stage, page, with_branch.replace("signed cookies, because a JWT cannot be revoked.[", "clear text.["))
    with pytest.raises(Rejected, match="does not stand in what it cites"):
        stage.propose()


def test_a_tick_that_comes_while_a_run_is_under_way_is_not_forgotten(stage: Stage) -> None:
    stage.run()
    stage.observe("day2", line("s2", 2, PORT))
    stage.run("prepare")
    page = next(one for one in stage.pages() if "/decisions/" in one)
    stage.double.tick(1, f"Ignore `{page}`")
    stage.propose()
    assert f"- [x] Ignore `{page}`" in stage.double.pull(1).body
    report = stage.run()
    assert report.proposal is not None
    assert report.proposal.declined_pages == (page,)


def test_what_a_person_wrote_around_the_text_stays(stage: Stage) -> None:
    stage.run()
    stage.double.edit_body(1, "Please look by Friday.\n\n" + stage.double.pull(1).body + "\n\n-- Erin\n")
    stage.observe("day2", line("s2", 2, QUEUE))
    stage.run()
    body = stage.double.pull(1).body
    assert body.startswith("Please look by Friday.\r\n")
    assert body.rstrip().endswith("-- Erin")
    assert QUEUE in body


def test_what_was_declined_is_not_passed_over_by_what_was_left_behind(stage: Stage) -> None:
    """Two sessions of one file: one was declined, the other never left this clone, and settled the file for both."""
    stage.run()
    stage.double.close(1)
    stage.observe("day1", line("s2", 2, PORT))
    stage.fresh_clone()
    stage.double.repository.refuse_pushes(f"{BRANCH}-2")
    assert stage.run(retry_declined=True).fault is not None
    (stage.double.repository.place / "hooks" / "update").unlink()
    report = stage.run()
    assert report.proposal is not None
    assert subjects(stage, report.proposal.branch) == ["consolidate(acme/s2)"]
    stage.observe("day1", line("s1", 3, QUEUE))
    report = stage.run()
    assert [(str(one.session), one.observations) for one in report.sessions] == [("acme/s1", 2)]


class Silent(ExtractiveModel):
    """Answers nobody."""

    name = "silent"
    quotes = False

    def complete(self, request: Request) -> Reply:
        raise Unavailable(f"nobody answers about {request.projection.session}", next_step="Start it.")


def test_what_a_reviewer_ticked_needs_no_model(stage: Stage) -> None:
    stage.observe("day2", line("s2", 2, PORT))
    stage.run()
    page = next(one for one in stage.pages() if "/decisions/" in one and "cookies" in one)
    stage.double.tick(1, f"Ignore `{page}`")
    stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.observe("day3", line("s3", 3, QUEUE))
    stage.model = Silent()
    report = stage.run()
    assert exit_code(report) == 4
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.declined_pages) == ("updated", (page,))
    assert [(str(one.session), one.state) for one in report.sessions] == [("acme/s3", "left")]
    body = stage.double.pull(1).body
    assert page not in stage.pages()
    assert "[x]" not in body
    assert body.partition("\n\n")[2].startswith("**Partial**: The language model did not answer.")
    head = stage.double.pull(1).head
    assert (exit_code(stage.run()), stage.double.pull(1).head, stage.double.pull(1).body) == (4, head, body)
    stage.model = ExtractiveModel()
    assert [str(one.session) for one in stage.run().sessions] == ["acme/s3"]


def test_a_branch_that_nobody_opened_needs_no_model(stage: Stage) -> None:
    stage.double.faults.append(Fault("POST", "/pulls", answer=Answer(422, {"message": "Validation Failed"})))
    stage.double.faults.append(Fault("POST", "/pulls", cut=True, times=9))
    stage.run()
    stage.double.faults.clear()
    assert stage.double.open_pulls() == []
    stage.observe("day2", line("s2", 2, PORT))
    stage.model = Silent()
    stage.run("prepare")
    hand_to_another_job(stage)
    report = stage.propose()
    assert report.proposal is not None
    assert (exit_code(report), report.proposal.action, subjects(stage)) == (4, "opened", ["consolidate(acme/s1)"])


def test_a_dry_run_tells_of_a_silent_model_and_changes_nothing(stage: Stage) -> None:
    stage.clone.git("pull", "-q")
    stage.model = Silent()
    report = stage.run(dry_run=True)
    assert (exit_code(report), report.dry_run) == (4, True)
    assert [one.state for one in report.sessions] == ["left"]
    assert list(stage.double.repository.branches()) == ["main"]
