"""Owns how all is gathered that the text of a proposal tells: from git, the host, the report, the observations."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pipeline.errors import Unavailable
from pipeline.finding import Finding
from pipeline.proposal.account import (
    Account,
    ForeignCommit,
    LookedAt,
    Quotation,
    SessionCommit,
    Suppressed,
    Undone,
    Verified,
    Waiting,
    read_findings,
)
from pipeline.proposal.comparing import compare
from pipeline.proposal.ours import SESSION
from pipeline.proposal.protected import is_reviewed_by
from pipeline.proposing.inspecting import citations_of, cited_observations
from pipeline.report.blocks import Line, Table
from pipeline.report.telling import OFFLINE, tell
from pipeline.text import cut, one_line
from pipeline.wiki import ledger
from pipeline.wiki.merging import BESIDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.git import Snapshot
    from pipeline.proposal.account import Status
    from pipeline.proposal.comparing import PageChange
    from pipeline.proposal.ours import Step
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted
    from pipeline.report import Report

READ = 40_000
"""Unicode characters of an observation in which the words are looked for that support a claim."""

PARKED = "session-parked"
"""The rule of findings about sessions that wait for a person since an earlier run."""

_COUNT = re.compile(r"[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What an account is made from."""

    hosted: Hosted
    settings: Settings
    root: Path
    standing: Standing
    seen: Seen
    report: Report
    at: datetime
    report_url: str = ""


def account_of(of: Circumstances, head: str, steps: Sequence[Step]) -> Account:
    """Say all that there is to say of the proposal as it is at `head`, whose commits of ours are `steps`."""
    repository, hosted, report = of.hosted.repository, of.hosted, of.report
    base = repository.merge_base(of.standing.base_tip, head) or of.standing.base_tip
    before, after = (repository.snapshot(commit, hosted.folder) for commit in (base, head))
    changed = _changed(of, base, head)
    verified, lapsed = _verified(steps, after)
    marked = {one.path for one in verified}
    # A page that only says now who stands for it is told of once, and is nothing to judge.
    pages = tuple(
        replace(page, trust_before="human-reviewed") if page.path in lapsed else page
        for page in compare(before, after, changed)
        if page.path not in marked or page.claims
    )
    commits = tuple(_commit(step) for step in steps if SESSION in step.trailers)
    undone, aside = _undone(report, before, after), _aside(of, before, after)
    status, reason = _status(of, undone, aside)
    return Account(
        status=status,
        reason=reason,
        base=hosted.base,
        branch=of.standing.branch,
        head=head,
        pages=pages,
        quotations=_quotations(of, pages, before, after),
        commits=commits,
        findings=(*_secrets(report), *(one for one in report.every_finding() if not _told_elsewhere(one))),
        undone=undone,
        set_aside=aside,
        conflicts=_conflicts(report, commits),
        suppressed=Suppressed(sum(one.state == "suppressed" for one in report.sessions), of.seen.suppressed_by),
        declined=of.seen.declined_pages,
        verified=verified,
        spent=report.spent,
        run=tuple(_run_lines(report)),
        foreign=tuple(ForeignCommit(one.id, one.author, one.subject) for one in of.standing.in_the_way),
        waiting=_waiting(report),
        review=_review(of, head),
        run_report_url=of.report_url,
        previous=of.standing.closed[0].number if of.standing.closed else 0,
    )


def _run_lines(report: Report) -> Iterator[str]:
    """Give what a report tells in words; its findings, and what became of the proposal, are told elsewhere."""
    for section in tell(replace(report, proposal=None, diff="")).sections:
        for block in section.blocks:
            if isinstance(block, Line):
                yield from (block.text, *(f"- {line}" for line in block.under))
            elif isinstance(block, Table):
                yield from (", ".join(row) for row in block.rows)


def _changed(of: Circumstances, base: str, head: str) -> list[str]:
    """Name what differs between two commits, below the wiki's root."""
    start = of.hosted.folder + "/"
    changes = of.hosted.repository.changes(base, head)
    return [one.path.removeprefix(start) for one in changes if one.path.startswith(start)]


def _undone(report: Report, before: Snapshot, after: Snapshot) -> tuple[Undone, ...]:
    """Name the sessions that are not in it: of the last run, and those of earlier ones that the ledger still notes."""
    now = {
        str(one.session): Undone(str(one.session), one.state, one.reason)
        for one in report.sessions
        if one.state in {"failed", "parked", "left"}
    }
    told = {str(one.session) for one in report.sessions}
    for record in _changed_records(before, after):
        name, attempts = str(record.key), record.attempts
        if record.state != "done" and name not in told:
            state: Literal["failed", "parked"] = "parked" if record.state == "parked" else "failed"
            now[name] = Undone(name, state, attempts[-1].reason if attempts else "")
    for finding in report.findings:
        # Parked before, and on record where the base stands.
        if finding.rule == PARKED and finding.where not in told:
            now.setdefault(finding.where, Undone(finding.where, "parked", finding.message))
    return tuple(now.values())


def _changed_records(before: Snapshot, after: Snapshot) -> Iterator[ledger.SessionRecord]:
    changed = {
        path: after[path]
        for path, entry in after.entries.items()
        if ledger.is_record(path) and entry.regular and before.entries.get(path) != entry
    }
    return ledger.sessions(changed)


def _aside(of: Circumstances, before: Snapshot, after: Snapshot) -> tuple[Finding, ...]:
    """Tell of every line that was set aside since the base, by whichever run."""
    intake = of.report.intake
    told = (*intake.broken_promises, *intake.conflicts, *intake.set_aside)
    known, places = set(ledger.read_aside(before)), {one.where for one in told}
    earlier = (
        Finding(f"{one.file}:{one.line}", "line-set-aside", "warning", f"the line is set aside: {one.reason}.")
        for one in ledger.read_aside(after)
        if one not in known
    )
    return (*told, *(one for one in earlier if one.where not in places))


