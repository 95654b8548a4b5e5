"""Owns the lists that tell pages of one name apart: for each name that several pages bear, what these are.

Knows no other hub.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from pipeline.site.elements import Html, element
from pipeline.site.hubs.shelf import Listing, documents
from pipeline.site.hubs.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.site.document import Document
    from pipeline.site.hubs.rows import Way
    from pipeline.site.hubs.shelf import Shelf


def namesake_documents(shelf: Shelf) -> Iterator[Document]:
    """List the pages of each name that several bear."""
    place = {path: number for number, path in enumerate(shelf.order)}
    for document, one in zip(shelf.names.called, shelf.library.ambiguous, strict=True):
        pages = [shelf.library.pages[path] for path in sorted(one.paths, key=place.__getitem__)]
        told = f"{counted(len(pages), 'page')} can be meant by this name."
        listing = Listing(
            title=f"Called “{one.name}”",
            rows=[shelf.entry(facts, shelf.kind(facts), facts.project) for facts in pages],
            path=partial(shelf.names.part, document),
            description=told,
            head=partial(_head, told),
        )
        yield from documents(shelf, listing)


def _head(told: str, _way: Way) -> Html:
    return element("p", told, class_="wm-fact")
