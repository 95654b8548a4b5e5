"""Owns landing on a branch: commits, and one compare-and-swap to the last; the files follow where it is checked out.

The order makes a kill harmless: the commits are built as objects, the files are staged with a journal that names
the old and the last new commit, the branch moves, files and index follow, the journal goes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import Conflict, GitError, Rejected, StoreError
from pipeline.git import Content, Entry, NewCommit, moved, named, seal
from pipeline.landing.following import Change, follow, look
from pipeline.landing.landing import ChangeSet, Landing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from pipeline.git import Branch, Repository, Snapshot
    from pipeline.wiki.tree import Checkpoint, Tree

NEW_FILE = "100644"


class BranchLanding(Landing):
    """Lands commits on one branch of a repository."""

    def __init__(  # noqa: PLR0913  # what a landing on a branch consists of
        self,
        repository: Repository,
        tree: Tree,
        branch: Branch,
        *,
        base: str | None,
        snapshot: Snapshot,
        read_only: bool,
        release: Callable[[], None],
        checkpoint: Checkpoint,
    ) -> None:
        super().__init__(snapshot, read_only=read_only)
        self.branch = branch.name
        self.folder = repository.places.prefix + tree.folder
        self._repository = repository
        self._tree = tree
        self._tip = branch.tip
        self._base = base
        self._entries = dict(snapshot.entries)
        self._release = release
        self._checkpoint = checkpoint
        self._follows = False
        """Whether the index was written, and so knows no times of the files."""

    @property
    def tip(self) -> str | None:
        """The commit on which the wiki stands; nothing before the first."""
        return self._base

    def close(self) -> None:
        """Give the lock back, and end the git process."""
        try:
            if self._follows:
                self._repository.refresh()
        finally:
            self._release()

    def _standing(self) -> Iterable[str]:
        return self._entries

    def _holds(self, path: str, raw: bytes | None) -> bool:
        standing = self._entries.get(path)
        if raw is None or standing is None:
            return raw is None and standing is None
        return standing.regular and standing.id == self._repository.blob_id(raw)

    def _carry(self, changes: Sequence[ChangeSet], at: datetime) -> Sequence[str]:
        repository = self._repository
        branch = repository.look_up(self.branch)
        if branch.elsewhere:
            raise checked_out_elsewhere(branch)
        if branch.tip != self._tip:
            raise moved(self.branch)
        chain = []
        last: dict[str, Change] = {}
        for one in changes:
            planned = {path: self._plan(path, raw) for path, raw in sorted(one.files.items())}
            contents = {f"{self.folder}/{path}": _content(change) for path, change in planned.items()}
            # So that wikimill knows its own work again, on a branch where a person may have committed since.
            changed = {f"{self.folder}/{path}": named(change.after) for path, change in planned.items()}
            chain.append(NewCommit(contents, seal(one.message, changed)))
            last.update(planned)
        # A file that one set changes and another one changes back has nothing to follow.
        followed = {path: change for path, change in sorted(last.items()) if change.before != change.after}
        before = look(repository, self._tree, self.folder, followed) if branch.checked_out else {}
        self._checkpoint("build")
        commits = repository.build_chain(self._base, chain, at=at)
        if branch.checked_out:
            self._move_with_files(followed, before, commits[-1], _reason(changes))
        else:
            self._move(commits[-1], _reason(changes))
        for path, change in followed.items():
            self._entries.pop(path, None)
            if change.after is not None:
                self._entries[path] = change.after
        return commits

    def _plan(self, path: str, raw: bytes | None) -> Change:
        standing = self._entries.get(path)
        if standing is not None and not standing.regular:
            raise Rejected("is a symbolic link or a submodule, not a page.", where=f"{self.folder}/{path}")
        if raw is None:
            return Change(None, standing, None)
        mode = standing.mode if standing else NEW_FILE
        return Change(raw, standing, Entry(mode, self._repository.blob_id(raw)))

    def _move(self, commit: str, reason: str) -> None:
        self._checkpoint("move")
        self._repository.move(self.branch, commit, self._tip, reason=reason)
        self._tip = self._base = commit
        self._checkpoint("moved")

    def _move_with_files(
        self, planned: Mapping[str, Change], before: Mapping[str, str], commit: str, reason: str
    ) -> None:
        self._repository.wait_for_index()
        note = {"branch": self.branch, "old": self._tip or "", "new": commit}
        journal = self._tree.stage({path: change.raw for path, change in planned.items()}, before, note)
        try:
            self._move(commit, reason)
        except (GitError, StoreError):
            self._tree.finish(journal)
            raise
        self._follows = True
        self._tell_kept(follow(self._repository, self._tree, journal, self.folder, planned))
        self._checkpoint("done")


def _reason(changes: Sequence[ChangeSet]) -> str:
    """Say in one line what the log of the branch is to hold."""
    subject = changes[-1].message.partition("\n")[0]
    return subject if len(changes) == 1 else f"{subject} (the last of {len(changes)} commits)"


def _content(change: Change) -> Content | None:
    return None if change.raw is None or change.after is None else Content(change.raw, change.after.mode)


def checked_out_elsewhere(branch: Branch) -> Conflict:
    """Say that another work tree follows the branch, whose files would not."""
    return Conflict(
        f"the branch {branch.name!r} is checked out in another work tree, {branch.elsewhere}.",
        where=branch.name,
        next_step="Run there, or set another wiki.branch in wikimill.toml.",
    )
