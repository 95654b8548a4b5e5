"""Owns letting the work tree follow a commit, as a person would with git: what was not committed is never lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import GitError
from pipeline.git.process import explain

if TYPE_CHECKING:
    from pipeline.git.process import GitProcess

_IN_THE_WAY = ("would be overwritten", "not uptodate", "not up to date")


def fast_forward(git: GitProcess, commit: str) -> None:
    """Move the branch that is checked out forward to a commit, and its files with it."""
    _move(git, ("merge", "--ff-only", "--no-overwrite-ignore", "--quiet", commit))


def reset_keep(git: GitProcess, commit: str) -> None:
    """Let the branch that is checked out stand at a commit, and its files follow; edits of other files stay."""
    _move(git, ("reset", "--keep", "--quiet", commit))


def _move(git: GitProcess, command: tuple[str, ...]) -> None:
    answer = git.ask(*command)
    if not answer.code:
        return
    if any(told in answer.complaint for told in _IN_THE_WAY):
        raise GitError(
            "files that were not committed are in the way of what is new on the remote.",
            where=str(git.folder),
            next_step="Commit, stash or undo them, then run again.",
        )
    raise explain(command, answer, git.folder)
