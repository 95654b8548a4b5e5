"""Owns how the pages stand in folders: projects, the folders in them, and what lies above. Knows no HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.site.addresses import place_of
from pipeline.site.hubs.ordering import key
from pipeline.wiki.derived.indexes import NAME, ORDER, is_index

if TYPE_CHECKING:
    from pipeline.site.facts import Facts
    from pipeline.site.hubs.shelf import Shelf
    from pipeline.site.library import Library


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the wiki: the pages right in it (by title), the folders right below it, and its project, if any."""

    path: str
    project: str = ""
    pages: list[Facts] = field(default_factory=list)
    below: list[str] = field(default_factory=list)

    @property
    def index(self) -> str:
        """Its index."""
        return f"{self.path}/{NAME}"

    @property
    def name(self) -> str:
        """Its name without the folders above."""
        return self.path.rpartition("/")[2]


def folders(shelf: Shelf) -> dict[str, Folder]:
    """Find all folders that hold pages, at whatever depth, or an index; by path, sorted."""
    found: dict[str, Folder] = {}
    for facts in shelf.pages:
        _add(found, facts.folder, facts.project)
        if facts.folder:
            found[facts.folder].pages.append(facts)
    for path in sorted(shelf.inputs.files):
        if is_index(path):
            _add(found, path.rpartition("/")[0], "")
    for path in sorted(found, key=key):
        above = path.rpartition("/")[0]
        if above:
            found[above].below.append(path)
    for folder in found.values():
        folder.below.sort(key=lambda path: _rank(path, folder.path))
    return dict(sorted(found.items()))


def projects(shelf: Shelf) -> dict[str, list[Facts]]:
    """Give the pages of each project, by title; projects in the order of their names."""
    found: dict[str, list[Facts]] = {}
    for facts in shelf.pages:
        if facts.project:
            found.setdefault(facts.project, []).append(facts)
    return {project: found[project] for project in sorted(found, key=key)}


def own_indexes(library: Library) -> frozenset[str]:
    """Give the folders in which a page stands where the index would, such as `README.md`."""
    pages = library.pages.values()
    return frozenset(facts.folder for facts in pages if place_of(facts.path) == f"{facts.folder}/")


def _add(found: dict[str, Folder], path: str, project: str) -> None:
    """Take up a folder and those above it; what lies within the project belongs to it."""
    while path:
        belongs = project if path == project or path.startswith(f"{project}/") else ""
        if path not in found:
            found[path] = Folder(path, belongs)
        elif belongs and not found[path].project:
            found[path] = Folder(path, belongs, found[path].pages)
        else:
            return
        path = path.rpartition("/")[0]


def _rank(path: str, above: str) -> tuple[int, str]:
    name = path.removeprefix(f"{above}/")
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)
