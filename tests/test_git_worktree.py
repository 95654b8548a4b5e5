"""The work tree follows a commit, and what was not committed is never lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pipeline.errors import GitError
from pipeline.git import open_repository
from tests.repositories import Ground, new_ground

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.git import Repository


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    """Give a repository whose branch `ahead` goes on from `main`, which is checked out."""
    place = new_ground(tmp_path / "repo")
    place.write(".gitignore", "*.log\n")
    place.commit("ignore", **{"wiki/a.md": "a\n", "wiki/b.md": "b\n"})
    place.git("switch", "-q", "-c", "ahead")
    place.commit("more", **{"wiki/a.md": "a, changed\n", "new.md": "new\n"})
    place.git("switch", "-q", "main")
    return place


@pytest.fixture
def repository(ground: Ground) -> Iterator[Repository]:
    with open_repository(ground.root, ground.environment) as found:
        yield found


def test_a_branch_goes_forward_with_its_files(ground: Ground, repository: Repository) -> None:
    repository.fast_forward(ground.tip("ahead"))
    assert ground.tip("main") == ground.tip("ahead")
    assert (ground.read("wiki/a.md"), ground.read("new.md"), ground.status()) == (b"a, changed\n", b"new\n", [])


def test_edits_elsewhere_stay(ground: Ground, repository: Repository) -> None:
    ground.write("wiki/b.md", "mine\n")
    ground.write("notes.txt", "mine\n")
    repository.fast_forward(ground.tip("ahead"))
    assert ground.read("wiki/b.md") == b"mine\n"
    assert ground.status() == [" M wiki/b.md", "?? notes.txt"]
    repository.reset_keep(ground.tip("ahead~1"))
    assert (ground.read("wiki/b.md"), ground.read("wiki/a.md")) == (b"mine\n", b"a\n")
    assert ground.status() == [" M wiki/b.md", "?? notes.txt"]


@pytest.mark.parametrize("way", ["fast_forward", "reset_keep"])
@pytest.mark.parametrize(("path", "staged"), [("wiki/a.md", False), ("wiki/a.md", True), ("new.md", False)])
def test_work_in_the_way_stops_it(ground: Ground, repository: Repository, way: str, path: str, *, staged: bool) -> None:
    ground.write(path, "mine\n")
    if staged:
        ground.git("add", path)
    before, status = ground.tip(), ground.status()
    with pytest.raises(GitError, match=r"not committed are in the way.*Commit, stash or undo them"):
        getattr(repository, way)(ground.tip("ahead"))
    assert (ground.tip(), ground.status(), ground.read(path)) == (before, status, b"mine\n")


def test_an_ignored_file_is_not_overwritten(ground: Ground, repository: Repository) -> None:
    ground.git("switch", "-q", "ahead")
    ground.write("run.log", "theirs\n")
    ground.git("add", "-f", "run.log")
    ground.git("commit", "-q", "-m", "a log")
    ground.git("switch", "-q", "main")
    ground.write("run.log", "mine\n")
    with pytest.raises(GitError, match="in the way"):
        repository.fast_forward(ground.tip("ahead"))
    assert ground.read("run.log") == b"mine\n"


def test_what_went_apart_is_not_brought_together(ground: Ground, repository: Repository) -> None:
    mine = ground.commit("mine", **{"mine.md": "mine\n"})
    with pytest.raises(GitError, match="git merge failed"):
        repository.fast_forward(ground.tip("ahead"))
    assert (ground.tip(), ground.status()) == (mine, [])
    repository.reset_keep(ground.tip("ahead"))
    assert (ground.tip(), ground.status()) == (ground.tip("ahead"), [])
    assert not (ground.root / "mine.md").exists()


def test_where_it_stands_already_nothing_happens(ground: Ground, repository: Repository) -> None:
    before = ground.tip()
    repository.fast_forward(before)
    repository.reset_keep(before)
    assert ground.tip() == before


def test_a_commit_that_is_not_here_is_named(ground: Ground, repository: Repository) -> None:
    for way in (repository.fast_forward, repository.reset_keep):
        with pytest.raises(GitError, match="failed"):
            way("0" * 39 + "1")
    assert ground.status() == []
