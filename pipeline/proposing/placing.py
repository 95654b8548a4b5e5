"""Owns whether all that a commit brings has a place on the base by now; changes nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.proposal.ours import SESSION
from pipeline.text import one_line
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.merging import GONE, UNREADABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.git import Snapshot
    from pipeline.proposal.ours import Step
    from pipeline.proposing.opening import Hosted

_NAMED = 100


def without_place(  # noqa: PLR0913, PLR0917  # the commit, and what became of it
    hosted: Hosted,
    base_tip: str,
    step: Step,
    changed: Mapping[str, tuple[bytes | None, bytes | None]],
    base: Snapshot,
    told: Iterable[Finding],
) -> Finding | None:
    """Tell where a commit would have left out something that its session still has to say somewhere.

    What a person removed stays so. A page that was only moved is found again when its session is drafted anew, and one
    that cannot be read for a while takes it then.
    """
    if SESSION not in step.trailers:
        return None
    session = one_line(step.trailers.get(SESSION, ("",))[-1], _NAMED)
    for finding in told:
        before, after = changed.get(finding.where, (None, None))
        place = ""
        if finding.rule == GONE and before is not None and before != after:
            place = _moved(hosted, base_tip, step, before, base)
        if place or finding.rule == UNREADABLE:
            why = f"was moved to {place}" if place else "cannot be read"
            message = f"the page {why}; session {session}, which had more for it, is taken again."
            return Finding(finding.where, "taken-again", "note", message)
    return None


def _moved(hosted: Hosted, base_tip: str, step: Step, raw: bytes, base: Snapshot) -> str:
    """Find where the base has a page by now that a commit had found elsewhere: a new one with most of its lines."""
    origin = hosted.repository.merge_base(step.parents[0], base_tip)
    if origin is None:
        return ""
    known = hosted.repository.snapshot(origin, hosted.folder).entries
    lines = _said(raw)
    shared = {path: len(lines & _said(base[path])) for path in base.entries if is_page(path) and path not in known}
    best = max(sorted(shared), key=lambda path: shared[path], default="")
    return best if best and 2 * shared[best] > len(lines) else ""


def _said(raw: bytes) -> frozenset[bytes]:
    return frozenset(line for line in map(bytes.strip, raw.splitlines()) if line)
