"""Owns the second half of the story: commits are checked, pushed with a lease, and become one open proposal.

It asks no model. Everything that it was told is held against the remote and the host first: when somebody has
committed, merged or closed meanwhile, nothing is pushed, and the next run goes on from what stands then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.errors import BranchMoved, Rejected
from pipeline.proposal.proposal import NewProposal
from pipeline.proposal.reticking import reticked
from pipeline.proposal.text import render as render_text
from pipeline.proposal.text import title as title_of
from pipeline.proposing.accounting import Circumstances, account_of
from pipeline.proposing.inspecting import inspect
from pipeline.proposing.looking import look, read_steps
from pipeline.report import ProposalOutcome

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.finding import Finding
    from pipeline.proposal.account import Account
    from pipeline.proposal.ours import Step
    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted
    from pipeline.report import Action, Report

WAITS = "a person has committed to the proposal; new work waits until it is merged, or somebody asks to recreate it"

NAMED = 5
"""Mistakes that an error lists before it counts the rest."""

NOTHING_LEFT = "The base holds everything that was proposed here, so there is nothing left to merge."
ACTIONS_AUTHOR = "github-actions[bot]"
APPROVE = (
    "The token of GitHub Actions opened this pull request, so its checks wait: somebody with write access must press "
    "**Approve and run**. Without checks nothing has been checked. With the token of a GitHub App they start alone."
)


@dataclass(frozen=True, slots=True)
class Proposing:
    """One proposal at work: what stands, what was handed over, and what is to be told."""

    hosted: Hosted
    settings: Settings
    root: Path
    standing: Standing
    seen: Seen
    report: Report
    at: datetime
    report_url: str = ""
    """Where the whole report can be read; empty outside of CI."""


def propose(  # noqa: PLR0913  # what the story works with
    hosted: Hosted, settings: Settings, root: Path, seen: Seen, report: Report, *, at: datetime, report_url: str = ""
) -> tuple[ProposalOutcome, tuple[Finding, ...]]:
    """Push what a run has made and open or update the proposal; give what was done, and what there is to know.

    Raises `BranchMoved` when the proposal is not what it was any more, `Rejected` when what was handed over does not
    hold, `PushRefused`, `NotPermitted` and `ForgeUnavailable`; after a push that was followed by one of the latter, the
    next run takes the branch up as it stands.
    """
    standing = look(hosted)
    _hold(standing, seen)
    work = Proposing(hosted, settings, root, standing, seen, report, at, report_url)
    if seen.hands_off:
        return _leave(work)
    steps = _ours(work)
    repository, folder = hosted.repository, hosted.folder
    if repository.tree_id(seen.tip, folder) == repository.tree_id(standing.base_tip, folder):
        return _nothing_left(work)
    findings = inspect(hosted, settings, root, seen, at=at)
    if findings:
        told = " ".join(f"{one.where}: {one.message}" for one in findings[:NAMED])
        rest = f" And {len(findings) - NAMED} more." if len(findings) > NAMED else ""
        raise Rejected(f"what was handed over is not what a run writes. {told}{rest}", where=seen.branch)
    head = standing.head
    differs = head is None or repository.tree_id(seen.tip, folder) != repository.tree_id(head, folder)
    moves = head != seen.tip and (differs or seen.rebase)
    if moves:
        hosted.remote.push(seen.branch, seen.tip, expected=head)
        head = seen.tip
    else:
        steps = read_steps(hosted, standing.base_tip, head or seen.tip)
    return _tell(work, head or seen.tip, steps, pushed=moves)


def _hold(standing: Standing, seen: Seen) -> None:
    """Make sure that nobody has moved, merged or closed the proposal since the run looked at it."""
    number = standing.proposal.number if standing.proposal else 0
    now = (standing.branch, standing.head or "", number, standing.hands_off)
    if now != (seen.branch, seen.head, seen.number, seen.hands_off):
        raise BranchMoved(
            "somebody changed the proposal, or its branch, while the run was under way; nothing was pushed.",
            where=seen.branch,
            next_step="Run again: it goes on from how the proposal stands now.",
        )


def _ours(work: Proposing) -> Sequence[Step]:
    """Give the handed commits; every one must be sealed, and stand upon a commit of the base."""
    repository, seen = work.hosted.repository, work.seen
    if not repository.is_ancestor(seen.base_tip, work.standing.base_tip):
        raise BranchMoved(
            f"{work.hosted.base} was rewritten while the run was under way; nothing was pushed.",
            where=work.hosted.base,
            next_step="Run again.",
        )
    steps = read_steps(work.hosted, seen.base_tip, seen.tip)
    strange = [step for step in steps if not step.sealed]
    if strange:
        raise Rejected(
            f"holds commits that wikimill did not make: {', '.join(step.id[:10] for step in strange[:5])}.",
            where=seen.branch,
            next_step="Nothing was pushed. Run `wikimill run --prepare` again.",
        )
    return steps


def _leave(work: Proposing) -> tuple[ProposalOutcome, tuple[Finding, ...]]:
    """Leave a branch with a person's commits as it is, and say in the proposal that new work waits."""
    head = work.standing.head or ""
    steps = work.standing.commits.ours
    outcome, findings = _tell(work, head, steps, pushed=False)
    return replace(outcome, action="waiting", reason=WAITS), findings


