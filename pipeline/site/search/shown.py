"""Owns what a search result shows of a page, and by what results are narrowed; finds nothing.

All of it is text: who shows it escapes it.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page
from pipeline.site.hubs.names import type_names, type_slug
from pipeline.site.hubs.shelving import usual
from pipeline.site.search.packing import pack_numbers
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.site.facts import Facts, Section
    from pipeline.site.library import Library
    from pipeline.site.values import Site

_TOP: Final = "index.md"
_LONGEST_TITLE: Final = 160
_LONGEST_DESCRIPTION: Final = 180
"""Unicode characters."""
_MOST_SECTIONS: Final = 10
_DEEPEST: Final = 3
_MOST_NAMES: Final = 6


def shown(pages: Iterable[Facts], library: Library, site: Site) -> list[dict[str, object]]:
    """Give what results show of some pages; addresses lead from the top of the site, and what is empty is left out."""
    return [_entry(page, library, site) for page in pages]


def facets(pages: Sequence[Facts]) -> dict[str, object]:
    """Give type and project of all pages, as runs of equal ones, and for each tag its pages, as steps."""
    types = type_names(page.type for page in pages)
    projects = sorted({page.project for page in pages})
    spelt: dict[str, Counter[str]] = {}
    tagged: dict[str, list[int]] = {}
    for number, page in enumerate(pages):
        for tag in dict.fromkeys(tag.casefold() for tag in page.tags):
            tagged.setdefault(tag, []).append(number)
        for tag in page.tags:
            spelt.setdefault(tag.casefold(), Counter())[tag] += 1
    places = {slug: place for place, slug in enumerate(types)}
    rows = {project: place for place, project in enumerate(projects)}
    return {
        "types": list(types.values()),
        "projects": projects,
        "tags": [usual(spelt[tag]) for tag in sorted(tagged)],
        "type": _runs(places[type_slug(page.type)] for page in pages),
        "project": _runs(rows[page.project] for page in pages),
        "tagged": [_steps(tagged[tag]) for tag in sorted(tagged)],
    }


def _entry(page: Facts, library: Library, site: Site) -> dict[str, object]:
    heir = library.pages.get(page.superseded_by)
    entry = {
        "title": one_line(page.title, _LONGEST_TITLE),
        "url": to_page(_TOP, page.path, site),
        "type": one_line(page.type, _LONGEST_TITLE),
        "project": page.project,
        "about": one_line(page.description, _LONGEST_DESCRIPTION),
        "tags": list(page.tags[:_MOST_NAMES]),
        "aliases": list(page.aliases[:_MOST_NAMES]),
        "status": page.status if page.status in {"draft", "deprecated"} else "",
        "tier": page.tier,
        "sections": _sections(page.sections, page.title),
        "heir": {"title": one_line(heir.title, _LONGEST_TITLE), "url": to_page(_TOP, heir.path, site)} if heir else {},
    }
    return {key: value for key, value in entry.items() if value}


def _sections(sections: Iterable[Section], title: str) -> list[list[str]]:
    found = [
        [one_line(section.title, _LONGEST_TITLE), section.anchor]
        for section in sections
        if section.anchor and 1 <= section.level <= _DEEPEST and section.title != title
    ]
    return found[:_MOST_SECTIONS]


def _runs(values: Iterable[int]) -> str:
    """Write each run of equal values as the value and its length."""
    return pack_numbers(part for value, run in groupby(values) for part in (value, sum(1 for _ in run)))


def _steps(numbers: Sequence[int]) -> str:
    return pack_numbers(number - before for before, number in zip([0, *numbers], numbers, strict=False))
