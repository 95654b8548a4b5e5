"""Owns a run whose commits are to be proposed: what is checked before it, where its commits go, what it leaves.

Knows no model and no command line: how the run itself is done comes in as two functions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from pipeline.errors import NotPermitted
from pipeline.proposing.following import follow
from pipeline.proposing.handing import seen_of
from pipeline.proposing.opening import refuse_without_access
from pipeline.proposing.preparing import prepare
from pipeline.report import ProposalOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pipeline.config import Settings
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.opening import Hosted
    from pipeline.proposing.preparing import Prepared
    from pipeline.report import Report


class Work(Protocol):
    """Consolidates with these settings; nothing is drafted of what was declined."""

    def __call__(self, settings: Settings, /, *, declined: Mapping[str, int], start: str) -> Report:
        """Do it; `start` is the commit that a dry run looks at."""


class Foresight(Protocol):
    """Tells what a run would take on, from a commit of the wiki."""

    def __call__(self, settings: Settings, /, *, start: str) -> Report:
        """Foresee it; asks nobody."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run for a proposal left: what to hand over, and its report."""

    seen: Seen
    report: Report


def check_access(hosted: Hosted, *, will_push: bool) -> str:
    """Ask, before anything is paid for, whether the proposal could be made; tell what was seen.

    Raises `NotPermitted`, which names every setting that is in the way.
    """
    access = hosted.forge.examine(base=hosted.base, branch=hosted.branch, will_push=will_push)
    refuse_without_access(access)
    if will_push:
        forbidden, mend = hosted.forge.may_open(base=hosted.base)
        if forbidden:
            raise NotPermitted(forbidden, where=hosted.forge.repository, next_step=mend)
    return access.told


def run_for_proposal(  # noqa: PLR0913  # what a door may ask for
    hosted: Hosted,
    settings: Settings,
    *,
    work: Work,
    foresee: Foresight,
    at: datetime,
    will_push: bool,
    retry_declined: bool = False,
    dry_run: bool = False,
) -> Ran:
    """Bring the proposal's branch to where a run can go on, and let the run commit to it; nothing is pushed.

    Where a person has committed to the proposal nothing is consolidated; the report counts what waits.
    """
    check_access(hosted, will_push=will_push)
    _, behind = follow(hosted, read_only=dry_run)
    prepared = prepare(hosted, at=at, retry_declined=retry_declined, read_only=dry_run)
    if prepared.standing.hands_off:
        report = _waiting(foresee(settings, start=prepared.tip))
        tip = prepared.tip
    else:
        wiki = settings.wiki.model_copy(update={"branch": prepared.branch})
        there = settings.model_copy(update={"wiki": wiki})
        report = work(there, declined=prepared.declined, start=prepared.tip)
        tip = (None if dry_run else hosted.repository.tip(prepared.branch)) or prepared.tip
    suppressed = sum(outcome.state == "suppressed" for outcome in report.sessions)
    by = tuple(sorted(set(prepared.declined.values()))) if suppressed else ()
    seen = seen_of(prepared, tip, suppressed_by=by)
    findings = (*behind, *prepared.findings, *report.findings)
    return Ran(seen, replace(report, findings=findings, proposal=_outcome(hosted, prepared, seen, suppressed)))


def _waiting(report: Report) -> Report:
    """Tell of what a run would take on as of what waits."""
    sessions = tuple(
        replace(one, state="waiting", reason="a person has committed to the open proposal")
        if one.state == "planned"
        else one
        for one in report.sessions
    )
    return replace(report, sessions=sessions, dry_run=False, planned_calls=0)


def _outcome(hosted: Hosted, prepared: Prepared, seen: Seen, suppressed: int) -> ProposalOutcome:
    standing = prepared.standing
    proposal = standing.proposal
    return ProposalOutcome(
        action="waiting" if seen.hands_off else "prepared",
        branch=seen.branch,
        base=hosted.base,
        number=seen.number,
        url=proposal.url if proposal else "",
        head=seen.tip,
        state="open, with a person's commits" if standing.in_the_way else "open" if proposal else "",
        suppressed=suppressed,
        suppressed_by=seen.suppressed_by,
        foreign=tuple(step.id for step in standing.in_the_way),
        declined_pages=prepared.declined_pages,
        verified_pages=prepared.verified_pages,
    )
