"""Owns how the generated files are carried over: lines of logs are added, indexes are made anew from all pages.

Knows no page's text beyond its line in the catalogue.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.derived.indexes import render_indexes
from pipeline.wiki.derived.log import add_entry
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.markdown.positions import NEWLINE, read_source

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipeline.wiki.entry import CatalogueEntry

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}\Z")
_ENTRY = "* "
_DAY_LEVEL = 2
_REMEMBERED = 4_096
"""Pages whose line in the catalogue is kept: each commit of a proposal asks for all of them again."""


def merge_log(before: bytes | None, after: bytes | None, standing: bytes | None) -> bytes | None:
    """Put the lines that a commit added to a log under their days in the log that stands, none twice."""
    if after is None:
        return standing
    old = set(_entries(before or b""))
    for day, entry in reversed([one for one in _entries(after) if one not in old]):
        standing = add_entry(standing, day, entry)
    return standing


def renew_indexes(wiki: Mapping[str, bytes], touched: Iterable[str]) -> dict[str, bytes]:
    """Render the indexes above some files that do not fit the pages; what a person wrote into them stays."""
    entries = (_entry(path, wiki[path]) for path in sorted(wiki) if is_page(path))
    return render_indexes([entry for entry in entries if entry is not None], touched, wiki)


@lru_cache(maxsize=_REMEMBERED)
def _entry(path: str, raw: bytes) -> CatalogueEntry | None:
    try:
        return catalogue_entry(path, parse_page(path, raw))
    except Rejected:
        return None


def _entries(log: bytes) -> Iterator[tuple[date, str]]:
    """Give the entries of a log with their days, from top to bottom."""
    text = log.decode("utf-8", "replace").removeprefix("\ufeff")
    headings = [heading for heading in read_source(text).headings if heading.level == _DAY_LEVEL]
    ends = [*(heading.start for heading in headings), len(text)]
    for heading, end in zip(headings, ends[1:], strict=True):
        day = _day(heading.text.strip())
        if day is not None:
            lines = NEWLINE.split(text[heading.end : end])
            yield from ((day, line.removeprefix(_ENTRY)) for line in lines if line.startswith(_ENTRY))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text) if _DAY.match(text) else None
    except ValueError:
        return None
