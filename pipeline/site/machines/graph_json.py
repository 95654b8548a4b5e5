"""Owns `kb/graph.json`: who links to whom, with the place of each node on the map computed beforehand.

{"schema": "1", "generated": "<day of the newest change>", "view": "pages" or "hubs", "nodes": [...], "edges":
[[i, j], ...]}; edges name nodes by their number and are drawn once, whichever side links. Each node tells `path`,
`url`, `title`, `type`, `x` and `y` (whole numbers from 0 to 1000, y downwards) and `links`. Up to 1,000 pages the
nodes are pages, and `links` counts the pages that a page is tied to: by a link of either, or as a session and what was
learnt in it. Pages without any are left out, unless no page has one. Above, nodes are the projects and the types
(`type` is `Project` or `Type`), `links` counts their pages, and an edge says that a project has pages of a type, or
that pages of two projects link to each other. Knows no HTML.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from pipeline.site.hubs.ties import MOST_DRAWN, linked, tied
from pipeline.site.machines.index_json import SCHEMA, newest_change, url_of
from pipeline.site.machines.layout import layout
from pipeline.site.machines.written import json_bytes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pipeline.observations.observation import Json
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs

MOST_PAGES: Final = MOST_DRAWN
"""Above so many pages the map shows projects and types."""
_MOST_HUBS: Final = 900
"""Projects on the map; the largest are kept."""


def graph_json(inputs: Inputs, library: Library, hubs: Mapping[str, str]) -> bytes:
    """Write the graph; `hubs` gives the document of a type's hub page, by the type."""
    if len(library.pages) <= MOST_PAGES:
        nodes, edges = _pages(inputs, library)
        view = "pages"
    else:
        nodes, edges = _hubs(inputs, library, hubs)
        view = "hubs"
    drawn: list[Json] = [list(edge) for edge in edges]
    told: dict[str, Json] = {"schema": SCHEMA, "generated": newest_change(library), "view": view}
    return json_bytes({**told, "nodes": nodes, "edges": drawn})


def _pages(inputs: Inputs, library: Library) -> tuple[list[Json], list[tuple[int, int]]]:
    pairs = tied(library)
    counted = Counter(end for pair in pairs for end in pair)
    drawn = [facts for facts in library.pages.values() if facts.path in counted] or library.pages.values()
    pages = sorted(drawn, key=lambda facts: (facts.project, facts.type, -counted[facts.path]))
    number = {facts.path: place for place, facts in enumerate(pages)}
    edges = sorted({_pair(number[one], number[other]) for one, other in pairs})
    groups = _numbered(facts.project for facts in pages)
    nodes: list[Json] = [
        {
            "path": facts.path,
            "url": url_of(facts.path, inputs.site),
            "title": facts.title,
            "type": facts.type,
            "x": x,
            "y": y,
            "links": counted[facts.path],
        }
        for facts, (x, y) in zip(pages, layout(groups, edges), strict=True)
    ]
    return nodes, edges


def _hubs(inputs: Inputs, library: Library, hubs: Mapping[str, str]) -> tuple[list[Json], list[tuple[int, int]]]:
    projects = Counter(facts.project for facts in library.pages.values())
    types = Counter(facts.type for facts in library.pages.values())
    largest = sorted(projects, key=lambda project: (-projects[project], project))[:_MOST_HUBS]
    common = sorted(types, key=lambda kind: (-types[kind], kind))[:_MOST_HUBS]
    number = {("type", kind): place for place, kind in enumerate(common)}
    number |= {("project", project): len(common) + place for place, project in enumerate(largest)}
    joined = {(("project", facts.project), ("type", facts.type)) for facts in library.pages.values()}
    joined |= {
        (("project", library.pages[one].project), ("project", library.pages[other].project))
        for one, other in linked(library)
    }
    edges = sorted(
        {
            _pair(number[one], number[other])
            for one, other in joined
            if one in number and other in number and one != other
        }
    )
    places = layout([0] * len(number), edges)
    nodes: list[Json] = []
    for ((sort, name), count), (x, y) in zip(_counts(number, projects, types), places, strict=True):
        path = _index_of(name, inputs.files) if sort == "project" else hubs.get(name, "")
        url = url_of(path, inputs.site) if path else ""
        told = name or ("Other pages" if sort == "project" else "Without a type")
        nodes.append(
            {"path": path, "url": url, "title": told, "type": sort.capitalize(), "x": x, "y": y, "links": count}
        )
    return nodes, edges


def _counts(
    number: Mapping[tuple[str, str], int], projects: Mapping[str, int], types: Mapping[str, int]
) -> Iterable[tuple[tuple[str, str], int]]:
    return ((key, (projects if key[0] == "project" else types)[key[1]]) for key in number)


def _index_of(project: str, files: Collection[str]) -> str:
    path = f"{project}/index.md" if project else "index.md"
    return path if path in files else ""


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def _numbered(names: Iterable[str]) -> list[int]:
    numbers: dict[str, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]
