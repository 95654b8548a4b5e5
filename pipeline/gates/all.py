"""Owns the order of the gates; knows nothing of what each of them holds a draft to.

Secrets go first, so that no later finding can quote one; markup before the checks that read text as Markdown. What a
draft invented is taken out before it is held against what stands, so that no invented value counts as a change; what
it left out comes last, when it is known which old values stand as history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.gates import citations, markup, quotation, secrets, slots
from pipeline.gates.contradiction import gate as contradiction
from pipeline.gates.gated import Gated
from pipeline.gates.grounding import check as grounding
from pipeline.gates.retention import gate as retention

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch
    from pipeline.projection import Projection

_WRITTEN = (slots.check, citations.check, grounding.check, contradiction.check, retention.check)
"""For a model that writes in its own words."""
_QUOTED = (slots.check, citations.check, quotation.check)
"""For a model that only quotes, so that each word can be checked."""


def run_gates(
    batch: ConsolidatedBatch,
    window: Projection,
    context: Context,
    *,
    scrub: Callable[[str], tuple[str, Mapping[str, int]]],
    quotes: bool,
) -> Gated:
    """Hold a draft to what was shown; `quotes` says that the model only quotes."""
    scrubbed = secrets.check(batch, window, scrub)
    safe = markup.check(scrubbed.batch, window)
    batch, findings = safe.batch, (*scrubbed.findings, *safe.findings)
    for check in _QUOTED if quotes else _WRITTEN:
        gated = check(batch, window, context)
        batch, findings = gated.batch, (*findings, *gated.findings)
    return Gated(batch, findings)
