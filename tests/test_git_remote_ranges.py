from __future__ import annotations

import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.errors import GitError
from pipeline.git import Entry, open_repository
from pipeline.git.process import GitProcess
from pipeline.git.ranges import clean_merge, empty_tree
from tests.git_server import add_hook
from tests.repositories import Ground, empty_ground, new_ground

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.git import Repository


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return new_ground(tmp_path / "a repository")


@pytest.fixture
def repository(ground: Ground) -> Iterator[Repository]:
    with open_repository(ground.root, ground.environment) as opened:
        yield opened


def fork(ground: Ground) -> tuple[str, str, str]:
    """Let two branches part and meet again: give the base, the tip of the side and the merge."""
    base = ground.commit("base", **{"a.md": "1\n2\n3\n4\n5\n"})
    ground.git("switch", "-q", "-c", "side")
    side = ground.commit("side", **{"a.md": "one\n2\n3\n4\n5\n"})
    ground.git("switch", "-q", "main")
    ground.commit("main", **{"a.md": "1\n2\n3\n4\nfive\n"})
    ground.git("merge", "-q", "--no-ff", "-m", "merge", "side")
    return base, side, ground.tip()


# Commits


def test_commits_are_told_parents_first(ground: Ground, repository: Repository) -> None:
    base, side, merge = fork(ground)
    told = repository.commits_between(base, merge)
    assert [one.message for one in told][-1] == "merge\n"
    assert {one.message for one in told} == {"main\n", "side\n", "merge\n"}
    assert told[-1].parents == (ground.tip("main~1"), side)
    assert [one.message for one in repository.commits_between(None, base)] == ["the beginning\n", "base\n"]
    assert repository.commits_between(merge, base) == ()
    assert [one.id for one in repository.commits_between("main~1", "side")] == [side]


def test_a_commit_tells_who_when_and_with_which_trailers(ground: Ground, repository: Repository) -> None:
    for key, value in {"log.showSignature": "true", "log.mailmap": "true", "i18n.logOutputEncoding": "latin1"}.items():
        ground.git("config", key, value)
    text = "ünïcode 日本\n\n- a body\n\nSession: acme/s-1\nPage: a.md 0123\nPage: b c.md 4567\n"
    commit = ground.commit(text)
    (told,) = repository.commits_between(f"{commit}~1", commit)
    assert (told.author, told.author_email) == ("Dana", "dana@example.org")
    assert told.at == datetime(2026, 1, 1, tzinfo=UTC)
    assert told.message == text
    assert told.trailers == {"Session": ("acme/s-1",), "Page": ("a.md 0123", "b c.md 4567")}
    assert repository.commit_message(commit) == text


def test_odd_messages_and_times_are_read_all_the_same(ground: Ground, repository: Repository) -> None:
    tree = ground.git("rev-parse", "HEAD^{tree}").strip()
    parent, ids = ground.tip(), []
    for message in (b"", b"\n\n", b"latin \xe9\n", b"no newline", b"a\r\nb\r\n", b"x\n\x1b[31m\n"):
        raw = b"tree %s\nparent %s\nauthor A <> 0 +0000\ncommitter C <c> %d +0000\n\n%s"
        stdin = raw % (tree.encode(), parent.encode(), 99999999999999, message)
        parent = ground.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", stdin=stdin).strip()
        ids.append(parent)
    told = repository.commits_between("HEAD", parent)
    assert [one.id for one in told] == ids
    assert [one.message for one in told] == ["", "\n\n", "latin \ufffd\n", "no newline", "a\r\nb\r\n", "x\n\x1b[31m\n"]
    assert {one.at for one in told} == {datetime(1970, 1, 1, tzinfo=UTC)}


@pytest.mark.parametrize("name", ["none", "--all", "-1", "", "HEAD\0", "HEAD^{tree}", "1" * 40, "main..side"])
def test_what_is_no_commit_is_told(repository: Repository, name: str) -> None:
    for act in (
        lambda: repository.commits_between(None, name),
        lambda: repository.changes(None, name),
        lambda: repository.merge_base("HEAD", name),
        lambda: repository.commit_message(name),
    ):
        with pytest.raises(GitError, match="there is no commit"):
            act()


def test_merge_bases(ground: Ground, repository: Repository) -> None:
    base, side, merge = fork(ground)
    assert repository.merge_base("main~1", side) == base
    assert repository.merge_base(merge, side) == side
    alone = ground.git("commit-tree", "HEAD^{tree}", "-m", "alone").strip()
    assert repository.merge_base(merge, alone) is None


# Changes


def test_every_kind_of_change_is_told(ground: Ground, repository: Repository) -> None:
    ground.write("moved.md", "the same text, long enough to be found again\n" * 20)
    ground.commit(**{"gone.md": "x", "dir/file.md": "x", "turns": "file", "run.sh": "x", "same.md": "x"})
    old = ground.tip()
    (ground.root / "moved.md").rename(ground.root / "elsewhere.md")
    (ground.root / "gone.md").unlink()
    (ground.root / "turns").unlink()
    (ground.root / "turns").symlink_to("same.md")
    (ground.root / "run.sh").chmod(0o755)
    odd = 'tab\tline\nbreak "quoted" 日本.md'
    ground.write(odd, "x")
    ground.git("add", "-A")
    ground.git("update-index", "--add", "--cacheinfo", f"160000,{old},module")
    ground.git("commit", "-q", "-m", "new")
    told = {
        one.path: (one.before and one.before.mode, one.after and one.after.mode)
        for one in repository.changes(old, "HEAD")
    }
    assert told == {
        "moved.md": ("100644", None),
        "elsewhere.md": (None, "100644"),
        "gone.md": ("100644", None),
        "turns": ("100644", "120000"),
        "run.sh": ("100644", "100755"),
        "module": (None, "160000"),
        odd: (None, "100644"),
    }
    assert list(told) == sorted(told)
    (module,) = (one for one in repository.changes(old, "HEAD") if one.path == "module")
    assert module.after == Entry("160000", old)
    assert repository.changes("HEAD", "HEAD") == ()
    whole = {one.path for one in repository.changes(None, "HEAD")}
    assert whole == set(ground.git("ls-tree", "-r", "-z", "--name-only", "HEAD").split("\0")) - {""}


