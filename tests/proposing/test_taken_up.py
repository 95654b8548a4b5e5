"""What a month of runs has shown: work that stands on a branch of ours without a proposal is taken up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.forge.served import Answer, Fault
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT, QUEUE, subjects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.forge.hosting import MergeKind


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        ground.observe("day1", line("s1", 1, COOKIES))
        ground.run()
        yield ground


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
def test_a_crash_after_a_push_to_the_branch_of_a_merged_proposal_is_taken_up(stage: Stage, how: MergeKind) -> None:
    stage.double.merge(1, how, by="merger[bot]")
    stage.observe("day2", line("s2", 2, PORT))
    # The first is the harmless question whether one could be opened.
    stage.double.faults.append(Fault("POST", "/pulls", answer=Answer(422, {"message": "Validation Failed"})))
    stage.double.faults.append(Fault("POST", "/pulls", cut=True, times=9))
    assert stage.run().fault is not None
    stage.double.faults.clear()
    stage.fresh_clone()
    stage.observe("day3", line("s3", 3, QUEUE))
    report = stage.run()
    assert [str(one.session) for one in report.sessions] == ["acme/s3"], "s2 was pushed, and paid for"
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.number, report.proposal.branch) == ("opened", 2, BRANCH)
    assert subjects(stage) == ["consolidate(acme/s2)", "consolidate(acme/s3)"]


def test_a_commit_of_a_person_on_the_branch_of_a_merged_proposal_is_left_alone(stage: Stage) -> None:
    stage.double.merge(1, "squash", by="merger[bot]")
    theirs = stage.double.repository.commit(BRANCH, {"wiki/acme/mine.md": "# Mine\n"}, "mine")
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.action, report.proposal.branch) == ("opened", f"{BRANCH}-2")
    assert stage.double.repository.tip(BRANCH) == theirs


@pytest.mark.parametrize("how", ["merge", "squash", "rebase"])
@pytest.mark.parametrize("first", [True, False])
def test_a_session_that_was_reverted_and_merged_at_once_stays_declined(
    stage: Stage, how: MergeKind, *, first: bool
) -> None:
    if not first:
        stage.observe("day2", line("s2", 2, PORT))
        stage.run()
    clone = stage.clone
    clone.git("fetch", "-q", "origin")
    clone.git("switch", "-q", "-c", "mine", f"origin/{BRANCH}")
    clone.git("revert", "--no-edit", "HEAD")
    clone.git("push", "-q", "origin", f"mine:{BRANCH}")
    clone.git("switch", "-q", "main")
    stage.double.merge(1, how, by="merger[bot]", delete_branch=True)
    stage.observe("day3", line("s3", 3, QUEUE))
    stage.fresh_clone()
    report = stage.run()
    assert [str(one.session) for one in report.sessions] == ["acme/s3"], (
        "what was declined is neither paid nor proposed"
    )
    assert report.proposal is not None
    assert len(report.proposal.declined_pages) == 2
    pages = "".join(stage.pages())
    assert "queue" in pages
    assert ("port" if not first else "cookies") not in pages
    again = stage.run()
    assert again.proposal is not None
    assert (again.proposal.action, again.sessions) == ("unchanged", ())
    # It is recorded with the proposal, and so it stays when nobody looks back so far any more.
    stage.double.merge(2, how, by="merger[bot]")
    again = stage.run()
    assert again.sessions == ()
    assert again.proposal is not None
    assert again.proposal.action == "none"
