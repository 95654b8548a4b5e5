"""Owns the gate of the pinned pages: an invariant one changes only when observations contradict it.

A slot of state is rewritten freely. Knows nothing of what a slot says; which pages are meant, `standing` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.gates.gated import Gated, named
from pipeline.gates.standing import page_of, standing_pages

if TYPE_CHECKING:
    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.gates.standing import StandingPage
    from pipeline.projection import Projection

_MESSAGE = "the slot is invariant: it changes only when the draft cites observations that contradict it."
_RETIRED = "an invariant slot is superseded only when the draft cites observations that contradict it."
_STEP = "Change the slot by hand if it no longer holds."


def check(batch: ConsolidatedBatch, window: Projection, context: Context) -> Gated:
    """Take out what changes or supersedes an invariant slot without naming an observation that contradicts it."""
    pages = {page.path: page for page in standing_pages(context) if page.slot == "invariant"}
    known = {one.handle for one in window.shown}
    findings: list[Finding] = []
    kept: list[ConsolidatedPageUpdate] = []
    for update in batch.updates:
        if not known.isdisjoint(update.contradicted_by):
            kept.append(update)
        elif page_of(update.path, pages) is not None:
            findings.append(Finding(named(update), "slot-invariant", "warning", _MESSAGE, _STEP))
        else:
            kept.append(_without_retired(update, pages, findings))
    updates = tuple(kept)
    return Gated(batch if updates == batch.updates else batch.model_copy(update={"updates": updates}), tuple(findings))


def _without_retired(
    update: ConsolidatedPageUpdate, pages: dict[str, StandingPage], findings: list[Finding]
) -> ConsolidatedPageUpdate:
    supersedes = tuple(path for path in update.supersedes if page_of(path, pages) is None)
    if supersedes == update.supersedes:
        return update
    findings.append(Finding(f"{named(update)}#supersedes", "slot-invariant", "warning", _RETIRED, _STEP))
    return update.model_copy(update={"supersedes": supersedes})
