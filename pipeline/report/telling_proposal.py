"""Owns what people are told of a run's proposal; knows no other part of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.report.blocks import Line, Prose
from pipeline.report.wording import SHORT_HASH, count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.report.values import Action, ProposalOutcome

_DONE: Mapping[Action, str] = {
    "none": "No proposal",
    "prepared": "Proposal prepared",
    "opened": "Proposal opened",
    "updated": "Proposal updated",
    "unchanged": "Proposal left as it is",
    "waiting": "Proposal left to the person who works on it",
    "closed": "Proposal closed",
    "pushed": "Pushed without a proposal",
}


def proposal_text(outcome: ProposalOutcome | None) -> Iterator[Prose]:
    """Give the whole text of a proposal, of which its host took a part."""
    if outcome is not None and outcome.text:
        told = "The text of the proposal is cut to what its host allows; `wikimill report --markdown` has it whole."
        yield Prose(outcome.text, told)


def proposal_lines(outcome: ProposalOutcome | None) -> Iterator[Line]:
    """Tell what became of the proposal, and of what people decided about its content."""
    if outcome is None:
        return
    told = [_DONE[outcome.action] + (f": number {outcome.number}" if outcome.number else "")]
    told.append(f"from {outcome.branch} into {outcome.base}")
    told.append(f"at {outcome.head[:SHORT_HASH]}" if outcome.head else "")
    told.append(outcome.state)
    told.append(outcome.reason)
    yield Line(", ".join(filter(None, told)), "warning" if outcome.action == "waiting" else "", link=outcome.url)
    if outcome.suppressed or outcome.suppressed_by:
        declined = ", ".join(map(str, outcome.suppressed_by))
        by = f" in {'proposal' if len(outcome.suppressed_by) == 1 else 'proposals'} {declined}" if declined else ""
        why = f"a person declined them or took them back{by}"
        yield Line(f"{count(outcome.suppressed, 'session')} not proposed again: {why}.")
    if outcome.foreign:
        commits = ", ".join(commit[:SHORT_HASH] for commit in outcome.foreign)
        yield Line(f"{count(len(outcome.foreign), 'commit')} of people on the branch: {commits}")
    if outcome.declined_pages:
        yield Line(
            f"{count(len(outcome.declined_pages), 'page')} taken out by a reviewer", under=outcome.declined_pages
        )
    if outcome.verified_pages:
        yield Line(
            f"{count(len(outcome.verified_pages), 'page')} verified by a person who merged them",
            under=outcome.verified_pages,
        )
