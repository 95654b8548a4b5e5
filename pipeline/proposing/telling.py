"""Owns what a report says of a proposal, from how it stands and what was done about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.report import ProposalOutcome

if TYPE_CHECKING:
    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted
    from pipeline.report import Action, Report


def outcome_of(  # noqa: PLR0913  # what there is to tell
    hosted: Hosted, standing: Standing, seen: Seen, report: Report, *, action: Action, proposal: Proposal | None = None
) -> ProposalOutcome:
    """Say what was done; `proposal` is the one that is there now, without it the one that stood."""
    told = proposal or standing.proposal
    suppressed = sum(outcome.state == "suppressed" for outcome in report.sessions)
    return ProposalOutcome(
        action=action,
        branch=standing.branch,
        base=hosted.base,
        number=told.number if told else 0,
        url=told.url if told else "",
        head=standing.head or "",
        state=("open, with a person's commits" if standing.in_the_way else "open") if told else "",
        suppressed=suppressed,
        suppressed_by=seen.suppressed_by if suppressed else (),
        foreign=tuple(step.id for step in standing.in_the_way),
        declined_pages=seen.declined_pages,
        verified_pages=seen.verified_pages,
    )
