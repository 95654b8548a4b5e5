"""Owns the row of badges below a page's title: type, status, trust, and what a reader should be wary of."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.around.told import day
from pipeline.site.elements import Html, element, join
from pipeline.text import one_line
from pipeline.wiki.markdown.claims import UNSOURCED
from pipeline.wiki.markdown.remarks import CONTRADICTION

if TYPE_CHECKING:
    from pipeline.site.facts import Facts
    from pipeline.site.values import Site
    from pipeline.wiki.format.page import TrustTier

_CONTRADICTION: Final = CONTRADICTION.replace("*", "")
_LONGEST: Final = 40
"""Unicode characters of a type."""
_REMEMBERED: Final = 512
"""Rows that are kept: few differ."""


def badges(facts: Facts, site: Site) -> Html:
    """Make the row; each badge says in words what its colour says, and leads to what is doubtful in the text."""
    named = words.STATUSES.get(facts.status, "") or one_line(facts.page.status, _LONGEST).capitalize()
    doubts = (
        _doubt(facts, "contradicted", words.contradicted(facts.contradicted), _CONTRADICTION)
        if facts.contradicted
        else Html(),
        _doubt(facts, "unsourced", words.unsourced(facts.unsourced), UNSOURCED) if facts.unsourced else Html(),
    )
    row = _row(facts.type, (facts.status, named), facts.tier)
    # The browser shows that a review is due once the day has come.
    due = _due(facts.stale_after, hidden=not facts.is_due(site.today)) if facts.stale_after else Html()
    return element("ul", row, *doubts, due, class_="wm-badges", aria_label=words.ABOUT)


def _doubt(facts: Facts, kind: str, says: str, mark: str) -> Html:
    anchor = next((one.anchor for one in facts.sections if mark in one.text and one.anchor), "")
    shown = element("a", says, href=f"#{anchor}") if anchor else says
    return element("li", shown, class_=f"wm-badge wm-badge--{kind}")


@lru_cache(maxsize=_REMEMBERED)
def _due(stale_after: str, *, hidden: bool) -> Html:
    told = join((f"{words.DUE} ", day(stale_after)))
    return element("li", told, class_="wm-badge wm-badge--due", hidden=hidden)


@lru_cache(maxsize=_REMEMBERED)
def _row(type_: str, status: tuple[str, str], tier: TrustTier) -> Html:
    called, meaning = words.TIERS[tier]
    told = [("type", one_line(type_, _LONGEST), None), (*status, None), (tier, called, meaning)]
    return join(
        element("li", name, class_=f"wm-badge wm-badge--{kind}", title=says) for kind, name, says in told if name
    )
