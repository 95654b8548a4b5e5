from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import BranchMoved, Conflict, GitError, Rejected, StoreError
from pipeline.git import is_sealed, named, open_repository, seal_of, without_seal
from pipeline.landing import ChangeSet, Landing, open_landing
from pipeline.wiki.tree import nothing
from tests.repositories import AT, Ground, empty_ground, new_ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

HOUSE = Path(__file__).resolve().parents[1]
MESSAGE = "consolidate(acme/s-1): cookies\n\nSession: acme/s-1\n"
PAGE = "acme/decisions/session cookies é.md"


class Killed(BaseException):
    """Ends a landing at a checkpoint, as a signal would."""


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    made = new_ground(tmp_path / "a wiki")
    made.commit("pages", **{f"wiki/{PAGE}": "old\n", "wiki/acme/index.md": "index\n", "wiki/acme/gone/x.md": "x\n"})
    return made


def opened(
    ground: Ground, *, branch: str = "", read_only: bool = False, checkpoint: Callable[[str], None] = nothing
) -> Landing:
    return open_landing(
        ground.root,
        pages_folder="wiki",
        branch=branch,
        read_only=read_only,
        environment=ground.environment,
        checkpoint=checkpoint,
    )


def land(ground: Ground, changes: Mapping[str, bytes | None], *, branch: str = "") -> str:
    with opened(ground, branch=branch) as landing:
        return landing.land(changes, MESSAGE, AT)


def at(name: str, act: Callable[[], object]) -> Callable[[str], None]:
    """Do something once, at the first step whose name begins so."""
    acts = [act]

    def checkpoint(step: str) -> None:
        if step.startswith(name) and acts:
            acts.pop()()

    return checkpoint


def die() -> None:
    raise Killed


def interrupt(ground: Ground, step: str, changes: Mapping[str, bytes | None], *, use_git: bool = True) -> None:
    with (
        pytest.raises(Killed),
        open_landing(
            ground.root,
            pages_folder="wiki",
            use_git=use_git,
            environment=ground.environment,
            checkpoint=at(step, die),
        ) as landing,
    ):
        landing.land(changes, MESSAGE, AT)


def clean(ground: Ground) -> bool:
    """Whether git sees no difference: by its plumbing, which trusts the index, and by its porcelain."""
    ground.git("diff-index", "--quiet", "HEAD", "--")
    return ground.status() == [] and ground.is_sound()


# The branch that is checked out


def test_a_landing_is_one_commit_and_the_files_follow(ground: Ground) -> None:
    before = ground.tip()
    with opened(ground) as landing:
        assert (landing.branch, landing.folder) == ("main", "wiki")
        assert landing.wiki[PAGE] == b"old\n"
        commit = landing.land({PAGE: b"new\n", "acme/new.md": b"n", "acme/gone/x.md": None}, MESSAGE, AT)
        wanted = {PAGE: b"new\n", "acme/index.md": b"index\n", "acme/new.md": b"n"}
        assert dict(landing.wiki) == dict(landing.wiki.items()) == wanted
        assert len(landing.wiki) == 3
        assert "acme/gone/x.md" not in landing.wiki
        assert landing.findings == ()
    assert ground.tip() == commit
    assert ground.tip("HEAD^") == before
    assert ground.files() == ground.on_disk() == wanted
    assert not (ground.root / "wiki/acme/gone").exists()
    told = ground.git("log", "-1", "--format=%B")
    assert without_seal(told).strip() == MESSAGE.strip()
    assert seal_of(told), "whoever looks at the commit later can tell that wikimill made it"
    assert clean(ground)


def test_the_seal_of_a_page_holds_the_mode_that_a_person_gave_it(ground: Ground) -> None:
    ground.git("update-index", "--chmod=+x", f"wiki/{PAGE}")
    ground.git("commit", "-q", "-m", "mode")
    ground.git("checkout", "-q", "--", "wiki")
    land(ground, {PAGE: b"new\n", "acme/gone/x.md": None})
    with open_repository(ground.root, ground.environment) as repository:
        changed = {one.path: one.after for one in repository.changes("HEAD~1", "HEAD")}
        message = repository.commits_between("HEAD~1", "HEAD")[0].message
    entry = changed[f"wiki/{PAGE}"]
    assert entry is not None
    assert entry.mode == "100755"
    assert is_sealed(message, {path: named(after) for path, after in changed.items()})
    assert not is_sealed(message, {path: after.id if after else None for path, after in changed.items()})


def test_landings_follow_one_another(ground: Ground) -> None:
    with opened(ground) as landing:
        first = landing.land({PAGE: b"1", "a.md": b"a"}, MESSAGE, AT)
        second = landing.land({PAGE: b"2", "a.md": None}, MESSAGE, AT)
        third = landing.land({"a.md": b"again"}, MESSAGE, AT)
        assert landing.wiki["a.md"] == b"again"
    assert ground.git("rev-list", "-3", "HEAD").split() == [third, second, first]
    assert ground.on_disk() == ground.files()
    assert clean(ground)


def test_what_stands_already_makes_no_commit(ground: Ground) -> None:
    before = ground.tip()
    assert land(ground, {PAGE: b"old\n", "none.md": None}) == ""
    assert land(ground, {}) == ""
    assert ground.tip() == before
    assert clean(ground)


def test_a_persons_work_elsewhere_stays_as_it_is(ground: Ground) -> None:
    ground.write(".gitignore", "ignored\n")
    ground.commit(**{"edited.py": "1", "removed.py": "1", "moved.py": "1"})
    ground.write("code.py", "staged")
    ground.git("add", "code.py")
    ground.write("code.py", "and edited")
    ground.write("edited.py", "edited")
    ground.git("rm", "-q", "removed.py")
    ground.git("mv", "moved.py", "elsewhere.py")
    ground.write("untracked ü.txt", "u")
    ground.write("intended.py", "x")
    ground.git("add", "-N", "intended.py")
    ground.write("ignored", "i")
    before, diff, cached = ground.status(), ground.git("diff"), ground.git("diff", "--cached")
    land(ground, {PAGE: b"new\n", "acme/new.md": b"n"})
    assert (ground.status(), ground.git("diff"), ground.git("diff", "--cached")) == (before, diff, cached)
    assert ground.on_disk() == ground.files()


