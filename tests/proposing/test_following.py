"""The base follows the remote before a run, and nothing of a person's is overwritten on the way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.errors import Conflict, GitError
from pipeline.proposing.following import follow, need_no_work_of_people
from pipeline.proposing.opening import open_hosted
from tests.proposing.stage import Stage, on_stage

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.finding import Finding


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        yield ground


def followed(stage: Stage, *, read_only: bool = False) -> tuple[str | None, tuple[Finding, ...]]:
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        return follow(hosted, read_only=read_only)


def test_a_base_that_is_behind_comes_along_with_its_files(stage: Stage) -> None:
    theirs = stage.double.repository.commit("main", {"observations/a.jsonl": "{}\n"}, "observations")
    stage.clone.write("mine.txt", "mine\n")
    assert followed(stage) == (theirs, ())
    assert (stage.clone.tip("main"), stage.clone.read("observations/a.jsonl")) == (theirs, b"{}\n")
    assert stage.clone.status() == ["?? mine.txt"]
    assert followed(stage) == (theirs, ())


def test_looked_at_only_nothing_moves(stage: Stage) -> None:
    before = stage.clone.tip("main")
    theirs = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    tip, (finding,) = followed(stage, read_only=True)
    assert tip == theirs
    assert (finding.rule, "a dry run changes nothing" in finding.message) == ("base-behind", True)
    assert (stage.clone.tip("main"), stage.clone.status()) == (before, [])
    assert followed(stage) == (theirs, ())
    assert followed(stage, read_only=True) == (theirs, ())


def test_files_in_the_way_stop_it(stage: Stage) -> None:
    before = stage.clone.tip()
    stage.double.repository.commit("main", {"wikimill.toml": "# theirs\n"}, "settings")
    stage.clone.write("wikimill.toml", "# mine\n")
    with pytest.raises(GitError, match="in the way"):
        followed(stage)
    assert (stage.clone.tip(), stage.clone.read("wikimill.toml")) == (before, b"# mine\n")


def test_a_base_with_commits_of_its_own_stays(stage: Stage) -> None:
    known = stage.clone.tip()
    mine = stage.clone.commit("mine", **{"mine.md": "mine\n"})
    tip, (finding,) = followed(stage)
    assert (tip, finding.rule) == (known, "base-ahead"), "it misses nothing, but others do not see what it holds"
    theirs = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    tip, (finding,) = followed(stage)
    assert (tip, finding.rule, stage.clone.tip()) == (theirs, "base-behind", mine)
    assert "commits that the remote does not have" in finding.message


def test_a_base_that_is_not_checked_out_moves_alone(stage: Stage) -> None:
    stage.settings = stage.settings.model_copy(
        update={"wiki": stage.settings.wiki.model_copy(update={"branch": "main"})}
    )
    stage.clone.git("switch", "-q", "-c", "mine")
    theirs = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    tip, (finding,) = followed(stage)
    assert (tip, finding.rule) == (theirs, "other-branch")
    assert stage.clone.tip("main") == theirs != stage.clone.tip()
    assert not (stage.root / "code.py").exists()
    stage.clone.git("worktree", "add", "-q", str(stage.place / "other"), "main")
    further = stage.double.repository.commit("main", {"code.py": "2\n"}, "code")
    tip, (finding, _) = followed(stage)
    assert (tip, "is checked out in" in finding.message, stage.clone.tip("main")) == (further, True, theirs)


def test_a_shallow_clone_is_completed(stage: Stage) -> None:
    theirs = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.fresh_clone("--depth=1")
    assert followed(stage) == (theirs, ())
    assert stage.clone.git("rev-parse", "--is-shallow-repository").strip() == "false"


def test_a_detached_clone_is_told_where_the_remote_stands(stage: Stage) -> None:
    before = stage.clone.tip()
    stage.clone.git("switch", "-q", "--detach")
    stage.clone.git("branch", "-q", "-D", "main")
    stage.extra["CI_COMMIT_BRANCH"] = "main"
    theirs = stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    assert followed(stage) == (theirs, ())
    assert stage.clone.tip() == before


def test_a_remote_without_the_branch_has_nothing_to_follow(stage: Stage) -> None:
    stage.clone.git("switch", "-q", "-c", "other")
    assert followed(stage) == (None, ())


def test_commits_of_people_are_not_pushed_along(stage: Stage) -> None:
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        need_no_work_of_people(hosted, "a" * 40, ())
        with pytest.raises(Conflict, match=r"not on the remote: 1 a, 2 b, 3 c, 4 d, 5 e\."):
            need_no_work_of_people(hosted, "a" * 40, ("1 a", "2 b", "3 c", "4 d", "5 e", "6 f"))
        with pytest.raises(GitError, match="git push origin main"):
            need_no_work_of_people(hosted, None, ())
