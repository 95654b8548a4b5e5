"""Owns `kb/index.json`: every page in one flat list, for browsing by facets, for the page of lost readers, for tools.

{"schema": "1", "generated": "<day of the newest change>", "pages": [...]}; each page tells

    path         its file below the wiki's root, and its Markdown on the site; stays its name while it is not moved
    url          its address from the site's top, percent-encoded; `./` for the top itself
    title, type, project, kind, description, changed (ISO day), tags, aliases
    status       stable, draft, deprecated or other
    tier         unverified, machine-confirmed or human-reviewed
    sources      how many sources it names
    due          the ISO day from which its review is due, or empty: compare it with today, since a site ages
    unsourced, contradicted   how many of its statements have no source, or contradict another

Nothing in it tells when the site was built. Knows no HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import to_page, to_place
from pipeline.site.machines.written import day, json_bytes

if TYPE_CHECKING:
    from pipeline.observations.observation import Json
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs, Site

SCHEMA: Final = "1"
"""Raised when a reader of the former version would misread what a file holds."""


def index_json(inputs: Inputs, library: Library) -> bytes:
    """Write the list of all pages."""
    pages: list[Json] = [_entry(facts, inputs.site) for facts in library.pages.values()]
    return json_bytes({"schema": SCHEMA, "generated": newest_change(library), "pages": pages})


def newest_change(library: Library) -> str:
    """Give the day of the newest change of any page, or nothing."""
    return max((day(facts.changed_on) for facts in library.pages.values()), default="")


def url_of(path: str, site: Site) -> str:
    """Give the address of a page from the site's top, percent-encoded; that of the top itself is `./`."""
    return to_page("index.md", path, site)


def file_url(path: str, site: Site) -> str:
    """Give the address of a file from the site's top, percent-encoded."""
    return to_place("index.md", path, site)


def _entry(facts: Facts, site: Site) -> dict[str, Json]:
    return {
        "path": facts.path,
        "url": url_of(facts.path, site),
        "title": facts.title,
        "type": facts.type,
        "project": facts.project,
        "kind": facts.kind,
        "tags": list(facts.tags),
        "aliases": list(facts.aliases),
        "description": facts.description,
        "status": facts.status,
        "tier": facts.tier,
        "changed": day(facts.changed_on),
        "sources": len(facts.sources),
        "due": day(facts.stale_after),
        "unsourced": facts.unsourced,
        "contradicted": facts.contradicted,
    }
