"""Owns the order of the gates; knows nothing of what each of them holds a draft to.

Secrets go first, so that no later finding can quote one; markup before the checks that read text as Markdown. What a
draft invented is taken out before it is held against what stands, so that no invented value counts as a change; what
it left out comes last, when it is known which old values stand as history.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.gates import citations, markup, quotation, secrets, slots
from pipeline.gates.contradiction import gate as contradiction
from pipeline.gates.gated import Gated
from pipeline.gates.grounding import check as grounding
from pipeline.gates.retention import gate as retention

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pipeline.context import Context, ShownPage
    from pipeline.draft import ConsolidatedBatch
    from pipeline.projection import Projection

_WRITTEN = (slots.check, citations.check, grounding.check, citations.check, contradiction.check, retention.check)
"""For a model that writes in its own words. What is taken out may have borne the source, or the mark, of what is left:
so sources are looked for once more."""
_QUOTED = (slots.check, citations.check, quotation.check)
"""For a model that only quotes, so that each word can be checked."""


def run_gates(  # noqa: PLR0913  # a draft, and all that it is held to
    batch: ConsolidatedBatch,
    window: Projection,
    context: Context,
    *,
    unseen: Sequence[ShownPage] = (),
    scrub: Callable[[str], tuple[str, Mapping[str, int]]],
    quotes: bool,
) -> Gated:
    """Hold a draft to what was shown; `quotes` says that the model only quotes.

    `unseen` are further pages that stand: what a draft says must not silently contradict them, but nothing in it can
    rest on them.
    """
    scrubbed = secrets.check(batch, window, scrub)
    safe = markup.check(scrubbed.batch, window)
    batch, findings = safe.batch, (*scrubbed.findings, *safe.findings)
    for check in _QUOTED if quotes else _WRITTEN:
        standing = context if check is not contradiction.check else replace(context, pages=(*context.pages, *unseen))
        gated = check(batch, window, standing)
        batch, findings = gated.batch, (*findings, *gated.findings)
    return Gated(batch, findings)
