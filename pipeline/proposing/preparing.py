"""Owns how the local branch of the proposal is brought to where a run can go on, before anything is paid for.

What is open and clean is laid anew over the base; what was merged is left behind, what was declined is named, and a
branch on which a person has committed is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Conflict
from pipeline.landing.branch import checked_out_elsewhere
from pipeline.proposal.ours import DECLINED
from pipeline.proposing.declining import Declined, sessions_with_ignored_pages
from pipeline.proposing.looking import look, read_steps
from pipeline.proposing.replaying import is_held, replay
from pipeline.proposing.stamping import stamp
from pipeline.proposing.undoing import undone_by_merge

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pipeline.finding import Finding
    from pipeline.proposal.ours import Step
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted


NAMED = 5
"""Commits that an error lists."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """Where a run goes on: `tip` of the local branch, and what the proposal was when it was looked at."""

    standing: Standing
    tip: str
    declined: Declined
    """What is not drafted again."""
    declined_pages: tuple[str, ...] = ()
    verified_pages: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def branch(self) -> str:
        """The branch that gets the commits."""
        return self.standing.branch


def prepare(hosted: Hosted, *, at: datetime, retry_declined: bool = False, read_only: bool = False) -> Prepared:
    """Look at the proposal, and let the local branch stand where a run can go on.

    Where a person has committed to it nothing moves, nor does it with `read_only`. Raises `Conflict` when the branch is
    checked out, or holds commits of a person that stand nowhere else.
    """
    standing = look(hosted)
    ended = ((), ()) if retry_declined else (standing.closed, standing.merged)
    again = sessions_with_ignored_pages(hosted, standing) if retry_declined else frozenset()
    declined = Declined(hosted, ended[0], merged=ended[1], elsewhere=standing.elsewhere, again=again)
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
    ours, behind = standing.commits.ours, _left_behind(hosted, standing)
    every = (*ours, *behind)
    # What is open is asked about at this moment, whatever was declined before.
    if retry_declined:
        # Drafted anew, with the pages that were left out.
        ours = tuple(step for step in ours if not any(step.trailers.get(DECLINED, ())))
    elif standing.proposal is None:
        ours = tuple(step for step in ours if declined.held(step.evidence, also_merged=False) is None)
    steps = (*ours, *(step for step in behind if _is_wanted(hosted, standing, step, declined)))
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


def _is_wanted(hosted: Hosted, standing: Standing, step: Step, declined: Declined) -> bool:
    """Whether a commit that is only here is to be proposed: nobody declined it, or took it back from the base."""
    on_record = is_held(hosted, step, standing.base_tip)
    return declined.held(step.evidence, also_merged=not on_record) is None


def _left_behind(hosted: Hosted, standing: Standing) -> tuple[Step, ...]:
    """Give sessions that were paid for here and never reached the remote, in the order of time.

    An earlier run was interrupted, or could not push; since then another name may have become that of the branch. Those
    that were committed to the base itself, by a run without a proposal, are among them.
    """
    repository = hosted.repository
    found: dict[str, Step] = {}
    known = {step.key for step in standing.commits.ours}
    for name in dict.fromkeys((standing.branch, *standing.names, hosted.base)):
        tip = repository.tip(name)
        if tip is None or tip == standing.base_tip or repository.merge_base(tip, standing.base_tip) is None:
            continue
        steps = read_steps(hosted, standing.base_tip, tip)
        if name == standing.branch:
            _refuse_to_lose(hosted, standing, [step for step in steps if not step.sealed])
        for step in steps:
            if step.sealed and step.evidence and step.key not in known:
                found.setdefault(step.key, step)
    return tuple(sorted(found.values(), key=lambda step: step.at))


def _refuse_to_lose(hosted: Hosted, standing: Standing, foreign: Sequence[Step]) -> None:
    """Stop where the local branch holds commits of a person that stand nowhere else: it is written anew."""
    known = {step.id for step in standing.commits.foreign}
    heads = [standing.head, *(one.head for one in (*standing.merged, *standing.closed))]
    unpushed = [
        step
        for step in foreign
        if step.id not in known
        and not any(head and (step.id == head or hosted.repository.is_ancestor(step.id, head)) for head in heads)
    ]
    if unpushed:
        raise Conflict(
            f"the local branch {standing.branch!r} holds commits of a person that stand nowhere else: "
            f"{', '.join(step.id[:10] for step in unpushed[:NAMED])}.",
            where=standing.branch,
            next_step=f"Push them, or keep them under another name: git branch -m {standing.branch} NAME",
        )
