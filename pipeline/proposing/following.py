"""Owns how the work tree follows the remote's base before a run: new observations come with it. Overwrites nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import Conflict, GitError
from pipeline.finding import Finding

if TYPE_CHECKING:
    from pipeline.proposing.opening import Hosted


AHEAD = "base-ahead"
"""The rule of a finding: a branch at hand has commits that the remote does not have."""

NAMED = 5
"""Files and commits that a message lists before it counts the rest."""


def follow(hosted: Hosted, *, read_only: bool = False) -> tuple[str | None, tuple[Finding, ...]]:
    """Fast-forward the base to where the remote has it; give that commit, and what stands in the way.

    Observations are read from what is checked out: where that is another branch, it follows its own on the remote too.
    A branch that has commits of its own stays as it is, and so does every one with `read_only`: a finding says so.
    Nothing is given when the remote has no such branch yet. Raises `GitError` when files that were not committed are in
    the way.
    """
    repository = hosted.repository
    here = repository.head().branch
    branches = list(dict.fromkeys(filter(None, (hosted.base, here))))
    fetched = hosted.remote.fetch(branches)
    if repository.is_shallow:
        hosted.remote.unshallow()
    findings = [found for name in branches for found in _follow(hosted, name, fetched[name], read_only=read_only)]
    if here and here != hosted.base:
        told = f"observations and settings are read from {here!r}, which is checked out, and not from the base."
        findings.append(Finding(here, "other-branch", "note", told, f"Check out {hosted.base!r} if that is not meant."))
    return fetched[hosted.base], (*findings, *_unshared(hosted, fetched[hosted.base]))


def _follow(hosted: Hosted, name: str, theirs: str | None, *, read_only: bool) -> tuple[Finding, ...]:
    repository = hosted.repository
    local = repository.look_up(name)
    if theirs is None or local.tip is None or local.tip == theirs:
        return ()
    if repository.is_ancestor(theirs, local.tip):
        told = "the branch holds commits that the remote does not have; whoever reviews cannot see what they hold."
        return (Finding(name, AHEAD, "warning", told, "Push them, if they are to be shared."),)
    if not repository.is_ancestor(local.tip, theirs):
        return (_behind(name, "it has commits that the remote does not have"),)
    if read_only:
        return (_behind(name, "a dry run changes nothing"),)
    if local.elsewhere:
        return (_behind(name, f"it is checked out in {local.elsewhere}"),)
    if local.checked_out:
        repository.fast_forward(theirs)
    else:
        repository.move(name, theirs, local.tip, reason="wikimill: follow the remote")
    return ()


def _unshared(hosted: Hosted, base: str | None) -> tuple[Finding, ...]:
    """Tell of observations at hand that the base does not hold: pages would cite what no reviewer can open."""
    changed = hosted.repository.changed_under(hosted.observations)
    head = hosted.repository.head().commit
    if base is not None and head is not None and not hosted.repository.is_ancestor(head, base):
        start = hosted.observations + "/"
        between = hosted.repository.changes(hosted.repository.merge_base(base, head) or base, head)
        changed = tuple(sorted({*changed, *(one.path for one in between if one.path.startswith(start))}))
    if not changed:
        return ()
    rest = f" and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
    told = f"the base on the remote does not hold these observations: {', '.join(changed[:NAMED])}{rest}."
    step = "Commit and push them to the base; until then, citations of them lead nowhere for others."
    return (Finding(hosted.observations, "observations-not-shared", "warning", told, step),)


def _behind(branch: str, why: str) -> Finding:
    return Finding(
        branch,
        "base-behind",
        "warning",
        f"the branch does not follow the remote, for {why}; observations that are new there are not read.",
        "Run `git pull` there.",
    )


def need_no_work_of_people(hosted: Hosted, theirs: str | None, foreign: tuple[str, ...]) -> None:
    """Refuse to push commits of a person along with a run's own: whether they are to be shared is theirs to say."""
    if foreign:
        raise Conflict(
            f"{hosted.base} holds commits of a person that are not on the remote: {', '.join(foreign[:NAMED])}.",
            where=hosted.base,
            next_step="Push them, or take them off the branch, then run again.",
        )
    if theirs is None:
        raise GitError(
            f"the remote has no branch {hosted.base!r} yet.",
            where=hosted.remote.url,
            next_step=f"Push it once: git push {hosted.remote_name} {hosted.base}",
        )