@pytest.mark.skipif(os.name == "nt", reason="no such names there")
def test_a_path_that_is_no_utf8_is_told(ground: Ground, repository: Repository) -> None:
    commit = ground.git(
        "fast-import",
        "--quiet",
        stdin=b'commit refs/heads/odd\ncommitter c <c> 0 +0000\ndata 1\nm\nM 644 inline "a\\377.md"\ndata 1\nx\n',
    )
    assert commit == ""
    assert [one.path for one in repository.changes(None, "odd")] == ["a\udcff.md"]


@pytest.mark.parametrize("options", [(), ("--object-format=sha256",)], ids=["sha1", "sha256"])
def test_both_kinds_of_object_names(tmp_path: Path, options: tuple[str, ...]) -> None:
    ground = new_ground(tmp_path / "kind", *options)
    with open_repository(ground.root, ground.environment) as repository:
        assert [one.path for one in repository.changes(None, "HEAD")] == ["code.py"]
        assert empty_tree(len(ground.tip())) == ground.git("mktree").strip()


# Merges and trees


def test_a_merge_that_git_makes_by_itself(ground: Ground, repository: Repository) -> None:
    _, side, merge = fork(ground)
    assert repository.clean_merge("main~1", side) == ground.git("rev-parse", f"{merge}^{{tree}}").strip()
    ground.git("switch", "-q", "-c", "other", "side")
    other = ground.commit("other", **{"a.md": "ONE\n2\n3\n4\n5\n"})
    ground.git("switch", "-q", "-c", "another", "side~1")
    another = ground.commit("another", **{"a.md": "uno\n2\n3\n4\n5\n"})
    assert repository.clean_merge(other, another) is None
    alone = ground.git("commit-tree", "HEAD^{tree}", "-m", "alone").strip()
    assert repository.clean_merge(merge, alone) is None
    assert repository.clean_merge(side, side) == ground.git("rev-parse", f"{side}^{{tree}}").strip()


@pytest.mark.skipif(os.name == "nt", reason="the git of old is a script for sh")
def test_a_git_that_cannot_merge_trees_merges_nothing(ground: Ground, tmp_path: Path) -> None:
    for code, said in ((129, None), (128, "failed")):
        add_hook(
            tmp_path,
            "git",
            f'case "$*" in *merge-tree*) echo "fatal: odd" >&2; exit {code};; esac\nPATH="${{PATH#*:}}" exec git "$@"',
        )
        environment = {**ground.environment, "PATH": f"{tmp_path / 'hooks'}{os.pathsep}{os.environ['PATH']}"}
        git = GitProcess(ground.root, environment)
        if said is None:
            assert clean_merge(git, "HEAD", "HEAD") is None
        else:
            with pytest.raises(GitError, match=said):
                clean_merge(git, "HEAD", "HEAD")


def test_the_tree_of_a_folder(ground: Ground, repository: Repository) -> None:
    ground.commit(**{"docs/wiki/a.md": "a", "docs/wikimill.md": "x", "wiki": "a file"})
    tree = ground.git("rev-parse", "HEAD:docs/wiki").strip()
    top = ground.git("rev-parse", "HEAD^{tree}").strip()
    for start in ("HEAD", ground.tip(), top):
        assert repository.tree_id(start, "docs/wiki") == tree
        assert repository.tree_id(start, "docs/wiki/") == tree
        assert repository.tree_id(start, "") == top
        assert repository.tree_id(start, "wiki") == ""
        assert repository.tree_id(start, "none/at/all") == ""
        assert repository.tree_id(start, "--name-only") == ""


# References and names


def test_a_reference_of_ours_is_set_and_dropped(ground: Ground, repository: Repository) -> None:
    repository.set_reference("refs/wikimill/kept", "HEAD")
    assert ground.git("rev-parse", "refs/wikimill/kept") == ground.git("rev-parse", "HEAD")
    repository.set_reference("refs/wikimill/kept", ground.commit("more"))
    assert ground.git("rev-parse", "refs/wikimill/kept") == ground.git("rev-parse", "HEAD")
    repository.set_reference("refs/wikimill/kept", None)
    repository.set_reference("refs/wikimill/kept", None)
    assert "wikimill" not in ground.git("for-each-ref")


@pytest.mark.parametrize("name", ["refs/heads/main", "refs/wikimill/", "refs/wikimill/../heads/main", "HEAD", "-d"])
def test_no_other_reference_is_set(ground: Ground, repository: Repository, name: str) -> None:
    with pytest.raises(GitError, match="is no reference of wikimill's"):
        repository.set_reference(name, ground.tip())


def test_a_reference_names_nothing_but_commits(repository: Repository) -> None:
    with pytest.raises(GitError, match="there is no commit"):
        repository.set_reference("refs/wikimill/kept", "1" * 40)


def test_the_name_of_whoever_works_here(ground: Ground, repository: Repository, tmp_path: Path) -> None:
    assert repository.user_name() == "Dana"
    ground.git("config", "user.name", "Da\nna <x>")
    assert repository.user_name() == "Da na  x"
    other = empty_ground(tmp_path / "nameless")
    other.git("config", "--unset", "user.name")
    with open_repository(other.root, other.environment) as nameless:
        assert nameless.user_name() == ""
