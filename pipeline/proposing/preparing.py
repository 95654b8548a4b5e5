"""Owns how the local branch of the proposal is brought to where a run can go on, before anything is paid for.

What is open and clean is laid anew over the base; what was merged is left behind, what was declined is named, and a
branch on which a person has committed is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.errors import Conflict
from pipeline.landing.branch import checked_out_elsewhere
from pipeline.proposal.ours import sort_out
from pipeline.proposing.looking import declined_evidence, look, read_steps
from pipeline.proposing.replaying import replay
from pipeline.proposing.stamping import stamp
from pipeline.proposing.undoing import undone_by_merge

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pipeline.finding import Finding
    from pipeline.proposal.ours import Step
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted


@dataclass(frozen=True, slots=True)
class Prepared:
    """Where a run goes on: `tip` of the local branch, and what the proposal was when it was looked at."""

    standing: Standing
    tip: str
    declined: Mapping[str, int] = field(default_factory=dict)
    """Evidence that people declined, with the number of the proposal that was closed."""
    declined_pages: tuple[str, ...] = ()
    verified_pages: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def branch(self) -> str:
        """The branch that gets the commits."""
        return self.standing.branch


def prepare(hosted: Hosted, *, at: datetime, retry_declined: bool = False, read_only: bool = False) -> Prepared:
    """Look at the proposal, and let the local branch stand where a run can go on.

    Where a person has committed to it nothing moves, nor does it when it is opened
    `read_only`. Raises `Conflict` when the branch is checked out, or holds commits of a person that stand nowhere else.
    """
    standing = look(hosted)
    declined = {} if retry_declined else declined_evidence(hosted, standing.closed)
    if standing.hands_off:
        return Prepared(standing, standing.head or standing.base_tip, declined, findings=standing.findings)
    repository = hosted.repository
    local = repository.look_up(standing.branch)
    if local.elsewhere:
        raise checked_out_elsewhere(local)
    if local.checked_out:
        raise Conflict(
            f"the branch {standing.branch!r} is checked out; wikimill writes it anew.",
            where=standing.branch,
            next_step=f"Run `git switch {hosted.base}`, then run again.",
        )
    every = (*standing.commits.ours, *_left_behind(hosted, standing, local.tip))
    # What is open is asked about at this moment, whatever was declined before.
    proposed = {step.id for step in standing.commits.ours} if standing.proposal is not None else set()
    steps = [step for step in every if step.id in proposed or step.evidence not in declined]
    undone, by = ((), {}) if retry_declined else undone_by_merge(hosted, standing)
    replayed = replay(
        hosted,
        standing.base_tip,
        # What was undone comes last: a commit that says so already may be among the others.
        (*steps, *undone),
        ignored=standing.controls.ignored,
        reverted={*(standing.commits.reverted or ()), *by},
        marks=len(steps) == len(every),
        at=at,
    )
    closed = () if retry_declined else standing.closed
    tip, verified = stamp(hosted, standing.merged, standing.base_tip, replayed.tip, at=at, closed=closed)
    if tip != local.tip and not read_only:
        repository.move(standing.branch, tip, local.tip, reason="wikimill: go on from where the proposal stands")
    findings = (*standing.findings, *replayed.findings)
    return Prepared(standing, tip, declined, replayed.declined, verified, findings)


def _left_behind(hosted: Hosted, standing: Standing, tip: str | None) -> tuple[Step, ...]:
    """Give sessions that were paid for here and never reached the remote: an earlier run was interrupted."""
    if tip is None:
        return ()
    steps = read_steps(hosted, standing.base_tip, tip)
    known = {step.id for step in (*standing.commits.ours, *standing.commits.foreign)}
    known |= {one.head for one in (*standing.merged, *standing.closed)}
    mine = sort_out(steps)
    unpushed = [step for step in mine.foreign if step.id not in known and not _is_pushed(hosted, standing, step)]
    if unpushed:
        raise Conflict(
            f"the local branch {standing.branch!r} holds commits of a person that stand nowhere else: "
            f"{', '.join(step.id[:10] for step in unpushed[:5])}.",
            where=standing.branch,
            next_step=f"Push them, or keep them under another name: git branch -m {standing.branch} NAME",
        )
    keys = {step.key for step in standing.commits.ours}
    return tuple(step for step in mine.ours if step.evidence and step.key not in keys)


def _is_pushed(hosted: Hosted, standing: Standing, step: Step) -> bool:
    """Whether a commit is part of a proposal that was ended, or of the branch as the remote has it."""
    heads = (standing.head, *(one.head for one in (*standing.merged, *standing.closed)))
    return any(head and hosted.repository.is_ancestor(step.id, head) for head in heads)
