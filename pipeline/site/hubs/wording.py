"""Owns the words for how many there are of what: `1 guide`, `12 decisions`. Knows no page."""

from __future__ import annotations

from typing import Final

UNTYPED: Final = "Page"
"""What a page is called that tells no type."""

_VOWELS: Final = frozenset("aeiou")
_HISSING: Final = ("s", "x", "z", "ch", "sh")


def plural(noun: str) -> str:
    """Give the plural of an English noun; a word that does not end with an ASCII letter stays as it is."""
    last = noun[-1:]
    if not (last.isascii() and last.isalpha()) or noun.isupper():
        return noun
    lower = noun.casefold()
    if lower.endswith("y") and lower[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if lower.endswith(_HISSING) else f"{noun}s"


def counted(count: int, noun: str) -> str:
    """Tell how many there are: `1 page`, `1,200 pages`."""
    return f"{count:,} {noun if count == 1 else plural(noun)}"


def uncapital(noun: str) -> str:
    """Begin a word with a small letter; an abbreviation such as `ADR` stays as it is."""
    return noun if noun[:2].isupper() else noun[:1].lower() + noun[1:]


def capital(text: str) -> str:
    """Begin a text with a capital letter."""
    return text[:1].upper() + text[1:]
