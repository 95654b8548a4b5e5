"""Owns what a reader should know before reading: that the page was superseded, what it replaces, what bears its name.

It also knows the line in a page's text that tells of its successor, so that it is not said twice.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.around import words
from pipeline.site.around.told import day, listed
from pipeline.site.elements import Html, element, join, link, page_link
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Site

_LINE: Final = re.compile(
    r"^> Superseded by \[[^\r\n]{1,400}\]\([^()\s]{1,400}\) on (?P<day>\d{4}-\d{2}-\d{2})\.[ \t]*(?:\r?\n|\Z)",
    re.MULTILINE,
)
_TITLE: Final = 120
"""Unicode characters; and so on below."""
_TYPE: Final = 40
_DESCRIPTION: Final = 80
_MOST: Final = 5


def successor_of(facts: Facts, library: Library) -> str:
    """Follow a page's successors to the end of the chain; nothing where there is none, or where they form a ring."""
    seen = {facts.path}
    path = facts.superseded_by
    found = ""
    while path in library.pages:
        if path in seen:
            return ""
        seen.add(path)
        found, path = path, library.pages[path].superseded_by
    return found


def notice(facts: Facts, library: Library, site: Site) -> Html:
    """Tell on a page that is no longer current what took its place, if anything did."""
    successor = successor_of(facts, library)
    if facts.status != "deprecated" and not successor:
        return Html()
    told: list[object] = [element("strong", words.NOT_CURRENT)]
    line = _LINE.search(facts.page.body)
    if successor:
        since = line["day"] if line else library.pages[successor].generated_on
        on = (f" {words.ON} ", day(since)) if since else ()
        told.append(join((f"{words.SUPERSEDED} ", _page(facts.path, successor, library, site), *on, ".")))
    elif facts.superseded_by and not library.whole and line is None:
        told.append(join((f"{words.SUPERSEDED} ", _unread(facts.path, facts.superseded_by, site), ".")))
    elif not facts.superseded_by:
        told.append(words.NO_SUCCESSOR)
    told.append(words.FOR_HISTORY)
    return element("aside", element("p", join(told, " ")), class_="wm-notice", aria_label=words.NOTICE)


def hatnotes(facts: Facts, library: Library, site: Site, all_called: str = "") -> Html:
    """Name the pages that a page took the place of, and those that a reader may take it for.

    `all_called` is the document that lists all pages of its name, or nothing.
    """
    replaced = [path for path in library.replaced.get(facts.path, ()) if path in library.pages]
    known = {facts.path, *replaced, successor_of(facts, library)}
    alike = [path for path in library.namesakes.get(facts.path, ()) if path in library.pages and path not in known]
    return join(
        (
            _line(words.REPLACES, [_page(facts.path, path, library, site) for path in replaced[:_MOST]], len(replaced)),
            _line(
                words.NOT_TO_BE_CONFUSED,
                [_told_apart(facts, path, library, site) for path in alike[:_MOST]],
                len(alike),
                link(to_page(facts.path, all_called, site), words.ALL_CALLED_SO) if all_called else None,
            ),
        )
    )


def without_notice(body: str) -> str:
    """Take the line on the successor out of a page's text, where the notice says the same."""
    return _LINE.sub("", body, count=1)


def _line(says: str, pages: Sequence[Html], number: int, further: Html | None = None) -> Html:
    if not pages:
        return Html()
    more = [words.others(number - len(pages))] if number > len(pages) else []
    last = (" ", further) if further else ()
    return element("p", f"{says} ", listed([*pages, *more], number), ".", *last, class_="wm-hatnote")


def _page(here: str, path: str, library: Library, site: Site) -> Html:
    return page_link(to_page(here, path, site), one_line(library.pages[path].title, _TITLE))


def _unread(here: str, path: str, site: Site) -> Html:
    """Link to a page of which nothing but its path is known, by the name of its file."""
    name = path.rpartition("/")[2].removesuffix(".md").replace("-", " ")
    return page_link(to_page(here, path, site), one_line(name, _TITLE))


def _told_apart(facts: Facts, path: str, library: Library, site: Site) -> Html:
    """Link to a page of the same name, with what tells the two apart: its type, another project, its description."""
    other = library.pages[path]
    apart = [one_line(other.type, _TYPE)] if other.type else []
    if other.project != facts.project and other.project:
        apart.append(one_line(other.project, _TYPE))
    about = one_line(other.description, _DESCRIPTION).removesuffix(".")
    told = ": ".join(filter(None, (", ".join(apart), about)))
    return join((_page(facts.path, path, library, site), f" ({told})" if told else ""))
