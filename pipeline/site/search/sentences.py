"""Owns the text of a page that a result quotes a piece of, in sentences; finds nothing. All of it is text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.site.facts import Facts

LONGEST_TEXT: Final = 1_500
"""Unicode characters of a page; what stands behind them is found, and not quoted."""

_END: Final = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？])")


def sentences(page: Facts) -> Iterator[str]:
    """Give the sentences of a page, each in one line, the last one cut where the room ends.

    What its description says already is left out: a result has that.
    """
    left = LONGEST_TEXT
    known = " ".join(page.description.split())
    for section in page.sections:
        for sentence in _END.split(section.text[: left + 1]):
            told = " ".join(sentence.split())
            if not told or told == known:
                continue
            yield told[:left]
            left -= len(told) + 1
            if left <= 0:
                return