def _secrets(report: Report) -> Iterator[Finding]:
    """Tell of secrets that were taken out: they still stand where they were observed."""
    if report.intake.redactions:
        kinds = ", ".join(f"{number} x {kind}" for kind, number in sorted(report.intake.redactions.items()))
        step = "Change them where they are used: the observation files still hold them."
        yield Finding("observations", "secrets-redacted", "warning", f"secrets were taken out: {kinds}.", step)


def _status(of: Circumstances, undone: Sequence[Undone], aside: Sequence[Finding]) -> tuple[Status, str]:
    if of.standing.hands_off:
        return "blocked", "A person has committed to the branch, so wikimill leaves it alone."
    if of.report.fault is not None and of.report.fault.kind == Unavailable.__name__:
        return "partial", "The language model did not answer. The next run takes what is new."
    states = [one.state for one in undone]
    told = [f"{states.count(state)} {state}" for state in ("failed", "parked", "left") if state in states]
    if told:
        return "partial", f"Of the sessions: {', '.join(told)}."
    if aside:
        return "partial", "Lines of observations could not be read."
    if of.report.incomplete:
        return "partial", "An error stands among the findings."
    return "complete", ""


def _told_elsewhere(finding: Finding) -> bool:
    return finding.rule in {BESIDE, PARKED, "line-set-aside", "id-conflict", "broken-promise"}


def _quotations(
    of: Circumstances, pages: Sequence[PageChange], before: Snapshot, after: Snapshot
) -> Mapping[str, Quotation]:
    """Look up the observations behind the claims that change, in their own words, without secrets."""
    wanted = {source.id for page in pages for claim in page.claims for source in claim.sources}
    files = {page.path: (after if page.path in after else before)[page.path] for page in pages}
    found = cited_observations(of.root, of.settings, files.items()) if wanted else {}
    quotations = {}
    for path, raw in files.items():
        for citation in citations_of(path, raw, of.settings):
            observation = found.get(citation)
            if citation.label not in wanted or observation is None:
                continue
            words = "\n".join(filter(None, (observation.title.strip(), observation.body.strip())))
            quotations[citation.label] = Quotation(
                text=words if len(words) <= READ else f"{cut(words, READ)}…",
                who=one_line(observation.author or observation.role, 60),
                when=f"{observation.ts:%Y-%m-%d %H:%M}",
                place=f"{of.settings.wiki.observations}/{observation.place}",
                address=of.hosted.forge.file_url(
                    # Not a commit: observation files only grow, and each address counts against the host's limit.
                    branch=of.hosted.base,
                    path=f"{of.hosted.observations}/{observation.place.file}",
                    line=observation.place.line,
                ),
            )
    return quotations


def _commit(step: Step) -> SessionCommit:
    trailers = step.trailers
    model = trailers.get("Model", ("",))[-1]
    return SessionCommit(
        session=trailers[SESSION][-1],
        subject=step.subject.partition("): ")[2] or step.subject,
        model=model,
        # What the offline model tells is an estimate of what it read, and nothing that anybody paid for.
        tokens=0 if model == OFFLINE else _number(trailers.get("Tokens", ("",))[-1]),
        pages=_number(trailers.get("Pages", ("",))[-1]),
        findings=read_findings(step.message),
    )


def _number(text: str) -> int:
    return int(text) if _COUNT.fullmatch(text) else 0


def _verified(steps: Sequence[Step], after: Snapshot) -> tuple[tuple[Verified, ...], frozenset[str]]:
    """Tell which pages say in the end who stands for them, and which a later commit of the proposal changed again."""
    told = [
        Verified(path, step.trailers.get("Verified-by", ("",))[-1])
        for step in steps
        for path in step.trailers.get("Verified", ())
    ]
    stands = {one.path for one in told if is_reviewed_by(one.path, after.get(one.path), one.by)}
    return tuple(one for one in told if one.path in stands), frozenset(one.path for one in told) - stands


def _conflicts(report: Report, commits: Sequence[SessionCommit]) -> tuple[Finding, ...]:
    """Tell where a person's edit met a session's, in the last run and in those before: both still stand."""
    now = [one for one in report.findings if one.rule == BESIDE]
    earlier = [one for commit in commits for one in commit.findings if one.rule == BESIDE]
    told = {one.where for one in now}
    return (*now, *(one for one in dict.fromkeys(earlier) if one.where not in told))


def _waiting(report: Report) -> Waiting:
    waiting = [one for one in report.sessions if one.state == "waiting"]
    return Waiting(len(waiting), sum(one.observations for one in waiting))


def _review(of: Circumstances, head: str) -> LookedAt | None:
    """Tell what changed since a person last looked, if git or the remote still has what they looked at."""
    proposal = of.standing.proposal
    review = of.hosted.forge.last_review(proposal.number) if proposal else None
    if review is None:
        return None
    if not review.head or not of.hosted.remote.fetch_commit(review.head):
        return LookedAt(review.by, review.at, None)
    repository = of.hosted.repository
    older, newer = repository.snapshot(review.head, of.hosted.folder), repository.snapshot(head, of.hosted.folder)
    # What only the base brought is not of this proposal.
    base = repository.snapshot(of.standing.base_tip, of.hosted.folder)
    paths = [
        path
        for path in sorted({*older.entries, *newer.entries})
        if path.endswith(".md") and older.entries.get(path) != newer.entries.get(path)
        if newer.entries.get(path) != base.entries.get(path) or path not in newer.entries
    ]
    return LookedAt(review.by, review.at, tuple(page.path for page in compare(older, newer, paths)))
