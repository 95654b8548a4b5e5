"""Owns when two texts say the same, speak of the same subject, or contradict each other; knows no page.

Texts are compared by their terms: words without endings, identifiers as they are, and pairs of characters where
a script has no spaces. Numbers and negations are values, kept apart: what differs in a value is no duplicate.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.models.extractive.tongues.all import function_words, hollow_words

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORD = re.compile(r"[^\W_][\w'’.+#/@-]*[\w#+]|[^\W_]|(?<![\w-])--?[a-z][\w-]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0e7f]+")
_COMPOUND = re.compile(r"-{0,2}[^\W\d_]+(?:-[^\W\d_]+)+")
_NUMBER = re.compile(r"(?<![\w.])[vV]?\d[\d.,:_]*(?:ms|s|m|h|d|%|kb|mb|gb|k|x)?(?![\w])", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|without|nicht|kein\w*|nie|ohne|ne|pas|jamais|sans|nunca|sin|não|nao|sem|не|нет|без|"
    r"никогда)\b|n't\b|n’t\b|ない|ません|ず(?=、|に)|[不没沒别未]|않|없|안 ",
    re.IGNORECASE,
)
_POLES = (
    (re.compile(r"\b(?:enabled?|on|true|aktiviert|eingeschaltet|activé\w*|activad\w+|ativad\w+|включ\w+)\b|有効|启用|활성", re.I), "+"),
    (re.compile(r"\b(?:disabled?|off|false|deaktiviert|ausgeschaltet|désactivé\w*|desactivad\w+|desativad\w+|отключ\w+|"
                r"выключ\w+)\b|無効|禁用|비활성", re.I), "-"),
)
_ENDINGS = ("ations", "ation", "ments", "ment", "ingly", "ings", "ing", "edly", "ies", "ied", "ers", "er", "es", "ed", "ly", "s", "e")
_SHORTEST_STEM = 3

DUPLICATE = 0.72
CONTAINED = 0.86
SAME_TITLE = 0.6


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a text is compared by."""

    terms: frozenset[str]
    values: frozenset[str]


@lru_cache(maxsize=16_384)
def likeness(text: str) -> Likeness:
    """Read `text` (plain) for comparison."""
    return Likeness(terms(text), values(text))


@lru_cache(maxsize=16_384)
def terms(text: str) -> frozenset[str]:
    """The terms that carry the meaning of `text`; words that carry none are left out."""
    return frozenset(_terms(text))


@lru_cache(maxsize=16_384)
def subject_terms(text: str) -> frozenset[str]:
    """The terms of `text` without nouns too general to be a subject."""
    return frozenset(term for term in _terms(text) if term not in _hollow_stems())


def values(text: str) -> frozenset[str]:
    """Numbers, versions, negation and on/off words: in what two statements about one thing can differ."""
    found = {match.group().casefold().strip(".,:") for match in _NUMBER.finditer(text)}
    if _NEGATION.search(text):
        found.add("not")
    found.update(sign for pattern, sign in _POLES if pattern.search(text))
    return frozenset(found)


def same(one: str, other: str) -> bool:
    """Whether two plain texts say the same in nearly the same words, with the same values."""
    if one.casefold() == other.casefold():
        return True
    left, right = likeness(one), likeness(other)
    if not left.terms or not right.terms:
        return False
    if left.values != right.values and not (left.values <= right.values or right.values <= left.values):
        return False
    shared = len(left.terms & right.terms)
    smaller = min(len(left.terms), len(right.terms))
    if left.values != right.values:
        # One says a value more: it is the same only when it says everything else too.
        return smaller >= 4 and shared == smaller and len(left.terms | right.terms) - smaller <= 2 and not (
            {"not", "+", "-"} & (left.values ^ right.values)
        )
    union = len(left.terms | right.terms)
    return shared / union >= DUPLICATE or (smaller >= 5 and shared / smaller >= CONTAINED)


def contradicts(one: str, other: str) -> bool:
    """Whether two plain texts say the same of the same thing with another value."""
    left, right = likeness(one), likeness(other)
    if left.values == right.values or not (left.values and right.values or _flips(left, right)):
        return False
    if left.values <= right.values or right.values <= left.values:
        if not _flips(left, right):
            return False
    shared = len(left.terms & right.terms)
    union = len(left.terms | right.terms)
    return shared >= 3 and shared / union >= 0.55


def _flips(left: Likeness, right: Likeness) -> bool:
    return bool({"not", "+", "-"} & (left.values ^ right.values))


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """How much of the smaller set of terms stands in the other."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """How much two sets of terms share of all they hold."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def same_title(one: str, other: str) -> bool:
    """Whether two titles name one subject in other words."""
    if one.casefold() == other.casefold():
        return True
    left, right = subject_terms(one) or terms(one), subject_terms(other) or terms(other)
    if not left or not right:
        return False
    if left == right:
        return True
    shared = len(left & right)
    smaller = min(len(left), len(right))
    return jaccard(left, right) >= SAME_TITLE or (smaller >= 3 and shared == smaller and max(len(left), len(right)) <= smaller + 2)


def distinct(texts: Iterable[str]) -> list[str]:
    """The texts without those that repeat an earlier one."""
    kept: list[str] = []
    for text in texts:
        if not any(same(text, held) for held in kept):
            kept.append(text)
    return kept


def _terms(text: str) -> list[str]:
    found: list[str] = []
    for match in _WORD.finditer(text.replace("’", "'")):
        word = match.group().casefold()
        if not word.isascii() and (unspaced := _UNSPACED.findall(word)):
            for run in unspaced:
                found.extend(_pairs(run))
            word = _UNSPACED.sub("", word)
        if "-" in word and _COMPOUND.fullmatch(word):
            found.extend(term for part in word.split("-") if (term := _stem(part)))
        elif term := _stem(word):
            found.append(term)
    return found


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    """A word without its ending, an identifier without its path; empty for a word that carries nothing."""
    word = word.strip("'.-/")
    if word.endswith("'s"):
        word = word[:-2]
    if not word or word in function_words():
        return ""
    if "/" in word:
        word = word.rsplit("/", 1)[-1] or word
    if not word.isalpha():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=1)
def _hollow_stems() -> frozenset[str]:
    return frozenset(_stem(word) for word in hollow_words()) | frozenset(hollow_words())
