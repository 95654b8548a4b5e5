"""Owns what a page's revisions tell: what changed last, and whether a person edited what a run had written."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pipeline.errors import Rejected
from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.around.told import day
from pipeline.site.elements import Html, join, link
from pipeline.text import one_line
from pipeline.wiki.format.frontmatter import split

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.values import Revision, Site

_GENERATED: Final = re.compile(r"^generated:.*(?:\r?\n[ \t-].*)*", re.MULTILINE)
_NAME: Final = 60
"""Unicode characters."""


def last_change(revisions: Sequence[Revision], generated_on: str) -> Html:
    """Tell when a page changed last, and by whom; nothing where it is not known, or where a run wrote it on that day.

    Whoever commits or merges what a run wrote, wikimill wrote it.
    """
    if not revisions:
        return Html()
    newest = revisions[0]
    by_run = bool(newest.model or newest.session)
    on = newest.at.date().isoformat()
    who = words.WIKIMILL if by_run else one_line(newest.author, _NAME)
    if not who or (by_run and on == generated_on):
        return Html()
    return join((f"{words.LAST_CHANGE} ", day(on), f" {words.BY} ", who))


def difference(here: str, revisions: Sequence[Revision], history: str, site: Site) -> Html:
    """Link to what changed: the page's history on the site, or the commit on the host that made its only version."""
    if history:
        return link(to_page(here, history, site), words.WHAT_CHANGED)
    if not revisions or not site.host:
        return Html()
    first = revisions[-1]
    if first.author or first.subject:
        return link(site.host.commit(first.commit), words.FIRST_VERSION)
    # What stood before the history that is known here, nobody can tell.
    return link(site.host.commit(revisions[0].commit), words.WHAT_CHANGED)


def edited_by_hand(revisions: Sequence[Revision]) -> Revision | None:
    """Find the newest revision in which a person changed the text that stood there; None when there is none.

    A merge that brings a run's work in is a person's commit as well: then `generated` changes with the text.
    """
    for after, before in pairwise(revisions):
        if after.model or after.session or after.raw == before.raw:
            continue
        try:
            new, old = split(after.raw), split(before.raw)
        except Rejected:
            continue
        if new.body != old.body and _GENERATED.findall(new.block) == _GENERATED.findall(old.block):
            return after
    return None
