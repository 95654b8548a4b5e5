"""Owns the way from a page to others: the folders above it, its other names and tags, what is like it.

On the page of a session these are the pages that were made from it; on any page those of its kind that share a session
or a tag with it, or else the newest.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pipeline.draft import FOLDERS
from pipeline.site.addresses import place_of, to_page
from pipeline.site.around import words
from pipeline.site.around.told import day, fact, folded
from pipeline.site.elements import Html, element, join, link, page_link, text
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Site

_MOST: Final = 8
_MADE_SHOWN: Final = 20
_MOST_MADE: Final = 100
_MOST_NAMES: Final = 12
_KINDS: Final = frozenset(FOLDERS.values())
_TITLE: Final = 100
"""Unicode characters; and so on below."""
_NAME: Final = 60

_REMEMBERED: Final = 4_096
"""Entries and trails that are kept: the pages of a folder share most of them."""


def trail(facts: Facts, site: Site) -> Html:
    """Link to the folders above a page, from the top down; nothing for a page at the top."""
    return _trail(facts.folder, place_of(facts.path) == f"{facts.folder}/", site) if facts.folder else Html()


def trail_to(here: str, facts: Facts, site: Site) -> Html:
    """Link from a page of ours, such as the history of a page, to that page and to the folders above it."""
    crumbs = [link(to_page(here, "index.md", site), words.HOME)]
    above = ""
    for name in filter(None, facts.folder.split("/")):
        above = f"{above}{name}/"
        crumbs.append(link(to_page(here, f"{above}index.md", site), _called(name)))
    crumbs.append(link(to_page(here, facts.path, site), one_line(facts.title, _TITLE)))
    return _crumbs(crumbs)


def made_in_session(facts: Facts, library: Library, site: Site, around: Surroundings) -> Html:
    """List on the page of a session the pages that were made from it."""
    paths = around.made_in(facts)
    if not paths:
        return Html()
    entries = [_made(facts.path, library.pages[path], site) for path in paths[:_MOST_MADE]]
    heading = element("h2", words.MADE_IN_IT)
    return element(
        "section",
        heading,
        folded(entries, _MADE_SHOWN, len(paths), "wm-list"),
        class_="wm-nearby",
        data_search_exclude=True,
    )


def other_names(facts: Facts, site: Site, around: Surroundings) -> Html:
    """Give a page's other names and its tags as text that search finds."""
    told: list[object] = []
    if facts.aliases:
        names = [one_line(name, _NAME) for name in facts.aliases[:_MOST_NAMES]]
        told.append(f"{words.ALSO} {', '.join((*names, *_others(len(facts.aliases))))}.")
    if facts.tags:
        tags = [_tag(tag, facts.path, site, around) for tag in facts.tags[:_MOST_NAMES]]
        told.append(join((f"{words.TAGS} ", join((*tags, *_others(len(facts.tags))), ", "), ".")))
    return element("p", join(told, " "), class_="wm-also") if told else Html()


def _others(number: int) -> tuple[str, ...]:
    return (words.others(number - _MOST_NAMES),) if number > _MOST_NAMES else ()


def nearby(facts: Facts, library: Library, site: Site, around: Surroundings) -> Html:
    """List more pages of the same kind and project; where none has to do with the page, only link to all of them."""
    if not any(path != facts.path for path in around.kin.get((facts.project, facts.kind), ())):
        return Html()
    kind = one_line(facts.kind.replace("-", " "), _NAME)
    kin = [library.pages[path] for path in _kin(facts, library, around)]
    entries = [_entry(facts.folder, page.path, page.title, page.changed_on, site) for page in kin]
    listed = (element("h2", words.more_of(kind)), element("ul", *entries, class_="wm-list")) if entries else ()
    everything = link(to_page(facts.path, f"{facts.project}/{facts.kind}/index.md", site), words.all_of(kind))
    return element(
        "section",
        *listed,
        element("p", everything),
        class_="wm-nearby",
        data_search_exclude=True,
    )


def _kin(facts: Facts, library: Library, around: Surroundings) -> list[str]:
    """Give those that share most sessions first, then most tags, then the newest.

    Of pages of one day that share nothing all are given or none: which of them were shown, their names would decide.
    """
    home = (facts.project, facts.kind)
    pages = library.pages
    sessions = Counter(
        path for one in around.sessions.get(facts.path, ()) for path in around.by_session.get((*home, one), ())
    )
    tags = Counter(path for tag in set(facts.tags) for path in around.by_tag.get((*home, tag), ()))
    alike = {*sessions, *tags} - {facts.path}
    newest = sorted(sorted(alike), key=lambda path: pages[path].changed_on, reverse=True)
    found = sorted(newest, key=lambda path: (sessions[path], tags[path]), reverse=True)[:_MOST]
    others = (path for path in around.kin.get(home, ()) if path != facts.path and path not in alike)
    for _, group in groupby(others, key=lambda path: pages[path].changed_on):
        of_one_day = list(group)
        if len(found) + len(of_one_day) > _MOST:
            break
        found += of_one_day
    return found


@lru_cache(maxsize=_REMEMBERED)
def _trail(folder: str, is_index: bool, site: Site) -> Html:  # noqa: FBT001 - a part of the cache's key
    """Make the trail of the pages of a folder, or of the page that stands for the folder itself."""
    here = f"{folder}/{'index' if is_index else 'page'}.md"
    crumbs = [link(to_page(here, "index.md", site), words.HOME)]
    above = ""
    for name in folder.split("/"):
        above = f"{above}{name}/"
        index = f"{above}index.md"
        if index != here:
            crumbs.append(link(to_page(here, index, site), _called(name)))
    return _crumbs(crumbs)


def _called(folder: str) -> str:
    """Name a folder: one of a kind as the lists do, a project's as it is called."""
    return folder.capitalize() if folder in _KINDS else one_line(folder, _NAME)


def _crumbs(crumbs: Iterable[Html]) -> Html:
    steps = (element("li", crumb) for crumb in crumbs)
    return element("nav", element("ol", *steps), class_="wm-trail", aria_label=words.TRAIL)


def _made(here: str, page: Facts, site: Site) -> Html:
    told = page_link(to_page(here, page.path, site), one_line(page.title, _TITLE))
    return join((told, fact(one_line(page.type, _NAME)) if page.type else ""), " ")


@lru_cache(maxsize=_REMEMBERED)
def _entry(folder: str, path: str, title: str, changed_on: str, site: Site) -> Html:
    """Link from whatever page of a folder to another page."""
    told = page_link(to_page(f"{folder}/page.md", path, site), one_line(title, _TITLE))
    return element("li", told, " ", fact(day(changed_on)) if changed_on else "")


def _tag(tag: str, here: str, site: Site, around: Surroundings) -> Html:
    shown = one_line(tag, _NAME)
    if around.names is None:
        return text(shown)
    page, anchor = around.names.tag(tag)
    return link(to_page(here, page, site, anchor), shown)
