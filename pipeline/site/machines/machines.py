"""Owns what the site holds for machines: the Markdown bundle, JSON, feeds, the sitemap, llms.txt and redirects.

All are files that stand on the site as they are, next to the HTML. Knows no generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.site.hubs.names import names_of
from pipeline.site.machines.bundle import publishable
from pipeline.site.machines.feeds import feeds
from pipeline.site.machines.graph_json import MOST_PAGES, graph_json
from pipeline.site.machines.index_json import index_json
from pipeline.site.machines.llms import llms_files
from pipeline.site.machines.redirects import redirects
from pipeline.site.machines.schemas import schema_files
from pipeline.site.machines.sitemap import sitemap

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.finding import Finding
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs

INDEX: Final = "kb/index.json"
GRAPH: Final = "kb/graph.json"
SITEMAP: Final = "sitemap.xml"


@dataclass(frozen=True, slots=True)
class Machines:
    """The files for machines, by their paths on the site, and what a person should mend."""

    files: Mapping[str, bytes]
    findings: tuple[Finding, ...]


def machine_files(inputs: Inputs, library: Library, documents: Collection[str]) -> Machines:
    """Make all files for machines; `documents` are the paths of all that the generator renders."""
    bundle = publishable(inputs, library)
    files = {
        **bundle,
        **schema_files(),
        **feeds(inputs, library),
        **llms_files(inputs.site, library, bundle),
        INDEX: index_json(inputs, library),
        GRAPH: graph_json(inputs, library, _type_hubs(library, documents)),
        SITEMAP: sitemap(inputs.site, library, documents),
    }
    moved = redirects(inputs, library, documents, {*files, *inputs.others})
    return Machines({**files, **moved.files}, moved.findings)


def _type_hubs(library: Library, documents: Collection[str]) -> dict[str, str]:
    """Give the document that lists the pages of each type, where the map shows types."""
    if len(library.pages) <= MOST_PAGES:
        return {}
    names = names_of(library)
    hubs = {kind: names.type(kind) for kind in {facts.type for facts in library.pages.values()}}
    return {kind: path for kind, path in hubs.items() if path in documents}
