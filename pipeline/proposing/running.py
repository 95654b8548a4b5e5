"""Owns a run whose commits are to be proposed: what is checked before it, where its commits go, what it leaves.

Knows no model and no command line: how the run itself is done comes in as two functions.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from pipeline.errors import ConfigError, NotPermitted
from pipeline.landing.opening import alone
from pipeline.proposal.proposal import Access
from pipeline.proposing.following import follow
from pipeline.proposing.handing import seen_of
from pipeline.proposing.opening import refuse_without_access
from pipeline.proposing.preparing import prepare
from pipeline.proposing.telling import outcome_of
from pipeline.round.layout import proposal_in

if TYPE_CHECKING:
    from datetime import datetime

    from pipeline.config import Settings
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.opening import Hosted
    from pipeline.report import Report
    from pipeline.round.opened import Declines


class Work(Protocol):
    """Consolidates with these settings; nothing is drafted of what was declined."""

    def __call__(self, settings: Settings, /, *, declined: Declines | None, start: str) -> Report:
        """Do it; `start` is the commit that a dry run looks at."""


class Foresight(Protocol):
    """Tells what a run would take on, from a commit of the wiki."""

    def __call__(self, settings: Settings, /, *, declined: Declines | None, start: str) -> Report:
        """Foresee it; asks nobody."""


@dataclass(frozen=True, slots=True)
class Ran:
    """What a run for a proposal left: what to hand over, and its report."""

    seen: Seen
    report: Report


def check_access(hosted: Hosted, *, will_push: bool) -> Access:
    """Ask, before anything is paid for, whether the proposal could be made; tell what was seen, and what is amiss.

    Raises `NotPermitted`, which names every setting that is in the way.
    """
    access = hosted.forge.examine(base=hosted.base, branch=hosted.branch, will_push=will_push)
    refuse_without_access(access)
    if will_push:
        forbidden, mend = hosted.forge.may_open(base=hosted.base)
        if forbidden:
            raise NotPermitted(forbidden, where=hosted.forge.repository, next_step=mend)
        _try_push(hosted, hosted.branch)
    return access


def check_push(hosted: Hosted) -> Access:
    """Ask, before anything is paid for, whether the base could be pushed to directly; tell what was seen.

    Where the host is not known, or there is no token for it, git finds out by pushing.
    """
    _try_push(hosted, hosted.base)
    if isinstance(hosted.host, ConfigError):
        return Access(f"a push to {hosted.base} of {hosted.remote.url}; its host is not asked: {hosted.host.message}")
    access = hosted.host.examine(base=hosted.base, branch=hosted.base, will_push=True)
    refuse_without_access(access)
    return access


def _try_push(hosted: Hosted, branch: str) -> None:
    """Let git ask whether it may push: of many a token the host's API does not tell."""
    here = hosted.repository.head().commit
    if here is not None:
        hosted.remote.try_push(branch, here)


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
    access = check_access(hosted, will_push=will_push)
    # The run itself takes the same lock again; what it finds then is compared with what was prepared.
    with nullcontext() if dry_run else alone(hosted.repository):
        _, behind = follow(hosted, read_only=dry_run)
        prepared = prepare(hosted, at=at, retry_declined=retry_declined, read_only=dry_run)
    if prepared.standing.hands_off:
        report = _waiting(foresee(settings, declined=prepared.declined, start=prepared.tip), dry_run=dry_run)
        tip = prepared.tip
    else:
        wiki = settings.wiki.model_copy(update={"branch": prepared.branch})
        there = settings.model_copy(update={"wiki": wiki})
        # A model that is silent keeps nothing back that people asked for: ticks, a base that moved, work of before.
        report = work(there, declined=prepared.declined, start=prepared.tip)
        tip = (None if dry_run else hosted.repository.tip(prepared.branch)) or prepared.tip
    numbers = (proposal_in(one.reason) for one in report.sessions if one.state == "suppressed")
    seen = seen_of(prepared, tip, suppressed_by=tuple(sorted({*numbers} - {0})))
    findings = (*access.findings, *behind, *prepared.findings, *report.findings)
    outcome = outcome_of(hosted, prepared.standing, seen, report, action="waiting" if seen.hands_off else "prepared")
    return Ran(seen, replace(report, findings=findings, proposal=replace(outcome, head=tip)))


def _waiting(report: Report, *, dry_run: bool) -> Report:
    """Tell of what a run would take on as of what waits."""
    sessions = tuple(
        replace(one, state="waiting", reason="a person has committed to the open proposal")
        if one.state == "planned"
        else one
        for one in report.sessions
    )
    return replace(report, sessions=sessions, dry_run=dry_run, planned_calls=0)
