"""Owns the gate that lets no secret of a draft through; knows no pattern of a secret, only who scrubs them.

A draft is Markdown: backslashes and entities stand between what is written and what is read. What is read decides
whether something is a secret.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.gates.gated import Gated, named
from pipeline.wiki.markdown.as_read import as_read

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.projection import Projection

_REDACTED: Final = re.compile(r"\[REDACTED:([a-z][a-z0-9-]{0,39})\]")


def check(batch: ConsolidatedBatch, window: Projection, scrub: Callable[[str], tuple[str, Mapping[str, int]]]) -> Gated:
    """Scrub every text of a draft that would reach a page, a commit or the report.

    A reply that was kept was scrubbed before; what stands in for a secret, and was not shown, tells of one too.
    """
    findings: list[Finding] = []
    updates = []
    shown = set(_REDACTED.findall("\n".join(one.text for one in window.shown)))
    for update in batch.updates:
        clean, counts = _scrub_update(update, scrub)
        updates.append(clean)
        findings += _told(named(clean), counts + _stand_ins(update, shown))
    rationale, found = _scrub(batch.rationale, scrub)
    findings += _told(str(window.session), Counter(found))
    if not findings:
        return Gated(batch)
    return Gated(batch.model_copy(update={"updates": tuple(updates), "rationale": rationale}), tuple(findings))


def _stand_ins(update: ConsolidatedPageUpdate, shown: Collection[str]) -> Counter[str]:
    """Count what stands in a draft for a secret of a kind of which the window shows none."""
    text = f"{update.title}\n{update.description}\n{update.body}"
    return Counter(kind for kind in _REDACTED.findall(text) if kind not in shown)


def _scrub_update(
    update: ConsolidatedPageUpdate, scrub: Callable[[str], tuple[str, Mapping[str, int]]]
) -> tuple[ConsolidatedPageUpdate, Counter[str]]:
    counts: Counter[str] = Counter()

    def clean(text: str) -> str:
        scrubbed, found = _scrub(text, scrub)
        counts.update(found)
        return scrubbed

    changed = {
        "path": clean(update.path),
        "title": clean(update.title),
        "description": clean(update.description),
        "body": clean(update.body),
        "tags": tuple(map(clean, update.tags)),
        "aliases": tuple(map(clean, update.aliases)),
        "removed_sections": tuple(map(clean, update.removed_sections)),
        "supersedes": tuple(map(clean, update.supersedes)),
        "contradiction": clean(update.contradiction),
    }
    return (update.model_copy(update=changed) if counts else update), counts


def _scrub(text: str, scrub: Callable[[str], tuple[str, Mapping[str, int]]]) -> tuple[str, dict[str, int]]:
    """Scrub a text by what it reads as; it loses its escapes only where they hide a secret."""
    unescaped, found = scrub(as_read(text))
    counts = {kind: number for kind, number in found.items() if number}
    if not counts:
        return text, {}
    as_written, seen = scrub(text)
    return (as_written if sum(seen.values()) >= sum(counts.values()) else unescaped), counts


def _told(where: str, counts: Counter[str]) -> list[Finding]:
    step = "Change the secret: the model had it from somewhere."
    return [
        Finding(where, "secret-redacted", "warning", f"the draft held {number} x {kind}; it was redacted.", step)
        for kind, number in sorted(counts.items())
    ]
