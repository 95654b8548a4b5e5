"""Owns the way from a page to others: the folders above it, its other names and tags, more pages of its kind."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import place_of, to_page
from pipeline.site.around import words
from pipeline.site.around.told import day, fact
from pipeline.site.elements import Html, element, join, link, page_link, text
from pipeline.text import one_line

if TYPE_CHECKING:
    from pipeline.site.around.surroundings import Surroundings
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Site

_MOST: Final = 8
_MOST_NAMES: Final = 12
_TITLE: Final = 100
"""Unicode characters; and so on below."""
_NAME: Final = 60

_REMEMBERED: Final = 4_096
"""Entries and trails that are kept: the pages of a folder share most of them."""


def trail(facts: Facts, site: Site) -> Html:
    """Link to the folders above a page, from the top down; nothing for a page at the top."""
    return _trail(facts.folder, place_of(facts.path) == f"{facts.folder}/", site) if facts.folder else Html()


def other_names(facts: Facts, site: Site, around: Surroundings) -> Html:
    """Give a page's other names and its tags as text that search finds."""
    told: list[object] = []
    if facts.aliases:
        names = ", ".join(one_line(name, _NAME) for name in facts.aliases[:_MOST_NAMES])
        told.append(f"{words.ALSO} {names}.")
    if facts.tags:
        tags = join((_tag(tag, facts.path, site, around) for tag in facts.tags[:_MOST_NAMES]), ", ")
        told.append(join((f"{words.TAGS} ", tags, ".")))
    return element("p", join(told, " "), class_="wm-also") if told else Html()


def nearby(facts: Facts, library: Library, site: Site, around: Surroundings) -> Html:
    """List more pages of the same kind and project: those that share most tags first, then the newest."""
    paths = _kin(facts, library, around)
    if not paths:
        return Html()
    kind = one_line(facts.kind.replace("-", " "), _NAME)
    kin = [library.pages[path] for path in paths]
    entries = [_entry(facts.folder, page.path, page.title, page.changed_on, site) for page in kin]
    everything = link(to_page(facts.path, f"{facts.project}/{facts.kind}/index.md", site), words.all_of(kind))
    return element(
        "section",
        element("h2", words.more_of(kind)),
        element("ul", *entries, class_="wm-list"),
        element("p", everything),
        class_="wm-nearby",
        data_search_exclude=True,
    )


def _kin(facts: Facts, library: Library, around: Surroundings) -> list[str]:
    home = (facts.project, facts.kind)
    shared = Counter(path for tag in set(facts.tags) for path in around.by_tag.get((*home, tag), ()))
    del shared[facts.path]
    newest = sorted(sorted(shared), key=lambda path: library.pages[path].changed_on, reverse=True)
    by_tags = sorted(newest, key=lambda path: shared[path], reverse=True)
    others = (path for path in around.kin.get(home, ()) if path != facts.path and path not in shared)
    return [*by_tags, *others][:_MOST]


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
            crumbs.append(link(to_page(here, index, site), one_line(name.replace("-", " "), _NAME)))
    steps = (element("li", crumb) for crumb in crumbs)
    return element("nav", element("ol", *steps), class_="wm-trail", aria_label=words.TRAIL)


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