@pytest.mark.parametrize("kind", ["edited", "staged", "untracked", "deleted", "removed"])
def test_uncommitted_changes_under_the_wiki_stop_the_run_before_it_begins(ground: Ground, kind: str) -> None:
    place = ground.root / "wiki" / PAGE
    match kind:
        case "edited":
            place.write_text("mine", encoding="utf-8")
        case "staged":
            place.write_text("mine", encoding="utf-8")
            ground.git("add", "-A")
        case "untracked":
            ground.write("wiki/mine.md", "mine")
        case "deleted":
            place.unlink()
        case "removed":
            ground.git("rm", "-q", f"wiki/{PAGE}")
    before = ground.status()
    with pytest.raises(Conflict, match=r"uncommitted changes under wiki/: .*\.md\. Commit, stash or undo them") as told:
        opened(ground)
    assert ("mine.md" if kind == "untracked" else PAGE) in str(told.value)
    assert ground.status() == before
    ground.git("stash", "-q", "-u")
    assert land(ground, {PAGE: b"new\n"})


def test_of_many_changes_the_first_few_are_named(ground: Ground) -> None:
    for number in range(12):
        ground.write(f"wiki/{number:02}.md", "x")
    with pytest.raises(Conflict, match=r"wiki/00\.md, .*wiki/04\.md and 7 more\."):
        opened(ground)


def test_a_half_done_merge_stops_the_run(ground: Ground) -> None:
    ground.git("switch", "-q", "-c", "side")
    ground.commit(**{"code.py": "side"})
    ground.git("switch", "-q", "main")
    ground.commit(**{"code.py": "main"})
    ground.git("merge", "-q", "side", fails=True)
    with pytest.raises(Conflict, match=r"a merge is under way.*git merge --abort"):
        opened(ground)


def test_a_new_repository_gets_its_first_commit(tmp_path: Path) -> None:
    ground = empty_ground(tmp_path / "new")
    ground.write("staged.py", "s")
    ground.git("add", "staged.py")
    ground.write("untracked.py", "u")
    with opened(ground) as landing:
        assert dict(landing.wiki) == {}
        commit = landing.land({PAGE: b"1"}, MESSAGE, AT)
        landing.land({PAGE: b"2"}, MESSAGE, AT)
    assert ground.git("rev-list", "HEAD").split()[-1] == commit
    assert ground.status() == ["A  staged.py", "?? untracked.py"]
    assert ground.files() == ground.on_disk() == {PAGE: b"2"}
    assert ground.is_sound()


# A person works while the run does


def test_a_page_that_a_person_edits_meanwhile_is_not_overwritten(ground: Ground) -> None:
    before = ground.tip()
    with opened(ground) as landing:
        ground.write(f"wiki/{PAGE}", "mine")
        with pytest.raises(Conflict, match="uncommitted changes under wiki/"):
            landing.land({PAGE: b"new\n", "a.md": b"a"}, MESSAGE, AT)
    assert ground.tip() == before
    assert ground.read(f"wiki/{PAGE}") == b"mine"
    assert not (ground.root / "wiki/a.md").exists()


def test_another_page_that_a_person_edits_meanwhile_stays_edited(ground: Ground) -> None:
    with opened(ground) as landing:
        ground.write("wiki/acme/index.md", "mine")
        ground.write("wiki/mine.md", "mine")
        landing.land({PAGE: b"new\n"}, MESSAGE, AT)
    assert ground.status() == [" M wiki/acme/index.md", "?? wiki/mine.md"]
    assert ground.files()[PAGE] == ground.read(f"wiki/{PAGE}") == b"new\n"


@pytest.mark.parametrize("kind", ["staged", "ignored", "hidden", "deleted", "conflicting"])
def test_work_that_git_status_might_hide_is_not_overwritten(ground: Ground, kind: str) -> None:
    before, path = ground.tip(), PAGE
    with opened(ground) as landing:
        match kind:
            case "staged":
                ground.write(f"wiki/{PAGE}", "mine")
                ground.git("add", "-A")
                ground.write(f"wiki/{PAGE}", "old\n")
            case "ignored":
                path = "mine.md"
                ground.write(".git/info/exclude", "mine.md\n")
                ground.write("wiki/mine.md", "mine")
            case "hidden":
                ground.git("update-index", "--assume-unchanged", f"wiki/{PAGE}")
                ground.write(f"wiki/{PAGE}", "mine")
            case "deleted":
                (ground.root / "wiki" / PAGE).unlink()
            case "conflicting":
                blob = ground.git("hash-object", "-w", "--stdin", stdin=b"mine").strip()
                path = "torn.md"
                lines = f"100644 {blob} 1\twiki/{path}\n100644 {blob} 3\twiki/{path}\n"
                ground.git("update-index", "--index-info", stdin=lines.encode())
        index = ground.git("ls-files", "-s")
        with pytest.raises(Conflict, match="uncommitted changes under wiki/"):
            landing.land({path: b"new\n"}, MESSAGE, AT)
    assert (ground.tip(), ground.git("ls-files", "-s")) == (before, index)


def test_a_file_that_holds_already_what_is_to_come_is_welcome(ground: Ground) -> None:
    with opened(ground) as landing:
        ground.write("wiki/same.md", "same")
        landing.land({"same.md": b"same"}, MESSAGE, AT)
    assert clean(ground)


