"""Owns the order of the gates; knows nothing of what each of them holds a draft to.

Secrets go first, so that no later finding can quote one; markup before the checks that read text as Markdown;
quotation last, when every footnote that is left names something.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.gates import citations, markup, quotation, secrets
from pipeline.gates.gated import Gated

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch
    from pipeline.projection import Projection


def run_gates(
    batch: ConsolidatedBatch,
    window: Projection,
    context: Context,
    *,
    scrub: Callable[[str], tuple[str, Mapping[str, int]]],
    quotes: bool,
) -> Gated:
    """Hold a draft to what was shown; `quotes` says that the model only quotes, so that each word is checked."""
    scrubbed = secrets.check(batch, window, scrub)
    safe = markup.check(scrubbed.batch, window)
    cited = citations.check(safe.batch, window, context)
    findings = scrubbed.findings + safe.findings + cited.findings
    if not quotes:
        return Gated(cited.batch, findings)
    true = quotation.check(cited.batch, window, context)
    return Gated(true.batch, findings + true.findings)
