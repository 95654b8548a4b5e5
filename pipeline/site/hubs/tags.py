"""Owns the list of tags with the pages that carry them, and the pages of tags that many carry. Knows no other hub."""

from __future__ import annotations

from collections import defaultdict
from functools import partial
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.paging import paging
from pipeline.site.hubs.rows import Way, listed, render
from pipeline.site.hubs.shelf import Listing, documents, hub
from pipeline.site.hubs.wording import counted, uncapital

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.site.document import Document
    from pipeline.site.hubs.shelf import Shelf
    from pipeline.site.hubs.shelving import TagShelf

_MOST_USED: Final = 16


def tag_documents(shelf: Shelf) -> Iterator[Document]:
    """List all tags, and the pages of those that stand alone."""
    place = {path: number for number, path in enumerate(shelf.order)}
    shelves = tuple(shelf.names.tag_shelves.values())
    by_number: dict[int, list[TagShelf]] = defaultdict(list)
    for one in shelves:
        by_number[one.number].append(one)
    paths = [shelf.names.tags(number) for number in range(1, max(by_number, default=1) + 1)]
    for number, path in enumerate(paths, start=1):
        way = Way(path, shelf.site)
        parts = (
            _head(shelf, way) if number == 1 else "",
            join(_listed(shelf, one, way, place) for one in by_number[number]),
            paging(paths, number, way),
        )
        title = "Tags" if number == 1 else f"Tags, page {number}"
        yield hub(shelf, path, title, join(parts), description="Every tag of this wiki and the pages that carry it.")
    for one in shelves:
        if one.alone:
            yield from _alone(shelf, one, place)


def _head(shelf: Shelf, way: Way) -> Html:
    shelves = shelf.names.tag_shelves
    if not shelves:
        return element("p", "No page carries a tag.")
    often = [one for one in sorted(shelves.values(), key=lambda one: -len(one.pages)) if len(one.pages) > 1]
    leads = (
        join((link(way.page(one.path, one.anchor), one.tag), f" {len(one.pages):,}")) for one in often[:_MOST_USED]
    )
    told = element("p", f"{counted(len(shelves), 'tag')}, in the order of their names.", class_="wm-fact")
    if len(shelves) <= _MOST_USED or not often:
        return told
    return join((told, element("p", "Used most: ", join(leads, ", "), ".")))


def _listed(shelf: Shelf, one: TagShelf, way: Way, place: Mapping[str, int]) -> Html:
    count = counted(len(one.pages), "page")
    if one.alone:
        return element("p", link(way.page(one.path), one.tag), join((" ", element("span", count, class_="wm-fact"))))
    rows = (listed(shelf.rows[path], brief=True) for path in sorted(one.pages, key=place.__getitem__))
    summary = element("summary", one.tag, " ", element("span", count, class_="wm-fact"))
    return element("details", summary, render(rows, way), id=one.anchor, class_="wm-tag")


def _alone(shelf: Shelf, one: TagShelf, place: Mapping[str, int]) -> Iterator[Document]:
    pages = [shelf.library.pages[path] for path in sorted(one.pages, key=place.__getitem__)]
    rows = [
        listed(shelf.rows[facts.path], uncapital(shelf.called[shelf.slug(facts)]), facts.project, shelf.standing(facts))
        for facts in pages
    ]
    listing = Listing(
        title=f"Tag: {one.tag}",
        rows=rows,
        path=partial(shelf.names.part, one.path),
        description=f"{counted(len(rows), 'page')} with this tag.",
        steps=(("Tags", shelf.names.tags()),),
    )
    yield from documents(shelf, listing)