def test_a_branch_that_a_person_moves_meanwhile_is_not_overwritten(ground: Ground) -> None:
    with opened(ground) as landing:
        theirs = ground.commit("a person was faster", **{f"wiki/{PAGE}": "mine"})
        with pytest.raises(BranchMoved, match="nothing was overwritten"):
            landing.land({PAGE: b"new\n"}, MESSAGE, AT)
    assert ground.tip() == theirs
    assert clean(ground)
    with opened(ground) as landing:
        assert landing.wiki[PAGE] == b"mine"
        landing.land({PAGE: b"mine and new\n"}, MESSAGE, AT)
    assert ground.tip("HEAD^") == theirs


def test_a_branch_that_moves_at_the_last_moment_is_not_overwritten(ground: Ground) -> None:
    theirs: list[str] = []
    move = at("move", lambda: theirs.append(ground.commit(**{"code.py": "theirs"})))
    with opened(ground, checkpoint=move) as landing, pytest.raises(BranchMoved):
        landing.land({PAGE: b"new\n"}, MESSAGE, AT)
    assert [ground.tip()] == theirs
    assert ground.read(f"wiki/{PAGE}") == b"old\n"
    assert clean(ground)
    assert not list((ground.root / ".wikimill/journal").iterdir())


def test_a_file_that_a_person_saves_at_the_last_moment_stays(ground: Ground) -> None:
    save = at(f"file {PAGE}", lambda: ground.write(f"wiki/{PAGE}", "mine"))
    with opened(ground, checkpoint=save) as landing:
        landing.land({PAGE: b"new\n", "a.md": b"a"}, MESSAGE, AT)
        assert [(found.where, found.rule) for found in landing.findings] == [(PAGE, "saved-meanwhile")]
    assert ground.status() == [f" M wiki/{PAGE}"]
    assert ground.read(f"wiki/{PAGE}") == b"mine"
    assert ground.files()[PAGE] == b"new\n"


def test_an_index_entry_that_a_person_makes_at_the_last_moment_stays(ground: Ground) -> None:
    def stage() -> None:
        ground.write(f"wiki/{PAGE}", "mine")
        ground.git("add", "-A")

    with opened(ground, checkpoint=at("index", stage)) as landing:
        landing.land({PAGE: b"new\n", "a.md": b"a"}, MESSAGE, AT)
    assert ground.git("show", f":wiki/{PAGE}") == "mine"
    assert ground.status() == [f"M  wiki/{PAGE}"]


