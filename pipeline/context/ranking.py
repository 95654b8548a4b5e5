"""Owns which pages of a project are near to a window: those that share its most telling words, the likeliest first."""

from __future__ import annotations

import sys
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Protocol

from pipeline.relevance import rank, terms, weigh

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.memory.search.ranking import Ranked
    from pipeline.projection import Projection
    from pipeline.wiki.entry import CatalogueEntry

_SESSION_SHARE: Final = 0.5
"""What the score of another session's page counts: it shares many words, and is seldom what this session changes."""
_LEAST_SHARE: Final = 0.1
"""A page whose score is below this part of the best one's shares but common words."""


class Ranking(Protocol):
    """What ranks pages by the words that they share with a window; `pipeline.memory.search.Index` does."""

    def rank(self, query: Mapping[str, int], limit: int) -> tuple[Ranked, ...]:
        """Give the pages that share words with `query`, the likeliest first."""
        ...


def nearest(projection: Projection, own: Sequence[CatalogueEntry], index: Ranking | None) -> list[CatalogueEntry]:
    """Rank the pages of `own` that are near to a window: by their words, without an index by their catalogue lines."""
    words: Counter[str] = Counter()
    for shown in projection.shown:
        words.update(terms("\n".join((shown.text, *shown.observation.files, *shown.observation.tags))))
    entries = {entry.path: entry for entry in own}
    sessions = {path for path in entries if "/sessions/" in path}
    if index is None:
        return [entries[path] for path in rank(words, {path: _weights(entries[path]) for path in entries}, sessions)]
    scores = {
        one.sheet.path: one.score * (_SESSION_SHARE if one.sheet.path in sessions else 1)
        for one in index.rank(words, sys.maxsize)
        if one.sheet.path in entries
    }
    least = max(scores.values(), default=0.0) * _LEAST_SHARE
    return [entries[path] for path in sorted(scores, key=lambda path: (-scores[path], path)) if scores[path] >= least]


@lru_cache(maxsize=20_000)
def _weights(entry: CatalogueEntry) -> dict[str, float]:
    return weigh((entry.title, *entry.aliases), entry.tags, entry.description)
