"""Owns the frame of a page of the wiki itself, made from its front matter and body alone: no other page is at hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.site.around.frame_of import frame_of
from pipeline.site.around.nearby import trail
from pipeline.site.elements import Html, element, join
from pipeline.site.facts_reading import read_facts
from pipeline.site.frame import Frame
from pipeline.site.library import Library
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import Page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.site.values import Site
    from pipeline.wiki.format.frontmatter import Yaml


def frame_alone(path: str, front: Mapping[str, Yaml], body: str, site: Site) -> Frame:
    """Make the frame; an index, a log and the page of tags only tell where they stand.

    Nothing stands above the title: the theme's own search would list that as a part of the page. For the same reason
    it passes over what every page says.
    """
    facts = read_facts(path, Page(front, body))
    if is_page(path) and facts.type != "Index":
        library = Library({path: facts}, whole=False)
        framed = frame_of(facts, library, site, quoted={}, revisions=(), history="")
    else:
        folder = facts.folder.rpartition("/")[2]
        is_index = path.rpartition("/")[2].casefold() == "index.md"
        framed = Frame(title=(folder or site.name) if is_index else facts.title, above=trail(facts, site))
    below_title = join((_unsearched(framed.above), framed.below_title))
    return replace(framed, above=Html(), below_title=below_title, below=_unsearched(framed.below))


def _unsearched(html: Html) -> Html:
    return element("div", html, data_search_exclude=True) if html else html
