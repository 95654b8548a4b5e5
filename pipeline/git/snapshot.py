"""Owns the files of one folder as a commit holds them, read when they are asked for; knows nothing of pages.

One listing names everything; the bytes come from one `git cat-file` that stays open as long as the repository.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from pipeline.errors import GitError

if TYPE_CHECKING:
    from subprocess import Popen
    from typing import IO

    from pipeline.git.process import GitProcess

REGULAR = frozenset({"100644", "100755", "100664"})
"""The modes of plain files; symbolic links and submodules are no pages."""

AHEAD = 32
"""Objects that are asked for before the first is read: few enough for the smallest pipe to hold the questions."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a commit or an index: the mode and the id of what it names."""

    mode: str
    id: str

    @property
    def regular(self) -> bool:
        """Whether it is a plain file."""
        return self.mode in REGULAR


class Blobs:
    """Reads objects through one process, which starts with the first question."""

    def __init__(self, git: GitProcess) -> None:
        self._git = git
        self._process: Popen[bytes] | None = None

    def read(self, ids: list[str]) -> list[bytes]:
        """Give the bytes of some objects, in their order."""
        source, answers = self._pipes()
        found: list[bytes] = []
        try:
            for start in range(0, len(ids), AHEAD):
                some = ids[start : start + AHEAD]
                source.write("".join(f"{one}\n" for one in some).encode("ascii"))
                source.flush()
                found.extend(self._answer(answers, one) for one in some)
        except OSError:
            raise self._gone() from None
        return found

    def sizes(self, ids: list[str]) -> list[int]:
        """Tell how many bytes some objects have, in their order, before any of them is read."""
        if not ids:
            return []
        answers = self._git.run("cat-file", "--batch-check", stdin="".join(f"{one}\n" for one in ids).encode("ascii"))
        lines = answers.splitlines()
        if len(lines) != len(ids):
            raise self._gone()
        return [self._size(line.split(), one) for line, one in zip(lines, ids, strict=True)]

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            with process:
                if process.stdin is not None:
                    process.stdin.close()
                process.kill()

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        if self._process is None:
            self._process = self._git.start("cat-file", "--batch")
        source, answers = self._process.stdin, self._process.stdout
        if source is None or answers is None:
            raise self._gone()
        return source, answers

    def _answer(self, answers: IO[bytes], wanted: str) -> bytes:
        size = self._size(answers.readline().split(), wanted)
        raw = answers.read(size + 1)
        if len(raw) != size + 1:
            raise self._gone()
        return raw[:-1]

    def _size(self, head: list[bytes], wanted: str) -> int:
        """Read the line that tells of an object, `<id> <type> <size>`."""
        if len(head) == 2 and head[1] == b"missing":  # noqa: PLR2004  # `<id> missing`
            raise GitError(
                f"the object {wanted} is missing from the repository.",
                where=str(self._git.folder),
                next_step="Run `git fsck`, or fetch the missing objects.",
            )
        if len(head) != 3 or not head[2].isdigit():  # noqa: PLR2004  # `<id> <type> <size>`
            raise self._gone()
        return int(head[2])

    def _gone(self) -> GitError:
        self.close()
        return GitError("git cat-file ended unexpectedly.", where=str(self._git.folder), next_step="Run again.")


class Snapshot(Mapping[str, bytes]):
    """The plain files below one folder at one commit, by their path below that folder, in the order of git."""

    def __init__(self, entries: Mapping[str, Entry], blobs: Blobs) -> None:
        self.entries = entries
        """Everything that has a name below the folder, symbolic links and submodules too."""
        self._paths = {path: entry.id for path, entry in entries.items() if entry.regular}
        self._blobs = blobs

    def __getitem__(self, path: str) -> bytes:
        return self._blobs.read([self._paths[path]])[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)

    def __contains__(self, path: object) -> bool:
        return path in self._paths

    def items(self) -> ItemsView[str, bytes]:
        """Give all files; reading them together is several times as fast as one by one."""
        return _Items(self)

    def read_all(self) -> Iterator[tuple[str, bytes]]:
        """Give path and bytes of every file, a handful read at a time."""
        rest = iter(self._paths.items())
        while some := list(islice(rest, AHEAD)):
            yield from zip((path for path, _ in some), self._blobs.read([one for _, one in some]), strict=True)


class _Items(ItemsView[str, bytes]):
    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(snapshot)
        self._snapshot = snapshot

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        return self._snapshot.read_all()


def list_entries(git: GitProcess, commit: str, folder: str) -> dict[str, Entry]:
    """List what stands below a folder (a path from the top of the repository, without a slash at its end).

    Folders are left out; a name that is not UTF-8 is too, for no page can be called so.
    """
    listing = git.run("ls-tree", "-r", "-t", "-z", "--full-tree", commit, "--", folder)
    start = folder + "/"
    found: dict[str, Entry] = {}
    for record in listing.split(b"\0"):
        head, tab, raw_path = record.partition(b"\t")
        if not tab:
            continue
        mode, kind, identity = head.decode("ascii").split()
        try:
            path = raw_path.decode("utf-8")
        except UnicodeDecodeError:
            continue
        if kind == "tree":
            continue
        if not path.startswith(start):
            raise GitError(
                f"{path} is no folder in the branch, but a file, a symbolic link or a submodule.",
                where=str(git.folder),
                next_step="Name another folder in wikimill.toml (wiki.pages), or move it away.",
            )
        found[path.removeprefix(start)] = Entry(mode, identity)
    return found
