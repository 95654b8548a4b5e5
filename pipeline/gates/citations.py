"""Owns the gate that holds every claim of a draft to a source that the model was shown.

A footnote that names nothing goes; a claim that cites nothing is marked, so that a reader sees it. Knows nothing of
what a source says.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.gates.gated import Gated, heading_above, place, quoted, with_bodies
from pipeline.wiki.markdown.blocks import read_blocks, replace
from pipeline.wiki.markdown.claims import UNSOURCED, claims_of
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.revision.sources import is_handle, is_label

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.projection import Projection
    from pipeline.wiki.markdown.blocks import Statement

_LABELS = re.compile(r"\bo-[0-9a-f]{10,}\b")


def check(batch: ConsolidatedBatch, window: Projection, context: Context) -> Gated:
    """Take out footnotes that name nothing that was shown, and mark new claims that are left without a source."""
    shown = {*context.slots, *context.pages}
    known = {one.handle for one in window.shown}
    known.update(label for page in shown for label in _LABELS.findall(page.text))
    texts = {page.path: page.text for page in shown}
    findings: list[Finding] = []
    bodies = [(update, _check(update, known, texts.get(update.path, ""), findings)) for update in batch.updates]
    return Gated(with_bodies(batch, bodies), tuple(findings))


def _check(update: ConsolidatedPageUpdate, known: Collection[str], standing: str, findings: list[Finding]) -> str:
    body = _without_unknown(update, known, findings)
    blocks = read_blocks(body)
    stands = {plain(statement.bare) for statement in read_blocks(standing).statements}
    edits: list[tuple[int, int, str]] = []
    for statement in claims_of(blocks):
        words = plain(statement.bare)
        marked = statement.text.rstrip("| ").endswith(UNSOURCED)
        if marked or words in stands or any(label in known for label in statement.labels):
            continue
        end = _end(statement)
        edits.append((end, end, f" {UNSOURCED}"))
        message = f"the draft gives no source for {quoted(words)}; it is marked as unsourced."
        where = place(update, heading_above(blocks, statement.start))
        step = "Add a source to the page, or take the claim out."
        findings.append(Finding(where, "claim-unsourced", "warning", message, step))
    return replace(body, edits)


def _without_unknown(update: ConsolidatedPageUpdate, known: Collection[str], findings: list[Finding]) -> str:
    """Take out the citations of what was not shown; what is left is read anew, since they carried what they cite."""
    blocks = read_blocks(update.body)
    edits: list[tuple[int, int, str]] = []
    for mark in blocks.marks:
        if (is_handle(mark.label) or is_label(mark.label)) and mark.label not in known:
            edits.append((mark.start, mark.end, ""))
            message = f"the draft cites [^{mark.label}], which was not shown to the model; the footnote was taken out."
            where = place(update, heading_above(blocks, mark.start))
            findings.append(Finding(where, "citation-unknown", "warning", message))
    return replace(update.body, edits)


def _end(statement: Statement) -> int:
    """Where a remark on a statement goes: behind its text, in a row of a table inside the last cell."""
    if statement.shape != "row" or not statement.text.endswith("|"):
        return statement.end
    return statement.end - 1 - (len(statement.text[:-1]) - len(statement.text[:-1].rstrip()))
