"""Owns what people are told of a report, block by block and in plain words; knows neither terminal nor Markdown.

Each rendering shows every block, so that nothing is told in one and missing in another.
"""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from pipeline.report.blocks import Diff, Findings, Line, Section, Table, Telling
from pipeline.report.telling_proposal import proposal_lines, proposal_text
from pipeline.report.wording import SHORT_HASH, cost_in_words, count, summary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from pipeline.report.blocks import Block, Tone
    from pipeline.report.values import Fault, Intake, PageOutcome, Report, SessionOutcome

OFFLINE = "extractive"
"""The model that is not called anywhere."""

PLAN = "plan"
"""The command of a report that tells what a run would take on."""

UNDONE = frozenset({"failed", "parked", "left"})
"""The states of a session that leave a run incomplete."""


def tell(report: Report) -> Telling:
    """Say all that a report holds."""
    sections = (
        Section("Why it ended before its time", tuple(_fault_lines(report.fault))),
        Section("What was read", tuple(_intake_lines(report.intake))),
        Section("Sessions", tuple(_session_blocks(report))),
        Section("Changes", (Diff(report.diff),) if report.diff else ()),
        Section("Proposal", tuple(proposal_lines(report.proposal))),
        Section("Findings", (Findings(report.every_finding()),) if report.every_finding() else ()),
        Section("The model", tuple(_spending_lines(report))),
        Section("The text of the proposal, whole", tuple(proposal_text(report.proposal))),
    )
    return Telling(
        title=f"wikimill {report.command}",
        status=Line(_plan_status(report) if report.command == PLAN else summary(report), "strong"),
        sections=tuple(section for section in sections if section.blocks),
        about=Line(_about(report)),
    )


def _fault_lines(fault: Fault | None) -> Iterator[Line]:
    if fault is not None:
        place = f"{fault.where}: " if fault.where else ""
        step = f" {fault.next_step}" if fault.next_step else ""
        yield Line(f"{fault.kind}: {place}{fault.message}{step}", "error")


def _intake_lines(intake: Intake) -> Iterator[Line]:
    told = [
        f"{count(intake.observations, 'new observation')} in {intake.files_with_news} of {count(intake.files, 'file')}"
    ]
    for number, noun, what in (
        (intake.reread, "earlier observation", " read again"),
        (intake.duplicates, "duplicate", ""),
        (len(intake.conflicts), "conflict", ""),
        (len(intake.set_aside), "line", " set aside"),
        (intake.unfinished, "unfinished line", ""),
        (intake.naive_times, "time", " without a zone, read as UTC"),
    ):
        if number:
            told.append(count(number, noun) + what)
    yield Line("; ".join(told) + ".")
    if intake.redactions:
        kinds = ", ".join(f"{number} x {kind}" for kind, number in sorted(intake.redactions.items()))
        yield Line(f"Secrets redacted: {kinds}.")


def _session_blocks(report: Report) -> Iterator[Block]:
    planned = [outcome for outcome in report.sessions if outcome.state == "planned"]
    if planned:
        yield Table(
            ("session", "observations", "windows", "their tokens (estimated)"),
            tuple(
                (str(outcome.session), f"{outcome.observations:,}", f"{outcome.windows:,}", f"{outcome.tokens:,}")
                for outcome in planned
            ),
            numbers=(1, 2, 3),
        )
    for outcome in report.sessions:
        if outcome.state != "planned":
            yield _session_line(outcome, report.model)
    told_of = {outcome.commit for outcome in report.sessions}
    others = [commit[:SHORT_HASH] for commit in report.commits if commit not in told_of]
    if others:
        yield Line(f"{count(len(others), 'other commit')}: {', '.join(others)}")


def _session_line(outcome: SessionOutcome, model: str) -> Line:
    told = [f"{outcome.state} {outcome.session}: {count(outcome.observations, 'observation')}"]
    if outcome.pages:
        told.append(count(len(outcome.pages), "page"))
    if outcome.commit:
        told.append(f"commit {outcome.commit[:SHORT_HASH]}")
    if outcome.windows > 1:
        told.append(count(outcome.windows, "window"))
    if outcome.tokens:
        told.append(count(outcome.tokens, "token"))
    if outcome.repairs:
        told.append(count(outcome.repairs, "reply", "replies") + " mended on request")
    if outcome.model not in {"", model}:
        told.append(f"by the model {outcome.model}")
    if outcome.provisional:
        told.append("by the offline model until the other one is back")
    under = tuple(map(_page, outcome.pages))
    if outcome.reason and outcome.state == "consolidated":
        # The offline model gives the titles of the pages as its reason, and those are told anyway.
        under = under if outcome.model == OFFLINE else (f"about: {outcome.reason}", *under)
    elif outcome.reason:
        told.append(outcome.reason)
    tone: Tone = "warning" if outcome.provisional or outcome.state in UNDONE else ""
    return Line(", ".join(told), tone, under)


def _page(page: PageOutcome) -> str:
    return f"{page.change} {page.path}  {page.title} ({count(page.statements, 'statement')})"


def _spending_lines(report: Report) -> Iterator[Line]:
    """Tell what a model was asked and what it cost; nothing of the offline one."""
    spent = report.spent
    if not spent.calls and not spent.cache_hits:
        return
    told = [count(spent.calls, "call")]
    if spent.retries:
        told.append(f"{spent.retries:,} of them again after a fault")
    if spent.cache_hits:
        told.append(count(spent.cache_hits, "reply", "replies") + " from memory")
    repairs = sum(outcome.repairs for outcome in report.sessions)
    if repairs:
        told.append(count(repairs, "reply", "replies") + " mended on request")
    told.append(f"{spent.input_tokens:,} tokens in, {spent.output_tokens:,} out")
    told.append(f"cost {cost_in_words(spent)}")
    if spent.rungs:
        told.append(f"asked by {', '.join(spent.rungs)}")
    yield Line(f"Model {report.model}: {'; '.join(told)}.")


def _plan_status(report: Report) -> str:
    planned = [outcome for outcome in report.sessions if outcome.state == "planned"]
    if not planned:
        return "Nothing new: a run would change nothing."
    windows = sum(outcome.windows for outcome in planned)
    tokens = sum(outcome.tokens for outcome in planned)
    told = f"A run would consolidate {count(len(planned), 'session')} in {count(windows, 'window')}"
    asked = "" if report.model == OFFLINE else f" and {count(report.planned_calls, 'call')}"
    size = f"about {tokens:,} tokens of observations"
    return f"{told}{asked}, {size}, with the model {report.model}."


def _about(report: Report) -> str:
    """Say which run it was: what identifies it, and what it ran with."""
    told = [f"Report {report.id}: {report.command}" if report.id else report.command]
    told.append(f"wikimill {report.wikimill}" if report.wikimill else "")
    told.append(f"model {report.model}" if report.model else "")
    told.append(f"prompt {report.prompt_version}" if report.prompt_version else "")
    told.append(f"branch {report.branch}" if report.branch else "")
    told.append(f"{count(report.intake.lines, 'new line')} looked at" if report.intake.lines else "")
    told.append(f"{count(report.planned_calls, 'call')} foreseen" if report.planned_calls else "")
    times = (("from", report.started_at), ("to", report.ended_at))
    told.append(" ".join(f"{word} {_moment(at)}" for word, at in times if at is not None))
    return ", ".join(filter(None, told)) + "."


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
