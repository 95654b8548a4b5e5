"""Owns the pages that a prompt showed, read for gates that hold a draft to what stands; knows no gate.

A page that cannot be read is none of them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.authorship import is_persons
from pipeline.wiki.revision.sources import entries
from pipeline.wiki.slugs import portable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.context import Context
    from pipeline.wiki.format.page import Slot

_TIME = re.compile(r"\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2})?")


@dataclass(frozen=True, slots=True)
class StandingPage:
    """A page as it was shown. `times` gives the time of its sources by label, `2026-11-29 14:03`, in UTC."""

    path: str
    title: str
    body: str
    slot: Slot | None
    is_session: bool
    is_persons: bool
    """Whether a person wrote it: to such a page a draft only adds."""
    is_deprecated: bool
    is_locked: bool
    times: Mapping[str, str]


def standing_pages(context: Context) -> tuple[StandingPage, ...]:
    """Read the pages that were shown whole, slots first; a page that is shown twice counts once."""
    found: dict[str, StandingPage] = {}
    for shown in (*context.slots, *context.pages):
        if shown.path in found:
            continue
        try:
            page = parse_page(shown.path, shown.text.encode("utf-8", "surrogatepass"))
        except (Rejected, UnicodeError):
            continue
        times: dict[str, str] = {}
        for entry in entries(page.front):
            time = _TIME.match(str(entry.get("title")))
            if time is not None:
                times.setdefault(str(entry.get("id")), time.group())
        found[shown.path] = StandingPage(
            shown.path,
            page.title,
            page.body,
            page.slot,
            "/sessions/" in shown.path,
            is_persons(page.front),
            page.status == "deprecated",
            shown.locked or page.locked,
            times,
        )
    return tuple(found.values())


def page_of(path: str, pages: Mapping[str, StandingPage]) -> StandingPage | None:
    """Find the page that a draft names, as it is found when the draft is carried out; no path names none."""
    named = path.strip().removeprefix("./").removeprefix("/")
    if not named:
        return None
    if not named.casefold().endswith(".md"):
        named = f"{named}.md"
    if named in pages:
        return pages[named]
    key = portable(named)
    return next((page for other, page in pages.items() if portable(other) == key), None)
