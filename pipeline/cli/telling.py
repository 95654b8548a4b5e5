"""Owns how the report of a run or a plan reads to a person; every number in it comes from the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.cli.output import Speaker
    from pipeline.report import Intake, Report, SessionOutcome

MOST_PAGES = 40
"""A run that wrote more pages is told session by session, without the pages of each."""

SHORT_HASH = 10
OFFLINE = "extractive"
"""The model that is not called anywhere."""


def tell_run(speaker: Speaker, report: Report) -> None:
    """Tell what a run did."""
    tell_intake(speaker, report.intake)
    pages = sum(len(outcome.pages) for outcome in report.sessions)
    for outcome in report.sessions:
        _tell_session(speaker, outcome, with_pages=pages <= MOST_PAGES)
    if report.diff:
        speaker.diff(report.diff)
    speaker.findings(report.every_finding())
    _tell_spending(speaker, report)
    speaker.say(summary(report), style="bold")


def tell_plan(speaker: Speaker, report: Report) -> None:
    """Tell what a run would take on."""
    tell_intake(speaker, report.intake)
    planned = [outcome for outcome in report.sessions if outcome.state == "planned"]
    if planned:
        rows = [
            [str(outcome.session), f"{outcome.observations:,}", f"{outcome.windows:,}", f"{outcome.tokens:,}"]
            for outcome in planned
        ]
        speaker.table(["session", "observations", "windows", "their tokens (estimated)"], rows, numbers=(1, 2, 3))
    speaker.findings(report.every_finding())
    windows = sum(outcome.windows for outcome in planned)
    tokens = sum(outcome.tokens for outcome in planned)
    if planned:
        told = f"A run would consolidate {count(len(planned), 'session')} in {count(windows, 'window')}"
        asked = "" if report.model == OFFLINE else f" and {count(report.planned_calls, 'call')}"
        size = f"about {tokens:,} tokens of observations"
        speaker.say(f"{told}{asked}, {size}, with the model {report.model}.", style="bold")
    else:
        speaker.say("Nothing new: a run would change nothing.", style="bold")


def tell_intake(speaker: Speaker, intake: Intake) -> None:
    """Tell what was read."""
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
    speaker.say("; ".join(told) + ".")
    if intake.redactions:
        kinds = ", ".join(f"{number} x {kind}" for kind, number in sorted(intake.redactions.items()))
        speaker.say(f"Secrets redacted: {kinds}.")


def summary(report: Report) -> str:
    """Say in one line how a run ended."""
    states = [outcome.state for outcome in report.sessions]
    done = states.count("consolidated")
    pages = [page for outcome in report.sessions for page in outcome.pages]
    created = sum(page.change == "created" for page in pages)
    parts = [f"{count(done, 'session')} consolidated" if done else "Nothing new"]
    if pages:
        parts.append(f"{count(created, 'page')} created, {len(pages) - created} updated")
    if report.commits:
        parts.append(count(len(report.commits), "commit") + (f" on {report.branch}" if report.branch else ""))
    parts.extend(f"{states.count(state)} {state}" for state in ("failed", "parked", "left") if state in states)
    told = "; ".join(parts) + "."
    if report.dry_run:
        return f"Dry run, nothing was written: {told}"
    return f"Done in part: {told}" if report.incomplete else f"Done: {told}"


def _tell_spending(speaker: Speaker, report: Report) -> None:
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
    if spent.cost:
        told.append(f"cost {spent.cost:.4f}")
    if spent.rungs:
        told.append(f"asked by {', '.join(spent.rungs)}")
    speaker.say(f"Model {report.model}: {'; '.join(told)}.")


def _tell_session(speaker: Speaker, outcome: SessionOutcome, *, with_pages: bool) -> None:
    told = [f"{outcome.state} {outcome.session}: {count(outcome.observations, 'observation')}"]
    if outcome.pages:
        told.append(count(len(outcome.pages), "page"))
    if outcome.commit:
        told.append(f"commit {outcome.commit[:SHORT_HASH]}")
    if outcome.provisional:
        told.append("by the offline model until the other one is back")
    if outcome.reason and outcome.state in {"failed", "parked", "left"}:
        told.append(outcome.reason)
    style = "yellow" if outcome.provisional or outcome.state in {"failed", "parked", "left"} else ""
    speaker.say(", ".join(told), style=style)
    if with_pages:
        for page in outcome.pages:
            speaker.say(f"  {page.change} {page.path}  {page.title} ({count(page.statements, 'statement')})")


def count(number: int, noun: str, several: str = "") -> str:
    """Count things: `1 page`, `2 pages`; `several` is a plural that takes more than an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {several or noun + 's'}"
