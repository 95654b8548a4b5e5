"""Owns one repository as wikimill sees it: where it stands, its branches, its commits; the only caller of git.

It makes commits and moves branches; what stands in a commit, and what becomes of the files in the work tree, is
decided above. Paths are those from the top of the repository.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pipeline.errors import BranchMoved, GitError
from pipeline.git import branches, bundles, ranges, worktree
from pipeline.git.branches import HEADS, Branch, Head, find_commit
from pipeline.git.commits import Content, Identity, NewCommit, build_commits, quote_path, read_identity, read_user_name
from pipeline.git.history import Version, read_history
from pipeline.git.index import Staged, read_index, refresh_index, wait_for_index, write_index
from pipeline.git.network import PATIENCE
from pipeline.git.places import Places, read_places
from pipeline.git.process import GitProcess, explain, load_library, no_repository
from pipeline.git.remote import Credentials, Remote, open_remote
from pipeline.git.revisions import Revisions, is_markdown, read_revisions, read_shallow
from pipeline.git.snapshot import Blobs, Entry, Snapshot, list_entries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from pipeline.git.ranges import Changed, Commit

UNDER_WAY = {
    "MERGE_HEAD": "merge",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "rebase-merge": "rebase",
    "rebase-apply": "rebase",
}
"""What lies in the git folder while something is half done."""


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
    places = read_places(git)
    return Repository(GitProcess(places.top, environment), places)


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
        return branches.read_head(self._git)

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
        return find_commit(self._git, HEADS + branch)

    def look_up(self, branch: str) -> Branch:
        """Tell where a branch stands, and whether a work tree follows it."""
        return branches.look_up(self._git, branch)

    def check_name(self, branch: str) -> str:
        """Give the short name of a branch, or refuse what can be none."""
        name = branches.short_name(self._git, branch)
        if not name:
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

    def user_name(self) -> str:
        """Give the name of whoever works here, as git knows it (`user.name`), or an empty text."""
        return read_user_name(self._git)

    def author_email(self) -> str:
        """Tell the address that stands as the author's in what is committed here."""
        return self._who().author.address

    def under_way(self) -> str:
        """Name what is half done in this work tree (a merge, a rebase), or give an empty text."""
        return next((what for name, what in UNDER_WAY.items() if (self.places.git_dir / name).exists()), "")

    def snapshot(self, commit: str | None, folder: str) -> Snapshot:
        """Give the files below a folder at a commit; they are read when asked for."""
        return Snapshot(list_entries(self._git, commit, folder) if commit else {}, self._blobs)

    def read_objects(self, ids: Sequence[str]) -> list[bytes]:
        """Give the bytes of objects, in their order."""
        return self._blobs.read(list(ids))

    def sizes(self, ids: Sequence[str]) -> list[int]:
        """Tell how many bytes objects have, in their order, without reading any."""
        return self._blobs.sizes(list(ids))

    def changed_under(self, folder: str) -> tuple[str, ...]:
        """Name what a person has not committed below a folder: staged, changed, deleted, or new and not ignored."""
        status = ("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", folder)
        records = self._git.run(*status).decode("utf-8", "surrogateescape").split("\0")
        return tuple(sorted({record[3:] for record in records if record}))

    def history(self, path: str, *, branch: str = "") -> tuple[Version, ...]:
        """Tell the versions of a file, the newest first, as a branch knows them, or what is checked out."""
        commit = find_commit(self._git, HEADS + branch if branch else "HEAD")
        return read_history(self._git, commit, path) if commit else ()

    def revisions(
        self, folder: str, *, most: int = 11, branch: str = "", wanted: Callable[[str], bool] = is_markdown
    ) -> Revisions:
        """Give the newest `most` versions of all pages below a folder in one pass, and every move of a page.

        As a branch knows them, or what is checked out; `wanted` takes a path below the folder.
        """
        commit = find_commit(self._git, HEADS + branch if branch else "HEAD")
        if commit is None:
            return Revisions({})
        shallow = read_shallow(self.places.common_dir / "shallow")
        place = folder.strip("/")
        return read_revisions(self._git, self._blobs, commit, place, most=most, wanted=wanted, shallow=shallow)

    # How commits relate

    @property
    def is_shallow(self) -> bool:
        """Whether a part of the history is missing here; asked anew each time."""
        return self._git.run("rev-parse", "--is-shallow-repository").strip() == b"true"

    def commits_between(self, base: str | None, head: str) -> tuple[Commit, ...]:
        """Tell the commits that `head` rests on and `base` does not, parents before children; with no base, all."""
        return ranges.commits_between(self._git, base, head)

    def commit_message(self, commit: str) -> str:
        """Give the message of a commit."""
        return ranges.commit_message(self._git, commit)

    def merge_base(self, one: str, other: str) -> str | None:
        """Give the best commit that both rest on, if there is one; a shallow clone may not know it."""
        return ranges.merge_base(self._git, one, other)

    def changes(self, old: str | None, new: str) -> tuple[Changed, ...]:
        """Tell every path that differs between two commits, sorted; without an old one, everything that stands."""
        return ranges.changes(self._git, old, new)

    def clean_merge(self, one: str, other: str) -> str | None:
        """Give the tree that git makes of two commits by itself; none on a conflict, or where git is too old."""
        return ranges.clean_merge(self._git, one, other)

    def tree_id(self, commit: str, folder: str) -> str:
        """Give the id of a folder in a commit or a tree; empty when no such folder is there."""
        return ranges.tree_id(self._git, commit, folder)

    # Other clones

    def remote(self, name: str, credentials: Credentials | None = None, *, limit: float = PATIENCE) -> Remote:
        """Find a remote by its name; each of its commands over the network may take `limit` seconds."""
        return open_remote(self._git, name, credentials, limit=limit)

    def write_bundle(self, path: Path, *, base: str, head: str) -> None:
        """Write what `head` adds to `base` into a file for another clone; `GitError` when that is nothing."""
        bundles.write_bundle(self._git, path, base=base, head=head)

    def read_bundle(self, path: Path, *, limit: int = bundles.SIZE_LIMIT) -> str:
        """Take the commits of such a file in, and give the last; `refs/wikimill/handed` names it from then on.

        `limit` is in bytes, for the file and for each object that it unpacks to.
        """
        return bundles.read_bundle(self._git, path, limit=limit)

    # What changes

    def set_reference(self, name: str, new: str | None) -> None:
        """Let a reference below `refs/wikimill/` name a commit, or drop it."""
        branches.set_reference(self._git, name, new)

    def build(self, parent: str | None, changes: Mapping[str, Content | None], *, message: str, at: datetime) -> str:
        """Make a commit and give its id; no branch, no index and no file is touched."""
        return self.build_chain(parent, (NewCommit(changes, message),), at=at)[0]

    def build_chain(self, parent: str | None, chain: Sequence[NewCommit], *, at: datetime) -> tuple[str, ...]:
        """Make commits, the first over `parent` and each other over the one before it; give their ids."""
        return build_commits(self._git, parent=parent, chain=chain, identity=self._who(), at=at, zero=self.places.zero)

    def _who(self) -> Identity:
        if self._identity is None:
            self._identity = read_identity(self._git)
        return self._identity

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

    def fast_forward(self, commit: str) -> None:
        """Move the branch that is checked out forward, and its files with it; nothing uncommitted is lost."""
        worktree.fast_forward(self._git, commit)

    def reset_keep(self, commit: str) -> None:
        """Let the branch that is checked out stand at a commit, and its files; nothing uncommitted is lost."""
        worktree.reset_keep(self._git, commit)

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


def moved(branch: str) -> BranchMoved:
    """Say that somebody else moved the branch."""
    return BranchMoved(
        f"the branch {branch!r} moved while a commit was made; nothing was overwritten.",
        next_step="Run again: it goes on from where the branch stands now.",
    )
