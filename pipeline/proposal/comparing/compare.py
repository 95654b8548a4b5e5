"""Owns the list of pages that a proposal changes; knows no host, no git and no rendering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.proposal.comparing.claims import claim_changes, compare_claims
from pipeline.proposal.comparing.reading import read_state
from pipeline.proposal.comparing.share import changed_lines
from pipeline.proposal.comparing.values import PageChange
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import trust_tier

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.proposal.comparing.reading import State
    from pipeline.proposal.comparing.values import HowChanged

_DEPRECATED = "deprecated"


def compare(before: Mapping[str, bytes], after: Mapping[str, bytes], paths: Iterable[str]) -> tuple[PageChange, ...]:
    """Tell what changes on the pages at `paths`, sorted by path; files are keyed by their paths below the wiki's root.

    What is no page, such as an index, a log or the ledger, is left out, and so is what is the same in both states.
    """
    changes = []
    for path in sorted(set(paths)):
        old, new = before.get(path), after.get(path)
        if is_page(path) and old != new:
            changes.append(_compare(path, old, new))
    return tuple(changes)


def _compare(path: str, old: bytes | None, new: bytes | None) -> PageChange:
    before, after = read_state(path, old or b""), read_state(path, new or b"")
    compared = compare_claims(before, after)
    lines, lines_added, lines_removed = changed_lines(before, after, compared)
    page = (before if new is None else after).page
    marked, disputed = (
        {one.words for one in before.claims if one.unsourced},
        {one.words for one in before.contradictions},
    )
    return PageChange(
        path=path,
        title=page.title or path,
        type=page.type,
        change=_how(before, after, old, new),
        added=len(compared.added),
        changed=len(compared.changed),
        removed=len(compared.removed),
        sources=len(after.cited),
        claims=claim_changes(compared, before.page, after.page),
        unsourced=tuple(one.text for one in after.claims if one.unsourced and one.words not in marked),
        contradictions=tuple(one.text for one in after.contradictions if one.words not in disputed),
        trust_before=None if old is None else trust_tier(before.page),
        trust_after=None if new is None else trust_tier(after.page),
        lines_added=lines_added,
        lines_removed=lines_removed,
        lines=lines,
    )


def _how(before: State, after: State, old: bytes | None, new: bytes | None) -> HowChanged:
    if new is None:
        return "removed"
    if old is None:
        return "new"
    return "superseded" if after.page.status == _DEPRECATED != before.page.status else "changed"
