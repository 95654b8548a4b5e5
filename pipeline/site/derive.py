"""Owns the derived tree: from pages, ledger, log and history to every file of the site; a pure function.

What it gives is either a document, which a generator renders, or a file that stands on the site as it is. Equal
inputs give equal bytes, and nothing in them tells when the site was built. Knows no disk, no git and no generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from pipeline.site.days import dated
from pipeline.site.each import ONE_BY_ONE
from pipeline.site.history.history import recounting
from pipeline.site.hubs.hubs import hub_documents, navigation
from pipeline.site.machines.machines import machine_files
from pipeline.site.pages import framing
from pipeline.site.search.document import search_document
from pipeline.site.search.shards import search_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.finding import Finding
    from pipeline.site.document import Hub
    from pipeline.site.each import Each
    from pipeline.site.library import Library
    from pipeline.site.values import Inputs


@dataclass(frozen=True, slots=True)
class Derived:
    """All of a site: `documents` for the generator and `files` for the site, by path; `others` are copied along.

    `hubs` are the navigation, in order. `findings` tell what a person should mend.
    """

    documents: Mapping[str, bytes]
    files: Mapping[str, bytes]
    others: frozenset[str]
    hubs: tuple[Hub, ...]
    findings: tuple[Finding, ...]


def derive(inputs: Inputs, library: Library, *, each: Each = ONE_BY_ONE) -> Derived:
    """Derive the site from the pages of a library; `each` is the way in which work on many pages is done."""
    library = dated(library, inputs.revisions)
    frame, recount = framing(inputs, library), recounting(inputs, library)

    def of_page(path: str) -> list[tuple[str, bytes]]:
        documents = (frame(path), recount(path))
        return [(document.path, document.render()) for document in documents if document is not None]

    def hubs() -> dict[str, bytes]:
        made = (*hub_documents(inputs, library), search_document(inputs, library))
        return {document.path: document.render() for document in made}

    pages = dict(chain.from_iterable(each.on(tuple(library.pages), of_page)))
    others, found = each.of((hubs, partial(search_files, inputs, library)))
    documents = {**pages, **others}
    machines = machine_files(inputs, library, documents)
    return Derived(
        documents=dict(sorted(documents.items())),
        files=dict(sorted({**machines.files, **found}.items())),
        others=inputs.others,
        hubs=navigation(inputs, library),
        findings=tuple(sorted({*library.findings, *machines.findings})),
    )
