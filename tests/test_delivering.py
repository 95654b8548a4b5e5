"""Where the commits of a run go, and that its report outlives whatever goes wrong afterwards."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from pipeline.delivering import check_way
from pipeline.errors import ConfigError, NotPermitted
from pipeline.proposing.handing import FOLDER
from tests.proposing.stage import BRANCH, Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.delivering import Way


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        ground.observe("day1", line("s1", 1, COOKIES))
        yield ground


def everything(stage: Stage) -> tuple[str, dict[str, str], dict[str, bytes]]:
    """Tell where branches stand here and there, and what lies in the clone; what is known of the remote is left out."""
    here = stage.clone.git("for-each-ref", "refs/heads", "refs/wikimill", "refs/tags")
    files = {path: raw for path, raw in stage.clone.on_disk(".").items() if not path.startswith(".git/")}
    return here, stage.double.repository.branches(), files


@pytest.mark.parametrize("way", ["commit", "prepare", "propose", "push"])
def test_a_dry_run_changes_nothing_here_or_there(stage: Stage, way: Way) -> None:
    stage.run()
    stage.observe("day2", line("s2", 2, PORT))
    shutil.rmtree(stage.root / ".wikimill")
    if way == "commit":
        stage.clone.git("pull", "-q")
    before = everything(stage)
    pull = stage.double.pull(1)
    told = (pull.head, pull.body, pull.title)
    report = stage.run(way, dry_run=True)
    assert everything(stage) == before
    assert (pull.head, pull.body, pull.title) == told
    assert [one.number for one in stage.double.open_pulls()] == [1]
    assert report.dry_run
    if way != "commit":
        assert [one.rule for one in report.findings if one.rule == "base-behind"] == ["base-behind"] * (way != "push")


def test_commits_that_go_nowhere_need_no_remote(stage: Stage) -> None:
    stage.clone.git("pull", "-q")
    stage.clone.git("remote", "remove", "origin")
    stage.double.requests.clear()
    report = stage.run("commit")
    assert ([one.state for one in report.sessions], report.proposal) == (["consolidated"], None)
    assert stage.double.requests == []


def test_a_job_whose_clone_is_older_than_the_run_proposes_all_the_same(stage: Stage) -> None:
    first = stage.clone
    stage.fresh_clone()
    older, stage.clone = stage.clone, first
    stage.observe("day2", line("s2", 2, PORT))
    stage.run("prepare")
    shutil.copytree(stage.root / FOLDER, older.root / FOLDER)
    stage.clone = older
    done = stage.propose()
    assert done.proposal is not None
    assert done.proposal.action == "opened"
    assert PORT in stage.double.pull(1).body, "what is cited was found"


def test_an_error_after_the_run_stands_in_its_report(stage: Stage) -> None:
    (stage.root / ".wikimill").mkdir()
    (stage.root / FOLDER).write_bytes(b"no folder\n")
    report = stage.run("prepare")
    assert report.fault is not None
    assert (report.fault.kind, report.fault.where) == ("StoreError", FOLDER)
    assert [one.state for one in report.sessions] == ["consolidated"]
    (stage.root / FOLDER).unlink()
    again = stage.run("propose")
    assert (again.sessions, again.fault) == ((), None), "it was paid for, and waited"
    assert [one.number for one in stage.double.open_pulls()] == [1]


def test_what_is_in_the_way_is_told_before_anybody_is_asked(stage: Stage) -> None:
    stage.token = ""
    for way in ("prepare", "propose"):
        with pytest.raises(ConfigError, match="there is no token"):
            stage.run(way)
    with pytest.raises(ConfigError):
        check_way("propose", stage.settings, stage.root, stage.outside)
    assert stage.clone.git("branch", "--list", BRANCH) == ""


def test_a_check_tells_what_was_seen_and_changes_nothing(stage: Stage) -> None:
    before = everything(stage)
    assert "acme/wiki" in check_way("propose", stage.settings, stage.root, stage.outside).told
    stage.token = stage.double.token(permissions={"contents": "read"})
    with pytest.raises(NotPermitted):
        check_way("propose", stage.settings, stage.root, stage.outside)
    assert everything(stage) == before
    assert stage.double.pulls == {}
