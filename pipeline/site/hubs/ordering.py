"""Owns the order in which people look names up: case and accents count last, and numbers by their value.

Knows no page. Linear in the length of a name, whatever stands in it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

_DIGITS: Final = re.compile(r"([0-9]+)")
_LEADING: Final = re.compile(r"\A[\W_]+")
_REMEMBERED: Final = 4_096
_READ: Final = 300
"""Characters of a name that its order depends on; what is equal so far is put in order as it is."""

_SCRIPTS: Final = {
    "CJK": "漢字",
    "HANGUL": "한글",
    "HIRAGANA": "かな",
    "KATAKANA": "かな",
    "KATAKANA-HIRAGANA": "かな",
    "HALFWIDTH": "かな",
}
"""Scripts with too many first letters to list; all their names stand below one mark."""

OTHERS: Final = "#"
"""The mark of names that begin with a digit, or that hold no letter at all."""

Key = tuple[tuple[tuple[int, str], ...], str]


def key(name: str) -> Key:
    """Give what names are sorted by: `page 9` before `page 10`, `Émile` between `eagle` and `Zoë`."""
    parts = _DIGITS.split(_folded(name))
    # A number is put in order by its length, then by its digits: a name may hold more of them than `int` takes.
    return tuple(_number(part) if place % 2 else (0, part) for place, part in enumerate(parts)), name


def initial(name: str) -> str:
    """Give the mark below which a name is listed: its first letter, its script, or `#`."""
    first = _folded(name)[:1]
    if not first.isalpha():
        return OTHERS
    return _mark(first)


def _number(digits: str) -> tuple[int, str]:
    value = digits.lstrip("0")
    return len(value), value


def _folded(name: str) -> str:
    """Bring a name into the form that is compared; what stands before its first letter or digit goes."""
    if name.isascii():
        folded = name[:_READ].casefold()
    else:
        apart = unicodedata.normalize("NFKD", name[:_READ].casefold())
        folded = "".join(one for one in apart if not unicodedata.combining(one))
    return _LEADING.sub("", folded) or folded


@lru_cache(maxsize=_REMEMBERED)
def _mark(letter: str) -> str:
    script = unicodedata.name(letter, "").partition(" ")[0]
    return _SCRIPTS.get(script, letter.upper()[:1])
