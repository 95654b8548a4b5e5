"""Owns how rows of whole numbers are written in few signs that JSON leaves as they are; knows not what they count.

Each number from 0 on is written in groups of five bits, the lowest first; a group's sign stands in the second half of
the alphabet when more groups follow. `site/overrides/assets/wikimill-index.js` reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
_BITS: Final = 5
_HALF: Final = 1 << _BITS
_KEPT: Final = 1 << 16


class _Signs(dict[int, str]):
    """The signs of numbers; those of small ones are kept, since most are."""

    def __missing__(self, number: int) -> str:
        signs, rest = "", number
        while rest >= _HALF:
            signs += ALPHABET[_HALF + rest % _HALF]
            rest >>= _BITS
        signs += ALPHABET[rest]
        if number < _KEPT:
            self[number] = signs
        return signs


_SIGNS: Final = _Signs()


def pack_numbers(numbers: Iterable[int]) -> str:
    """Write numbers one after another."""
    return "".join(map(_SIGNS.__getitem__, numbers))


def unpack_numbers(packed: str) -> list[int]:
    """Read them back."""
    found = []
    number = shift = 0
    for sign in packed:
        value = ALPHABET.index(sign)
        number += (value % _HALF) << shift
        shift += _BITS
        if value < _HALF:
            found.append(number)
            number = shift = 0
    return found
