"""Owns the rule on pages that a reader would merge: live ones of a project with nearly the same names or the same text.

Equal titles have a rule of their own. Sessions are records, and may resemble each other.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.relevance import terms
from pipeline.wiki.derived.indexes import project_of
from pipeline.wiki.markdown.footnotes import closing_definitions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.wiki.entry import CatalogueEntry

_NAMES: Final = 0.75
"""The part of the words of two titles that both share."""
_TEXTS: Final = 0.8
"""The part of the lines of the shorter text that the other holds too."""
_FEWEST_LINES: Final = 2
_FEWEST_LETTERS: Final = 3
_MOST_BEARERS: Final = 20
"""A line that so many pages hold is a form, and says nothing of one of them."""
_RECORDS: Final = frozenset({"session", "slot"})
_STEP: Final = "Fold the two together, or tell them apart."


def check_likeness(pages: Mapping[str, tuple[CatalogueEntry, str]]) -> Iterator[Finding]:
    """Find pairs of pages that say nearly the same; a page comes with its catalogue entry and its body."""
    homes = project_of([entry for entry, _ in pages.values()])
    live = {
        path: (_names(entry.title), frozenset(_lines(body)))
        for path, (entry, body) in sorted(pages.items())
        if entry.status != "deprecated" and entry.type.casefold() not in _RECORDS and "/sessions/" not in path
    }
    for one, other in _likely(live):
        if homes[one] != homes[other] or _same(pages[one][0].title, pages[other][0].title):
            continue
        (names, lines), (other_names, other_lines) = live[one], live[other]
        if _share(names, other_names, len(names | other_names)) >= _NAMES:
            yield Finding(other, "page-alike", "note", f"its title says nearly what that of {one} says.", _STEP)
        shorter = min(len(lines), len(other_lines))
        if shorter >= _FEWEST_LINES and _share(lines, other_lines, shorter) >= _TEXTS:
            yield Finding(other, "page-alike", "note", f"its text says nearly what that of {one} says.", _STEP)


def _likely(live: Mapping[str, tuple[frozenset[str], frozenset[str]]]) -> list[tuple[str, str]]:
    """List the pairs that share a rare word of their titles, or a line."""
    bearers: defaultdict[str, list[str]] = defaultdict(list)
    for path, (names, lines) in live.items():
        for mark in (*(f"name {name}" for name in names), *(f"line {line}" for line in lines)):
            bearers[mark].append(path)
    pairs = {pair for paths in bearers.values() if len(paths) <= _MOST_BEARERS for pair in combinations(paths, 2)}
    return sorted(pairs)


def _same(title: str, other: str) -> bool:
    return " ".join(title.split()).casefold() == " ".join(other.split()).casefold()


def _names(title: str) -> frozenset[str]:
    """Give the words of a title, of identifiers the parts alone, however they are spelt."""
    words = terms(title)
    return frozenset(
        word
        for word in words
        if not any(len(part) >= _FEWEST_LETTERS and part != word and part in word for part in words)
    )


def _lines(body: str) -> Iterator[str]:
    """Give what the lines of a text say, as words in order; headings, quotations and footnotes apart."""
    for line in body[: closing_definitions(body)].splitlines():
        words = " ".join(terms(line.partition("[^")[0]))
        if words and not line.lstrip().startswith(("#", ">")):
            yield words


def _share(one: frozenset[str], other: frozenset[str], of: int) -> float:
    return len(one & other) / of if of else 0.0
