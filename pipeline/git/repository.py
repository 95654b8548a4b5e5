"""Owns one repository as wikimill sees it: where it stands, its branches, its commits; the only caller of git.

It makes commits and moves branches; what stands in a commit, and what becomes of the files in the work tree, is
decided above. Paths are those from the top of the repository.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import BranchMoved, GitError
from pipeline.git.commits import Content, Identity, NewCommit, build_commits, quote_path, read_identity
from pipeline.git.history import Version, read_history
from pipeline.git.index import Staged, read_index, refresh_index, wait_for_index, write_index
from pipeline.git.process import GitProcess, explain, load_library, no_repository
from pipeline.git.snapshot import Blobs, Entry, Snapshot, list_entries

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from types import TracebackType
    from typing import Self

HEADS = "refs/heads/"

UNDER_WAY = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}
"""What lies in the git folder while something is half done."""


@dataclass(frozen=True, slots=True)
class Head:
    """What is checked out: a branch by its short name, or none when detached; a commit, or none before the first."""

    branch: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch: its commit, or none when it does not exist yet, and the work tree in which it is checked out."""

    name: str
    tip: str | None
    checked_out: bool
    elsewhere: str
    """Another work tree of this repository that has the branch checked out; empty if none has."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where the parts of a repository stand; `prefix` leads from the top to the folder that was opened."""

    top: Path
    git_dir: Path
    common_dir: Path
    prefix: str
    shallow: bool
    zero: str
    """The id of nothing: 40 zeros, or 64 in a repository of SHA-256."""


def open_repository(folder: Path, environment: Mapping[str, str] | None = None) -> Repository:
    """Find the repository that a folder belongs to; the caller closes it.

    Without an environment, git gets that of this process; variables that would lead it elsewhere are left out.
    """
    library = load_library()
    folder = folder.absolute()
    try:
        with library.Repo(folder, search_parent_directories=True, expand_vars=False) as found:
            bare = bool(found.bare)
    except (library.InvalidGitRepositoryError, library.NoSuchPathError):
        raise no_repository(folder) from None
    git = GitProcess(folder, environment)
    if bare or git.run("rev-parse", "--is-inside-work-tree").strip() != b"true":
        raise GitError(
            "is inside a repository without a work tree.",
            where=str(folder),
            next_step="Clone it, and run in the clone.",
        )
    places = _read_places(git)
    return Repository(GitProcess(places.top, environment), places)


def _read_places(git: GitProcess) -> Places:
    asked = (
        "--is-shallow-repository",
        "--show-object-format",
        "--absolute-git-dir",
        "--git-common-dir",
        "--show-toplevel",
        "--show-prefix",
    )
    lines = git.run("rev-parse", *asked).decode("utf-8", "surrogateescape").split("\n")
    if len(lines) != len(asked) + 1:
        raise GitError("the path of the repository holds a line break.", where=str(git.folder))
    shallow, form, git_dir, common_dir, top, prefix = lines[:-1]
    return Places(
        top=Path(top),
        git_dir=Path(git_dir),
        common_dir=(git.folder / common_dir).resolve(),
        prefix=prefix,
        shallow=shallow == "true",
        zero="0" * (64 if form == "sha256" else 40),
    )


