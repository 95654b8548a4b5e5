"""Owns the static files of the search, all below `find/`: what a browser fetches, piece by piece.

`manifest.json`      where each piece begins, who took whose place, which words are little; fetched first
`words-<n>.json`     words with their pages, in the order of UTF-16 units, as browsers compare
`pages-<n>.json`     what a result shows of some pages, by number
`text-<n>.json`      the text of as many pages, in sentences; fetched for results that are seen
`facets.json`        type, project and tags of all pages; fetched to narrow results
`spelling-<n>.json`  plain words; fetched when a query finds nothing

Equal pages give equal bytes. Every piece names the edition that it belongs to, so that none is read with another's
manifest out of a cache. Knows no score.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from itertools import pairwise, takewhile
from operator import sub
from typing import TYPE_CHECKING, Final

from pipeline.site.addresses import place_of
from pipeline.site.hubs.names import names_of
from pipeline.site.search.index import IN_TITLE, LEVELS, PLACES, read_index
from pipeline.site.search.packing import pack_numbers
from pipeline.site.search.sentences import sentences
from pipeline.site.search.shown import facets, shown
from pipeline.site.search.words import LITTLE, LONGEST_WORD

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pipeline.site.library import Library
    from pipeline.site.search.index import Index
    from pipeline.site.values import Inputs

FOLDER: Final = "find/"
PAGES_A_SHELF: Final = 32
"""A result's page comes with so many others: with more, the first ten results are too many bytes; with fewer, the
files too many."""
_WORDS: Final = 16_000
_SPELLING: Final = 150_000
"""Bytes of a piece, about."""
_LATEST_CUT: Final = 0.7
"""A piece of words ends where its neighbours differ early, in the last part of it: who types sees few pieces."""


def search_files(inputs: Inputs, library: Library) -> dict[str, bytes]:
    """Give the files of the search, by their paths on the site."""
    index = read_index(library)
    rows = _rows(index)
    cuts = _cuts(rows)
    plain = inputs.site.directory_urls
    names = names_of(library)
    pieces: dict[str, dict[str, object]] = {}
    for number, (start, end) in enumerate(pairwise(cuts)):
        pieces[f"words-{number}"] = {"words": [part for row in rows[start:end] for part in row]}
    for number, start in enumerate(range(0, len(index.pages), PAGES_A_SHELF)):
        shelf = index.pages[start : start + PAGES_A_SHELF]
        pieces[f"pages-{number}"] = {"pages": shown(shelf, library, inputs.site)}
        pieces[f"text-{number}"] = {"text": ["\n".join(sentences(page)) for page in shelf]}
    pieces["facets"] = facets(index.pages)
    spelling = list(_spelling(index.spelled))
    pieces |= {f"spelling-{number}": piece for number, piece in enumerate(spelling)}
    manifest: dict[str, object] = {
        "schema": "1",
        "pages": len(index.pages),
        "restating": index.restating,
        "current": index.current,
        "heirs": pack_numbers(0 if heir is None else heir + 1 for heir in index.heirs),
        "levels": LEVELS,
        "little": sorted(LITTLE),
        "shelf": PAGES_A_SHELF,
        "words": [_shortest_between(rows, start) for start in cuts[:-1]],
        "spelling": len(spelling),
        "search": place_of(names.search, directory_urls=plain),
        "browse": place_of(names.browse(), directory_urls=plain),
        "tags": place_of(names.tags(), directory_urls=plain),
    }
    written = {name: _json(value) for name, value in sorted({"manifest": manifest, **pieces}.items())}
    edition = _json({"edition": _edition(written)})[:-1]
    return {f"{FOLDER}{name}.json": b"%b,%b" % (edition, raw[1:]) for name, raw in written.items()}


def _rows(index: Index) -> list[tuple[str, str]]:
    """Give words with their packed pages: for each the steps from page to page, with what it tells."""
    rows = []
    for term in sorted(index.postings, key=_as_browsers_compare):
        held = index.postings[term]
        steps = map(sub, held, [0, *(posting // PLACES * PLACES for posting in held)])
        rows.append((term, pack_numbers(_lengthened(steps, held, index) if term in index.titled else steps)))
    return rows


def _lengthened(steps: Iterable[int], held: Sequence[int], index: Index) -> Iterator[int]:
    """Put behind each step to a page whose title has the word the length of that title."""
    for step, posting in zip(steps, held, strict=False):
        yield step
        page, place = divmod(posting, PLACES)
        if place == IN_TITLE:
            yield index.lengths[page]


def _as_browsers_compare(term: str) -> bytes:
    return term.encode("utf-16-be")


def _cuts(rows: Sequence[tuple[str, str]]) -> list[int]:
    """Find where pieces of words begin, and where the last one ends."""
    sizes = [len(term.encode()) + len(packed) + 6 for term, packed in rows]
    cuts = [0] if rows else []
    size, early, least = 0, 0, LONGEST_WORD
    for number in range(1, len(rows)):
        size += sizes[number - 1]
        if size > _WORDS * _LATEST_CUT and (common := _common(rows[number - 1][0], rows[number][0])) <= least:
            early, least = number, common
        if size + sizes[number] > _WORDS:
            cut = early or number
            cuts.append(cut)
            size, early, least = sum(sizes[cut:number]), 0, LONGEST_WORD
    return [*cuts, len(rows)] if rows else []


def _shortest_between(rows: Sequence[tuple[str, str]], start: int) -> str:
    """Give the shortest beginning of a piece's first word that the last word before the piece stands before."""
    if start == 0:
        return ""
    before, first = rows[start - 1][0], rows[start][0]
    return first[: _common(before, first) + 1]


def _common(before: str, after: str) -> int:
    """Count the characters that two words begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))


def _spelling(spelled: Mapping[str, int]) -> Iterator[dict[str, object]]:
    """Give plain words in pieces; the number of a word's pages is told by its length in binary digits."""
    held: list[str] = []
    size = 0
    for word in spelled:
        held.append(word)
        size += len(word.encode()) + 2
        if size > _SPELLING:
            yield _spelling_piece(held, spelled)
            held, size = [], 0
    if held:
        yield _spelling_piece(held, spelled)


def _spelling_piece(held: Sequence[str], spelled: Mapping[str, int]) -> dict[str, object]:
    return {"words": " ".join(held), "often": pack_numbers(spelled[word].bit_length() for word in held)}


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _edition(written: Mapping[str, bytes]) -> str:
    told = blake2b(digest_size=6)
    for name, raw in written.items():
        told.update(b"%b %d " % (name.encode(), len(raw)))
        told.update(raw)
    return told.hexdigest()
