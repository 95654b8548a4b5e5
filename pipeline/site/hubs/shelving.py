"""Owns on which document each tag stands, and where its pages are listed. Knows no HTML.

The list of tags comes first, on one document where it fits. Behind it stand the pages of each tag that several carry,
side by side; those of a tag that many carry have documents of their own. A tag of one page needs no list.
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
    from collections.abc import Mapping, Sequence

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library

MOST: Final = 60
"""Entries of a list in one document."""
ROOM: Final = 11_000
"""Bytes of HTML that the lists of the tags may take in one document; its head and its paging take more."""
LONGEST_TITLE: Final = 120
"""Characters of a title in a list."""

INDEX_ROOM: Final = 15_200
"""Bytes of HTML that the list of tags may take in one document."""

_SHARED: Final = 5_000
"""Bytes up to which the list of one tag shares a document with others."""
LONGEST_TAG: Final = 80
"""Unicode characters of a tag in a list."""
LONGEST_TYPE: Final = 60
"""Unicode characters of a type in a list."""

_ENTRY: Final = 140
_HEADING: Final = 90
_ITEM: Final = 30
_COUNT: Final = 12
_ANCHOR: Final = 10


@dataclass(frozen=True, slots=True)
class TagShelf:
    """A tag as most pages write it, where its pages are listed, and these (in the order of their paths).

    `number` is that of the document whose list of tags names it, `listed` that of the document with its pages: 0 for a
    tag that stands `alone`, which has documents of its own and no anchor, and for one of a single page, to which the
    list of tags leads itself. That one has an anchor there while all tags with theirs fit into one document.
    """

    tag: str
    path: str
    anchor: str
    number: int
    pages: tuple[str, ...]
    alone: bool = False
    listed: int = 0

    @property
    def asked(self) -> str:
        """The tag as the query of an address names it."""
        return quote(self.tag, safe="", errors="replace")


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
    named = [
        _Named(folded, names[folded], slugs[folded], tuple(carried[folded]))
        for folded in sorted(names, key=lambda one: key(names[one]))
    ]
    anchored = sum(one.size + one.anchor_size for one in named) <= INDEX_ROOM
    weights = {path: weight(library.pages[path]) for one in named if len(one.pages) > 1 for path in one.pages}
    return _shelved(named, weights, top, anchored=anchored)


@dataclass(frozen=True, slots=True)
class _Named:
    """A tag without case, as it is written, its name in addresses, and its pages."""

    folded: str
    tag: str
    slug: str
    pages: tuple[str, ...]

    @property
    def size(self) -> int:
        """Bytes that it takes in the list of tags at most."""
        size = _ITEM + _bytes(text(self.tag[:LONGEST_TAG]))
        if len(self.pages) > 1:
            return size + _COUNT + len(quote(self.slug))
        return size + len(quote(place_of(self.pages[0]), safe="/"))

    @property
    def anchor_size(self) -> int:
        """Bytes that its anchor there takes."""
        return _ANCHOR + len(self.slug.encode()) if len(self.pages) == 1 else 0


def _shelved(named: Sequence[_Named], weights: Mapping[str, int], top: str, *, anchored: bool) -> dict[str, TagShelf]:
    """Put tags on documents: first the list of tags, then the pages of those that have a list."""
    number, room = 1, INDEX_ROOM
    numbers: list[int] = []
    for one in named:
        size = one.size + one.anchor_size * anchored
        if size > room:
            number, room = number + 1, INDEX_ROOM
        room -= size
        numbers.append(number)
    room = min(room, ROOM)
    shelves: dict[str, TagShelf] = {}
    for one, where in zip(named, numbers, strict=True):
        if len(one.pages) == 1:
            anchor = f"tag-{one.slug}" if anchored else ""
            shelves[one.folded] = TagShelf(one.tag, _numbered(top, where), anchor, where, one.pages)
            continue
        size = sum(weights[path] for path in one.pages)
        if len(one.pages) > MOST or size > _SHARED:
            shelves[one.folded] = TagShelf(one.tag, f"{top}/{one.slug}.md", "", where, one.pages, alone=True)
            continue
        size += _HEADING + len(one.slug.encode()) + _bytes(text(one.tag[:LONGEST_TAG]))
        if size > room:
            number, room = number + 1, ROOM
        room -= size
        path = _numbered(top, number)
        shelves[one.folded] = TagShelf(one.tag, path, f"tag-{one.slug}", where, one.pages, listed=number)
    return shelves


def _numbered(top: str, number: int) -> str:
    return f"{top}.md" if number == 1 else f"{top}/{number}.md"


def usual(spelt: Counter[str]) -> str:
    """Give the spelling that most pages use."""
    return min(spelt, key=lambda one: (-spelt[one], one))


def weight(facts: Facts) -> int:
    """Tell how many bytes an entry for a page takes at most, without what is said about it."""
    told = (text(part) for part in (facts.title[:LONGEST_TITLE], facts.type[:LONGEST_TYPE], facts.project))
    return sum(_bytes(part) for part in told) + len(quote(place_of(facts.path), safe="/")) + _ENTRY


def _bytes(part: str) -> int:
    return len(part.encode("utf-8", "replace"))


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