class Repository:
    """One repository, opened at a folder; a context manager that ends the git process it keeps."""

    def __init__(self, git: GitProcess, places: Places) -> None:
        self.places = places
        self._git = git
        self._blobs = Blobs(git)
        self._identity: Identity | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the git process that reads objects."""
        self._blobs.close()

    # What stands

    def head(self) -> Head:
        """Tell what is checked out in this work tree."""
        answer = self._git.ask("symbolic-ref", "-q", "HEAD")
        branch = answer.out.decode("utf-8", "replace").strip().removeprefix(HEADS) if not answer.code else ""
        return Head(branch, self._commit("HEAD"))

    def branch(self) -> str:
        """Name the branch that is checked out."""
        name = self.head().branch
        if not name:
            raise GitError(
                "no branch is checked out (detached HEAD).",
                where=str(self.places.top),
                next_step="Check out a branch with `git switch NAME`, or set wiki.branch in wikimill.toml.",
            )
        return name

    def tip(self, branch: str) -> str | None:
        """Give the commit of a branch, or none when it does not exist."""
        return self._commit(HEADS + branch)

    def look_up(self, branch: str) -> Branch:
        """Tell where a branch stands, and whether a work tree follows it."""
        form = "--format=%(refname)%00%(objectname)%00%(HEAD)%00%(worktreepath)"
        rows = self._git.run("for-each-ref", form, HEADS + branch).decode("utf-8", "surrogateescape").split("\n")
        for row in rows:
            name, _, rest = row.partition("\0")
            if name == HEADS + branch:
                tip, mark, tree = rest.split("\0")
                here = mark == "*"
                return Branch(branch, tip, checked_out=here, elsewhere="" if here else tree)
        return Branch(branch, None, checked_out=self.head().branch == branch, elsewhere="")

    def check_name(self, branch: str) -> str:
        """Give the short name of a branch, or refuse what can be none."""
        name = branch.removeprefix(HEADS)
        if name in {"", "@", "HEAD"} or name.startswith("-") or self._git.ask("check-ref-format", HEADS + name).code:
            raise GitError(
                f"{branch!r} cannot be the name of a branch.", where="wiki.branch", next_step="Correct wikimill.toml."
            )
        return name

    def is_ancestor(self, older: str, newer: str) -> bool:
        """Whether a commit is among those that another one rests on."""
        return not self._git.ask("merge-base", "--is-ancestor", older, newer).code

    def remote_url(self, name: str = "origin") -> str:
        """Give the address of a remote as it is configured, or an empty text."""
        answer = self._git.ask("config", "--get", f"remote.{name}.url")
        return "" if answer.code else answer.out.decode("utf-8", "replace").strip()

    def under_way(self) -> str:
        """Name what is half done in this work tree (a merge, a rebase), or give an empty text."""
        return next((what for name, what in UNDER_WAY.items() if (self.places.git_dir / name).exists()), "")

    def snapshot(self, commit: str | None, folder: str) -> Snapshot:
        """Give the files below a folder at a commit; they are read when asked for."""
        return Snapshot(list_entries(self._git, commit, folder) if commit else {}, self._blobs)

    def changed_under(self, folder: str) -> tuple[str, ...]:
        """Name what a person has not committed below a folder: staged, changed, deleted, or new and not ignored."""
        status = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", folder)
        records = self._git.run(*status).decode("utf-8", "surrogateescape").split("\0")
        return tuple(sorted({record[3:] for record in records if record}))

    def history(self, path: str, *, branch: str = "") -> tuple[Version, ...]:
        """Tell the versions of a file, the newest first, as a branch knows them, or what is checked out."""
        commit = self._commit(HEADS + branch if branch else "HEAD")
        return read_history(self._git, commit, path) if commit else ()

    # What changes

    def build(self, parent: str | None, changes: Mapping[str, Content | None], *, message: str, at: datetime) -> str:
        """Make a commit and give its id; no branch, no index and no file is touched."""
        return self.build_chain(parent, (NewCommit(changes, message),), at=at)[0]

    def build_chain(self, parent: str | None, chain: Sequence[NewCommit], *, at: datetime) -> tuple[str, ...]:
        """Make commits, the first over `parent` and each other over the one before it; give their ids."""
        if self._identity is None:
            self._identity = read_identity(self._git)
        return build_commits(
            self._git, parent=parent, chain=chain, identity=self._identity, at=at, zero=self.places.zero
        )

    def move(self, branch: str, new: str, old: str | None, *, reason: str) -> None:
        """Let a branch name a new commit, if it still names the old one; else raise `BranchMoved`."""
        command = ("update-ref", "-m", reason, HEADS + branch, new, old or self.places.zero)
        answer = self._git.ask(*command)
        if not answer.code:
            return
        tip = self.tip(branch)
        if tip == old:
            raise explain(command, answer, self._git.folder)
        if tip != new:
            raise moved(branch)

    # The index, for given paths

    def staged(self, paths: Iterable[str], folder: str) -> dict[str, Staged]:
        """Read the index entries of some paths below a folder."""
        return read_index(self._git, paths, folder)

    def stage(self, entries: Mapping[str, Entry | None]) -> None:
        """Set the index entries of exactly these paths; nothing stands for a path that goes."""
        write_index(self._git, entries, self.places.zero)

    def wait_for_index(self) -> None:
        """Return when no other git command holds the index."""
        wait_for_index(self.places.git_dir / "index.lock")

    def refresh(self) -> None:
        """Let the index know the times and sizes of files again."""
        refresh_index(self._git)

    def blob_id(self, raw: bytes) -> str:
        """Give the object id of bytes, as git computes it."""
        name = "sha256" if len(self.places.zero) == len(hashlib.sha256().hexdigest()) else "sha1"
        digest = hashlib.new(name, usedforsecurity=False)
        digest.update(b"blob %d\0" % len(raw))
        digest.update(raw)
        return digest.hexdigest()

    def digest_as_added(self, path: str) -> str:
        """Give the object that `git add` would make of a file in the work tree, with its filters and line ends."""
        stdin = quote_path(path) + b"\n"
        return self._git.run("hash-object", "--stdin-paths", stdin=stdin).decode("ascii").strip()

    def _commit(self, name: str) -> str | None:
        answer = self._git.ask("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{commit}}")
        return None if answer.code else answer.out.decode("ascii").strip()


def moved(branch: str) -> BranchMoved:
    """Say that somebody else moved the branch."""
    return BranchMoved(
        f"the branch {branch!r} moved while a commit was made; nothing was overwritten.",
        next_step="Run again: it goes on from where the branch stands now.",
    )
