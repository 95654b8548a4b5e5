"""Owns words that every telling of a report shares: how things are counted, and how a run ended in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.report.values import Report, State
    from pipeline.spending import Spent

SHORT_HASH = 10
"""So many hexadecimal digits of a commit tell it apart for a person."""

_NOT_DONE: tuple[State, ...] = ("failed", "parked", "left", "waiting", "suppressed")


def count(number: int, noun: str, several: str = "") -> str:
    """Count things: `1 page`, `2 pages`; `several` is a plural that takes more than an s."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {several or noun + 's'}"


def summary(report: Report) -> str:
    """Say in one line how a run ended."""
    told = "; ".join(_parts(report)) + "."
    if not report.dry_run:
        return f"{ending(report)}: {told}"
    return f"Dry run, nothing was written: {told if report.fault is None else f'{ending(report)}: {told}'}"


def ending(report: Report) -> str:
    """Say in a few words how far a run came."""
    if report.fault is not None:
        return f"Ended before its time ({report.fault.kind})"
    return "Done in part" if report.incomplete else "Done"


def cost_in_words(spent: Spent) -> str:
    """Say what the calls cost; what has no price is unknown, and never nothing."""
    if spent.cost is not None:
        return f"{spent.cost:.4f}"
    unpriced = f"{count(spent.unpriced_calls, 'call')} without a known cost"
    others = f"; {spent.known_cost:.4f} for the others" if spent.known_cost else ""
    return f"unknown ({unpriced}{others})"


def _parts(report: Report) -> list[str]:
    states = [outcome.state for outcome in report.sessions]
    done = states.count("consolidated")
    pages = [page for outcome in report.sessions for page in outcome.pages]
    created = sum(page.change == "created" for page in pages)
    parts = [f"{count(done, 'session')} consolidated"] if done else []
    if pages:
        parts.append(f"{count(created, 'page')} created, {len(pages) - created} updated")
    if report.commits:
        parts.append(count(len(report.commits), "commit") + (f" on {report.branch}" if report.branch else ""))
    parts.extend(f"{states.count(state)} {state}" for state in _NOT_DONE if state in states)
    if report.proposal is not None and report.proposal.action != "none":
        parts.append(f"proposal {report.proposal.action}")
    return parts or ["Nothing new"]
