"""Owns on which document each tag's pages are listed, and under which anchor. Knows no HTML.

A tag with few pages shares a document with its neighbours; one with many has documents of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pipeline.site.addresses import place_of
from pipeline.site.elements import text
from pipeline.site.hubs.ordering import key
from pipeline.wiki.slugs import slugify

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library

MOST: Final = 60
"""Entries of a list in one document."""
ROOM: Final = 11_000
"""Bytes of HTML that the lists of the tags may take in one document; its head and its paging take more."""
LONGEST_TITLE: Final = 120
"""Characters of a title in a list."""

_SHARED: Final = 5_000
"""Bytes up to which the list of one tag shares a document with others."""
_MARKUP: Final = 60
_HEADING: Final = 170


@dataclass(frozen=True, slots=True)
class TagShelf:
    """A tag as most pages write it, where it is listed, and its pages (in the order of their paths).

    `number` is that of the document of the list of tags that names it. A tag that stands `alone` has documents of its
    own and no anchor.
    """

    tag: str
    path: str
    anchor: str
    number: int
    pages: tuple[str, ...]
    alone: bool


def shelve(library: Library, top: str) -> Mapping[str, TagShelf]:
    """Find a place for every tag, by its name without case; `top` is the name of the list of tags, without `.md`."""
    spelt: dict[str, Counter[str]] = {}
    carried: dict[str, list[str]] = {}
    for path, facts in library.pages.items():
        for folded, tag in {one.casefold(): one for one in reversed(facts.tags)}.items():
            spelt.setdefault(folded, Counter())[tag] += 1
            carried.setdefault(folded, []).append(path)
    names = {folded: usual(found) for folded, found in spelt.items()}
    slugs = _slugs(names)
    weights = {path: weight(library.pages[path]) for path in {path for paths in carried.values() for path in paths}}
    shelves: dict[str, TagShelf] = {}
    number, room = 1, ROOM
    for folded in sorted(names, key=lambda one: key(names[one])):
        paths, slug = tuple(carried[folded]), slugs[folded]
        size = sum(weights[path] for path in paths)
        alone = len(paths) > MOST or size > _SHARED
        size = _HEADING + len(f"{text(names[folded])}{slug}".encode("utf-8", "replace")) + (0 if alone else size)
        if size > room:
            number, room = number + 1, ROOM
        room -= size
        path = f"{top}/{slug}.md" if alone else f"{top}.md" if number == 1 else f"{top}/{number}.md"
        shelves[folded] = TagShelf(names[folded], path, "" if alone else f"tag-{slug}", number, paths, alone)
    return shelves


def usual(spelt: Counter[str]) -> str:
    """Give the spelling that most pages use."""
    return min(spelt, key=lambda one: (-spelt[one], one))


def weight(facts: Facts) -> int:
    """Tell how many bytes an entry for a page takes at most, without what is said about it."""
    title = text(facts.title[:LONGEST_TITLE])
    return len(title.encode("utf-8", "replace")) + len(quote(place_of(facts.path), safe="/")) + _MARKUP


def _slugs(names: Mapping[str, str]) -> dict[str, str]:
    """Name each tag in addresses; those that would share a name get a short hash, numbers a word before them."""
    wanted = {folded: slugify(folded) for folded in names}
    often = Counter(wanted.values())
    found: dict[str, str] = {}
    for folded, slug in sorted(wanted.items()):
        distinct = f"tag-{slug}" if slug.isdigit() else slug
        found[folded] = (
            distinct if often[slug] == 1 and distinct not in often.keys() - {slug} else _hashed(folded, slug)
        )
    return found


def _hashed(folded: str, slug: str) -> str:
    return f"{slug}-{blake2b(folded.encode('utf-8', 'surrogatepass'), digest_size=8).hexdigest()}"