def test_an_index_lock_that_was_left_behind_is_named_and_nothing_has_changed(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.git.index.LOCK_PATIENCE", 0.1)
    before = ground.tip()
    lock = ground.root / ".git" / "index.lock"
    lock.touch()
    with pytest.raises(GitError, match=r"index\.lock: another git command is at work.*remove this file"):
        land(ground, {PAGE: b"new\n"})
    assert (ground.tip(), ground.read(f"wiki/{PAGE}")) == (before, b"old\n")
    lock.unlink()
    assert land(ground, {PAGE: b"new\n"})
    assert clean(ground)


def test_an_index_that_is_locked_too_late_is_told_and_mended_by_the_next_run(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.git.index.LOCK_PATIENCE", 0.1)
    lock = ground.root / ".git" / "index.lock"
    with opened(ground, checkpoint=at("index", lock.touch)) as landing:
        with pytest.raises(GitError, match=r"The commit [0-9a-f]{12} is made; the files follow with the next run"):
            landing.land({PAGE: b"new\n"}, MESSAGE, AT)
        assert ground.files()[PAGE] == b"new\n"
    lock.unlink()
    opened(ground).close()
    assert clean(ground)


# Interrupted runs


@pytest.mark.parametrize("step", ["stage", "manifest", "promise", "move"])
def test_before_the_branch_moved_an_interrupted_run_is_undone(ground: Ground, step: str) -> None:
    before = ground.tip()
    interrupt(ground, step, {PAGE: b"new\n"})
    with opened(ground) as landing:
        told = [found.message for found in landing.findings]
    assert told == (["an interrupted run was undone: it had not reached the branch."] if step == "move" else [])
    assert (ground.tip(), ground.read(f"wiki/{PAGE}")) == (before, b"old\n")
    assert clean(ground)


@pytest.mark.parametrize("step", ["moved", "file", "index", "finish"])
def test_after_the_branch_moved_an_interrupted_run_is_brought_to_its_end(ground: Ground, step: str) -> None:
    interrupt(ground, step, {PAGE: b"new\n", "acme/gone/x.md": None})
    with opened(ground) as landing:
        assert [found.rule for found in landing.findings] == ["interrupted-run"]
        assert landing.wiki[PAGE] == b"new\n"
    assert ground.on_disk() == ground.files()
    assert ground.files()[PAGE] == b"new\n"
    assert clean(ground)


def test_what_a_person_edits_before_the_next_run_stays(ground: Ground) -> None:
    interrupt(ground, "moved", {PAGE: b"new\n", "a.md": b"a"})
    ground.write(f"wiki/{PAGE}", "mine")
    with pytest.raises(Conflict, match=PAGE):
        opened(ground)
    assert ground.status() == [f" M wiki/{PAGE}"]
    assert (ground.read(f"wiki/{PAGE}"), ground.read("wiki/a.md")) == (b"mine", b"a")


def test_a_person_who_commits_other_files_before_the_next_run_loses_nothing(ground: Ground) -> None:
    interrupt(ground, "moved", {PAGE: b"new\n"})
    ground.write("code.py", "mine")
    ground.git("commit", "-q", "-m", "mine", "--", "code.py")
    tip = ground.tip()
    opened(ground).close()
    assert ground.tip() == tip
    assert ground.files()[PAGE] == ground.read(f"wiki/{PAGE}") == b"new\n"
    assert clean(ground)


def test_a_person_who_commits_the_old_files_before_the_next_run_is_believed(ground: Ground) -> None:
    interrupt(ground, "moved", {PAGE: b"new\n", "a.md": b"a"})
    ground.git("commit", "-q", "-a", "-m", "as it was")
    tip = ground.tip()
    opened(ground).close()
    assert (ground.tip(), ground.read(f"wiki/{PAGE}")) == (tip, b"old\n")
    assert ground.files("HEAD^")[PAGE] == b"new\n"
    assert clean(ground)


def test_a_person_who_drops_the_commit_before_the_next_run_is_believed(ground: Ground) -> None:
    before = ground.tip()
    interrupt(ground, "moved", {PAGE: b"new\n"})
    ground.git("reset", "-q", "--hard", before)
    opened(ground).close()
    assert (ground.tip(), ground.read(f"wiki/{PAGE}")) == (before, b"old\n")
    assert clean(ground)


def test_a_person_who_leaves_the_branch_before_the_next_run_takes_nothing_along(ground: Ground) -> None:
    ground.git("branch", "side")
    interrupt(ground, "moved", {PAGE: b"new\n"})
    ground.git("switch", "-q", "--discard-changes", "side")
    opened(ground).close()
    assert ground.read(f"wiki/{PAGE}") == b"old\n"
    assert ground.files("main")[PAGE] == b"new\n"
    assert clean(ground)


def test_an_interrupted_run_without_git_is_ended_by_one_with_git(ground: Ground) -> None:
    interrupt(ground, "file", {PAGE: b"new\n"}, use_git=False)
    with pytest.raises(Conflict, match="uncommitted changes"):
        opened(ground)
    assert ground.read(f"wiki/{PAGE}") == b"new\n"


def test_an_interrupted_run_with_git_waits_for_git(ground: Ground) -> None:
    interrupt(ground, "moved", {PAGE: b"new\n"})
    with pytest.raises(Conflict, match="Run once without --no-git"):
        open_landing(ground.root, pages_folder="wiki", use_git=False)
    opened(ground).close()
    assert clean(ground)


# Two runs at once


def test_a_second_run_is_told_who_is_at_work(ground: Ground) -> None:
    with opened(ground), pytest.raises(Conflict, match=rf"another run is at work.*\(process {os.getpid()}, since 20"):
        opened(ground)
    opened(ground).close()


def test_a_run_that_could_not_open_gives_the_lock_back(ground: Ground) -> None:
    ground.write("wiki/mine.md", "x")
    for _ in range(2):
        with pytest.raises(Conflict, match="uncommitted changes"):
            opened(ground)


RACE = """
import sys, time
from pathlib import Path
from pipeline.errors import BranchMoved, Conflict
from pipeline.landing import open_landing
from pipeline.wiki.tree import nothing
from tests.repositories import AT
root, name, go = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
print("ready", flush=True)
while not go.exists():
    time.sleep(0.001)
try:
    with open_landing(root, pages_folder="wiki") as landing:
        landing.land({f"{name}.md": name.encode(), "log.md": landing.wiki.get("log.md", b"") + name.encode()}, name, AT)
        time.sleep(0.3)
    print("landed")
except (BranchMoved, Conflict) as fault:
    print(type(fault).__name__)
"""


def test_of_two_runs_at_once_one_wins_and_nothing_is_lost(ground: Ground, tmp_path: Path) -> None:
    go = tmp_path / "go"
    environment = {**ground.environment, "PYTHONPATH": str(HOUSE)}
    before = ground.tip()
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", RACE, str(ground.root), name, str(go)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "two", "three")
    ]
    for run in runs:
        assert run.stdout is not None
        assert run.stdout.readline() == "ready\n"
    go.touch()
    ends = [run.communicate()[0].strip() for run in runs]
    assert sorted(ends) == ["Busy", "Busy", "landed"]
    winner = ("one", "two", "three")[ends.index("landed")]
    assert ground.files()["log.md"] == winner.encode()
    assert ground.git("rev-list", "--count", f"{before}..HEAD").strip() == "1"
    assert ground.on_disk() == ground.files()
    assert clean(ground)


# Other branches, other work trees


def test_another_branch_begins_where_the_work_tree_stands(ground: Ground) -> None:
    ground.write("wiki/mine.md", "not in the way")
    before, status = ground.tip(), ground.status()
    with opened(ground, branch="wiki/überblick") as landing:
        assert landing.branch == "wiki/überblick"
        assert landing.wiki[PAGE] == b"old\n"
        first = landing.land({PAGE: b"1"}, MESSAGE, AT)
        second = landing.land({PAGE: b"2"}, MESSAGE, AT)
    assert ground.git("rev-list", "-3", "wiki/überblick").split() == [second, first, before]
    assert (ground.tip(), ground.status(), ground.read(f"wiki/{PAGE}")) == (before, status, b"old\n")
    with opened(ground, branch="refs/heads/wiki/überblick") as landing:
        assert landing.wiki[PAGE] == b"2"
        landing.land({PAGE: b"3"}, MESSAGE, AT)
    assert ground.files("wiki/überblick")[PAGE] == b"3"


def test_another_branch_of_a_repository_without_a_commit(tmp_path: Path) -> None:
    ground = empty_ground(tmp_path / "new")
    land(ground, {PAGE: b"1"}, branch="pages")
    assert ground.files("pages") == {PAGE: b"1"}
    assert ground.status() == []


def test_a_branch_that_a_person_checks_out_meanwhile_brings_its_files(ground: Ground) -> None:
    ground.git("branch", "pages")
    with opened(ground, branch="pages") as landing:
        landing.land({PAGE: b"1"}, MESSAGE, AT)
        ground.git("switch", "-q", "pages")
        landing.land({PAGE: b"2"}, MESSAGE, AT)
    assert ground.read(f"wiki/{PAGE}") == b"2"
    assert clean(ground)


def test_a_detached_head_needs_a_branch(ground: Ground) -> None:
    ground.git("checkout", "-q", "--detach")
    with pytest.raises(GitError, match=r"detached HEAD.*set wiki\.branch"):
        opened(ground)
    land(ground, {PAGE: b"1"}, branch="pages")
    assert ground.files("pages")[PAGE] == b"1"
    assert clean(ground)


def test_a_linked_work_tree_follows_its_own_branch(ground: Ground, tmp_path: Path) -> None:
    ground.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked tree"))
    linked = Ground(tmp_path / "linked tree", ground.environment)
    before = ground.tip()
    land(linked, {PAGE: b"new\n"})
    assert linked.files("side")[PAGE] == linked.read(f"wiki/{PAGE}") == b"new\n"
    assert clean(linked)
    assert (ground.tip(), ground.read(f"wiki/{PAGE}")) == (before, b"old\n")
    assert clean(ground)
    with pytest.raises(Conflict, match=r"'side' is checked out in another work tree, .*linked tree"):
        opened(ground, branch="side")
    with opened(linked), pytest.raises(Conflict, match="another run"):
        opened(ground)


def test_a_branch_that_is_checked_out_elsewhere_meanwhile_is_not_moved(ground: Ground, tmp_path: Path) -> None:
    ground.git("branch", "pages")
    with opened(ground, branch="pages") as landing:
        ground.git("worktree", "add", "-q", str(tmp_path / "linked"), "pages")
        with pytest.raises(Conflict, match="checked out in another work tree"):
            landing.land({PAGE: b"new\n"}, MESSAGE, AT)
    assert ground.tip("pages") == ground.tip("main")


# Places and kinds of repositories


def test_a_wiki_in_a_subfolder_of_a_repository(ground: Ground) -> None:
    inner = Ground(ground.root / "docs & more", ground.environment)
    inner.write("wikimill.toml", "")
    ground.commit()
    with opened(inner) as landing:
        assert landing.folder == "docs & more/wiki"
        assert dict(landing.wiki) == {}
        landing.land({PAGE: b"new\n"}, MESSAGE, AT)
    assert ground.files(folder="docs & more/wiki") == inner.on_disk() == {PAGE: b"new\n"}
    assert ground.files()[PAGE] == b"old\n"
    assert clean(ground)
    inner.write("wiki/mine.md", "x")
    with pytest.raises(Conflict, match=r"docs & more/wiki/mine\.md"):
        opened(inner)


def test_a_root_that_is_reached_over_a_symbolic_link(ground: Ground, tmp_path: Path) -> None:
    (tmp_path / "short").symlink_to(ground.root)
    land(Ground(tmp_path / "short", ground.environment), {PAGE: b"new\n"})
    assert ground.on_disk() == ground.files()
    assert clean(ground)


def test_a_shallow_clone(ground: Ground, tmp_path: Path) -> None:
    ground.git("clone", "-q", "--depth=1", ground.root.as_uri(), str(tmp_path / "shallow"))
    clone = Ground(tmp_path / "shallow", ground.environment)
    land(clone, {PAGE: b"new\n"})
    assert clone.on_disk() == clone.files()
    assert clean(clone)
    clone.git("push", "-q", "origin", "main:landed")
    assert ground.files("landed")[PAGE] == b"new\n"


def test_a_repository_with_long_object_names(tmp_path: Path) -> None:
    ground = new_ground(tmp_path / "long", "--object-format=sha256")
    assert len(land(ground, {PAGE: b"1", "x.md": b"x"})) == 64
    land(ground, {PAGE: b"2", "x.md": None})
    assert ground.on_disk() == ground.files() == {PAGE: b"2"}
    assert clean(ground)


def test_a_sparse_checkout_is_told(ground: Ground) -> None:
    ground.git("sparse-checkout", "set", "--no-cone", "/*", "!/wiki/")
    with pytest.raises(GitError, match="git sparse-checkout add wiki"):
        land(ground, {PAGE: b"new\n"})


def test_no_repository_is_told(tmp_path: Path) -> None:
    with pytest.raises(GitError, match="--no-git"):
        open_landing(tmp_path, pages_folder="wiki", environment=quiet_environment(tmp_path / "home"))


def test_a_repository_that_cannot_hold_the_lock_is_told(ground: Ground) -> None:
    ground.write(".git/wikimill", "a file where a folder must be")
    with pytest.raises(StoreError, match="the lock of the run cannot be taken"):
        opened(ground)


def test_hundreds_of_pages_land_at_once(ground: Ground) -> None:
    land(ground, {f"acme/concepts/a page with a long name {number:04}.md": b"%d\n" % number for number in range(400)})
    assert len(ground.files()) == 403
    assert ground.on_disk() == ground.files()
    assert clean(ground)


# Several commits as one step

SETS: tuple[dict[str, bytes | None], ...] = (
    {PAGE: b"1\n", "acme/new.md": b"n", ".ledger/a": b"1"},
    {},
    {"acme/new.md": None, "acme/gone/x.md": None, ".ledger/a": b"1"},
    {PAGE: b"1\n", "acme/gone/x.md": b"x\n", "acme/new.md": b"again"},
    {PAGE: b"1\n", ".ledger/a": b"1"},
    {PAGE: b"2\n", "acme/index.md": None},
)
AFTER = {PAGE: b"2\n", "acme/gone/x.md": b"x\n", "acme/new.md": b"again", ".ledger/a": b"1"}


def sets(*files: dict[str, bytes | None]) -> list[ChangeSet]:
    return [ChangeSet(one, f"commit {number}\n\nNumber: {number}\n") for number, one in enumerate(files)]


@pytest.mark.parametrize("branch", ["", "wiki/pages"])
def test_sets_that_land_as_one_step_are_the_commits_of_landing_one_by_one(
    ground: Ground, tmp_path: Path, branch: str
) -> None:
    before = ground.tip()
    copy = Ground(tmp_path / "copy", ground.environment)
    shutil.copytree(ground.root, copy.root)
    steps: list[str] = []
    with opened(ground, branch=branch, checkpoint=steps.append) as landing:
        commits = landing.land_all(sets(*SETS), AT)
        assert dict(landing.wiki) == AFTER
    with opened(copy, branch=branch) as landing:
        assert commits == tuple(landing.land(one.files, one.message, AT) for one in sets(*SETS))
    made = [commit for commit in commits if commit]
    name = branch or "main"
    assert [bool(commit) for commit in commits] == [True, False, True, True, False, True]
    assert ground.git("rev-list", "--reverse", f"{before}..{name}").split() == made
    assert without_seal(ground.git("log", "-1", "--format=%B", made[1])).strip() == "commit 2\n\nNumber: 2"
    assert ground.files(name) == AFTER
    assert ground.on_disk() == copy.on_disk() == (ground.files(before) if branch else AFTER)
    assert ground.git("reflog", "show", "-1", "--format=%gs", name).strip() == "commit 5 (the last of 4 commits)"
    assert (steps.count("build"), steps.count("move")) == (1, 1)
    assert not [step for step in steps if step.endswith("gone/x.md")]
    assert clean(ground)
    assert copy.status() == []


def test_sets_that_change_nothing_make_no_commit(ground: Ground) -> None:
    before = ground.tip()
    with opened(ground) as landing:
        assert landing.land_all([], AT) == ()
        assert landing.land_all(sets({PAGE: b"old\n"}, {}, {"none.md": None}), AT) == ("", "", "")
    assert ground.tip() == before


def test_a_set_that_undoes_the_one_before_is_a_commit_and_moves_no_file(ground: Ground) -> None:
    files = ground.files()
    with opened(ground) as landing:
        first, second = landing.land_all(sets({PAGE: b"1", "a.md": b"a"}, {PAGE: b"old\n", "a.md": None}), AT)
        assert dict(landing.wiki) == files
        third = landing.land({"a.md": b"a"}, MESSAGE, AT)
    assert ground.git("rev-list", "-3", "HEAD").split() == [third, second, first]
    assert ground.files(first)[PAGE] == b"1"
    assert ground.files(second) == files
    assert clean(ground)


def test_a_page_that_goes_and_comes_back_in_one_step_keeps_its_mode(ground: Ground) -> None:
    (ground.root / "wiki" / PAGE).chmod(0o755)
    ground.commit()
    with opened(ground) as landing:
        landing.land_all(sets({PAGE: None}, {PAGE: b"old\n"}), AT)
    assert ground.git("ls-tree", "HEAD", f"wiki/{PAGE}").startswith("100755")
    assert os.access(ground.root / "wiki" / PAGE, os.X_OK)
    assert clean(ground)


def test_a_new_repository_gets_its_first_commits_in_one_step(tmp_path: Path) -> None:
    ground = empty_ground(tmp_path / "new")
    with opened(ground) as landing:
        commits = landing.land_all(sets({PAGE: b"1"}, {"a.md": b"a"}), AT)
    assert tuple(ground.git("rev-list", "--reverse", "HEAD").split()) == commits
    assert ground.files() == ground.on_disk() == {PAGE: b"1", "a.md": b"a"}
    assert clean(ground)


@pytest.mark.parametrize(
    ("second", "fault"),
    [({"../code.py": b"evil"}, Rejected), ({"NEW.md": b"clash"}, Rejected), ({"link.md": b"l"}, Rejected)],
)
def test_one_set_that_is_refused_stops_them_all(
    ground: Ground, second: dict[str, bytes | None], fault: type[Exception]
) -> None:
    (ground.root / "wiki/link.md").symlink_to("acme/index.md")
    before = ground.commit()
    with opened(ground) as landing:
        files = dict(landing.wiki)
        with pytest.raises(fault):
            landing.land_all(sets({"new.md": b"n", PAGE: None}, second), AT)
        assert dict(landing.wiki) == files
        assert (ground.tip(), ground.status()) == (before, [])
        # What was refused has not taken a name, nor freed one.
        assert landing.land({"NEW.md": b"n"}, MESSAGE, AT)
        with pytest.raises(Rejected, match="clashes with"):
            landing.land({PAGE.upper(): b"clash"}, MESSAGE, AT)
    assert clean(ground)


def test_sets_do_not_land_on_what_a_person_did_meanwhile(ground: Ground) -> None:
    with opened(ground) as landing:
        files = dict(landing.wiki)
        ground.write("wiki/acme/index.md", "mine")
        with pytest.raises(Conflict, match=r"uncommitted changes under wiki/: acme/index\.md"):
            landing.land_all(sets(*SETS), AT)
        assert dict(landing.wiki) == files
        theirs = ground.commit("a person was faster")
        with pytest.raises(BranchMoved):
            landing.land_all(sets(*SETS), AT)
        assert dict(landing.wiki) == files
    assert ground.tip() == theirs
    assert clean(ground)


@pytest.mark.parametrize("step", ["build", "stage", "manifest", "promise", "move"])
def test_of_an_interrupted_chain_nothing_stands_before_the_branch_moved(ground: Ground, step: str) -> None:
    before, files = ground.tip(), ground.files()
    with pytest.raises(Killed), opened(ground, checkpoint=at(step, die)) as landing:
        landing.land_all(sets(*SETS), AT)
    opened(ground).close()
    assert (ground.tip(), ground.on_disk()) == (before, files)
    assert clean(ground)


@pytest.mark.parametrize("step", ["moved", "file", "index", "finish", "sweep"])
def test_of_an_interrupted_chain_everything_stands_after_the_branch_moved(ground: Ground, step: str) -> None:
    before = ground.tip()
    with pytest.raises(Killed), opened(ground, checkpoint=at(step, die)) as landing:
        landing.land_all(sets(*SETS), AT)
    opened(ground).close()
    assert ground.git("rev-list", "--count", f"{before}..HEAD").strip() == "4"
    assert ground.on_disk() == ground.files() == AFTER
    assert clean(ground)


def test_a_person_who_drops_part_of_a_chain_before_the_next_run_is_believed(ground: Ground) -> None:
    with pytest.raises(Killed), opened(ground, checkpoint=at("moved", die)) as landing:
        landing.land_all(sets(*SETS), AT)
    ground.git("reset", "-q", "--hard", "HEAD~2")
    tip = ground.tip()
    opened(ground).close()
    assert (ground.tip(), ground.on_disk()) == (tip, ground.files())
    assert clean(ground)


def test_hundreds_of_sets_land_at_once(ground: Ground) -> None:
    before = ground.tip()
    many: list[dict[str, bytes | None]] = [
        {f"acme/{number:03}.md": b"x", ".ledger/a": b"%d" % number} for number in range(200)
    ]
    with opened(ground) as landing:
        assert len(set(landing.land_all(sets(*many), AT))) == 200
    assert ground.git("rev-list", "--count", f"{before}..HEAD").strip() == "200"
    assert ground.on_disk() == ground.files()
    assert clean(ground)


# Line ends, filters, modes


def test_a_clone_with_carriage_returns_stays_clean(ground: Ground, tmp_path: Path) -> None:
    ground.git("clone", "-q", "-c", "core.autocrlf=true", ground.root.as_uri(), str(tmp_path / "windows"))
    clone = Ground(tmp_path / "windows", ground.environment)
    assert clone.read(f"wiki/{PAGE}") == b"old\r\n"
    with opened(clone) as landing:
        assert landing.wiki[PAGE] == b"old\n"
        landing.land({PAGE: b"new\nlines\n", "acme/new.md": b"n\n", "acme/kept crlf.md": b"a\r\nb\r\n"}, MESSAGE, AT)
        landing.land({PAGE: b"newer\nlines\n"}, MESSAGE, AT)
    assert clone.files()[PAGE] == clone.read(f"wiki/{PAGE}") == b"newer\nlines\n"
    assert clone.files()["acme/kept crlf.md"] == clone.read("wiki/acme/kept crlf.md") == b"a\r\nb\r\n"
    assert clone.read("wiki/acme/index.md") == b"index\r\n"
    assert clean(clone)


def test_an_edit_is_seen_through_carriage_returns(ground: Ground, tmp_path: Path) -> None:
    ground.git("clone", "-q", "-c", "core.autocrlf=true", ground.root.as_uri(), str(tmp_path / "windows"))
    clone = Ground(tmp_path / "windows", ground.environment)
    with opened(clone) as landing:
        clone.write(f"wiki/{PAGE}", "old\r\nand mine\r\n")
        with pytest.raises(Conflict):
            landing.land({PAGE: b"new\n"}, MESSAGE, AT)
    assert clone.read(f"wiki/{PAGE}") == b"old\r\nand mine\r\n"


@pytest.mark.parametrize("attribute", ["text eol=crlf", "ident", "-text"])
def test_attributes_do_not_make_the_tree_dirty(ground: Ground, attribute: str) -> None:
    ground.commit(**{".gitattributes": f"*.md {attribute}\n", "wiki/id.md": "$Id$\nx\n"})
    (ground.root / "wiki/id.md").unlink()
    ground.git("checkout", "-q", "--", "wiki")
    assert ground.status() == []
    land(ground, {"id.md": b"$Id$\nnew\n", PAGE: b"new\n"})
    assert ground.files()["id.md"] == ground.read("wiki/id.md") == b"$Id$\nnew\n"
    assert ground.status() == []


def test_the_mode_of_a_page_stays(ground: Ground) -> None:
    (ground.root / "wiki" / PAGE).chmod(0o755)
    ground.commit()
    land(ground, {PAGE: b"new\n", "plain.md": b"p"})
    assert ground.git("ls-files", "-s", f"wiki/{PAGE}").startswith("100755")
    assert ground.git("ls-files", "-s", "wiki/plain.md").startswith("100644")
    assert os.access(ground.root / "wiki" / PAGE, os.X_OK)
    assert clean(ground)


# What may not be written


def test_a_link_or_a_module_is_no_page(ground: Ground, tmp_path: Path) -> None:
    other = new_ground(tmp_path / "other")
    (ground.root / "wiki/link.md").symlink_to("acme/index.md")
    (ground.root / "wiki/folder").symlink_to("acme")
    ground.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.root.as_uri(), "wiki/module")
    before = ground.commit()
    with opened(ground) as landing:
        assert set(landing.wiki) == {PAGE, "acme/index.md", "acme/gone/x.md"}
        for path in ("link.md", "folder/x.md", "module", "module/x.md"):
            with pytest.raises(Rejected):
                landing.land({path: b"new", "fine.md": b"f"}, MESSAGE, AT)
    assert ground.tip() == before
    assert clean(ground)


