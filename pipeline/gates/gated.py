"""Owns what every gate gives back; knows no gate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.draft import FOLDERS
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.finding import Finding
    from pipeline.wiki.markdown.blocks import Blocks

_QUOTED = 120
_HEADING = 80


@dataclass(frozen=True, slots=True)
class Gated:
    """A batch as a gate lets it through, and what the gate found. The batch may be left without any update."""

    batch: ConsolidatedBatch
    findings: tuple[Finding, ...] = ()


def named(update: ConsolidatedPageUpdate) -> str:
    """Name an update in a finding: the path of its page, or the folder and title that a new page will have."""
    return update.path or f"{FOLDERS[update.kind]}/{one_line(update.title, 80)}"


def place(update: ConsolidatedPageUpdate, heading: str = "") -> str:
    """Name a section of an update in a finding: `page#heading`; the page alone for what stands above any."""
    section = one_line(heading, _HEADING)
    return f"{named(update)}#{section}" if section else named(update)


def heading_above(blocks: Blocks, position: int) -> str:
    """Give the heading of the section that a position lies in; empty above the first one."""
    above = [heading.text for heading in blocks.headings if heading.start <= position]
    return above[-1] if above else ""


def quoted(text: str) -> str:
    """Bring a piece of a draft into a finding: one line, not too long."""
    return f"“{one_line(text, _QUOTED)}”"


def with_bodies(batch: ConsolidatedBatch, bodies: Iterable[tuple[ConsolidatedPageUpdate, str]]) -> ConsolidatedBatch:
    """Give the batch with each update's body replaced; an update whose body is left empty goes."""
    kept = tuple(
        update if update.body == body else update.model_copy(update={"body": body})
        for update, body in bodies
        if body.strip()
    )
    return batch if kept == batch.updates else batch.model_copy(update={"updates": kept})
