"""Owns the paths of the documents that the site makes of its own accord, free of collisions with the wiki's pages.

Where the wiki's top level holds such a name, the page keeps it and ours gets a number behind: `search-1.md`. The same
library gives the same names. Knows no HTML.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.site.hubs.shelving import TagShelf, shelve, usual
from pipeline.site.hubs.wording import UNTYPED
from pipeline.wiki.slugs import portable, slugify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipeline.site.library import Library

HOME: Final = "index.md"

_TOPS: Final = (
    *("browse", "called", "changes", "graph", "health", "history"),
    *("print", "projects", "search", "tags", "types"),
)
_MARKER: Final = "/index/"


@dataclass(frozen=True, slots=True)
class Names:
    """Where the site's own documents stand, as paths of Markdown files from the top of the derived tree.

    A list that goes over several documents is numbered from 1; its first document has no number.
    """

    tops: Mapping[str, str]
    tag_shelves: Mapping[str, TagShelf]
    """By the tag without case, in the order of the list of tags."""
    taken: frozenset[str] = frozenset()
    called: tuple[str, ...] = ()
    """The documents of the names that several pages bear, in the order in which the library gives these names."""
    told_apart: Mapping[str, str] = field(default_factory=dict)
    """By the path of a page that bears such a name, the document of its title, or else of the first of its names."""

    @property
    def search(self) -> str:
        """The page of search results."""
        return f"{self.tops['search']}.md"

    @property
    def graph(self) -> str:
        """The graph of all pages."""
        return f"{self.tops['graph']}.md"

    def browse(self, number: int = 1) -> str:
        """Give the list of all pages."""
        return self.part(f"{self.tops['browse']}.md", number)

    def changes(self, number: int = 1) -> str:
        """Give the recent changes."""
        return self.part(f"{self.tops['changes']}.md", number)

    def projects(self, number: int = 1) -> str:
        """Give the list of all projects, which is made where the home page has no room for it."""
        return self.part(f"{self.tops['projects']}.md", number)

    def health(self, subject: str = "") -> str:
        """Give the page of what a person should look at, or the whole list of one such subject."""
        return f"{self.tops['health']}/{subject}.md" if subject else f"{self.tops['health']}.md"

    def tags(self, number: int = 1) -> str:
        """Give the list of tags."""
        return self.part(f"{self.tops['tags']}.md", number)

    def tag(self, tag: str) -> tuple[str, str]:
        """Tell where a tag's pages are listed: a document, and the anchor there (or nothing)."""
        shelf = self.tag_shelves.get(tag.casefold())
        return (shelf.path, shelf.anchor) if shelf else (self.tags(), "")

    def type(self, name: str, number: int = 1) -> str:
        """Give the list of the pages of one type, by its name in whatever case."""
        return self.part(f"{self.tops['types']}/{type_slug(name)}.md", number)

    def printed(self, name: str) -> str:
        """Give the document that holds all pages of one type for printing; it is not made when it would be too long."""
        return f"{self.tops['print']}/{type_slug(name)}.md"

    def history(self, page: str) -> str:
        """Give the document of a page's revisions; it is made where a page has two or more."""
        return f"{self.tops['history']}/{page}"

    def part(self, path: str, number: int) -> str:
        """Give the document that goes on with a list: `browse.md`, then `browse/2.md`."""
        if number == 1:
            return path
        stem = f"{path.removesuffix('.md')}/{number}"
        found = f"{stem}.md"
        attempt = 0
        while portable(found) in self.taken:
            attempt += 1
            found = f"{stem}-{attempt}.md"
        return found


def names_of(library: Library) -> Names:
    """Name the site's own documents; pages whose places they must not take are those of the library."""
    pages = library.pages
    used = {portable(path.partition("/")[0].removesuffix(".md")) for path in pages}
    tops = {name: _free(name, used) for name in _TOPS}
    taken = frozenset(portable(path) for path in pages if _MARKER in path.casefold())
    called = tuple(_called(library, tops["called"]))
    told_apart: dict[str, str] = {}
    for document, one in zip(called, library.ambiguous, strict=True):
        for path in one.paths:
            if path not in told_apart or library.pages[path].title.casefold() == one.name.casefold():
                told_apart[path] = document
    return Names(tops, shelve(library, tops["tags"]), taken, called, told_apart)


def _called(library: Library, top: str) -> Iterator[str]:
    seen: Counter[str] = Counter()
    for one in library.ambiguous:
        slug = slugify(one.name)
        seen[slug] += 1
        # Names that differ by signs alone, such as `C` and `C++`, read the same in an address; a dot is in no slug.
        yield f"{top}/{slug}{f'.{seen[slug]}' if seen[slug] > 1 else ''}.md"


@lru_cache(maxsize=1_024)
def type_slug(name: str) -> str:
    """Name a type in addresses: `Decision` becomes `decision`; types that read the same are one."""
    return slugify(name.strip() or UNTYPED)


def type_names(types: Iterable[str]) -> dict[str, str]:
    """Tell by slug how the types of some pages are written: as most of them write it."""
    spelt: dict[str, Counter[str]] = {}
    for name, count in Counter(types).items():
        spelt.setdefault(type_slug(name), Counter())[name.strip() or UNTYPED] += count
    return {slug: usual(found) for slug, found in sorted(spelt.items())}


def _free(name: str, used: set[str]) -> str:
    number, found = 0, name
    while found in used:
        number += 1
        found = f"{name}-{number}"
    return found