@pytest.mark.parametrize(
    "path", ["../code.py", ".git/config", "acme/INDEX.md", "Acme/new.md", "acme", "acme/index.md/x.md", "con.md"]
)
def test_a_path_that_may_not_be_written_stops_the_whole_set(ground: Ground, path: str) -> None:
    before = ground.tip()
    with opened(ground) as landing:
        with pytest.raises(Rejected):
            landing.land({path: b"evil", "fine.md": b"f"}, MESSAGE, AT)
        assert ground.tip() == before
        assert not (ground.root / "wiki/fine.md").exists()
        assert landing.land({"FINE.md": b"f"}, MESSAGE, AT)
    assert clean(ground)


def test_two_new_pages_must_not_clash_with_each_other(ground: Ground) -> None:
    with pytest.raises(Rejected, match="clashes with"):
        land(ground, {"new/a.md": b"1", "new/A.md": b"2"})


def test_a_page_may_be_renamed_in_case_when_the_old_name_goes(ground: Ground) -> None:
    land(ground, {"acme/index.md": None, "acme/Index.md": b"i"})
    assert sorted(ground.files()) == sorted(ground.on_disk()) == ["acme/Index.md", PAGE, "acme/gone/x.md"]
    assert clean(ground)


# Reading


def test_reading_takes_no_lock_and_refuses_nothing(ground: Ground) -> None:
    ground.write("wiki/mine.md", "x")
    with opened(ground, read_only=True) as landing:
        assert not (ground.root / ".wikimill").exists()
    with opened(ground, branch="pages"), opened(ground, read_only=True) as landing:
        assert landing.wiki[PAGE] == b"old\n"
        assert "mine.md" not in landing.wiki
        with pytest.raises(Conflict, match="opened for reading"):
            landing.land({PAGE: b"new"}, MESSAGE, AT)


