"""Owns what counts as a word in any script, and which of a few texts share telling words with another.

Ranking thousands of pages by an index is the business of `pipeline.memory.search`.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import regex

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_LETTERS: Final = r"[\p{L}\p{M}\p{N}]"
_CHUNK: Final = regex.compile(rf"{_LETTERS}+(?:[_./\\:@-]+{_LETTERS}+)*")
_PART: Final = regex.compile(r"[_./\\:@-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})")
# Scripts that put no spaces between words; two neighbours stand for a word there.
_UNSPACED: Final = regex.compile(
    r"([\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}][\p{M}]*)", regex.V1
)
_ACCENTS: Final = regex.compile(r"(?<=\p{Latin}\p{Mn}*)\p{Mn}+")
_LONGEST_CHUNK: Final = 200
"""Unicode characters; what is longer is Base64 or a minified line, and no word."""
_SHORTEST_PLURAL: Final = 4

_NAME, _TAG, _DESCRIPTION = 3.0, 2.0, 1.0
_UNLIKELY_SHARE: Final = 0.5
_LEAST_SHARE: Final = 0.1
"""A page whose score is below this part of the best one's shares but common words."""


def terms(text: str) -> Counter[str]:
    """Count the words of a text: identifiers and paths whole and in their parts, without case and plural s.

    An identifier also counts without what joins its parts, so that `session_store` and `sessionStore` are one word.
    Latin letters count without their accents. Text in a script without spaces counts by pairs of neighbouring
    characters.
    """
    counted: Counter[str] = Counter()
    for chunk, times in Counter(_CHUNK.findall(text)).items():
        for term in _split(chunk):
            counted[term] += times
    return counted


def weigh(names: Iterable[str], tags: Iterable[str], description: str) -> dict[str, float]:
    """Weigh the words of a page's line in the catalogue: those of its names most, then tags, then description."""
    weights: dict[str, float] = {}
    for weight, texts in ((_DESCRIPTION, (description,)), (_TAG, tags), (_NAME, names)):
        weights.update(dict.fromkeys(terms("\n".join(texts)), weight))
    return weights


def rank(window: Counter[str], pages: Mapping[str, Mapping[str, float]], unlikely: Collection[str]) -> tuple[str, ...]:
    """Order the pages that share telling words with a window, the most likely first.

    `pages` gives weighed words by path; `unlikely` names those that seldom are what a window changes, although
    they share many words with it. Words weigh by how few of the pages bear them; pages that share none, or
    next to nothing, are left out. Equal scores go by path.
    """
    spread = Counter(term for weights in pages.values() for term in weights if term in window)
    telling = {
        term: math.log(1 + (len(pages) - bearers + 0.5) / (bearers + 0.5)) * (1 + math.log(window[term]))
        for term, bearers in spread.items()
    }
    scored = {
        path: _score(weights, telling) * (_UNLIKELY_SHARE if path in unlikely else 1) for path, weights in pages.items()
    }
    least = max(scored.values(), default=0.0) * _LEAST_SHARE
    near = [path for path, score in scored.items() if score > 0 and score >= least]
    return tuple(sorted(near, key=lambda path: (-scored[path], path)))


def _score(weights: Mapping[str, float], telling: Mapping[str, float]) -> float:
    shared = math.fsum(telling[term] * weight for term, weight in weights.items() if term in telling)
    return round(shared / math.sqrt(math.fsum(weights.values()) or 1), 9)


@lru_cache(maxsize=100_000)
def _split(chunk: str) -> tuple[str, ...]:
    """Give the words of a chunk; most of a text are words that were split before."""
    if len(chunk) > _LONGEST_CHUNK:
        return ()
    parts = [_fold(part) for part in _PART.split(unicodedata.normalize("NFC", chunk)) if part]
    found: list[str] = []
    if len(parts) > 1:
        found += dict.fromkeys((_fold(chunk), _without_plural("".join(parts))))
    for part in parts:
        found += _words(part)
    return tuple(found)


def _words(part: str) -> Iterator[str]:
    pieces = [piece for piece in _UNSPACED.split(part) if piece]
    unspaced = [bool(_UNSPACED.fullmatch(piece)) for piece in pieces]
    for index, (piece, alone) in enumerate(zip(pieces, unspaced, strict=True)):
        if not alone:
            yield from _spaced(piece)
        elif index + 1 < len(pieces) and unspaced[index + 1]:
            yield piece + pieces[index + 1]
        elif index == 0 or not unspaced[index - 1]:
            yield piece


def _spaced(word: str) -> Iterator[str]:
    if len(word) > 1:
        yield _without_plural(word)


def _without_plural(word: str) -> str:
    plural = word.isascii() and len(word) >= _SHORTEST_PLURAL and word.endswith("s") and not word.endswith("ss")
    return word[:-1] if plural else word


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).casefold()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", folded)))
