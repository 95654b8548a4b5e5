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
    written_moment,
)
from pipeline.site.elements import Html, element, join, link, text
from pipeline.text import one_line
from pipeline.wiki.format.page import Source
from pipeline.wiki.revision.sources import is_label

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from pipeline.site.around.excerpts import Excerpt, Piece
    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Quoted, Site

MOST: Final = 280
"""Unicode characters of an observation's words that a footnote shows; and so on below."""
SHORTEST: Final = 120
LONGER: Final = 600
"""Of what is folded below them."""
ALL: Final = 7_000
"""Of all footnotes of a page together: the more of them, the less each shows."""

_NAME: Final = 60
_REMEMBERED: Final = 4_096
"""People, moments and sessions that are kept as they are shown: footnotes share most of them."""
_EMPTY: Final = Source("", "", "", "")


def notes(  # noqa: PLR0913, PLR0917 - what is known of a source comes from as many places
    facts: Facts,
    library: Library,
    site: Site,
    around: Surroundings,
    quoted: Mapping[str, Quoted],
    sessions: Sequence[str],
) -> dict[str, Html]:
    """Make what each cited footnote shows, by label; a label of which nothing is known has no entry.

    Words that another footnote of the page shows already are not shown again. The session is named where the page
    rests on several.
    """
    by_label = {source.id: source for source in facts.sources if source.id}
    known = [label for label in facts.cited if label in by_label or label in quoted]
    share = ALL // max(len(known), 1)
    limit = max(SHORTEST, min(MOST, share))
    longer = min(LONGER, share - limit)
    made: dict[str, Html] = {}
    shown: dict[str, str] = {}
    for label in known:
        source, own = by_label.get(label, _EMPTY), quoted.get(label)
        told = [source_line(source, facts.path, site, own)]
        if own is not None and len(sessions) > 1:
            told.append(_session(facts, library, site, around, own.session_id))
        if own is None and site.quotations and is_label(label):
            # Only the page says so: what no observation holds must not look like the words of one.
            key, said = "", element("span", text(beginning(source, None, limit, quotations=False)), " ")
            told.append(fact(words.NOT_FOUND))
        elif own is None or not site.quotations:
            key = beginning(source, None, limit, quotations=False)
            said = _quotation(text(key))
        else:
            found = excerpt(own.words, facts.supported.get(label, ()), limit, longer)
            key, said = _key(found), _quoted(found)
            if facts.origin == "model" and facts.supported.get(label) and not found.matters:
                told.append(fact(words.IN_OTHER_WORDS))
        first = shown.get(key)
        if first is not None and f"[^{first}]:" in facts.page.body:
            said = join((element("a", words.THE_SAME, href=f"#fn:{first}"), f", {words.ALSO_THERE} "))
            made[label] = element("span", said, *_spaced(told), class_="wm-source")
            continue
        if key:
            shown[key] = label
        made[label] = join((said, element("span", *_spaced(told), class_="wm-source")))
    return made


def source_line(source: Source, page: str, site: Site, own: Quoted | None) -> Html:
    """Tell in a line who said something, when and where: the parts that are known."""
    if own is None:
        when, _ = quotation_of(source)
        where = place_of_source(source, page, site)
        parts = (_who(source.author, "", ""), _fact(written_moment(when)), _fact(where))
    else:
        # The observation's own word: a page can name anybody.
        who = _who("", own.who, own.agent_kind)
        parts = (who, _when(own.when), _fact(line_on_host(own.file, own.line, site)))
    return join([part for part in parts if part], " ")


def beginning(source: Source, own: Quoted | None, limit: int, *, quotations: bool) -> str:
    """Give how an observation begins, in plain words, up to a limit."""
    if own is None or not quotations:
        return shortened(quotation_of(source)[1], limit)
    return _key(excerpt(own.words, (), limit, 0))


def _key(found: Excerpt) -> str:
    return "".join(piece.text for piece in found.short)


def _spaced(told: Sequence[Html]) -> tuple[Html, str]:
    # What the page's text says of the source, and the way back, stand in the same line.
    return join((part for part in told if part), " "), " "


def _quotation(quotation: Html) -> Html:
    return element("blockquote", quotation, class_="wm-quote") if quotation else Html()


def _quoted(found: Excerpt) -> Html:
    """Show the words that matter, and what stands around them folded."""
    short = _quotation(_pieces(found.short))
    if not found.longer:
        return short
    more = _quotation(_pieces(found.longer))
    return join((short, element("details", element("summary", words.MORE_OF_IT), more, class_="wm-more")))


def _pieces(pieces: Sequence[Piece]) -> Html:
    return join(element("mark", piece.text) if piece.matters else piece.text for piece in pieces)


@lru_cache(maxsize=_REMEMBERED)
def _who(author: str, who: str, agent_kind: str) -> Html:
    return _fact(name_of(author) or speaker(who, agent_kind))


@lru_cache(maxsize=_REMEMBERED)
def _when(at: datetime) -> Html:
    return fact(moment(at))


def _fact(part: str) -> Html:
    return fact(part) if part else Html()


def _session(facts: Facts, library: Library, site: Site, around: Surroundings, session_id: str) -> Html:
    """Name the session that an observation was made in; nothing on the page of that session."""
    page = around.session_page(facts.project, session_id)
    if page == facts.path:
        return Html()
    return _named(facts.folder, page, library.pages[page].title if page else session_id, site)


@lru_cache(maxsize=_REMEMBERED)
def _named(folder: str, page: str, name: str, site: Site) -> Html:
    """Name a session on whatever page of a folder: by its title and a link where it has a page, else by its id."""
    told = one_line(name, _NAME)
    here = f"{folder}/page.md" if folder else "page.md"
    return fact(link(to_page(here, page, site), told) if page else f"{words.SESSION} {told}")