def test_reading_leaves_an_interrupted_run_alone(ground: Ground) -> None:
    interrupt(ground, "moved", {PAGE: b"new\n"})
    with opened(ground, read_only=True) as landing:
        assert landing.wiki[PAGE] == b"new\n"
    assert ground.read(f"wiki/{PAGE}") == b"old\n"


# Without git


@contextmanager
def plain(root: Path, checkpoint: Callable[[str], None] = nothing) -> Iterator[Landing]:
    with open_landing(root, pages_folder="wiki", use_git=False, checkpoint=checkpoint) as landing:
        yield landing


def test_without_git_the_files_are_the_wiki(tmp_path: Path) -> None:
    folder = Ground(tmp_path / "a folder", {})
    folder.write("wiki/old.md", "old")
    with plain(folder.root) as landing:
        assert (landing.branch, dict(landing.wiki)) == ("", {"old.md": b"old"})
        assert landing.land({PAGE: b"1", "old.md": None}, MESSAGE, AT) == ""
        assert landing.land({PAGE: b"2"}, MESSAGE, AT) == ""
        assert dict(landing.wiki) == folder.on_disk() == {PAGE: b"2"}
    with plain(folder.root) as landing:
        assert dict(landing.wiki) == {PAGE: b"2"}
    assert not list((folder.root / ".wikimill/journal").iterdir())