def _nothing_left(work: Proposing) -> tuple[ProposalOutcome, tuple[Finding, ...]]:
    """Close a proposal of which the base holds everything; its branch goes as well."""
    hosted, standing = work.hosted, work.standing
    proposal = standing.proposal
    if proposal is None:
        return _outcome(work, "none", None, standing.head or ""), ()
    hosted.forge.close(proposal.number, reason=NOTHING_LEFT)
    hosted.remote.push(standing.branch, None, expected=standing.head)
    return replace(_outcome(work, "closed", proposal, ""), reason=NOTHING_LEFT), hosted.forge.findings


def _tell(
    work: Proposing, head: str, steps: Sequence[Step], *, pushed: bool
) -> tuple[ProposalOutcome, tuple[Finding, ...]]:
    """Open the proposal, or bring its text up to date where there is something new to say."""
    hosted, standing, seen = work.hosted, work.standing, work.seen
    forge, proposal = hosted.forge, standing.proposal
    account = account_of(_circumstances(work), head, steps)
    late = _late_ticks(standing, seen)
    if proposal is None:
        new = NewProposal(
            branch=standing.branch,
            base=hosted.base,
            title=title_of(account),
            body=_body(work, account, ""),
            labels=work.settings.proposal.labels,
            reviewers=work.settings.proposal.reviewers,
            draft=work.settings.proposal.draft,
        )
        proposal = forge.open(new)
        if proposal.author == ACTIONS_AUTHOR and forge.host == "github":
            account = replace(account, ci_note=APPROVE)
            proposal = forge.rewrite(proposal.number, title=title_of(account), body=_body(work, account, proposal.body))
        return _outcome(work, "opened", proposal, head), forge.findings
    if proposal.author == ACTIONS_AUTHOR and forge.host == "github":
        account = replace(account, ci_note=APPROVE)
    if not (pushed or seen.ticked or seen.hands_off or standing.controls.stale):
        return _outcome(work, "unchanged", proposal, head), ()
    body = reticked(_body(work, account, proposal.body), late)
    if body == proposal.body and not pushed:
        return _outcome(work, "unchanged", proposal, head), ()
    forge.rewrite(proposal.number, title=title_of(account), body=body)
    return _outcome(work, "updated", proposal, head), forge.findings


def _circumstances(work: Proposing) -> Circumstances:
    return Circumstances(
        work.hosted, work.settings, work.root, work.standing, work.seen, work.report, work.at, work.report_url
    )


def _body(work: Proposing, account: Account, standing_body: str) -> str:
    forge = work.hosted.forge
    return render_text(account, standing_body=standing_body, limit=forge.body_limit, host=forge.host)


def _late_ticks(standing: Standing, seen: Seen) -> tuple[str, ...]:
    """Name what was ticked after the run had looked: the new text must not forget it."""
    controls = standing.controls
    now = (*(["rebase"] if controls.rebase else []), *(["recreate"] if controls.recreate else []), *controls.ignored)
    return tuple(tick for tick in now if tick not in seen.ticked)


def _outcome(work: Proposing, action: Action, proposal: Proposal | None, head: str) -> ProposalOutcome:
    standing, seen = work.standing, work.seen
    suppressed = sum(outcome.state == "suppressed" for outcome in work.report.sessions)
    return ProposalOutcome(
        action=action,
        branch=standing.branch,
        base=work.hosted.base,
        number=proposal.number if proposal else 0,
        url=proposal.url if proposal else "",
        head=head,
        state=("open, with a person's commits" if standing.in_the_way else "open") if proposal else "",
        suppressed=suppressed,
        suppressed_by=seen.suppressed_by if suppressed else (),
        foreign=tuple(step.id for step in standing.in_the_way),
        declined_pages=seen.declined_pages,
        verified_pages=seen.verified_pages,
    )
