"""Whatever a person has done, on the branch, the base or in the clone, is theirs: nothing of it is lost or shared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import BranchMoved, Conflict
from tests.forge.github_state import Account
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_long_use import done
from tests.proposing.test_states import COOKIES, PORT, QUEUE, opened, subjects

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HANDED = ".wikimill/proposal/seen.json"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        yield ground
        assert ground.double.violations() == []


def on_the_branch(stage: Stage) -> None:
    stage.clone.git("fetch", "-q", "origin")
    stage.clone.git("switch", "-q", "-c", "mine", f"origin/{BRANCH}")


def push_mine(stage: Stage) -> str:
    stage.clone.git("push", "-q", "origin", f"mine:{BRANCH}")
    stage.clone.git("switch", "-q", "main")
    return stage.clone.tip("mine")


def test_what_a_person_adds_while_merging_the_base_is_their_work(stage: Stage) -> None:
    opened(stage)
    stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    on_the_branch(stage)
    stage.clone.git("merge", "-q", "--no-commit", "--no-ff", "origin/main")
    stage.clone.write("docs/decision.md", "mine\n")
    stage.clone.git("add", "-A")
    stage.clone.git("commit", "-qm", "Merge main")
    tip = push_mine(stage)
    stage.observe("day2", line("s2", 2, PORT))
    assert done(stage).action == "waiting"
    assert stage.double.pull(1).head == tip


def test_a_revert_that_also_writes_into_an_index_is_their_work(stage: Stage) -> None:
    opened(stage)
    on_the_branch(stage)
    stage.clone.git("revert", "--no-edit", "HEAD")
    stage.clone.write("wiki/acme/index.md", "# acme\n\nBy hand.\n")
    stage.clone.git("add", "-A")
    stage.clone.git("commit", "-q", "--amend", "--no-edit")
    tip = push_mine(stage)
    assert done(stage).action == "waiting"
    assert stage.double.pull(1).head == tip


@pytest.mark.parametrize("kind", ["merge", "revert"])
def test_what_a_person_has_not_shared_is_pushed_with_nothing(stage: Stage, kind: str) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    stage.clone.git("pull", "-q")
    stage.run("commit")
    if kind == "merge":
        stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
        stage.clone.git("fetch", "-q", "origin")
        stage.clone.git("merge", "-q", "--no-commit", "--no-ff", "origin/main")
        stage.clone.write("docs/mine.md", "mine\n")
        stage.clone.git("add", "-A")
        stage.clone.git("commit", "-qm", "Merge main")
    else:
        stage.clone.git("revert", "--no-edit", "HEAD")
    tip, there = stage.clone.tip(), stage.double.repository.tip("main")
    with pytest.raises(Conflict, match="commits of a person that are not on the remote"):
        stage.run("push")
    assert (stage.clone.tip(), stage.double.repository.tip("main")) == (tip, there)


@pytest.mark.parametrize("kind", ["merge", "revert", "commit"])
def test_what_a_person_did_to_the_local_branch_stops_the_run(stage: Stage, kind: str) -> None:
    opened(stage)
    stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.clone.git("fetch", "-q", "origin")
    stage.clone.git("switch", "-q", BRANCH)
    if kind == "merge":
        stage.clone.git("merge", "-q", "--no-commit", "--no-ff", "origin/main")
        stage.clone.commit("Merge main", **{"docs/mine.md": "mine\n"})
    elif kind == "revert":
        stage.clone.git("revert", "--no-edit", "HEAD")
    else:
        stage.clone.commit("mine", **{"docs/mine.md": "mine\n"})
    tip = stage.clone.tip()
    stage.clone.git("switch", "-q", "main")
    stage.observe("day2", line("s2", 2, PORT))
    with pytest.raises(Conflict, match="that stand nowhere else"):
        stage.run()
    assert stage.clone.tip(BRANCH) == tip


def test_a_request_of_somebody_else_from_a_branch_of_this_name_is_theirs(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    repository = stage.double.repository
    repository.keep(f"refs/heads/{BRANCH}", repository.tip("main"))
    repository.commit(BRANCH, {"docs/mine.md": "mine\n"}, "mine")
    stage.double.add(BRANCH, "main", "My own", "My text.", Account("dana"))
    report = stage.run()
    assert report.proposal is not None
    assert (report.proposal.branch, report.proposal.number) == (f"{BRANCH}-2", 2)
    theirs = stage.double.pull(1)
    assert (theirs.title, theirs.body) == ("My own", "My text.")
    # Two are open now, and only one of them is wikimill's.
    assert stage.double._violations == ["2 was opened while [1] stood open"]
    stage.double._violations.clear()


def test_a_title_that_a_person_gave_stays(stage: Stage) -> None:
    opened(stage)
    stage.double.pull(1).title = "Login: what we decided"
    stage.observe("day2", line("s2", 2, PORT))
    assert done(stage).action == "updated"
    assert stage.double.pull(1).title == "Login: what we decided"
    assert PORT in stage.double.pull(1).body


def test_a_text_without_room_costs_itself_alone(stage: Stage) -> None:
    opened(stage)
    body = "x" * 65_400 + "\n\n" + stage.double.pull(1).body[:100]
    stage.double.pull(1).body = body
    stage.observe("day2", line("s2", 2, PORT))
    report = stage.run()
    assert report.fault is None
    assert report.proposal is not None
    assert (report.proposal.action, subjects(stage)[-1]) == ("updated", "consolidate(acme/s2)")
    assert "text-not-written" in {finding.rule for finding in report.findings}
    assert stage.double.pull(1).body == body


def test_a_branch_in_the_way_is_told_before_anything_is_paid_for(stage: Stage) -> None:
    stage.observe("day1", line("s1", 1, COOKIES))
    repository = stage.double.repository
    repository.keep("refs/heads/wikimill", repository.tip("main"))
    with pytest.raises(Conflict, match="the branch 'wikimill' on the remote stands in the way"):
        stage.run()


def test_a_hand_over_that_asks_for_nothing_closes_nothing(stage: Stage) -> None:
    opened(stage)
    stage.observe("day2", line("s2", 2, QUEUE))
    stage.run("prepare")
    seen = json.loads((stage.root / HANDED).read_bytes())
    seen["tip"] = seen["base_tip"]
    (stage.root / HANDED).write_bytes(json.dumps(seen).encode())
    with pytest.raises(BranchMoved, match="nothing was pushed"):
        stage.propose()
    assert stage.double.pull(1).state == "open"


def test_a_mode_that_a_person_gave_a_page_is_their_work_and_stays_where_it_stands(stage: Stage) -> None:
    opened(stage)
    page = f"wiki/{stage.pages()[0]}"
    on_the_branch(stage)
    stage.clone.git("update-index", "--chmod=+x", page)
    stage.clone.git("commit", "-q", "--amend", "--no-edit")
    stage.clone.git("checkout", "-qf", "mine")
    stage.clone.git("push", "-qf", "origin", f"mine:{BRANCH}")
    tip = push_mine(stage)
    assert done(stage).action == "waiting"
    assert stage.double.pull(1).head == tip
    stage.double.merge(1, "squash")
    stage.observe("day2", line("s1", 2, PORT), line("s1", 3, QUEUE))
    stage.run()
    told = stage.double.repository.git("ls-tree", "-r", BRANCH, "--", page)
    assert told.startswith("100755 "), "also after the pipeline has written the page again"