@pytest.mark.parametrize("kind", ["edited", "made", "deleted", "written before"])
def test_without_git_nothing_that_somebody_else_wrote_is_overwritten(tmp_path: Path, kind: str) -> None:
    folder = Ground(tmp_path / "a folder", {})
    folder.write("wiki/a.md", "old")
    with plain(folder.root) as landing:
        path = "a.md"
        assert landing.wiki["a.md"] == b"old"
        match kind:
            case "edited":
                folder.write("wiki/a.md", "mine")
            case "made":
                path = "made.md"
                folder.write("wiki/made.md", "mine")
            case "deleted":
                (folder.root / "wiki/a.md").unlink()
            case "written before":
                landing.land({"a.md": b"ours"}, MESSAGE, AT)
                folder.write("wiki/a.md", "mine")
        before = folder.on_disk()
        with pytest.raises(Conflict, match=r"somebody changed these pages during the run"):
            landing.land({path: b"new", "b.md": b"b"}, MESSAGE, AT)
        assert folder.on_disk() == before


def test_without_git_sets_are_written_as_one(tmp_path: Path) -> None:
    folder = Ground(tmp_path / "a folder", {})
    for path, text in ((PAGE, "old\n"), ("acme/index.md", "i"), ("acme/gone/x.md", "x\n")):
        folder.write(f"wiki/{path}", text)
    steps: list[str] = []
    with plain(folder.root, steps.append) as landing:
        assert landing.land_all(sets(*SETS), AT) == ("",) * 6
        assert dict(landing.wiki) == folder.on_disk() == AFTER
        assert steps.count("manifest") == 1
        assert landing.land_all(sets({"b.md": b"b"}, {"b.md": None}), AT) == ("", "")
        assert dict(landing.wiki) == folder.on_disk() == AFTER
        folder.write("wiki/acme/new.md", "mine")
        with pytest.raises(Conflict, match=r"somebody changed these pages during the run: acme/new\.md"):
            landing.land_all(sets({"b.md": b"b"}, {"acme/new.md": b"ours"}), AT)
        assert dict(landing.wiki) == AFTER
        with pytest.raises(Rejected, match="clashes with"):
            landing.land_all(sets({"c.md": b"c"}, {"ACME/x.md": b"x"}), AT)
        assert landing.land({"C.md": b"c"}, MESSAGE, AT) == ""
    assert folder.on_disk() == {**AFTER, "acme/new.md": b"mine", "C.md": b"c"}


