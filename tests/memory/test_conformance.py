"""Every adapter keeps the promises of the port; the suite that somebody's own adapter would run runs here."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
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


_ROUNDS = 100


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
    assert (outside / "secret.md").read_text(encoding="utf-8") == "secret"
    assert not (outside / "nothing.md").exists()


def test_what_is_no_plain_file_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no named pipes here")
    os.mkfifo(tmp_path / "pipe.md")

    told = DirectoryMemory(tmp_path).read("/memories/pipe.md")

    assert told == Failure("read_failed", "/memories/pipe.md cannot be read: it is no plain file.", "/memories/pipe.md")


@pytest.mark.parametrize("path", ["/memories/.memory.lock", "/memories/./.Memory.Lock"])
def test_the_lock_of_a_folder_cannot_be_written(tmp_path: Path, path: str) -> None:
    memory = DirectoryMemory(tmp_path)

    for failure in (memory.write(path, "x"), memory.write_if(path, "x", None), memory.write_if(path, None, "")):
        assert isinstance(failure, Failure)
        assert failure.code == "write_failed"
        assert "it is the lock of the folder" in failure.message


def test_a_step_that_cannot_be_looked_at_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> bool:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(type(tmp_path), "is_symlink", refuse)
    memory = DirectoryMemory(tmp_path)

    for told, code in (
        (memory.list("/memories/a"), "read_failed"),
        (memory.read("/memories/a/b.md"), "read_failed"),
        (memory.write("/memories/a/b.md", "x"), "write_failed"),
        (memory.write_if("/memories/a/b.md", "x", None), "write_failed"),
    ):
        assert isinstance(told, Failure)
        assert told.code == code
        assert "/memories/a" in told.message


@pytest.mark.parametrize("kind", ["process", "directory"])
def test_comparing_and_writing_are_one_step_for_threads(tmp_path: Path, kind: str) -> None:
    memory: Memory = InProcessMemory() if kind == "process" else DirectoryMemory(tmp_path)
    memory.write("/memories/a.md", "0")

    def count() -> None:
        done = 0
        while done < _ROUNDS:
            standing = memory.read("/memories/a.md")
            assert isinstance(standing, str)
            done += memory.write_if("/memories/a.md", str(int(standing) + 1), standing) is None

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            for counted in [pool.submit(count) for _ in range(4)]:
                counted.result()
    finally:
        sys.setswitchinterval(interval)

    assert memory.read("/memories/a.md") == str(4 * _ROUNDS)


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
