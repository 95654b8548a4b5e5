"""Sites for the tests of hubs: a shelf of pages, a large wiki, and what is read back from documents."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from html import unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urldefrag

from pipeline.site.addresses import place_of
from pipeline.site.days import dated
from pipeline.site.hubs.hubs import hub_documents
from pipeline.site.hubs.shelf import Shelf, shelf_of
from pipeline.site.values import Inputs, Site
from pipeline.wiki.markdown.links import join
from tests.site.making import facts, library

if TYPE_CHECKING:
    from pipeline.site.document import Document
    from pipeline.site.facts import Facts
    from pipeline.site.library import Library

SITE = Site(name="Harbour wiki", today=date(2026, 11, 30))

_HREF = re.compile(r'href="([^"]*)"')


def inputs(files: dict[str, str] | None = None, **told: Any) -> Inputs:  # noqa: ANN401 - fields of several types
    written = {path: text.encode() for path, text in (files or {}).items()}
    return Inputs(**{"site": SITE, "files": written, **told})


def shelf(*pages: Facts, files: dict[str, str] | None = None, **told: Any) -> Shelf:  # noqa: ANN401 - fields of several types
    given = {key: told.pop(key) for key in tuple(told) if key in {"backlinks", "findings", "replaced"}}
    return shelf_of(inputs(files, **told), dated(library(*pages, **given), told.get("revisions", {})))


def made(*pages: Facts, files: dict[str, str] | None = None, **told: Any) -> dict[str, Document]:  # noqa: ANN401 - fields of several types
    """All hubs, by path; two of one path would be an error."""
    given = {key: told.pop(key) for key in tuple(told) if key in {"backlinks", "findings", "replaced"}}
    whole = dated(library(*pages, **given), told.get("revisions", {}))
    documents = list(hub_documents(inputs(files, **told), whole))
    assert len({document.path for document in documents}) == len(documents)
    return {document.path: document for document in documents}


def made_of(library: Library) -> dict[str, Document]:
    """All hubs of a library that was read."""
    return {document.path: document for document in hub_documents(inputs(), library)}


def html(document: Document) -> str:
    frame = document.frame
    return frame.above + frame.below_title + frame.below


def targets(document: Document) -> set[str]:
    """The places, from the site's top, that a document's frame leads to; anchors left out."""
    return {place for place, _ in leads(document)}


def leads(document: Document) -> set[tuple[str, str]]:
    """The same with the anchor of each."""
    here = place_of(document.path)
    found = set()
    for address in set(_HREF.findall(html(document))):
        where, anchor = urldefrag(unescape(address))
        path, anchor = unquote(where.partition("?")[0]), unquote(anchor)
        whole = join(f"{here}x", path)
        found.add((here if not path else f"{whole}/" if path.endswith("/") and whole else whole, anchor))
    return found


@cache
def large() -> dict[str, Document]:
    """The hubs of three thousand pages, one of them with a long log."""
    log = "# Update log\n\n## 2026-11-30\n\n" + "* **Update**: x y z.\n" * 300
    return made(*wiki(3_000), files={"acme/part-1/log.md": log})


@cache
def wiki(count: int) -> list[Facts]:
    """A wiki of several projects, kinds and tags, each page linked to by another one."""
    kinds = (("decisions", "Decision"), ("gotchas", "Gotcha"), ("sessions", "Session"), ("rules", "Rule"))
    pages = []
    for number in range(count):
        kind, name = kinds[number % 4]
        pages.append(
            facts(
                f"acme/part-{number % 9}/{kind}/what-we-know-of-{number}.md",
                title=f"What we know of {number}",
                description=f"It is known since {number} days that all of it holds and that it will go on to hold.",
                type=name,
                tags=(f"tag {number % 90}", f"area-{number % 7}"),
                changed_on=f"2026-{1 + number % 11:02}-{1 + number % 28:02}",
                unsourced=number % 3 == 0,
                contradicted=number % 5 == 0,
                stale_after="2026-11-01" if number % 2 else "",
            )
        )
    return pages
