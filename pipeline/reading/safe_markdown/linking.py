"""Owns where the links of a page's text lead on the site, and which of them a theme may preview.

In a derived document every address is made final here, so that a generator needs no other document to render it. In
the wiki itself the generator resolves links; only the mark for previews is set. Knows no front matter and no frame.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pipeline.site.addresses import place_of, to_page, to_place
from pipeline.wiki.markdown.links import join, resolve

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from pipeline.site.values import Site

PREVIEWED: Final = "data-preview"

_WITHIN: Final = frozenset({"footnote-ref", "footnote-backref", "headerlink"})
_TRUSTED_ADDRESS: Final = re.compile(r' (?P<name>href|src)="(?![A-Za-z][A-Za-z0-9+.-]*:|[/#?"])(?P<to>[^"]*)"')
_END_OF_PATH: Final = re.compile(r"[?#]")


def mark_previews(root: ET.Element, here: str) -> None:
    """Mark the links to other pages, while they still name Markdown files."""
    for link in root.iter("a"):
        address = link.get("href", "")
        target = None if address.startswith("#") or link.get("class") in _WITHIN else resolve(here, address)
        if target is not None and _is_previewed(target.path, target.anchor, here) and not target.outside:
            link.set(PREVIEWED, "")


def make_final(root: ET.Element, here: str, site: Site, *, moves_links: bool) -> None:
    """Turn every address into the final one, and mark links to other pages for previews.

    One that leads out of the wiki's files leads to the Git host, or becomes text where none is known.
    """
    for element in root.iter():
        name = "href" if element.tag == "a" else "src" if element.tag == "img" else ""
        address = element.get(name, "") if name else ""
        if not address or address.startswith("#"):
            continue
        target = resolve(here, address)
        if target is None:
            continue
        if target.outside:
            _lead_out(element, name, target.path, site)
            continue
        if target.path == here:
            element.set(name, f"#{quote(target.anchor)}")
            continue
        if target.path.endswith(".md"):
            final = to_page(here, target.path, site, target.anchor)
            if name == "href" and _is_previewed(target.path, target.anchor, here):
                element.set(PREVIEWED, "")
        else:
            folder = "/" if address.partition("#")[0].partition("?")[0].endswith("/") and target.path else ""
            final = to_place(here, f"{target.path}{folder}", site) + (
                f"#{quote(target.anchor)}" if target.anchor else ""
            )
        element.set(name, moved(final, here, site) if moves_links else final)


def moved(address: str, here: str, site: Site) -> str:
    """Write a final relative address so that a generator which reads it from the Markdown file's folder restores it.

    The ending of a Markdown twin is encoded in part, since such a generator takes `.md` for the name of a page.
    """
    found = _END_OF_PATH.search(address)
    path, rest = (address[: found.start()], address[found.start() :]) if found else (address, "")
    if path.endswith(".md"):
        path = f"{path[:-2]}m%64"
    own = place_of(here, directory_urls=site.directory_urls)
    if own in {"", f"{here.rpartition('/')[0]}/"} or not own.endswith("/"):
        return f"{path}{rest}"
    if path.startswith("../"):
        shorter = path[3:] or "./"
        # Without what stood before it, a first step with a colon would be read as a scheme.
        return f"{'./' if ':' in shorter.partition('/')[0] else ''}{shorter}{rest}"
    name = quote(own.rstrip("/").rpartition("/")[2])
    return f"{name}/{path.removeprefix('./')}{rest}"


def move_all(html: str, here: str, site: Site) -> str:
    """Write all relative addresses of trusted HTML for such a generator."""
    return _TRUSTED_ADDRESS.sub(lambda found: f' {found["name"]}="{moved(found["to"], here, site)}"', html)


def _is_previewed(path: str, anchor: str, here: str) -> bool:
    """Whether a theme's preview finds the place: none finds an anchor that browsers encode."""
    return path.endswith(".md") and path != here and anchor.isascii()


def _lead_out(element: ET.Element, name: str, path: str, site: Site) -> None:
    whole = join(f"{site.folder}/page.md", path)
    if name == "href" and site.host is not None and not whole.startswith(".."):
        element.set(name, site.host.shown(whole))
    elif name == "href":
        element.tag, element.attrib = "span", {}
    else:
        element.set(name, "#")
