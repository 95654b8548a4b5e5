"""Owns where pages and files stand on the site, and the relative address that leads from one to another.

Addresses are percent-encoded and safe in HTML but for `&`, which none holds. Knows no page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from pipeline.site.values import Site

_SAFE = "/~!$()*,;=:@"
_OF_FOLDERS = frozenset({"index", "README"})
"""Names of files that stand for their folder under each of the generators; written otherwise, they do not."""


def place_of(path: str, *, directory_urls: bool = True) -> str:
    """Give the address of a Markdown file's page from the site's top, not encoded: `a/b.md` stands at `a/b/`.

    That of an index is its folder; that of the root's index is empty. Without directory addresses it is `a/b.html`.
    """
    folder, _, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    within = f"{folder}/" if folder else ""
    if stem in _OF_FOLDERS:
        return within if directory_urls else f"{within}index.html"
    return f"{within}{stem}/" if directory_urls else f"{within}{stem}.html"


def file_of(path: str, *, directory_urls: bool = True) -> str:
    """Give the HTML file that a Markdown file becomes: `a/b.md` becomes `a/b/index.html`."""
    place = place_of(path, directory_urls=directory_urls)
    return f"{place}index.html" if place.endswith("/") or not place else place


def address(path: str, site: Site, anchor: str = "") -> str:
    """Give the whole address of a page; from the site's top where it is not known where the site is served."""
    return f"{site.url}{quote(place_of(path, directory_urls=site.directory_urls), safe=_SAFE)}{_mark(anchor)}"


def to_page(here: str, path: str, site: Site, anchor: str = "") -> str:
    """Give the relative address that leads from the page at `here` to that at `path`; both are Markdown files."""
    return to_place(here, place_of(path, directory_urls=site.directory_urls), site) + _mark(anchor)


def to_place(here: str, place: str, site: Site) -> str:
    """Give the relative address that leads from the page at `here` to a place such as `kb/index.json`, from the top."""
    own = place_of(here, directory_urls=site.directory_urls)
    start = own.split("/")[:-1]
    goal = place.split("/")
    same = 0
    while same < min(len(start), len(goal) - 1) and start[same] == goal[same]:
        same += 1
    steps = [".."] * (len(start) - same) + goal[same:]
    found = "/".join(steps)
    if not found:
        return "./"
    # A first step with a colon would be read as a scheme.
    first = "./" if ":" in steps[0] else ""
    return first + quote(found, safe=_SAFE)


def _mark(anchor: str) -> str:
    return f"#{quote(anchor, safe=_SAFE)}" if anchor else ""
