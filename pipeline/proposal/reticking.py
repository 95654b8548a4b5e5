"""Owns carrying ticks over to a new text: those that came while a run was under way, and that it has not followed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.proposal.text import region

if TYPE_CHECKING:
    from collections.abc import Iterable

_OPEN, _TICKED = "- [ ] ", "- [x] "


def reticked(body: str, ticks: Iterable[str]) -> str:
    """Tick the boxes of `rebase`, `recreate`, or of pages by their path; one that is gone is left out.

    What stands outside of wikimill's own region is a person's text and stays as it is.
    """
    known = {"rebase": region.REBASE, "recreate": region.RECREATE}
    marks = tuple(known.get(tick) or region.ignoring(tick) for tick in ticks)
    standing = region.read_standing(body)
    if not marks or standing.region is None:
        return body
    lines = standing.region.split("\n")
    for number, line in enumerate(lines):
        if line.startswith(_OPEN) and line.rstrip().endswith(marks):
            lines[number] = _TICKED + line.removeprefix(_OPEN)
    return standing.around("\n".join(lines))
