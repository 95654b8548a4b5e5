"""Owns the row of badges below a page's title: type, status, trust, and what a reader should be wary of."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.elements import Html, element
from pipeline.text import one_line

if TYPE_CHECKING:
    from pipeline.site.facts import Facts
    from pipeline.site.values import Site
    from pipeline.wiki.format.page import TrustTier

_LONGEST: Final = 40
"""Unicode characters of a type."""
_REMEMBERED: Final = 512
"""Rows that are kept: few differ."""


def badges(facts: Facts, site: Site) -> Html:
    """Make the row; each badge says in words what its colour says."""
    named = words.STATUSES.get(facts.status, "") or one_line(facts.page.status, _LONGEST).capitalize()
    doubts = (facts.contradicted > 0, facts.unsourced > 0)
    due = facts.is_due(site.today) if facts.stale_after else None
    return _row(facts.type, (facts.status, named), facts.tier, doubts, due)


@lru_cache(maxsize=_REMEMBERED)
def _row(type_: str, status: tuple[str, str], tier: TrustTier, doubts: tuple[bool, bool], due: bool | None) -> Html:  # noqa: FBT001 - one key
    called, meaning = words.TIERS[tier]
    told = [("type", one_line(type_, _LONGEST), None), (*status, None), (tier, called, meaning)]
    doubted = (("contradicted", words.CONTRADICTED, None), ("unsourced", words.UNSOURCED, None))
    told += [badge for badge, is_so in zip(doubted, doubts, strict=True) if is_so]
    shown = [element("li", name, class_=f"wm-badge wm-badge--{kind}", title=says) for kind, name, says in told if name]
    if due is not None:
        # The browser shows it once the day has come.
        shown.append(element("li", words.DUE, class_="wm-badge wm-badge--due", hidden=not due))
    return element("ul", *shown, class_="wm-badges", aria_label=words.ABOUT)
