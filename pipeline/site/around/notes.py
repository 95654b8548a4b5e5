"""Owns what stands in a footnote: the observation's own words, who said them, when, in which session, and where."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.around.excerpts import excerpt
from pipeline.site.around.told import (
    fact,
    line_on_host,
    moment,
    name_of,
    place_of_source,
    quotation_of,
    shortened,
    speaker,
)
from pipeline.site.elements import Html, element, join, link, text
from pipeline.site.passages import words_of
from pipeline.text import one_line
from pipeline.wiki.format.page import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.values import Quoted, Site

LONGEST: Final = 600
"""Unicode characters of an observation's words that a footnote shows; and so on below."""
SHORTEST: Final = 120
ALL: Final = 9_000
"""Of all footnotes of a page together: the more of them, the less each shows."""

_NAME: Final = 60
_REMEMBERED: Final = 4_096
"""People, moments and sessions that are kept as they are shown: footnotes share most of them."""
_EMPTY: Final = Source("", "", "", "")


def notes(facts: Facts, site: Site, around: Surroundings, quoted: Mapping[str, Quoted]) -> dict[str, Html]:
    """Make what each cited footnote shows, by label; a label of which nothing is known has no entry."""
    by_label = {source.id: source for source in facts.sources if source.id}
    known = [label for label in facts.cited if label in by_label or label in quoted]
    limit = max(SHORTEST, min(LONGEST, ALL // max(len(known), 1)))
    made: dict[str, Html] = {}
    for label in known:
        source, own = by_label.get(label, _EMPTY), quoted.get(label)
        supported = facts.supported.get(label, ())
        quotation = said(source, own, limit, quotations=site.quotations, supported=supported)
        told = (source_line(source, facts.path, site, own), _session(facts, site, around, own))
        made[label] = join(
            (
                element("blockquote", quotation, class_="wm-quote") if quotation else "",
                element("p", join((part for part in told if part), " "), class_="wm-source"),
            )
        )
    return made


def source_line(source: Source, page: str, site: Site, own: Quoted | None) -> Html:
    """Tell in a line who said something, when and where: the parts that are known."""
    if own is None:
        when, _ = quotation_of(source)
        where = place_of_source(source, page, site)
        return join([part for part in (_who(source.author, "", ""), _fact(when), _fact(where)) if part], " ")
    who = _who(source.author, own.who, own.agent_kind)
    parts = (who, _when(own.when), _fact(line_on_host(own.file, own.line, site)))
    return join([part for part in parts if part], " ")


def said(source: Source, own: Quoted | None, limit: int, *, quotations: bool, supported: Sequence[str] = ()) -> Html:
    """Give an observation's words, up to a limit: around those that the claims rest on, which are marked.

    Where the words are not at hand, it is their beginning that the source quotes.
    """
    if own is None or not quotations:
        return text(shortened(quotation_of(source)[1], limit))
    pieces = excerpt(own.words, [words_of(statement) for statement in supported], limit)
    if len(pieces) == 1:
        return text(pieces[0].text)
    return join(element("mark", piece.text) if piece.matters else piece.text for piece in pieces)


@lru_cache(maxsize=_REMEMBERED)
def _who(author: str, who: str, agent_kind: str) -> Html:
    return _fact(name_of(author) or speaker(who, agent_kind))


@lru_cache(maxsize=_REMEMBERED)
def _when(at: datetime) -> Html:
    return fact(moment(at))


def _fact(part: str) -> Html:
    return fact(part) if part else Html()


def _session(facts: Facts, site: Site, around: Surroundings, own: Quoted | None) -> Html:
    """Name the session that an observation was made in; nothing on the page of that session."""
    if own is None:
        return Html()
    page = around.session_page(facts.project, own.session_id)
    return Html() if page == facts.path else _named(facts.folder, page, own.session_id, site)


@lru_cache(maxsize=_REMEMBERED)
def _named(folder: str, page: str, session_id: str, site: Site) -> Html:
    """Name a session on whatever page of a folder; a link where the session has a page."""
    told = f"{words.SESSION} {one_line(session_id, _NAME)}"
    here = f"{folder}/page.md" if folder else "page.md"
    return fact(link(to_page(here, page, site), told) if page else told)
