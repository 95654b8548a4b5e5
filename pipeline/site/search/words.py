"""Owns which words of a text its readers can look for, in any script; knows no page and no index.

The browser finds by the same words: `site/overrides/assets/wikimill-words.js` holds these rules a second time, and
a test holds the two together. Whoever changes one changes the other.

A word is looked for without case, accents and joining signs. What is joined of parts, such as `session_ttl`,
`sessionTtl`, `a/b.py`, counts whole, without what joins it, and in its parts. A number of several parts counts with
each of its beginnings (`v1.2.3` as `1.2.3` and `1.2`; so does a day). Scripts without spaces, and Hangul, whose words
carry their particles, count by pairs of neighbours, and each run with its last sign as well: a single sign is found
as the beginning of a pair, or as that. Words count as they are written, in the singular or the plural: the browser
looks for the other forms of a word beside it, so that no identifier loses its end.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST_WORD: Final = 64
"""Unicode characters; what is longer is Base64 or a minified line, and nobody looks for it."""
_LONGEST_CHUNK: Final = 400
"""Unicode characters of a path or an address; the parts of a longer one do not count."""
_MOST_NUMBERS: Final = 8
LITTLE: Final = frozenset(
    (  # noqa: SIM905 - readable as it is
        "a an and are as at be by can did do does for from had has have how i if in into is it its me my not of on or "
        "our should so that the their them there these they this to us was we were what when where which who why will "
        "with you your"
    ).split()
)
"""Words of questions: a page need not have them, and titles that differ in nothing else are alike."""
_ARTICLE: Final = "ال"
_SHORTEST_WITHOUT_ARTICLE: Final = 3

_UNSPACED: Final = (
    r"[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Hangul}"
    r"\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]"
)
_SPACED: Final = rf"(?:(?!{_UNSPACED})[\p{{L}}\p{{M}}\p{{N}}])"
_JOINING: Final = r"[_./\\:@'-]"
_ENDING: Final = r"(?:\+\+|#(?![\p{L}\p{N}]))"
_CHUNK: Final = regex.compile(rf"(?:{_UNSPACED}\p{{M}}*)+|{_SPACED}+(?:{_JOINING}+{_SPACED}+)*{_ENDING}?", regex.V1)
_SIGN: Final = regex.compile(rf"{_UNSPACED}\p{{M}}*", regex.V1)
_ASCII_CHUNK: Final = re.compile(r"[A-Za-z0-9]+(?:[_./\\:@'-]+[A-Za-z0-9]+)*(?:\+\+|#(?![A-Za-z0-9]))?")
_NUMBER: Final = re.compile(r"[vV]?[0-9]+(?:[.-][0-9]+)+")
_DIGITS: Final = re.compile(r"[0-9]+")
_LETTERS: Final = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_PART: Final = regex.compile(rf"{_NUMBER.pattern}|{_LETTERS.pattern}")
_CAMEL: Final = regex.compile(r"\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}+")

_MARKS: Final = (
    *(range(0x300, 0x370), range(0x591, 0x5BE), (0x5BF, 0x5C1, 0x5C2, 0x5C4, 0x5C5, 0x5C7)),
    *(range(0x610, 0x61B), (0x640,), range(0x64B, 0x660), (0x670,), range(0x6D6, 0x6DD), range(0x6DF, 0x6E5)),
    *((0x6E7, 0x6E8), range(0x6EA, 0x6EE), (0xAD,), range(0x200C, 0x2010), range(0x202A, 0x202F), (0x2060,)),
    *(range(0x2066, 0x206A), range(0xFE00, 0xFE10), (0xFEFF,)),
)
"""Accents, the points of Hebrew and Arabic, the tatweel, and what is not seen."""
_ALIKE: Final = {
    **dict.fromkeys((mark for marks in _MARKS for mark in marks), None),
    **{ord(sign): "'" for sign in "’ʼ"},
    **{ord(sign): "-" for sign in "‐‑"},
    **dict(zip(map(ord, "ٱىیکة"), "اييكه", strict=True)),
    **{first + digit: str(digit) for first in (0x660, 0x6F0) for digit in range(10)},
}
_SPELLED: Final = str.maketrans(
    {
        "ß": "ss",
        "ς": "σ",
        "ı": "i",
        "ł": "l",
        "ø": "o",
        "đ": "d",
        "æ": "ae",
        "œ": "oe",
        "þ": "th",
        "ð": "d",
    }
)


@dataclass(frozen=True, slots=True)
class Word:
    """What stands between two gaps of a text.

    It is found by `whole`, which is empty where it is too long or a run of a script without spaces; by all of its
    `parts`; or by one of the `others`. A word of one part has that as its whole. `terms` are all of them, each once.
    """

    whole: str
    parts: tuple[str, ...]
    others: tuple[str, ...] = ()
    terms: tuple[str, ...] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        found = tuple(dict.fromkeys(filter(None, (self.whole, *self.parts, *self.others))))
        object.__setattr__(self, "terms", found)


def even(text: str) -> str:
    """Take from a text what does not count: accents, points, unseen signs, forms of a letter; case stays."""
    if text.isascii():
        return text
    apart = unicodedata.normalize("NFKD", text).translate(_ALIKE)
    return unicodedata.normalize("NFC", apart)


def chunks(text: str) -> list[str]:
    """Cut a text at its gaps; each chunk is to be given to `word`."""
    evened = even(text)
    return _ASCII_CHUNK.findall(evened) if evened.isascii() else _CHUNK.findall(evened)


def word(chunk: str) -> Word:
    """Take a chunk apart."""
    if not chunk.isascii() and _SIGN.match(chunk):
        return _unspaced(chunk)
    if chunk.isascii() and chunk.isalpha() and (chunk.islower() or chunk.istitle()):
        plain = chunk.lower()
        return Word(plain, (plain,)) if len(plain) <= LONGEST_WORD else Word("", ())
    return _joined(chunk)


def words(text: str) -> list[Word]:
    """Give the words of a text, in order."""
    return [word(chunk) for chunk in chunks(text)]


def name(text: str) -> str:
    """Give a whole title as one word, so that who types all of it finds it first; nothing when it is too long.

    Words of questions do not count, unless there is no other.
    """
    parts = _LETTERS.findall(even(text))
    whole = _fold("".join([part for part in parts if part.lower() not in LITTLE] or parts))
    return whole if len(whole) <= LONGEST_WORD else ""


def _unspaced(run: str) -> Word:
    signs = _SIGN.findall(run)
    pairs = tuple(map("".join, pairwise(signs)))
    return Word("", pairs, (signs[-1],)) if pairs else Word("", (run,))


def _joined(chunk: str) -> Word:
    if len(chunk) > _LONGEST_CHUNK:
        return Word("", ())
    ending = "++" if chunk.endswith("++") else "#" if chunk.endswith("#") else ""
    parts: list[str] = []
    others: list[str] = []
    for part in _PART.findall(chunk):
        if _NUMBER.fullmatch(part):
            longest, *shorter = _beginnings(part)
            parts.append(longest)
            others += shorter
        elif part.islower():
            parts.append(_fold(part))
        else:
            parts += map(_fold, _CAMEL.findall(part))
    whole = "".join(parts) + ending
    alone = len(parts) == 1
    kept = tuple(part for part in parts if len(part) <= LONGEST_WORD and (alone or not _is_letter(part)))
    return Word(whole if len(whole) <= LONGEST_WORD else "", kept, tuple(others))


def _beginnings(number: str) -> Iterator[str]:
    """Give a number of several parts, and what it begins with: `v1.2.3` gives 1.2.3 and 1.2."""
    parts = _DIGITS.findall(number)[:_MOST_NUMBERS]
    for length in range(len(parts), 1, -1):
        yield ".".join(parts[:length])
    if len(parts[0]) > 1:
        yield parts[0]


def _is_letter(part: str) -> bool:
    """Whether it is one Latin letter, which says nothing beside the other parts of its word."""
    return len(part) == 1 and part.isascii() and part.isalpha()


def _fold(part: str) -> str:
    low = part.lower()
    if low.isascii():
        return low
    spelled = low.translate(_SPELLED)
    bare = spelled.removeprefix(_ARTICLE)
    return bare if len(bare) >= _SHORTEST_WITHOUT_ARTICLE else spelled
