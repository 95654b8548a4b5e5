"""Owns the gate that lets no markup of a draft through that runs or loads by itself; knows no page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.gates.gated import Gated, named, with_bodies
from pipeline.wiki.markdown.quoting import neutralise

if TYPE_CHECKING:
    from pipeline.draft import ConsolidatedBatch
    from pipeline.finding import Finding
    from pipeline.projection import Projection


_KEEP_MARKER = re.compile(r"<!--[ \t]*/?[ \t]*keep[ \t]*-->", re.IGNORECASE)


def check(batch: ConsolidatedBatch, window: Projection) -> Gated:  # noqa: ARG001  # all gates are called alike
    """Neutralise raw HTML, script links and remote images in every body."""
    findings: list[Finding] = []
    bodies = []
    for update in batch.updates:
        body, found = _neutralise(update.body)
        bodies.append((update, body))
        findings += [replace(finding, where=named(update)) for finding in found]
    return Gated(with_bodies(batch, bodies), tuple(findings))


def _neutralise(body: str) -> tuple[str, tuple[Finding, ...]]:
    """Spare keep markers: a draft repeats a page's keep blocks to say where they stand, and can make none."""
    markers = dict.fromkeys(found.group() for found in _KEEP_MARKER.finditer(body))
    names = {marker: f"{_unused(body)}{number}x" for number, marker in enumerate(markers)}
    for marker, name in names.items():
        body = body.replace(marker, name)
    body, findings = neutralise(body)
    for marker, name in names.items():
        body = body.replace(name, marker)
    return body, findings


def _unused(body: str) -> str:
    word = "keepmarker"
    while word in body:
        word += "r"
    return word
