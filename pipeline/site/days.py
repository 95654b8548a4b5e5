"""Owns the days that the site names: when a page changed, and when what it rests on was observed. Knows no HTML.

A page changes when a run writes it (`generated.at`), or later when a person edits its text; git is only asked who
did so after the page was made. When something was observed is told by the titles of the page's sources.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pipeline.site.around.changed import edited_by_hand

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Quoted, Revision

_TIME: Final = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d\b")
_DAY: Final = 10
"""Characters of an ISO day."""


def dated(library: Library, revisions: Mapping[str, Sequence[Revision]]) -> Library:
    """Let each page that a person edited later tell that day as its last change; `revisions` are newest first."""
    edits = {path: edit_after(facts, revisions.get(path, ())) for path, facts in library.pages.items()}
    pages = {path: _edited(facts, edits[path]) for path, facts in library.pages.items()}
    return replace(library, pages=pages)


def _edited(facts: Facts, edit: Revision | None) -> Facts:
    if edit is None:
        return facts
    return replace(facts, changed_on=f"{edit.at:%Y-%m-%d}", edited_at=f"{edit.at:%Y-%m-%dT%H:%M:%SZ}")


def edit_after(facts: Facts, revisions: Sequence[Revision]) -> Revision | None:
    """Give the newest revision in which a person edited the page after the day that the page itself names."""
    if not revisions or f"{revisions[0].at:%Y-%m-%d}" <= facts.changed_on:
        return None
    if facts.generated_on:
        found = edited_by_hand(revisions)
    else:
        # Who wrote a page by hand wrote all of its revisions; one without an author is not known to be anybody's.
        found = next((one for one in revisions if one.author and not (one.model or one.session)), None)
    return found if found and f"{found.at:%Y-%m-%d}" > facts.changed_on else None


def observed_at(facts: Facts, quoted: Iterable[Quoted] = ()) -> str:
    """Give the time (`2026-11-29 14:03`) of the newest observation that a page rests on, or nothing."""
    times = [found.group() for source in facts.sources if (found := _TIME.match(source.title))]
    return max((*times, *(f"{one.when:%Y-%m-%d %H:%M}" for one in quoted)), default="")


def day_of(moment: str) -> str:
    """Give the day of a moment."""
    return moment[:_DAY]
