"""The direct way: a run's commits go to the base itself, over whatever was pushed meanwhile, and never by force."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.errors import BranchMoved, Conflict, GitError, NotPermitted
from pipeline.proposing import pushing
from pipeline.proposing.opening import open_hosted
from pipeline.proposing.pushing import push_directly
from tests.proposing.stage import Stage, line, on_stage
from tests.proposing.test_states import COOKIES, PORT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.report import Report


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with on_stage(tmp_path) as ground:
        ground.observe("day1", line("s1", 1, COOKIES))
        yield ground
        assert ground.double.pulls == {}


def subjects(stage: Stage) -> list[str]:
    told = stage.double.repository.git("log", "--format=%s", "--reverse", "main").splitlines()
    return [one.partition(":")[0] for one in told[2:]]


def action(report: Report) -> str:
    assert report.fault is None
    assert report.proposal is not None
    return report.proposal.action


def decision(stage: Stage) -> str:
    return next(one for one in stage.pages("main") if "/decisions/" in one)


def test_sessions_are_pushed_and_a_second_run_pushes_nothing(stage: Stage) -> None:
    report = stage.run("push")
    assert (action(report), subjects(stage)) == ("pushed", ["observations", "consolidate(acme/s1)"])
    assert stage.clone.tip("main") == stage.double.repository.tip("main")
    assert stage.clone.status() == []
    assert action(stage.run("push")) == "unchanged"


def test_a_push_over_somebody_elses_lays_the_commits_anew(stage: Stage) -> None:
    repository = stage.double.repository
    hook = repository.place / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    other = repository.commit("theirs", {"code.py": "1\n", "observations/day2.jsonl": line("s2", 2, PORT)}, "theirs")
    hook.write_text(
        "#!/bin/sh\nunset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
        f"git update-ref refs/heads/main {other}\nrm -f hooks/pre-receive\n",
        encoding="utf-8",
    )
    hook.chmod(0o755)
    report = stage.run("push")
    assert (action(report), subjects(stage)) == ("pushed", ["observations", "theirs", "consolidate(acme/s1)"])
    assert stage.clone.tip("main") == repository.tip("main")
    assert (stage.clone.status(), (stage.root / "code.py").exists()) == ([], True)
    assert [str(one.session) for one in stage.run("push").sessions] == ["acme/s2"]


def test_a_persons_edit_there_stands_and_new_facts_come_beside_it(stage: Stage) -> None:
    stage.run("push")
    page = next(one for one in stage.pages("main") if "/sessions/" in one)
    text = stage.file("main", f"wiki/{page}") or ""
    stage.observe("day2", line("s1", 2, PORT))
    stage.clone.git("pull", "-q")
    stage.run("commit")
    mine = text.replace("We decided to keep login state", "Of course we keep login state")
    stage.double.repository.commit("main", {f"wiki/{page}": mine}, "a word of mine")
    report = stage.run("push")
    assert action(report) == "pushed"
    merged = stage.file("main", f"wiki/{page}") or ""
    assert "Of course we keep login state" in merged
    assert PORT in merged
    assert subjects(stage)[-2:] == ["a word of mine", "consolidate(acme/s1)"]
    assert stage.clone.tip("main") == stage.double.repository.tip("main")


def test_a_protected_branch_keeps_the_commits_here(stage: Stage) -> None:
    repository = stage.double.repository
    repository.refuse_pushes("main", "GH006: Protected branch update failed")
    before = repository.tip("main")
    report = stage.run("push")
    assert report.fault is not None
    assert (report.fault.kind, "GH006" in report.fault.message) == ("PushRefused", True)
    assert [one.state for one in report.sessions] == ["consolidated"]
    assert repository.tip("main") == before
    (repository.place / "hooks" / "update").unlink()
    again = stage.run("push")
    assert (action(again), again.sessions) == ("pushed", ()), "what was paid for waited"


def test_commits_of_people_are_not_pushed_along_and_nobody_is_asked(stage: Stage) -> None:
    stage.clone.git("pull", "-q")
    mine = stage.clone.commit("mine", **{"mine.md": "mine\n"})
    with pytest.raises(Conflict, match=f"not on the remote: {mine[:10]} mine"):
        stage.run("push")
    assert stage.clone.tip() == mine


def test_work_that_was_not_committed_stays(stage: Stage) -> None:
    stage.clone.write("wikimill.toml", "# mine\n")
    stage.clone.write("notes.txt", "mine\n")
    assert action(stage.run("push")) == "pushed"
    assert stage.clone.status() == [" M wikimill.toml", "?? notes.txt"]


def test_what_is_in_the_way_afterwards_does_not_hide_the_push(stage: Stage) -> None:
    stage.clone.git("pull", "-q")
    stage.run("commit")
    stage.double.repository.commit("main", {"code.py": "1\n"}, "code")
    stage.clone.write("code.py", "mine\n")
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        outcome, (finding,) = push_directly(hosted, at=stage.now())
    assert (outcome.action, finding.rule) == ("pushed", "base-behind")
    assert "in the way" in finding.message
    assert stage.clone.read("code.py") == b"mine\n"
    (stage.root / "code.py").unlink()
    assert action(stage.run("push")) == "unchanged"
    assert stage.clone.tip("main") == stage.double.repository.tip("main")


def test_a_branch_that_is_only_behind_pushes_nothing(stage: Stage) -> None:
    with open_hosted(stage.root, stage.settings, stage.outside) as hosted:
        outcome, findings = push_directly(hosted, at=stage.now())
    assert (outcome.action, findings) == ("unchanged", ())
    assert stage.clone.tip("main") == stage.double.repository.tip("main")


def test_a_detached_clone_pushes_to_the_branch_as_well(stage: Stage) -> None:
    stage.clone.git("pull", "-q")
    stage.clone.git("switch", "-q", "--detach")
    stage.clone.git("branch", "-q", "-D", "main")
    stage.settings = stage.settings.model_copy(
        update={"proposal": stage.settings.proposal.model_copy(update={"base": "main"})}
    )
    before = stage.clone.tip()
    report = stage.run("push")
    assert (action(report), subjects(stage)) == ("pushed", ["observations", "consolidate(acme/s1)"])
    assert (stage.clone.tip(), stage.clone.status()) == (before, [])


def test_a_remote_that_never_stands_still_wins(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pushing, "MOST_TIMES", 2)
    repository = stage.double.repository
    hook = repository.place / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(
        "#!/bin/sh\nunset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES\n"
        "new=$(git commit-tree -p main -m again 'main^{tree}')\ngit update-ref refs/heads/main $new\n",
        encoding="utf-8",
    )
    hook.chmod(0o755)
    report = stage.run("push")
    assert report.fault is not None
    assert report.fault.kind == BranchMoved.__name__
    hook.unlink()
    again = stage.run("push")
    assert (action(again), again.sessions, subjects(stage)[-1]) == ("pushed", (), "consolidate(acme/s1)")


def test_a_branch_that_the_remote_does_not_have_is_pushed_by_a_person_first(stage: Stage) -> None:
    stage.clone.git("switch", "-q", "-c", "other")
    with pytest.raises(NotPermitted, match="Push it once by hand"):
        stage.run("push")
    stage.token = ""
    with pytest.raises(GitError, match="git push origin other"):
        stage.run("push")


def test_a_dry_run_moves_and_pushes_nothing(stage: Stage) -> None:
    before = stage.clone.git("for-each-ref"), stage.double.repository.branches(), stage.clone.on_disk(".")
    report = stage.run("push", dry_run=True)
    assert report.proposal is None
    assert (stage.clone.git("for-each-ref"), stage.double.repository.branches()) == before[:2]
    assert {path: raw for path, raw in stage.clone.on_disk(".").items() if not path.startswith(".git/")} == {
        path: raw for path, raw in before[2].items() if not path.startswith(".git/")
    }
