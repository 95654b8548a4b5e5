"""Owns which page is found by which words, and how much each tells of it; writes nothing.

Pages are numbered so that of two that fit equally well the lower number stands first: current pages before those
that were superseded or deprecated, other pages before those of sessions, which tell again what was learnt in them,
pages that a person reviewed before others, then by path.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Final

from pipeline.site.hubs.kinds import SESSION
from pipeline.site.hubs.names import type_slug
from pipeline.site.search.words import chunks, name, word

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from pipeline.site.facts import Facts
    from pipeline.site.library import Library

LEVELS: Final = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)
"""How much a word can tell of a page; what it tells is rounded down to one of these."""
IN_TITLE: Final = len(LEVELS)
"""Stands in the place of a level for a word of the page's title, which tells more the shorter that is."""
PLACES: Final = IN_TITLE + 1
ALSO_CALLED, CALLED = 0, 1
"""What stands in the place of a level for a whole name: that it is another name of the page, or its title."""
NAME_END: Final = "="
"""Ends a whole name, as it ends no word; such a name stands beside the words that begin like it."""
_ALIAS, _TAG, _HEADING, _DESCRIPTION, _PATH = 7.0, 5.0, 3.0, 3.0, 2.0
_LONGEST_TITLE: Final = 31
_BODY: Final = 3.0
"""What a word can tell that stands often in the text."""
_LENGTH: Final = 0.5
"""How much a word tells less in a longer text: 0 nothing, 1 in proportion."""
_KNOWING, _RESTATING, _OLD = range(3)
_TIERS: Final = {"human-reviewed": 0, "machine-confirmed": 1, "unverified": 2}


@dataclass(frozen=True, slots=True)
class Index:
    """`postings` give for each word its pages, ascending, as their number times eight plus a place in `LEVELS`.

    `titled` are the words that stand in a title, `lengths` the words of each page's title, 31 at most. Pages from
    number `restating` on are those of sessions, and from `current` on superseded or deprecated; `heirs` tells for each
    of the latter the number of its successor, or none. `spelled` are the plain words among the words, in which a
    misspelt one may be sought, with the number of their pages.
    """

    pages: tuple[Facts, ...]
    restating: int
    current: int
    heirs: tuple[int | None, ...]
    postings: Mapping[str, Sequence[int]]
    titled: AbstractSet[str]
    lengths: tuple[int, ...]
    spelled: Mapping[str, int]


class _Known(dict[str, tuple[str, ...]]):
    """What each chunk is found by: most are met often. `parts` are the parts of all."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: set[str] = set()

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        found = word(chunk)
        self.parts.update(found.parts)
        self[chunk] = found.terms
        return found.terms

    def terms(self, met: Iterable[str]) -> Iterator[str]:
        """Give what some chunks are found by."""
        return chain.from_iterable(map(self.__getitem__, met))


def read_index(library: Library) -> Index:
    """Index all pages."""
    pages = sorted(library.pages.values(), key=_place)
    numbers = {page.path: number for number, page in enumerate(pages)}
    groups = [_group(page) for page in pages]
    restating, current = bisect_right(groups, _KNOWING), bisect_right(groups, _RESTATING)
    bodies = [[chunk for section in page.sections for chunk in chunks(section.text)] for page in pages]
    average = sum(map(len, bodies)) / len(pages) if pages else 0.0
    known = _Known()
    postings: defaultdict[str, list[int]] = defaultdict(list)
    titles = [set(known.terms(chunks(page.title))) for page in pages]
    for number, (page, body, title) in enumerate(zip(pages, bodies, titles, strict=True)):
        times = Counter(known.terms(body))
        told = _told_by_body(times.values(), len(body), average or 1.0)
        first = number * PLACES
        for term in title:
            postings[term].append(first + IN_TITLE)
            times.pop(term, None)
        for term, weight in _told_by_fields(page, title, known).items():
            often = times.pop(term, 0)
            postings[term].append(first + _level(weight + (told[often] if often else 0.0)))
        levels = {often: first + _level(weight) for often, weight in told.items()}
        for term, often in times.items():
            postings[term].append(levels[often])
        for called, place in _names(page).items():
            postings[called].append(first + place)
    heirs = tuple(_heir(page, library, numbers) for page in pages[current:])
    spelled = {part: len(postings[part]) for part in sorted(filter(_is_spelled, known.parts))}
    titled = set().union(*titles)
    lengths = tuple(min(max(len(title), 1), _LONGEST_TITLE) for title in titles)
    return Index(tuple(pages), restating, current, heirs, postings, titled, lengths, spelled)


def _place(page: Facts) -> tuple[int, int, str]:
    return _group(page), _TIERS[page.tier], page.path


def _group(page: Facts) -> int:
    if page.superseded_by or page.status == "deprecated":
        return _OLD
    return _RESTATING if type_slug(page.type) == SESSION else _KNOWING


def _heir(page: Facts, library: Library, numbers: Mapping[str, int]) -> int | None:
    """Give the number of a page's successor; a circle of successors has none."""
    following, seen = page, {page.path}
    while (known := library.pages.get(following.superseded_by)) is not None:
        if known.path in seen:
            return None
        seen.add(known.path)
        following = known
    return numbers.get(page.superseded_by)


def _told_by_body(times: Iterable[int], length: int, average: float) -> dict[int, float]:
    """Give what a word tells by how often it stands in a text of so many words."""
    rest = 2 * (1 - _LENGTH + _LENGTH * length / average)
    return {often: max(_BODY * often / (often + rest), LEVELS[0]) for often in set(times)}


def _told_by_fields(page: Facts, title: AbstractSet[str], known: _Known) -> dict[str, float]:
    """Give what words that are not in the title tell by where else they stand, each place once."""
    fields: tuple[tuple[float, Iterable[str]], ...] = (
        (_ALIAS, known.terms(chunks("\n".join(page.aliases)))),
        (_TAG, known.terms(chunks("\n".join(page.tags)))),
        (_HEADING, known.terms(chunks("\n".join(section.title for section in page.sections)))),
        (_DESCRIPTION, known.terms(chunks(page.description))),
        (_PATH, known.terms(chunks(page.path.removesuffix(".md")))),
    )
    told: dict[str, float] = {}
    for weight, terms in fields:
        for term in {*terms} - title:
            told[term] = told.get(term, 0.0) + weight
    return told


def _names(page: Facts) -> dict[str, int]:
    """Give the whole names of a page, and whether each is its title."""
    called = {name(alias): ALSO_CALLED for alias in page.aliases} | {name(page.title): CALLED}
    return {f"{one}{NAME_END}": place for one, place in called.items() if one}


def _level(weight: float) -> int:
    return bisect_right(LEVELS, weight) - 1


_SHORTEST, _LONGEST = 3, 32


def _is_spelled(part: str) -> bool:
    """Whether it is a word that someone may misspell: no pair of signs, no number, no name made of digits."""
    letters = sum(sign.isalpha() for sign in part)
    return _SHORTEST <= len(part) <= _LONGEST and letters * 2 > len(part)
