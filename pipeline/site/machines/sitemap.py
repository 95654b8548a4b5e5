"""Owns `sitemap.xml`: the address of every page of the site, with the day of its last change where that is known.

Browsers use it too: the theme moves without a full load to the addresses that it lists. Without the address that the
site is served at it lists nothing. It never tells when the site was built. Knows no HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.site.addresses import address
from pipeline.site.machines.written import Xml, day, tag

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.site.library import Library
    from pipeline.site.values import Site

_SPACE = "http://www.sitemaps.org/schemas/sitemap/0.9"


def sitemap(site: Site, library: Library, documents: Iterable[str]) -> bytes:
    """List the addresses of documents, given by their paths."""
    lines = [_entry(path, site, library) for path in sorted(documents)] if site.url else []
    inner = "".join(f"{line}\n" for line in lines)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="{_SPACE}">\n{inner}</urlset>\n'.encode()


def _entry(path: str, site: Site, library: Library) -> Xml:
    facts = library.pages.get(path)
    changed = day(facts.changed_on) if facts else ""
    where = tag("loc", address(path, site))
    return tag("url", where, tag("lastmod", changed)) if changed else tag("url", where)
