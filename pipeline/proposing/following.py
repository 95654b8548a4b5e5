"""Owns how the work tree follows the remote's base before a run: new observations come with it. Overwrites nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import Conflict, GitError
from pipeline.finding import Finding

if TYPE_CHECKING:
    from pipeline.proposing.opening import Hosted


def follow(hosted: Hosted, *, read_only: bool = False) -> tuple[str | None, tuple[Finding, ...]]:
    """Fast-forward the base to where the remote has it; give that commit, and what stands in the way.

    A base that has commits of its own stays as it is, and so does every one with `read_only`: a finding says so.
    Nothing is given when the remote has no such branch yet. Raises `GitError` when files that were not committed are in
    the way.
    """
    theirs = hosted.remote.fetch([hosted.base])[hosted.base]
    repository = hosted.repository
    if repository.is_shallow:
        hosted.remote.unshallow()
    local = repository.look_up(hosted.base)
    if theirs is None or local.tip is None or local.tip == theirs:
        return theirs, ()
    if repository.is_ancestor(local.tip, theirs):
        if read_only:
            return theirs, (_behind(hosted.base, "a dry run changes nothing"),)
        if local.elsewhere:
            return theirs, (_behind(hosted.base, f"it is checked out in {local.elsewhere}"),)
        if local.checked_out:
            repository.fast_forward(theirs)
        else:
            repository.move(hosted.base, theirs, local.tip, reason="wikimill: follow the remote")
        return theirs, ()
    if repository.is_ancestor(theirs, local.tip):
        return theirs, ()
    return theirs, (_behind(hosted.base, "it has commits that the remote does not have"),)


def _behind(base: str, why: str) -> Finding:
    return Finding(
        base,
        "base-behind",
        "warning",
        f"the branch does not follow the remote, for {why}; observations that are new there are not read.",
        "Run `git pull` there.",
    )


def need_no_work_of_people(hosted: Hosted, theirs: str | None, foreign: tuple[str, ...]) -> None:
    """Refuse to push commits of a person along with a run's own: whether they are to be shared is theirs to say."""
    if foreign:
        raise Conflict(
            f"{hosted.base} holds commits of a person that are not on the remote: {', '.join(foreign[:5])}.",
            where=hosted.base,
            next_step="Push them, or take them off the branch, then run again.",
        )
    if theirs is None:
        raise GitError(
            f"the remote has no branch {hosted.base!r} yet.",
            where=hosted.remote.url,
            next_step=f"Push it once: git push {hosted.remote_name} {hosted.base}",
        )
