"""Owns the second half of the story: commits are checked, pushed with a lease, and become one open proposal.

It asks no model. Everything that it was told is held against the remote and the host first: when somebody has
committed, merged or closed meanwhile, nothing is pushed, and the next run goes on from what stands then.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.errors import BranchMoved, Rejected
from pipeline.finding import Finding
from pipeline.proposal.ours import DECLINED, PAGE
from pipeline.proposal.proposal import NewProposal
from pipeline.proposal.reticking import reticked
from pipeline.proposal.text import is_cut, render_whole
from pipeline.proposal.text import render as render_text
from pipeline.proposal.text import title as title_of
from pipeline.proposal.text.region import RECREATE, bound_head, read_standing
from pipeline.proposal.text.wording import size
from pipeline.proposing.accounting import Circumstances, account_of
from pipeline.proposing.inspecting import inspect
from pipeline.proposing.looking import look, read_steps
from pipeline.proposing.replaying import is_held
from pipeline.proposing.telling import outcome_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.proposal.account import Account
    from pipeline.proposal.ours import Step
    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted
    from pipeline.report import Action, ProposalOutcome, Report

WAITS = "a person has committed to the proposal; new work waits until it is merged, or somebody asks to recreate it"

TITLE = "wiki: "
"""How a title begins that wikimill has given."""

NAMED = 5
"""Mistakes that an error lists before it counts the rest."""

ALL_DECLINED = "Every page of it was declined, so there is nothing left to merge; the same is not proposed again."
NO_PAGE = "no page changes, so nothing is proposed; what the ledger notes waits on the branch for the next run"
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
    bases = {repository.tree_id(tip, folder) for tip in (seen.base_tip, standing.base_tip)}
    if repository.tree_id(seen.tip, folder) in bases:
        # Not by the word of whoever handed it over: a proposal that was closed counts as declined.
        if not all(is_held(hosted, step, standing.base_tip) for step in standing.commits.ours):
            raise _changed_meanwhile(seen.branch)
        return _close(work, NOTHING_LEFT, standing.head)
    head = standing.head
    differs = head is None or _would_merge_to_another(work, head)
    if head != seen.tip and (differs or seen.rebase):
        _refuse_what_does_not_hold(work)
        _hold_once_more(work)
        hosted.remote.push(seen.branch, seen.tip, expected=head)
        return _tell(work, seen.tip, steps, pushed=True)
    return _tell(work, head or seen.tip, read_steps(hosted, standing.base_tip, head or seen.tip), pushed=False)


def _would_merge_to_another(work: Proposing, head: str) -> bool:
    """Whether merging the branch as it stands would not give what is to be proposed, or could not be done at all."""
    repository, seen, folder = work.hosted.repository, work.seen, work.hosted.folder
    if repository.tree_id(seen.tip, folder) != repository.tree_id(head, folder):
        return True
    merged = repository.clean_merge(seen.base_tip, head)
    if merged is None and repository.clean_merge(seen.base_tip, seen.base_tip) is None:
        return False  # git is too old to say
    return merged != repository.tree_id(seen.tip, "")


def _refuse_what_does_not_hold(work: Proposing) -> None:
    """Check what was handed over, and push nothing of it when anything is amiss."""
    findings = inspect(work.hosted, work.settings, work.root, work.seen, at=work.at, standing=work.standing)
    if findings:
        told = " ".join(f"{one.where}: {one.message}" for one in findings[:NAMED])
        rest = f" And {len(findings) - NAMED} more." if len(findings) > NAMED else ""
        raise Rejected(
            f"what was handed over is not what a run writes. {told}{rest}",
            where=work.seen.branch,
            next_step="Run `wikimill run --prepare` again; if it comes back, look at what these places hold.",
        )


def _hold(standing: Standing, seen: Seen) -> None:
    """Make sure that nobody has moved, merged or closed the proposal since the run looked at it.

    That the branch stands at what is to be pushed is no change: an earlier try came as far as that, or further.
    """
    proposal = standing.proposal
    pushed = standing.head == seen.tip
    same = standing.head == (seen.head or None) or pushed
    known = (proposal.number if proposal else 0) == seen.number or (pushed and proposal is not None)
    if not same or not known or standing.branch != seen.branch or standing.hands_off != seen.hands_off:
        raise _changed_meanwhile(seen.branch)


def _hold_once_more(work: Proposing) -> None:
    """Look again right before a push: a proposal that was closed meanwhile must keep its branch as it is."""
    open_ones = [one.number for one in work.hosted.forge.proposals(work.seen.branch) if one.state == "open"]
    wanted = [work.standing.proposal.number] if work.standing.proposal else []
    if open_ones != wanted:
        raise _changed_meanwhile(work.seen.branch)


def _changed_meanwhile(branch: str) -> BranchMoved:
    return BranchMoved(
        "somebody changed the proposal, or its branch, while the run was under way; nothing was pushed.",
        where=branch,
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
    outcome, findings = _tell(work, work.standing.head or "", work.standing.commits.ours, pushed=False)
    return replace(outcome, action="waiting", reason=WAITS), findings


def _close(work: Proposing, reason: str, head: str | None) -> tuple[ProposalOutcome, tuple[Finding, ...]]:
    """Close a proposal that asks for nothing any more; its branch goes first, and only if it still stands at `head`."""
    hosted, standing = work.hosted, work.standing
    proposal = standing.proposal
    if proposal is None:
        return _outcome(work, "none", None, standing.head or ""), ()
    hosted.remote.push(standing.branch, None, expected=head)
    hosted.forge.close(proposal.number, reason=reason)
    return replace(_outcome(work, "closed", proposal, ""), reason=reason), hosted.forge.findings


def _tell(
    work: Proposing, head: str, steps: Sequence[Step], *, pushed: bool
) -> tuple[ProposalOutcome, tuple[Finding, ...]]:
    """Open the proposal, or bring its text up to date where there is something new to say."""
    hosted, standing, seen = work.hosted, work.standing, work.seen
    forge, proposal = hosted.forge, standing.proposal
    if proposal is not None and not (pushed or seen.ticked or seen.hands_off or _is_outdated(proposal, standing, head)):
        return _outcome(work, "unchanged", proposal, head), ()
    account = account_of(_circumstances(work), head, steps)
    without_pages = _tell_of_the_ledger(work, account, head)
    if without_pages is not None:
        return without_pages
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
        if _waits_for_a_click(work, proposal):
            _rewrite(work, account, proposal, _body(work, account, proposal.body, proposal))
        return _whole(work, account, new.body, _outcome(work, "opened", proposal, head)), forge.findings
    body = reticked(_body(work, account, proposal.body, proposal), _late_ticks(standing, seen))
    if body == proposal.body:
        return _outcome(work, "updated" if pushed else "unchanged", proposal, head), ()
    if size(body, forge.host) > forge.body_limit:
        told = "what people wrote around wikimill's part of the text leaves it no room; the text stays as it is."
        finding = Finding(proposal.url, "text-not-written", "warning", told, "Shorten what stands before or behind it.")
        return _outcome(work, "updated" if pushed else "unchanged", proposal, head), (*forge.findings, finding)
    _rewrite(work, account, proposal, body)
    return _whole(work, account, body, _outcome(work, "updated", proposal, head)), forge.findings


def _whole(work: Proposing, account: Account, body: str, outcome: ProposalOutcome) -> ProposalOutcome:
    """Let the report hold what the host had no room for."""
    return replace(outcome, text=render_whole(account, work.hosted.forge.host)) if is_cut(body) else outcome


def _tell_of_the_ledger(
    work: Proposing, account: Account, head: str
) -> tuple[ProposalOutcome, tuple[Finding, ...]] | None:
    """Say nothing on the host of what failed, and of what a person left out: that waits on the branch.

    Nothing is given when there are pages to propose, or a proposal without any that nobody declined.
    """
    if account.pages or account.verified:
        return None
    proposal = work.standing.proposal
    if proposal is None:
        return replace(_outcome(work, "none", None, head), reason=NO_PAGE), ()
    if account.declined and _asked_for(work.standing, account):
        return _close(work, ALL_DECLINED, head)
    return None


def _asked_for(standing: Standing, account: Account) -> bool:
    """Whether people have declined all these pages: by ticks, by reverts, or in what stands there already."""
    asked = set(standing.controls.ignored)
    for step in standing.commits.ours:
        asked |= {*step.trailers.get(DECLINED, ())}
        if step.id in (standing.commits.reverted or ()):
            asked |= {page.rpartition(" ")[0] for page in step.trailers.get(PAGE, ())}
    return set(account.declined) <= asked


def _is_outdated(proposal: Proposal, standing: Standing, head: str) -> bool:
    """Whether the text speaks of another state: an earlier run could not write it, or a person took a commit back."""
    region = read_standing(proposal.body).region or ""
    return standing.controls.stale or bound_head(region) != head or RECREATE in region


def _rewrite(work: Proposing, account: Account, proposal: Proposal, body: str) -> None:
    """Write title and text; a title that a person gave it stays."""
    title = title_of(account) if proposal.title.startswith(TITLE) else proposal.title
    work.hosted.forge.rewrite(proposal.number, title=title, body=body)


def _waits_for_a_click(work: Proposing, proposal: Proposal | None) -> bool:
    """Whether the checks of a proposal begin only when a person lets them."""
    return proposal is not None and proposal.author == ACTIONS_AUTHOR and work.hosted.forge.host == "github"


def _circumstances(work: Proposing) -> Circumstances:
    return Circumstances(
        work.hosted, work.settings, work.root, work.standing, work.seen, work.report, work.at, work.report_url
    )


def _body(work: Proposing, account: Account, standing_body: str, proposal: Proposal | None = None) -> str:
    forge = work.hosted.forge
    told = replace(account, ci_note=APPROVE) if _waits_for_a_click(work, proposal) else account
    return render_text(told, standing_body=standing_body, limit=forge.body_limit, host=forge.host)


def _late_ticks(standing: Standing, seen: Seen) -> tuple[str, ...]:
    """Name what was ticked after the run had looked: the new text must not forget it."""
    return tuple(tick for tick in standing.controls.ticks if tick not in seen.ticked)


def _outcome(work: Proposing, action: Action, proposal: Proposal | None, head: str) -> ProposalOutcome:
    told = outcome_of(work.hosted, work.standing, work.seen, work.report, action=action, proposal=proposal)
    return replace(told, head=head)
