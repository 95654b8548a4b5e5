"""Owns the trust header below a page's title: what kind of page it is, how it came to be, what to make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.around.badges import badges
from pipeline.site.around.changed import difference, edited_by_hand, last_change
from pipeline.site.around.correcting import quick_links
from pipeline.site.around.origin import confirmations, from_what, how
from pipeline.site.around.told import day, fact
from pipeline.site.elements import Html, element, join
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.values import Quoted, Revision, Site

_NAME: Final = 60
"""Unicode characters."""


def trust_header(
    facts: Facts,
    site: Site,
    *,
    quoted: Mapping[str, Quoted],
    revisions: Sequence[Revision],
    history: str,
) -> Html:
    """Make the header. A page without a type is none of ours and gets none."""
    if not facts.type:
        return Html()
    told = (
        from_what(facts, quoted),
        how(facts.origin, facts.model, facts.generated_on),
        confirmations(facts.verified, by_hand=facts.origin == "hand"),
        *_changes(facts, revisions),
        _review_by(facts, site),
        difference(facts.path, revisions, history, site),
    )
    first, *others = filter(None, told)
    return element(
        "div",
        badges(facts, site),
        element("p", join(map(fact, (_first_up(first), *others)), " "), class_="wm-made"),
        quick_links(facts, site),
        class_="wm-origin",
        data_search_exclude=True,
        data_stale_after=facts.stale_after or None,
    )


def _changes(facts: Facts, revisions: Sequence[Revision]) -> tuple[Html, ...]:
    """Tell of a person's edit, and of the last change where it is another one."""
    edit = edited_by_hand(revisions) if facts.origin != "hand" else None
    edited = _edited(facts, edit) if edit else Html()
    return (edited,) if edit and edit is revisions[0] else (edited, last_change(revisions, facts.generated_on))


def _edited(facts: Facts, edit: Revision) -> Html:
    """Tell that a person edited what a run wrote; a page of quotations then holds other words as well."""
    who = one_line(edit.author, _NAME) or words.A_PERSON
    told = join((f"{words.EDITED} {who} {words.ON} ", day(f"{edit.at:%Y-%m-%d}")))
    return join((told, words.EDITED_QUOTES), ", ") if facts.origin == "extractive" else told


def _review_by(facts: Facts, site: Site) -> Html:
    if not facts.stale_after or facts.is_due(site.today):
        return Html()
    return join((f"{words.REVIEW_BY} ", day(facts.stale_after)))


def _first_up(told: Html) -> Html:
    """Begin with a capital letter; what is told begins with a word of ours."""
    return Html(f"{told[:1].upper()}{told[1:]}")
