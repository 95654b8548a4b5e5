"""Owns how pages are scored: BM25 over weighed words, deprecated pages below their successors; reads nothing.

Equal indexes give equal scores, in whatever order their pages came in: sums run over the words in their order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pipeline.memory.search.segment import Postings, Segment
    from pipeline.memory.search.sheet import Sheet

_SATURATION: Final = 1.2
_LENGTH: Final = 0.6
"""How much a long page loses: 0 nothing, 1 in proportion."""
_DEPRECATED: Final = 0.5
_BELOW: Final = 0.999
MOST_TERMS: Final = 128
"""So many words of a query count, the most telling ones: a query may be a whole session."""
_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Ranked:
    """One page that shares words with a query."""

    sheet: Sheet
    score: float


@dataclass(frozen=True, slots=True)
class Statistics:
    """What scores need to know of all living pages: for each segment, what length costs each of its pages."""

    pages: int
    costs: tuple[tuple[float, ...], ...]
    whole: tuple[bool, ...]
    """Whether all pages of a segment are alive, so that nobody has to look."""


def measure(segments: Sequence[Segment]) -> Statistics:
    """Count the living pages and weigh their lengths."""
    pages = sum(sum(segment.alive) for segment in segments)
    total = sum(sheet.length for one in segments for sheet, alive in zip(one.sheets, one.alive, strict=True) if alive)
    average = total / pages if pages and total else 1.0
    costs = tuple(
        tuple(_SATURATION * (1 - _LENGTH + _LENGTH * sheet.length / average) for sheet in segment.sheets)
        for segment in segments
    )
    return Statistics(pages, costs, tuple(all(segment.alive) for segment in segments))


def telling(segments: Sequence[Segment], known: Statistics, query: Mapping[str, int]) -> dict[str, float]:
    """Weigh the words of a query that some living page holds, by how few do; at most `MOST_TERMS`."""
    weighed: dict[str, float] = {}
    for term, times in query.items():
        bearers = sum(
            len(held.pages) if whole else sum(one.alive[page] for page in held.pages)
            for one, whole in zip(segments, known.whole, strict=True)
            if (held := one.postings.get(term)) is not None
        )
        if bearers:
            rarity = math.log(1 + (known.pages - bearers + 0.5) / (bearers + 0.5))
            weighed[term] = rarity * (1 + math.log(times))
    kept = sorted(weighed, key=lambda term: (-weighed[term], term))[:MOST_TERMS]
    return {term: weighed[term] for term in sorted(kept)}


def score(segments: Sequence[Segment], known: Statistics, weighed: Mapping[str, float]) -> dict[tuple[int, int], float]:
    """Score the living pages that hold a word, by number of segment and of page."""
    scores: dict[tuple[int, int], float] = {}
    for number, segment in enumerate(segments):
        found: dict[int, float] = {}
        for term, weight in weighed.items():
            held = segment.postings.get(term)
            if held is not None:
                _add(found, held, weight * (_SATURATION + 1), known.costs[number])
        alive = segment.alive
        scores.update({(number, page): value for page, value in found.items() if alive[page]})
    return scores


def _add(found: dict[int, float], held: Postings, gain: float, costs: Sequence[float]) -> None:
    get = found.get
    for page, times in zip(held.pages, held.weights, strict=True):
        found[page] = get(page, 0.0) + gain * times / (times + costs[page])


def order(
    scores: Mapping[str, float], sheets: Mapping[str, Sheet], wanted: Collection[str] | None, limit: int
) -> tuple[Ranked, ...]:
    """Put pages in order; what a deprecated page earned goes to its successor, which stands above it."""
    final = {
        path: value * (_DEPRECATED if sheets[path].status == "deprecated" else 1) for path, value in scores.items()
    }
    for path in sorted(path for path in scores if sheets[path].status == "deprecated"):
        heir = _heir(path, sheets)
        if heir and (wanted is None or heir in wanted):
            final[heir] = max(final.get(heir, 0.0), scores[path])
            final[path] = min(final[path], final[heir] * _BELOW)
    kept = ((path, value) for path, value in final.items() if value > 0 and (wanted is None or path in wanted))
    best = sorted(kept, key=lambda pair: (-round(pair[1], _DIGITS), pair[0]))[: max(limit, 0)]
    return tuple(Ranked(sheets[path], round(value, _DIGITS)) for path, value in best)


def _heir(path: str, sheets: Mapping[str, Sheet]) -> str:
    """Follow successors to the page that stands today; a circle leads nowhere."""
    seen = {path}
    while (sheet := sheets.get(path)) is not None and sheet.status == "deprecated":
        path = sheet.successor
        if path in seen:
            return ""
        seen.add(path)
    return path if sheet is not None else ""
