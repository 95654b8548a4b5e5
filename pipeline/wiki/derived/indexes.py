"""Owns the generated `index.md` files: the root's, each project's, each folder's (OKF, section 8).

An index is made anew from the catalogue; what a person wrote into it stays, between keep markers. Equal pages give
equal bytes. Knows no page text and no file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import combining, normalize

from pipeline.draft import FOLDERS
from pipeline.wiki.derived.handwritten import carry_over
from pipeline.wiki.derived.listing import entry, literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.wiki.entry import CatalogueEntry

NAME = "index.md"

ORDER = ("slots", "decisions", "rules", "gotchas", "procedures", "concepts", "sessions")
"""The order of the folders in a project's index; what people added stands behind, by name."""

_EMPTY = "No page stands here any more."

_FEW = 10
"""Pages of one kind that a project's index names."""

_REMEMBERED = 100_000
"""Lines and titles that are kept: each session renders its folder's index again, and few of its lines differ."""

_ROOT_FRONT = '---\nokf_version: "0.2"\n---\n\n'


@dataclass(frozen=True, slots=True)
class _Project:
    path: str
    folders: dict[str, list[CatalogueEntry]] = field(default_factory=dict)


def is_index(path: str) -> bool:
    """Whether a path is that of an index."""
    return path.rpartition("/")[2].casefold() == NAME