def test_without_git_a_second_run_is_told(tmp_path: Path) -> None:
    with plain(tmp_path), pytest.raises(Conflict, match=f"process {os.getpid()}"), plain(tmp_path):
        pass
    assert (tmp_path / ".wikimill/.gitignore").read_bytes() == b"*\n"


def test_without_git_an_interrupted_run_is_brought_to_its_end(tmp_path: Path) -> None:
    folder = Ground(tmp_path / "a folder", {})
    folder.write("wiki/a.md", "old")
    with pytest.raises(Killed), plain(folder.root, at("file b.md", die)) as landing:
        landing.land({"a.md": b"new", "b.md": b"b"}, MESSAGE, AT)
    assert folder.on_disk() == {"a.md": b"new"}
    with plain(folder.root) as landing:
        assert dict(landing.wiki) == folder.on_disk() == {"a.md": b"new", "b.md": b"b"}
        assert [found.rule for found in landing.findings] == ["interrupted-run"]


def test_without_git_inside_a_repository_nothing_is_committed(ground: Ground) -> None:
    before = ground.tip()
    with plain(ground.root) as landing:
        landing.land({PAGE: b"new\n"}, MESSAGE, AT)
    assert (ground.tip(), ground.status()) == (before, [f" M wiki/{PAGE}"])


def test_a_place_where_nothing_can_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / ".wikimill").write_text("a file where a folder must be", encoding="utf-8")
    with pytest.raises(StoreError, match=r"\.wikimill: cannot be written"), plain(tmp_path):
        pass
