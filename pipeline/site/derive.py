"""Owns the derived tree: from pages, ledger, log and history to every file of the site; a pure function.

What it gives is either a document, which a generator renders, or a file that stands on the site as it is. Equal
inputs give equal bytes, and nothing in them tells when the site was built. Knows no disk, no git and no generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pipeline.site.history.history import history_documents
from pipeline.site.hubs.hubs import hub_documents, navigation
from pipeline.site.library_reading import read_library
from pipeline.site.machines.machines import machine_files
from pipeline.site.pages import page_documents
from pipeline.site.search.document import search_document
from pipeline.site.search.shards import search_files

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.finding import Finding
    from pipeline.site.document import Hub
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


def derive(inputs: Inputs) -> Derived:
    """Derive the site. Pages that cannot be read are left out and named in `findings`."""
    library = read_library(inputs.files, inputs.others)
    made = chain(
        page_documents(inputs, library),
        history_documents(inputs, library),
        hub_documents(inputs, library),
        (search_document(inputs, library),),
    )
    documents = {document.path: document.render() for document in made}
    machines = machine_files(inputs, library, documents)
    return Derived(
        documents=dict(sorted(documents.items())),
        files=dict(sorted({**machines.files, **search_files(inputs, library)}.items())),
        others=inputs.others,
        hubs=navigation(inputs, library),
        findings=tuple(sorted({*library.findings, *machines.findings})),
    )
