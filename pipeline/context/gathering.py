"""Owns the choice of what a prompt shows of the wiki: what stands first, and what has to give way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.context.context import Context
from pipeline.context.fitting import fitting_lines, fitting_pages, related_pages
from pipeline.context.instructions import instructions_of
from pipeline.context.ranking import nearest
from pipeline.context.rendering import FRAME, cost_of_instructions, cost_of_line, cost_of_page
from pipeline.draft import FOLDERS
from pipeline.wiki.slugs import project_folder

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.context.context import ShownPage
    from pipeline.context.ranking import Ranking
    from pipeline.projection import Projection
    from pipeline.wiki.entry import CatalogueEntry

_CATALOGUE_SHARE: Final = 0.3
"""The part of the free budget that a catalogue which does not fit as a whole may take."""
_PAGES_SHARE: Final = 0.8
"""The part of what is near to a window that whole pages may take; the catalogue takes what is left."""


def gather(  # noqa: PLR0913  # the whole situation of a window
    projection: Projection,
    wiki: Mapping[str, bytes],
    catalogue: Sequence[CatalogueEntry],
    *,
    budget_tokens: int,
    near_tokens: int | None = None,
    session_pages: Sequence[str] = (),
    index: Ranking | None = None,
) -> Context:
    """Choose what a window's prompt shows of the wiki; `render` of it takes at most `budget_tokens`.

    With `near_tokens`, related pages and the catalogue take no more than that, so that a prompt does not grow with
    the wiki: the pages come first, the catalogue leaves out what is shown already, and other sessions' pages stand in
    neither.

    In this order, as long as there is room: the instructions, the slots of the project, the session's own page,
    the catalogue of the project (as a whole, else its most relevant part), and the pages that share the most
    telling words with the window: by all their words when there is an `index` of the wiki, else by their line in
    the catalogue. Deprecated pages stand in the catalogue alone. A page that is missing or
    not UTF-8 is passed over; one that cannot be parsed is shown as locked.
    """
    room = budget_tokens - FRAME
    if room <= 0:
        return Context()
    project = project_folder(projection.session.workspace, projection.session.project)
    own = sorted((entry for entry in catalogue if _is_of(project, entry.path)), key=lambda entry: entry.path)
    pages = _Pages(tuple(own), tuple(nearest(projection, own, index)), project, frozenset(session_pages))

    instructions = instructions_of(wiki, project, room)
    room -= cost_of_instructions(instructions)
    slots, room = fitting_pages(pages.pinned, wiki, room)
    shown = {slot.path for slot in slots}
    slots_left_out = tuple(path for path in pages.pinned if path not in shown)
    session, room = fitting_pages([page for page in session_pages if page], wiki, room)
    if near_tokens is None:
        lines, related = _catalogue_first(pages, wiki, room)
        left_out = len(own) - len(lines)
    else:
        known = {page.path for page in (*slots, *session)}
        lines, related = _pages_first(pages, wiki, min(room, near_tokens), known)
        left_out = len(own) - len(known | {one.path for one in lines} | {one.path for one in related})
    return Context(instructions, slots, lines, left_out, (*session, *related), slots_left_out)


@dataclass(frozen=True, slots=True)
class _Pages:
    """The pages of a window's project: all of them by path, and those that are near to it, the nearest first."""

    own: tuple[CatalogueEntry, ...]
    near: tuple[CatalogueEntry, ...]
    project: str
    session_pages: frozenset[str]

    @property
    def pinned(self) -> list[str]:
        """The slots that hold."""
        return [one.path for one in self.own if one.status != "deprecated" and self.folder_of(one) == "slots"]

    @property
    def likely(self) -> list[CatalogueEntry]:
        """The near pages that may be shown whole, beside slots and the sessions' own."""
        live = (one for one in self.near if one.status != "deprecated")
        return [one for one in live if one.path not in self.session_pages and self.folder_of(one) != "slots"]

    def folder_of(self, entry: CatalogueEntry) -> str:
        """Name the folder in which a page stands."""
        return _folder_of(self.project, entry.path)


def _catalogue_first(
    pages: _Pages, wiki: Mapping[str, bytes], room: int
) -> tuple[tuple[CatalogueEntry, ...], tuple[ShownPage, ...]]:
    """Take as much of the catalogue as leaves room for pages, then the likely pages."""
    lines = fitting_lines(pages.own, pages.near, int(room * _CATALOGUE_SHARE))
    room -= sum(map(cost_of_line, lines))
    return lines, related_pages([one.path for one in pages.likely], wiki, room)


def _pages_first(
    pages: _Pages, wiki: Mapping[str, bytes], room: int, known: set[str]
) -> tuple[tuple[CatalogueEntry, ...], tuple[ShownPage, ...]]:
    """Take the likely pages, then the lines of pages that are not `known` by then.

    What another session did is history; what this one may have to change stands on the pages of knowledge.
    """
    knowledge = [one.path for one in pages.likely if pages.folder_of(one) != "sessions"]
    related = related_pages(knowledge, wiki, int(room * _PAGES_SHARE))
    told = known | {page.path for page in related}
    listed = [one for one in pages.own if one.path not in told and pages.folder_of(one) != "sessions"]
    paths = {one.path for one in listed}
    room -= sum(map(cost_of_page, related))
    return fitting_lines(listed, [one for one in pages.near if one.path in paths], room), related


def _is_of(project: str, path: str) -> bool:
    return bool(_folder_of(project, path)) and not path.endswith("/index.md")


def _folder_of(project: str, path: str) -> str:
    """Name the folder of pages (`decisions`) in which a path of the project stands; empty for any other path."""
    inside = path.removeprefix(f"{project}/")
    folder = inside.split("/", 1)[0]
    return folder if inside != path and folder in FOLDERS.values() else ""
