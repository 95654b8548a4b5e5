"""Owns an index over the pages of a wiki: pages go in and out one by one, queries give ranked pages; reads no disk.

Keyed by content: a page whose key did not change is not read again.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from pipeline.memory.search.passages import best_passage
from pipeline.memory.search.ranking import Ranked, Statistics, measure, order, score, telling
from pipeline.memory.search.segment import FreshSegment, Segment
from pipeline.memory.search.sheet import Sheet, read_sheet
from pipeline.relevance import terms

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

MOST_SEGMENTS: Final = 8
"""More are folded into one, and so are segments of which a third is dead."""
_DEAD: Final = 1 / 3


@dataclass(frozen=True, slots=True)
class Filters:
    """Which pages count; what is empty does not matter. Of several tags a page must bear all; case is no matter."""

    project: str = ""
    """A project by name, or with its workspace: `acme`, `team/acme`."""
    type: str = ""
    """A type, or the folder of it: `Decision`, `decisions`."""
    tags: tuple[str, ...] = ()
    status: str = ""

    def take(self, sheet: Sheet) -> bool:
        """Whether a page counts."""
        kinds = {sheet.type.casefold(), sheet.folder.casefold()}
        return (
            (not self.project or self.project in {sheet.project, sheet.project.rpartition("/")[2]})
            and (not self.type or self.type.casefold() in kinds)
            and (not self.status or self.status.casefold() == sheet.status.casefold())
            and {tag.casefold() for tag in self.tags} <= {tag.casefold() for tag in sheet.tags}
        )


@dataclass(frozen=True, slots=True)
class Hit:
    """One page that was found; the lines, counted from 1, are those of the passage that fits best."""

    path: str
    first_line: int
    last_line: int
    score: float
    snippet: str
    title: str = ""
    type: str = ""
    status: str = ""


class Index:
    """Pages and their words; `stored` are segments from before, which stay as they are but for who is alive."""

    def __init__(self, stored: Sequence[Segment] = ()) -> None:
        self._stored = list(stored)
        self._fresh = FreshSegment()
        self._places: dict[str, tuple[int, int]] = {}
        self._known: Statistics | None = None
        for number, segment in enumerate(self._stored):
            living = ((page, sheet.path) for page, sheet in enumerate(segment.sheets) if segment.alive[page])
            self._places.update({path: (number, page) for page, path in living})

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, path: object) -> bool:
        return path in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._places))

    @property
    def fresh(self) -> Segment:
        """What came in since the index was made."""
        return self._fresh.segment

    @property
    def stored(self) -> Sequence[Segment]:
        """The segments from before, with what died of them since."""
        return self._stored

    @property
    def wants_folding(self) -> bool:
        """Whether many small segments, or many dead pages, slow it down."""
        pages = sum(len(segment.sheets) for segment in self._segments)
        return len(self._segments) > MOST_SEGMENTS or pages - len(self) > pages * _DEAD

    def sheet(self, path: str) -> Sheet | None:
        """Give what is known of a page."""
        place = self._places.get(path)
        return self._segments[place[0]].sheets[place[1]] if place else None

    def put(self, path: str, raw: bytes, key: str = "") -> bool:
        """Take a page in as it stands now; False when it stood in the index like that."""
        key = key or key_of(raw)
        held = self.sheet(path)
        if held is not None and held.key == key:
            return False
        self.drop(path)
        sheet, words = read_sheet(path, raw, key)
        self._places[path] = (len(self._stored), self._fresh.add(sheet, words))
        self._known = None
        return True

    def drop(self, path: str) -> bool:
        """Take a page out; False when it was not in."""
        place = self._places.pop(path, None)
        if place is None:
            return False
        self._segments[place[0]].alive[place[1]] = 0
        self._known = None
        return True

    def refresh(self, keys: Mapping[str, str], read: Callable[[str], bytes]) -> int:
        """Bring the index to the pages that `keys` names by path; reads, and counts, only those that changed."""
        gone = [path for path in self._places if path not in keys]
        for path in gone:
            self.drop(path)
        changed = 0
        for path, key in keys.items():
            held = self.sheet(path)
            if held is None or held.key != key:
                changed += self.put(path, read(path), key)
        return changed + len(gone)

    def folded(self) -> Index:
        """Give the same pages in one fresh segment; reads none of them again."""
        made = Index()
        for segment in self._segments:
            made._fresh.take_in(segment)  # another index of the same class
        made._places = {sheet.path: (0, page) for page, sheet in enumerate(made.fresh.sheets)}
        return made

    def rank(self, query: Mapping[str, int], limit: int, filters: Filters | None = None) -> tuple[Ranked, ...]:
        """Rank the pages that share words with `query`, which counts words as `pipeline.relevance.terms` does."""
        found = score(self._segments, self._statistics(), self._telling(query))
        sheets = {sheet.path: sheet for sheet in self._sheets()}
        wanted = None if filters is None else {path for path, sheet in sheets.items() if filters.take(sheet)}
        segments = self._segments
        scores = {segments[number].sheets[page].path: value for (number, page), value in found.items()}
        return order(scores, sheets, wanted, limit)

    def search(
        self, query: str, read: Callable[[str], bytes], limit: int = 10, filters: Filters | None = None
    ) -> tuple[Hit, ...]:
        """Find pages; `read` gives the bytes of those that are hits, for their passage."""
        words = Counter(terms(query))
        weighed = self._telling(words)
        hits = []
        for ranked in self.rank(words, limit, filters):
            sheet = ranked.sheet
            passage = best_passage(read(sheet.path), weighed)
            hits.append(
                Hit(
                    *(sheet.path, passage.first_line, passage.last_line, ranked.score, passage.snippet),
                    title=sheet.title,
                    type=sheet.type,
                    status=sheet.status,
                )
            )
        return tuple(hits)

    @property
    def _segments(self) -> list[Segment]:
        return [*self._stored, self._fresh.segment]

    def _sheets(self) -> Iterator[Sheet]:
        segments = self._segments
        return (segments[number].sheets[page] for number, page in self._places.values())

    def _statistics(self) -> Statistics:
        if self._known is None:
            self._known = measure(self._segments)
        return self._known

    def _telling(self, query: Mapping[str, int]) -> dict[str, float]:
        return telling(self._segments, self._statistics(), query)


def key_of(raw: bytes) -> str:
    """Name some bytes by their content."""
    return blake2b(raw, digest_size=16).hexdigest()


def search(corpus: Mapping[str, bytes], query: str, limit: int = 10, filters: Filters | None = None) -> tuple[Hit, ...]:
    """Find the pages of a corpus, path by path, that fit a query best; for more than one query make an `Index`."""
    index = Index()
    for path, raw in sorted(corpus.items()):
        index.put(path, raw)
    return index.search(query, corpus.__getitem__, limit, filters)
