"""Owns the publishable bundle: the Markdown files of the wiki as the site hands them out.

Each page, index and log stands on the site as `<its path>`, next to the HTML made from it, so that the site is a
bundle of the Open Knowledge Format that can be fetched: relative links and the keys of footnotes hold. A file is
published byte for byte unless the publish gate must act (`fronts`, `harmless`); what it leaves alone stays byte for
byte even then. A file that cannot be read is not published. Knows no HTML.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.site.machines.fronts import ALLOWED, published_front
from pipeline.site.machines.harmless import harmless, may_run
from pipeline.wiki.format.page import parse_page, render_page

if TYPE_CHECKING:
    from collections.abc import Collection

    from pipeline.site.library import Library
    from pipeline.site.values import Inputs
    from pipeline.wiki.format.page import Origin, Page

_RESERVED = frozenset({"index.md", "log.md"})


def publishable(inputs: Inputs, library: Library) -> dict[str, bytes]:
    """Give the bundle: the bytes of each published Markdown file, by its path."""
    published = frozenset((*inputs.files, *inputs.others))
    made = {path: _published(path, raw, library, published) for path, raw in inputs.files.items()}
    return {path: raw for path, raw in sorted(made.items()) if raw is not None}


def _published(path: str, raw: bytes, library: Library, published: Collection[str]) -> bytes | None:
    if _stands(path, raw, library, published):
        return raw
    try:
        page = parse_page(path, raw)
        front = published_front(path, page.front, _allowed(path), published)
        body = harmless(page.body)
        if front == page.front and body == page.body and not _hides_markup(page):
            return raw
        return render_page(replace(page, front=front, body=body, origin=_origin(page)))
    except Rejected:
        return None


def _stands(path: str, raw: bytes, library: Library, published: Collection[str]) -> bool:
    """Whether a page that was read already can be published as it is, told without reading it again."""
    known = library.pages.get(path)
    if known is None or may_run(raw.decode("utf-8", "replace")):
        return False
    front = known.page.front
    return published_front(path, front, ALLOWED, published) == front


def _allowed(path: str) -> Collection[str]:
    """Tell which keys a file may have: an index and a log have none, only the bundle's own tells its version."""
    if path.rpartition("/")[2] not in _RESERVED:
        return ALLOWED
    return ("okf_version",) if path == "index.md" else ()


def _hides_markup(page: Page) -> bool:
    """Whether something could run in the front matter as it is written, comments included."""
    return page.origin is not None and may_run(page.origin.parts.block)


def _origin(page: Page) -> Origin | None:
    """Keep the lines of the front matter, unless they hold what must not be published."""
    origin = page.origin
    if origin is None or not _hides_markup(page):
        return origin
    return replace(origin, front={}, parts=replace(origin.parts, block=""))
