"""Owns the direct way, for teams without review: a run's commits go to the base itself. Never by force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import BranchMoved, GitError
from pipeline.finding import Finding
from pipeline.proposing.following import AHEAD, follow, need_no_work_of_people
from pipeline.proposing.looking import read_steps
from pipeline.proposing.replaying import replay
from pipeline.report import ProposalOutcome

if TYPE_CHECKING:
    from datetime import datetime

    from pipeline.git import Branch
    from pipeline.proposal.ours import Step
    from pipeline.proposing.opening import Hosted
    from pipeline.report import Action

MOST_TIMES = 5
"""How often a push starts again because somebody else has pushed; after that it gives way."""


def ready_to_push(hosted: Hosted) -> tuple[Finding, ...]:
    """Follow the remote before a run, and refuse where a person's commits would be pushed along."""
    theirs, findings = follow(hosted)
    _steps(hosted, theirs)
    return tuple(found for found in findings if found.rule != AHEAD)


def push_directly(hosted: Hosted, *, at: datetime) -> tuple[ProposalOutcome, tuple[Finding, ...]]:
    """Push our commits on the base. Where somebody has pushed meanwhile, they are laid over that and pushed again.

    Raises `BranchMoved` when that goes on for ever, and `PushRefused`; the commits stay on the local branch then.
    """
    repository, remote = hosted.repository, hosted.remote
    findings: tuple[Finding, ...] = ()
    for left in reversed(range(MOST_TIMES)):
        theirs = remote.fetch([hosted.base])[hosted.base]
        local = repository.look_up(hosted.base)
        if local.tip is None or local.tip == theirs:
            return _outcome(hosted, "unchanged", theirs or ""), findings
        steps = _steps(hosted, theirs)
        tip = local.tip
        if theirs is not None and not repository.is_ancestor(theirs, tip):
            replayed = replay(hosted, theirs, steps, at=at)
            tip, findings = replayed.tip, replayed.findings
        if tip == theirs:
            return _outcome(hosted, "unchanged", tip), (*findings, *_follow(hosted, local, tip))
        try:
            remote.push_forward(hosted.base, tip, expected=theirs)
        except BranchMoved:
            if not left:
                raise
            continue
        return _outcome(hosted, "pushed", tip), (*findings, *_follow(hosted, local, tip))
    raise AssertionError  # the last time returns or raises


def _follow(hosted: Hosted, local: Branch, tip: str) -> tuple[Finding, ...]:
    """Let the local branch stand where the remote one does; what is in the way is no reason to hide that it does."""
    try:
        if tip != local.tip and local.checked_out:
            hosted.repository.reset_keep(tip)
        elif tip != local.tip:
            hosted.repository.move(hosted.base, tip, local.tip, reason="wikimill: follow what was pushed")
    except GitError as fault:
        return (Finding(hosted.base, "base-behind", "warning", fault.message, fault.next_step),)
    return ()


def _steps(hosted: Hosted, theirs: str | None) -> tuple[Step, ...]:
    """Give our commits that the remote does not have; a person's are refused."""
    local = hosted.repository.tip(hosted.base)
    if theirs is None or local is None or local == theirs:
        need_no_work_of_people(hosted, theirs, ())
        return ()
    steps = tuple(read_steps(hosted, theirs, local))
    # A merge and a revert as well: whatever is not ours is somebody's, and to be shared or lost by nobody else.
    foreign = tuple(f"{step.id[:10]} {step.subject}" for step in steps if not step.sealed)
    need_no_work_of_people(hosted, theirs, foreign)
    return steps


def _outcome(hosted: Hosted, action: Action, head: str) -> ProposalOutcome:
    return ProposalOutcome(action=action, branch=hosted.base, base=hosted.base, head=head)
