"""Owns the list of tags, and below it the pages of each that several carry; a tag of one page leads to that page.

Knows no other hub but Browse and the search, by their paths.
"""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.paging import paging
from pipeline.site.hubs.rows import Way, render
from pipeline.site.hubs.shelf import Listing, documents, hub
from pipeline.site.hubs.shelving import LONGEST_TAG
from pipeline.site.hubs.wording import counted
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipeline.site.document import Document
    from pipeline.site.hubs.rows import Row
    from pipeline.site.hubs.shelf import Shelf
    from pipeline.site.hubs.shelving import TagShelf

MOST: Final = 120
"""Pages of a tag that its own documents list; all of them are found by Browse and by the search."""


def tag_documents(shelf: Shelf) -> Iterator[Document]:
    """List all tags, and the pages of those that several carry."""
    place = {path: number for number, path in enumerate(shelf.order)}
    shelves = tuple(shelf.names.tag_shelves.values())
    last = max((max(one.number, one.listed) for one in shelves), default=1)
    named: dict[int, list[TagShelf]] = defaultdict(list)
    listed: dict[int, list[TagShelf]] = defaultdict(list)
    for one in shelves:
        named[one.number].append(one)
        listed[one.listed].append(one)
    paths = [shelf.names.tags(number) for number in range(1, last + 1)]
    for number, path in enumerate(paths, start=1):
        way = Way(path, shelf.site)
        parts = (
            _head(shelves) if number == 1 else "",
            _index(named[number], shelf, way),
            join(_section(one, shelf, way, place) for one in listed[number]),
            paging(paths, number, way),
        )
        title = "Tags" if number == 1 else f"Tags, page {number}"
        yield hub(shelf, path, title, join(parts), description="Every tag of this wiki and the pages that carry it.")
    for one in shelves:
        if one.alone:
            yield from _alone(shelf, one, place)


def _head(shelves: Sequence[TagShelf]) -> Html:
    if not shelves:
        return element("p", "No page carries a tag.")
    return element("p", f"{counted(len(shelves), 'tag')}, in the order of their names.", class_="wm-fact")


def _index(shelves: Iterable[TagShelf], shelf: Shelf, way: Way) -> Html:
    items = [_item(one, shelf, way) for one in shelves]
    return element("ul", *items, class_="wm-columns") if items else Html()


def _item(one: TagShelf, shelf: Shelf, way: Way) -> Html:
    name = one_line(one.tag, LONGEST_TAG)
    if len(one.pages) == 1:
        return element("li", link(way.to(shelf.rows[one.pages[0]].place), name), id=one.anchor or None)
    here = one.path == way.here
    return element(
        "li", link(f"#{one.anchor}" if here else way.page(one.path, one.anchor), name), f" {len(one.pages):,}"
    )


def _section(one: TagShelf, shelf: Shelf, way: Way, place: Mapping[str, int]) -> Html:
    count = element("span", counted(len(one.pages), "page"), class_="wm-fact")
    title = element("h2", one_line(one.tag, LONGEST_TAG), " ", count, id=one.anchor)
    return join((title, render(_rows(sorted(one.pages, key=place.__getitem__), shelf), way)))


def _rows(paths: Iterable[str], shelf: Shelf) -> list[Row]:
    pages = (shelf.library.pages[path] for path in paths)
    return [shelf.entry(facts, shelf.kind(facts), facts.project, brief=True) for facts in pages]


def _alone(shelf: Shelf, one: TagShelf, place: Mapping[str, int]) -> Iterator[Document]:
    """List the pages of a tag that many carry: all by their titles, or the newest of very many."""
    paths = sorted(one.pages, key=place.__getitem__)
    if len(paths) > MOST:
        newest = shelf.newest(shelf.library.pages[path] for path in paths)
        paths = [facts.path for facts in newest[:MOST]]
    listing = Listing(
        title=f"Tag: {one.tag}",
        rows=_rows(paths, shelf),
        path=partial(shelf.names.part, one.path),
        description=f"{counted(len(one.pages), 'page')} with this tag.",
        steps=(("Tags", shelf.names.tags()),),
        head=partial(_told, one, shelf),
    )
    yield from documents(shelf, listing)


def _told(one: TagShelf, shelf: Shelf, way: Way) -> Html:
    count = counted(len(one.pages), "page")
    if len(one.pages) <= MOST:
        return element("p", f"{count} with this tag.", class_="wm-fact")
    ways = (
        link(f"{way.page(shelf.names.browse())}?tag={one.asked}", "Browse"),
        link(f"{way.page(shelf.names.search)}?q={one.asked}&tag={one.asked}", "search"),
    )
    told = f"The {MOST} newest of {count} with this tag. All of them: "
    return element("p", told, join(ways, " or "), ".", class_="wm-fact")
