"""Owns the trust header below a page's title: what kind of page it is, how it came to be, what to make of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.around.badges import badges
from pipeline.site.around.changed import difference, edited_by_hand, last_change
from pipeline.site.around.origin import confirmations, how_it_came
from pipeline.site.around.told import day, fact, listed
from pipeline.site.elements import Html, element, join, link
from pipeline.text import one_line
from pipeline.wiki.markdown.claims import UNSOURCED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Quoted, Revision, Site

_MOST_SESSIONS: Final = 3
_NAME: Final = 60
"""Unicode characters."""


def trust_header(  # noqa: PLR0913 - what is known of a page comes from as many places
    facts: Facts,
    library: Library,
    site: Site,
    around: Surroundings,
    *,
    quoted: Mapping[str, Quoted],
    revisions: Sequence[Revision],
    history: str,
) -> Html:
    """Make the header. A page without a type is none of ours and gets none."""
    if not facts.type:
        return Html()
    told = (
        how_it_came(facts, quoted),
        confirmations(facts.verified),
        _sessions(facts, library, site, around, quoted),
        _edited(facts, revisions),
        _doubts(facts),
        _review_by(facts, site),
        join(
            (part for part in (last_change(revisions), difference(facts.path, revisions, history, site)) if part), ": "
        ),
    )
    return element(
        "div",
        badges(facts, site),
        element("p", join((fact(part) for part in told if part), " "), class_="wm-made"),
        _due(facts, site),
        class_="wm-origin",
        data_search_exclude=True,
        data_stale_after=facts.stale_after or None,
    )


def _sessions(facts: Facts, library: Library, site: Site, around: Surroundings, quoted: Mapping[str, Quoted]) -> Html:
    """Name the sessions that a page rests on, the one that changed it last first; a link where they have a page."""
    names = list(dict.fromkeys((*facts.session_ids, *(one.session_id for one in quoted.values()))))
    shown: list[object] = []
    for name in names[:_MOST_SESSIONS]:
        page = around.session_page(facts.project, name)
        if page == facts.path:
            continue
        if page:
            shown.append(link(to_page(facts.path, page, site), one_line(library.pages[page].title, _NAME)))
        else:
            shown.append(element("code", one_line(name, _NAME)))
    if not shown:
        return Html()
    if len(names) > _MOST_SESSIONS:
        shown.append(words.more(len(names) - _MOST_SESSIONS))
    return join((f"{words.session_label(len(names))} ", listed(shown, len(shown))))


def _edited(facts: Facts, revisions: Sequence[Revision]) -> Html:
    """Tell that a person edited what a run wrote; a page of quotations then holds other words as well."""
    edit = edited_by_hand(revisions) if facts.origin != "hand" else None
    if edit is None:
        return Html()
    who = one_line(edit.author, _NAME) or words.A_PERSON
    told = join((f"{words.EDITED} {who} {words.ON} ", day(f"{edit.at:%Y-%m-%d}")))
    return join((told, words.EDITED_QUOTES), ", ") if facts.origin == "extractive" else told


def _doubts(facts: Facts) -> Html:
    told: list[Html] = []
    if facts.contradicted:
        told.append(join((words.contradicted(facts.contradicted),)))
    if facts.unsourced:
        anchor = next((one.anchor for one in facts.sections if UNSOURCED in one.text and one.anchor), "")
        count = words.unsourced(facts.unsourced)
        told.append(link(f"#{anchor}", count) if anchor else join((count,)))
    return join(told, "; ")


def _review_by(facts: Facts, site: Site) -> Html:
    if not facts.stale_after or facts.is_due(site.today):
        return Html()
    return join((f"{words.REVIEW_BY[:1].upper()}{words.REVIEW_BY[1:]} ", day(facts.stale_after)))


def _due(facts: Facts, site: Site) -> Html:
    """Say that the review is due; the browser shows it once that day has come."""
    if not facts.stale_after:
        return Html()
    told = join((f"{words.REVIEW_DUE} ", day(facts.stale_after), "."))
    return element("p", told, class_="wm-due", hidden=not facts.is_due(site.today))
