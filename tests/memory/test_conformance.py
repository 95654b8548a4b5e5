"""Every adapter keeps the promises of the port; the suite that somebody's own adapter would run runs here."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from pipeline.git import open_repository
from pipeline.memory.conformance import Conformance
from pipeline.memory.directory import DirectoryMemory
from pipeline.memory.failure import Failure
from pipeline.memory.git_tree import GitTreeMemory
from pipeline.memory.in_process import InProcessMemory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pipeline.git import Repository
    from pipeline.memory.port import Memory


def lay(home: Path, files: Mapping[str, str]) -> Path:
    home.mkdir(exist_ok=True)
    for path, text in files.items():
        place = home / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
    return home


class TestInProcess(Conformance):
    def make(self, files: Mapping[str, str]) -> Memory:
        return InProcessMemory(files)


class TestDirectory(Conformance):
    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> None:
        self.home = tmp_path / "memory"

    def make(self, files: Mapping[str, str]) -> Memory:
        return DirectoryMemory(lay(self.home, files))


class TestGitTree(Conformance):
    writable = False

    @pytest.fixture(autouse=True)
    def _place(self, tmp_path: Path) -> Iterator[None]:
        self.top = tmp_path
        self.opened: list[Repository] = []
        yield
        for repository in self.opened:
            repository.close()

    def make(self, files: Mapping[str, str]) -> Memory:
        for words in (["init", "-q"], ["config", "user.name", "t"], ["config", "user.email", "t@example.org"]):
            subprocess.run(["git", *words], cwd=self.top, check=True)
        lay(self.top / "memory", files)
        subprocess.run(["git", "add", "."], cwd=self.top, check=True)
        subprocess.run(["git", "commit", "-q", "--allow-empty", "-m", "x"], cwd=self.top, check=True)
        self.opened.append(open_repository(self.top))
        return GitTreeMemory(self.opened[-1].snapshot(self.opened[-1].head().commit, "memory"))


def test_a_directory_refuses_symbolic_links(tmp_path: Path) -> None:
    outside = lay(tmp_path / "outside", {"secret.md": "secret"})
    home = lay(tmp_path / "home", {"a.md": "a"})
    (home / "link").symlink_to(outside)
    (home / "link.md").symlink_to(outside / "secret.md")
    (home / "gone.md").symlink_to(outside / "nothing.md")
    memory = DirectoryMemory(home)

    listed = memory.list("/memories")
    assert not isinstance(listed, Failure)
    assert [entry.path for entry in listed or ()] == ["/memories/a.md"]
    for path in ("/memories/link.md", "/memories/link/secret.md", "/memories/gone.md"):
        read, wrote = memory.read(path), memory.write(path, "x")
        assert isinstance(read, Failure)
        assert read.code == "read_failed"
        assert "symbolic link" in read.message
        assert isinstance(wrote, Failure)
        assert wrote.code == "write_failed"
    assert (outside / "secret.md").read_text() == "secret"
    assert not (outside / "nothing.md").exists()


def test_a_link_in_a_commit_has_no_place(tmp_path: Path) -> None:
    home = lay(tmp_path / "memory", {"a.md": "a"})
    (home / "link.md").symlink_to("a.md")
    for words in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, "commit", "-q", "-m", "x"], cwd=tmp_path, check=True)
    with open_repository(tmp_path) as repository:
        memory = GitTreeMemory(repository.snapshot(repository.head().commit, "memory"))
        assert memory.read("/memories/link.md") is None


@pytest.mark.parametrize("kind", ["directory", "git"])
def test_what_is_not_utf_8_is_a_failure_that_names_it(tmp_path: Path, kind: str) -> None:
    (tmp_path / "bad.md").write_bytes(b"\xff")
    memory: Memory = DirectoryMemory(tmp_path) if kind == "directory" else GitTreeMemory({"bad.md": b"\xff"})

    told = memory.read("/memories/bad.md")

    assert told == Failure("read_failed", "/memories/bad.md cannot be read: it is not UTF-8.", "/memories/bad.md")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    failure = DirectoryMemory(tmp_path).write("/memories/a.md", "a")
    tmp_path.chmod(0o700)

    assert isinstance(failure, Failure)
    assert failure.code == "write_failed"


def test_nothing_half_written_is_left(tmp_path: Path) -> None:
    memory = DirectoryMemory(tmp_path)
    (tmp_path / "a.md").mkdir()

    failure = memory.write("/memories/a.md", "text")

    assert isinstance(failure, Failure)
    assert sorted(path.name for path in tmp_path.iterdir()) in ([".memory.lock", "a.md"], ["a.md"])