def render_indexes(
    catalogue: Sequence[CatalogueEntry], touched: Iterable[str], existing: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Render the indexes above the touched pages that differ from those in `existing`.

    `existing` gives the indexes as they stand, by path; of other files in it only the logs are looked for. An index
    whose keep markers do not pair is left as it is.
    """
    wanted: set[str] = {NAME}
    for path in touched:
        parts = path.split("/")[:-1]
        wanted.update("/".join([*parts[:depth], NAME]) for depth in range(len(parts) + 1))
    projects = _projects(catalogue)
    written: dict[str, bytes] = {}
    for path in sorted(wanted):
        generated = _render(path, projects)
        if generated is None:
            if not _is_emptied(path, existing):
                continue
            generated = _emptied(path)
        old = existing.get(path)
        new = generated.encode() if old is None else carry_over(generated, old)
        if new is not None and new != old:
            written[path] = new
    return written


def renew_all(catalogue: Sequence[CatalogueEntry], existing: Mapping[str, bytes]) -> dict[str, bytes]:
    """Render every index that does not fit the pages, those of folders without any page included."""
    touched = [*(page.path for page in catalogue), *filter(is_index, existing)]
    return render_indexes(catalogue, touched, existing)


def _projects(catalogue: Sequence[CatalogueEntry]) -> dict[str, _Project]:
    """Sort the pages into projects and folders; a project is what holds folders of the known kinds."""
    homes = {entry.path: _home(entry.path) for entry in catalogue}
    known = {home for home in homes.values() if home}
    projects: dict[str, _Project] = {}
    for page in sorted(catalogue, key=lambda one: one.path):
        home = homes[page.path] or _nearest(page.path, known)
        folder = page.path.rpartition("/")[0]
        projects.setdefault(home, _Project(home)).folders.setdefault(folder, []).append(page)
    return projects


def _home(path: str) -> str:
    parts = path.split("/")[:-1]
    kinds = set(FOLDERS.values())
    place = next((number for number in range(len(parts) - 1, 0, -1) if parts[number] in kinds), 0)
    return "/".join(parts[:place])


def _nearest(path: str, known: set[str]) -> str:
    parts = path.split("/")[:-1]
    above = ("/".join(parts[:depth]) for depth in range(len(parts), 0, -1))
    return next((home for home in above if home in known), parts[0] if parts else "")


def _is_emptied(path: str, existing: Mapping[str, bytes]) -> bool:
    """Whether the last page went from the folder of a project, or from one of its folders."""
    folder = path.rpartition("/")[0]
    above, _, name = folder.rpartition("/")
    return path in existing and f"{above if name in FOLDERS.values() else folder}/log.md" in existing


def _emptied(path: str) -> str:
    """Render the index of a folder that has no page left; it leads to where the story goes on."""
    folder = path.rpartition("/")[0]
    above, _, name = folder.rpartition("/")
    if name in FOLDERS.values():
        return _text([(f"{_title(name)} in {above}", [entry(path, f"{above}/{NAME}", above, _EMPTY)])])
    return _text([(folder, [entry(path, f"{folder}/log.md", "Log", _EMPTY)])])


def _render(path: str, projects: Mapping[str, _Project]) -> str | None:
    folder = path.rpartition("/")[0]
    if not folder:
        return _ROOT_FRONT + _text(_root_groups(projects))
    if folder in projects:
        return _text(_project_groups(path, projects[folder], projects))
    below = [home for home in sorted(projects) if home.startswith(f"{folder}/")]
    if below:
        return _text([(folder, _project_list(path, below, projects))])
    home = next((one for one in projects.values() if _holds(one, folder)), None)
    return _text(_folder_groups(path, folder, home)) if home else None


def _holds(project: _Project, folder: str) -> bool:
    return any(other == folder or other.startswith(f"{folder}/") for other in project.folders)


def _text(groups: Iterable[tuple[str, Sequence[str]]]) -> str:
    return "\n".join(
        "\n".join((f"# {literal(title)}", *([""] if lines else []), *lines, "")) for title, lines in groups
    )


def _root_groups(projects: Mapping[str, _Project]) -> list[tuple[str, Sequence[str]]]:
    homes = [home for home in sorted(projects) if home]
    groups: list[tuple[str, Sequence[str]]] = [("Projects", _project_list(NAME, homes, projects))]
    new = _newest(_knowledge(projects.values()))[:_FEW]
    if new:
        groups.append(("Newest pages", [_line(NAME, page) for page in new]))
    if "" in projects:
        pages = [page for listed in projects[""].folders.values() for page in listed]
        groups.append(("Pages", [_line(NAME, page) for page in _by_title(pages)]))
    return groups


def _knowledge(projects: Iterable[_Project]) -> list[CatalogueEntry]:
    """Give the live pages that tell of a subject: not those of sessions, not the slots, none outside a project."""
    aside = {FOLDERS["session"], FOLDERS["slot"]}
    return [
        page
        for project in projects
        for folder, pages in project.folders.items()
        if project.path and _name(folder, project) not in aside
        for page in _live(pages)
    ]


def _project_list(index: str, homes: Sequence[str], projects: Mapping[str, _Project]) -> list[str]:
    above = index.rpartition("/")[0]
    return [
        entry(index, f"{home}/{NAME}", home.removeprefix(f"{above}/") if above else home, _census(projects[home]))
        for home in homes
    ]


def _census(project: _Project) -> str:
    counted = {_name(folder, project): _live(pages) for folder, pages in project.folders.items()}
    named = [(name, len(counted[name])) for name in sorted(counted, key=_rank) if counted[name]]
    total = sum(count for _, count in named)
    parts = [f"{count} {_SINGULAR.get(name, name) if count == 1 else name}" for name, count in named if name]
    return f"{total} {'page' if total == 1 else 'pages'}{': ' if parts else ''}{', '.join(parts)}."


_SINGULAR: dict[str, str] = {folder: kind for kind, folder in FOLDERS.items()}


def _name(folder: str, project: _Project) -> str:
    return folder.removeprefix(project.path).removeprefix("/")


def _rank(name: str) -> tuple[int, str]:
    return (ORDER.index(name), "") if name in ORDER else (len(ORDER), name)


def _project_groups(index: str, project: _Project, projects: Mapping[str, _Project]) -> list[tuple[str, Sequence[str]]]:
    nested = [home for home in sorted(projects) if home.startswith(f"{project.path}/")]
    own = project.folders.get(project.path, [])
    first = [entry(index, f"{project.path}/log.md", "Log", "What changed, newest first.")]
    groups: list[tuple[str, Sequence[str]]] = [
        (project.path, [*first, *(_line(index, page) for page in _by_title(own))]),
    ]
    for folder in sorted(project.folders, key=lambda one: _rank(_name(one, project))):
        if folder == project.path:
            continue
        pages = project.folders[folder]
        live = _live(pages)
        gone = len(pages) - len(live)
        told = f"{len(live)} {'page' if len(live) == 1 else 'pages'}{f', {gone} superseded' if gone else ''}."
        name = _name(folder, project)
        lines = [_line(index, page) for page in _newest(live)[:_FEW]]
        groups.append((_title(name), [*lines, entry(index, f"{folder}/{NAME}", f"All {name}", told)]))
    if nested:
        groups.append(("Projects", _project_list(index, nested, projects)))
    return groups


def _folder_groups(index: str, folder: str, project: _Project) -> list[tuple[str, Sequence[str]]]:
    pages = project.folders.get(folder, [])
    live = _live(pages)
    name = _name(folder, project)
    ordered = _newest(live) if name == FOLDERS["session"] else _by_title(live)
    deeper = sorted(
        {
            f"{folder}/{other.removeprefix(f'{folder}/').partition('/')[0]}"
            for other in project.folders
            if other.startswith(f"{folder}/")
        }
    )
    lines = [_line(index, page) for page in ordered]
    lines += [entry(index, f"{below}/{NAME}", below.rpartition("/")[2]) for below in deeper]
    groups: list[tuple[str, Sequence[str]]] = [(f"{_title(name)} in {project.path}", lines)]
    gone = [page for page in pages if page.status == "deprecated"]
    if gone:
        groups.append(("Superseded", [_line(index, page) for page in _by_title(gone)]))
    return groups


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]


@lru_cache(maxsize=_REMEMBERED)
def _line(index: str, page: CatalogueEntry) -> str:
    return entry(index, page.path, page.title, page.description)


def _live(pages: Iterable[CatalogueEntry]) -> list[CatalogueEntry]:
    return [page for page in pages if page.status != "deprecated"]


def _by_title(pages: Iterable[CatalogueEntry]) -> list[CatalogueEntry]:
    return sorted(pages, key=lambda page: (_collated(page.title), page.title, page.path))


def _newest(pages: Iterable[CatalogueEntry]) -> list[CatalogueEntry]:
    return sorted(_by_title(pages), key=lambda page: page.date, reverse=True)


@lru_cache(maxsize=_REMEMBERED)
def _collated(title: str) -> str:
    """Return a title as it is sorted: case and accents count only between titles that are equal otherwise."""
    return "".join(one for one in normalize("NFKD", title.casefold()) if not combining(one))


def project_of(catalogue: Sequence[CatalogueEntry]) -> dict[str, str]:
    """Tell the project of each page by its path."""
    return {
        page.path: project.path
        for project in _projects(catalogue).values()
        for pages in project.folders.values()
        for page in pages
    }
