"""Owns the indexes of projects and of their folders, made anew from the pages, and the list of all projects.

What people wrote into an index stands above what is listed. Knows no other hub.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.carried import carried
from pipeline.site.hubs.folders import folders, own_indexes, projects
from pipeline.site.hubs.kinds import DESCRIBED, SESSION, census, meaning_of
from pipeline.site.hubs.rows import Row, from_top, leaves, listed, saying
from pipeline.site.hubs.shelf import Listing, documents, live
from pipeline.site.hubs.wording import capital, counted
from pipeline.text import one_line
from pipeline.wiki.derived.indexes import NAME, ORDER
from pipeline.wiki.derived.log import NAME as LOG

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.site.document import Document
    from pipeline.site.facts import Facts
    from pipeline.site.hubs.folders import Folder
    from pipeline.site.hubs.rows import Way
    from pipeline.site.hubs.shelf import Shelf

MOST_ON_HOME: Final = 30
"""Projects that the home page and the navigation name."""

_FEW: Final = 8
_MOST: Final = 52
"""Entries of pages on a project's index, over all folders; with the ways to the rest they fill one document."""
_NAME: Final = 80
_ROOM: Final = 5_000
"""Bytes that the projects take on the home page at most."""
_EMPTY: Final = "No page stands here any more."
_GONE: Final = "Superseded"


def project_documents(shelf: Shelf) -> Iterator[Document]:
    """Make the index of each folder, and the list of projects where there are too many for the home page."""
    found = folders(shelf)
    taken = own_indexes(shelf.library)
    for path, folder in found.items():
        if path in taken:
            continue
        is_project = path == folder.project
        rows = _of_project(folder, found, shelf) if is_project else _of_folder(folder, found, shelf)
        yield from documents(
            shelf,
            Listing(
                title=path if is_project or not folder.project else f"{_heading(folder.name)} in {folder.project}",
                rows=rows,
                path=partial(shelf.names.part, folder.index),
                description=_told(folder, found, shelf),
                steps=_steps(path, found),
                head=partial(_head, folder, found, shelf),
                words=carried(shelf.inputs.files, folder.index),
            ),
        )
    whole = projects(shelf)
    if len(whole) > len(shown(whole, shelf)):
        title, told = "Projects", f"{counted(len(whole), 'project')} with their pages."
        rows = [_project_row(name, pages, shelf) for name, pages in whole.items()]
        yield from documents(shelf, Listing(title, rows, shelf.names.projects, told))


def shown(whole: Mapping[str, Sequence[Facts]], shelf: Shelf) -> list[Row]:
    """Give the entries of the projects that the home page names: all of them, or the largest, by name."""
    largest = set(sorted(whole, key=lambda name: -len(whole[name]))[:MOST_ON_HOME])
    rows = [
        listed(
            _project_row(name, pages, shelf), counted(len(live(pages)), "page"), shelf.newest_told(pages), brief=True
        )
        for name, pages in whole.items()
        if name in largest
    ]
    return list(leaves(rows, _ROOM)[0])


def _project_row(name: str, pages: Sequence[Facts], shelf: Shelf) -> Row:
    place = from_top(f"{name}/{NAME}", shelf.site)
    return Row(join((one_line(name, _NAME),)), place, saying(census(live(pages), shelf)))


def _of_project(folder: Folder, found: Mapping[str, Folder], shelf: Shelf) -> list[Row]:
    """List the newest pages of each of a project's folders, then the projects within."""
    own = [below for below in _all_below(folder, found) if found[below].project == folder.project]
    most = max(1, min(_FEW, _MOST // max(len(own) + 1, 1)))
    kept = {facts.path for facts in live(folder.pages)}
    rows = [shelf.entry(facts, group="Pages") for facts in folder.pages if facts.path in kept]
    rows += [shelf.entry(facts, group=_GONE) for facts in folder.pages if facts.path not in kept]
    for below in own:
        pages = found[below].pages
        if not pages:
            continue
        current = live(pages)
        name = below.removeprefix(f"{folder.path}/")
        title = _heading(name)
        rows += [shelf.entry(facts, group=title) for facts in shelf.latest(current)[:most]]
        gone = len(pages) - len(current)
        if gone or len(current) > most:
            told = f"{counted(len(current), 'page')}{f', {gone:,} superseded' if gone else ''}"
            rows.append(_index_row(found[below], f"All {name}", told, title, shelf))
    nested = [below for below in _all_below(folder, found) if found[below].project == below]
    return rows + [_folder_row(found[below], found, "Projects", shelf) for below in nested]


def _of_folder(folder: Folder, found: Mapping[str, Folder], shelf: Shelf) -> list[Row]:
    """List the pages of a folder and the folders below it; what was superseded comes last."""
    current = live(folder.pages)
    if current and all(shelf.slug(facts) == SESSION for facts in current):
        current = shelf.latest(current)
    kept = {facts.path for facts in current}
    below = "Folders" if folder.project else "Projects"
    brief = len(folder.pages) > DESCRIBED
    return [
        *(shelf.entry(facts, brief=brief) for facts in current),
        *(_folder_row(found[path], found, below, shelf) for path in folder.below),
        *(shelf.entry(facts, group=_GONE, brief=brief) for facts in folder.pages if facts.path not in kept),
    ]


def _heading(name: str) -> str:
    """Write the name of a folder as a heading: that of a kind begins with a capital, any other stays as it is."""
    return capital(name) if name in ORDER else name


def _folder_row(folder: Folder, found: Mapping[str, Folder], group: str, shelf: Shelf) -> Row:
    return _index_row(folder, folder.name, census(live(_within(folder, found)), shelf), group, shelf)


def _index_row(folder: Folder, title: str, told: str, group: str, shelf: Shelf) -> Row:
    place = from_top(folder.index, shelf.site)
    return Row(join((one_line(title, _NAME),)), place, saying(told), group=group)


def _all_below(folder: Folder, found: Mapping[str, Folder]) -> list[str]:
    """Give the folders below one, at whatever depth, each before those within it."""
    waiting = list(reversed(folder.below))
    listed_below: list[str] = []
    while waiting:
        path = waiting.pop()
        listed_below.append(path)
        waiting += reversed(found[path].below)
    return listed_below


def _within(folder: Folder, found: Mapping[str, Folder]) -> list[Facts]:
    return [facts for path in (folder.path, *_all_below(folder, found)) for facts in found[path].pages]


def _told(folder: Folder, found: Mapping[str, Folder], shelf: Shelf) -> str:
    pages = live(_within(folder, found))
    return f"{census(pages, shelf)}." if pages else _EMPTY


def _head(folder: Folder, found: Mapping[str, Folder], shelf: Shelf, way: Way) -> Html:
    pages = _within(folder, found)
    told = [join((_told(folder, found, shelf),))]
    fresh = shelf.both_told(pages)
    if fresh:
        told.append(join((f"{capital(', '.join(fresh))}.",)))
    log = f"{folder.project or folder.path}/{LOG}"
    if log in shelf.inputs.files:
        told.append(link(way.page(log), "What changed"))
    slugs = {shelf.slug(facts) for facts in pages}
    meaning = meaning_of(slugs.pop()) if folder.name in ORDER and len(slugs) == 1 else ""
    return join((element("p", meaning) if meaning else "", element("p", join(told, " "), class_="wm-fact")))


def _steps(path: str, found: Mapping[str, Folder]) -> list[tuple[str, str]]:
    parts = path.split("/")[:-1]
    above = ["/".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
    return [(_heading(found[one].name), found[one].index) for one in above if one in found]
