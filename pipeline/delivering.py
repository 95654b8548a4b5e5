"""Owns where the commits of a run go: they stay on the branch, are handed over, proposed, or pushed.

Whatever happens after the run has ended, its report is not lost: it then names the error as well.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pipeline.errors import BranchMoved, WikimillError
from pipeline.git import open_repository
from pipeline.landing.opening import alone
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal.proposal import Access
from pipeline.proposing.declining import Declined
from pipeline.proposing.following import follow
from pipeline.proposing.handing import hand_over, take_over
from pipeline.proposing.opening import open_hosted
from pipeline.proposing.proposing import propose
from pipeline.proposing.pushing import push_directly, ready_to_push
from pipeline.proposing.running import check_access, check_push, run_for_proposal
from pipeline.proposing.several import open_elsewhere
from pipeline.report import fault_of

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.choosing import Outside
    from pipeline.config import Settings
    from pipeline.finding import Finding
    from pipeline.proposing.opening import Hosted
    from pipeline.proposing.running import Foresight, Work
    from pipeline.report import ProposalOutcome, Report

Way = Literal["commit", "prepare", "propose", "push"]


@dataclass(frozen=True, slots=True)
class Errand:
    """What is to become of the commits, and how. `report_url` is where people find the whole report; may be empty."""

    way: Way = "commit"
    retry_declined: bool = False
    dry_run: bool = False
    report_url: str = ""


def deliver(  # noqa: PLR0913  # the story's parts
    settings: Settings, root: Path, outside: Outside, errand: Errand, *, work: Work, foresee: Foresight
) -> Report:
    """Run, and bring the commits where they are to go.

    Raises what stops it before the run. An error after that stands in the report as its `fault`; the commits wait on
    the local branch, and the next run takes them up.
    """
    if errand.way == "commit":
        return work(settings, declined=None, start="")
    if errand.way == "push":
        with open_hosted(root, settings, outside, direct=True) as hosted:
            return _push(hosted, settings, outside, errand, work)
    with open_hosted(root, settings, outside) as hosted:
        at = outside.now()
        ran = run_for_proposal(
            hosted,
            settings,
            work=work,
            foresee=foresee,
            at=at,
            will_push=errand.way == "propose" and not errand.dry_run,
            retry_declined=errand.retry_declined,
            dry_run=errand.dry_run,
        )
        if errand.dry_run or _was_overtaken(ran.report):
            return ran.report
        try:
            if errand.way == "prepare":
                hand_over(root, hosted.repository, ran.seen, ran.report)
                return ran.report
            with alone(hosted.repository):
                done = propose(hosted, settings, root, ran.seen, ran.report, at=at, report_url=errand.report_url)
        except WikimillError as fault:
            return replace(ran.report, fault=fault_of(fault))
        return _with(ran.report, *done)


def propose_handed_over(settings: Settings, root: Path, outside: Outside, *, report_url: str = "") -> Report:
    """Propose what a run has left in `.wikimill/proposal`, and give its report with what became of it.

    Asks no model. Raises `StoreError` when nothing was handed over, and all that `propose` raises.
    """
    with open_hosted(root, settings, outside) as hosted:
        access = check_access(hosted, will_push=True)
        with alone(hosted.repository):
            # The run may have followed the remote further than the clone of this job does.
            follow(hosted)
            seen, report = take_over(root, hosted.repository, make_redactor(settings.redaction).scrub)
            done = propose(hosted, settings, root, seen, report, at=outside.now(), report_url=report_url)
        outcome, findings = done
        return _with(report, outcome, (*access.findings, *findings))


def check_way(way: Way, settings: Settings, root: Path, outside: Outside) -> Access:
    """Ask whether commits could go that way; tell what was seen, and what is amiss. Changes nothing, asks no model."""
    if way == "commit":
        with open_repository(root, outside.environment):
            return Access("commits stay here")
    with open_hosted(root, settings, outside, direct=way == "push") as hosted:
        return check_push(hosted) if way == "push" else check_access(hosted, will_push=way == "propose")


def _push(hosted: Hosted, settings: Settings, outside: Outside, errand: Errand, work: Work) -> Report:
    findings = check_push(hosted).findings
    if not errand.dry_run:
        with alone(hosted.repository):
            findings = (*findings, *ready_to_push(hosted))
    wiki = settings.wiki.model_copy(update={"branch": hosted.base})
    # What is proposed is neither paid for again nor pushed past whoever is to judge it.
    proposed = Declined(hosted, (), elsewhere=open_elsewhere(hosted))
    report = work(settings.model_copy(update={"wiki": wiki}), declined=proposed, start="")
    report = replace(report, findings=(*findings, *report.findings))
    if errand.dry_run or _was_overtaken(report):
        return report
    try:
        with alone(hosted.repository):
            outcome, late = push_directly(hosted, at=outside.now())
    except WikimillError as fault:
        return replace(report, fault=fault_of(fault))
    return _with(report, outcome, late)


def _was_overtaken(report: Report) -> bool:
    """Whether others committed to the branch again and again, so that what stands on it is not the run's alone."""
    return report.fault is not None and report.fault.kind == BranchMoved.__name__


def _with(report: Report, outcome: ProposalOutcome, findings: tuple[Finding, ...]) -> Report:
    return replace(report, proposal=outcome, findings=tuple(dict.fromkeys((*report.findings, *findings))))
