"""Owns what of the pages and lines that are wished for has room in a prompt; wishes for none itself.

All rooms are in estimated tokens.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.context.reading import read_page, shown
from pipeline.context.rendering import cost_of_line, cost_of_page
from pipeline.memory.curate import Decision, curate
from pipeline.memory.git_tree import GitTreeMemory
from pipeline.memory.ground import Document, Grounded, Limits, ground
from pipeline.memory.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipeline.context.context import ShownPage
    from pipeline.wiki.entry import CatalogueEntry

MOST_PAGES: Final = 24
"""Related pages whose whole text is shown, beside slots and the session's own page."""
_CHARACTERS: Final = 8
"""Unicode characters that one token takes at the very most."""


def fitting_pages(paths: Iterable[str], wiki: Mapping[str, bytes], room: int) -> tuple[tuple[ShownPage, ...], int]:
    """Read pages in order and keep those that fit in `room`; also says how much is left."""
    kept: list[ShownPage] = []
    for path in paths:
        if room <= 0:
            break
        page = read_page(path, wiki)
        cost = cost_of_page(page) if page else 0
        if page and cost <= room:
            kept.append(page)
            room -= cost
    return tuple(kept), room


def fitting_lines(
    own: Sequence[CatalogueEntry], nearest: Sequence[CatalogueEntry], room: int
) -> tuple[CatalogueEntry, ...]:
    """Take lines of the catalogue, the nearest pages first, as far as there is room; give them in order of path."""
    near = {entry.path for entry in nearest}
    taken: list[CatalogueEntry] = []
    for entry in (*nearest, *(entry for entry in own if entry.path not in near)):
        cost = cost_of_line(entry)
        if cost > room:
            break
        room -= cost
        taken.append(entry)
    return tuple(sorted(taken, key=lambda entry: entry.path))


def related_pages(likely: Sequence[str], wiki: Mapping[str, bytes], room: int) -> tuple[ShownPage, ...]:
    """Ground the likely pages, and curate them to those that fit in `room`, the likeliest first."""
    if room <= 0:
        return ()
    memory = GitTreeMemory(wiki)
    limits = Limits(files=1, characters=room * _CHARACTERS, total=room * _CHARACTERS)
    documents: list[Document] = []
    for path in likely[: MOST_PAGES * 2]:
        told = ground(memory, [f"{ROOT}/{path}"], limits)
        if isinstance(told, Grounded):  # a page that cannot be read costs itself
            documents += told.documents
    pages = {one.path: _document(one.path.removeprefix(f"{ROOT}/"), wiki, one) for one in documents}

    def fitting(grounded: Grounded, _: str) -> Decision:
        chosen = tuple(_choice([path for path in pages if path in grounded.paths], pages, room))
        return Decision(f"{len(chosen)} of {len(grounded.documents)} likely pages have room.", chosen)

    grounded = Grounded(tuple(sorted(documents, key=lambda one: one.path)))
    chosen = {one.path for one in curate(grounded, "what this window changes", fitting).documents}
    return tuple(page for path, page in pages.items() if path in chosen)


def _choice(likely: Iterable[str], pages: Mapping[str, ShownPage], room: int) -> Iterator[str]:
    left = MOST_PAGES
    for path in likely:
        cost = cost_of_page(pages[path])
        if left and pages[path].text and cost <= room:
            room -= cost
            left -= 1
            yield path


def _document(path: str, wiki: Mapping[str, bytes], document: Document) -> ShownPage:
    """Show a document whole; one that was cut is not shown, for it could not be rewritten."""
    return shown(path, wiki[path], "" if document.missing else document.text)
