"""Reads built sites with the standard library's HTML parser: a second opinion that shares no code with ours."""

from __future__ import annotations

from functools import lru_cache
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urljoin, urlsplit

from tests.gate.builds import ADDRESS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_ADDRESSES: Final = (
    *("href", "src", "action", "poster", "cite", "data-wm-copy", "data-index", "data-redirects", "data-find"),
    *("data-graph", "data-search", "data-to"),
)
"""Attributes that hold the address of something of the site."""
_THEIRS: Final = frozenset({"__skip", "__toc", "__drawer", "__search"})
"""Marks of the theme's own controls, which not every page has."""


class Seen(HTMLParser):
    """What stands on one page: its elements in order, with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        self.ids = [found["id"] for _, found in self.elements if "id" in found]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def having(self, name: str) -> list[dict[str, str]]:
        """Give the attributes of all elements of a class."""
        return [found for _, found in self.elements if name in found.get("class", "").split()]


@lru_cache(maxsize=1_000)
def seen(file: Path) -> Seen:
    """Read a page, once."""
    return Seen(file.read_text(encoding="utf-8"))


def html_files(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def address_of(site: Path, file: Path) -> str:
    """Give the address at which a page is read."""
    path = file.relative_to(site).as_posix()
    return ADDRESS + path.removesuffix("index.html")


def addresses(page: Seen) -> Iterator[str]:
    """Give every address that a page names."""
    for tag, found in page.elements:
        yield from (found[name] for name in _ADDRESSES if name in found)
        yield from (one.split()[0] for one in found.get("srcset", "").split(",") if one.strip())
        if tag == "meta" and found.get("http-equiv", "").lower() == "refresh":
            yield found["content"].partition("url=")[2]


def file_at(site: Path, address: str) -> Path | None:
    """Give the file that a server would answer an address of this site with, if there is one."""
    path = unquote(urlsplit(address).path).lstrip("/")
    place = site / path
    if place.is_dir() and (not path or path.endswith("/")):
        place /= "index.html"
    return place if place.is_file() or (place.is_dir() and path.endswith("/")) else None


def dead_links(site: Path) -> tuple[int, list[tuple[str, str]]]:
    """Count the addresses within a site, and give those that lead nowhere: where they stand, and what they say."""
    count = 0
    dead = []
    for file in html_files(site):
        here = address_of(site, file)
        for said in addresses(seen(file)):
            goal = urljoin(here, said)
            if not goal.startswith(ADDRESS):
                continue
            count += 1
            if not _is_there(site, goal):
                dead.append((here, said))
    return count, dead


def _is_there(site: Path, goal: str) -> bool:
    path, _, mark = goal.partition("#")
    place = file_at(site, path)
    if place is None or not mark or place.suffix != ".html":
        return place is not None
    return unquote(mark) in seen(place).ids or unquote(mark) in _THEIRS
