"""Owns when two texts say the same, speak of the same subject, or contradict each other; knows no page.

Texts are compared by their terms: words without endings, identifiers as they are, and pairs of characters where
a script has no spaces. Numbers and negations are values, kept apart: what differs in a value is no duplicate.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.models.extractive.tongues.all import function_words, hollow_words

_WORD = re.compile(r"[^\W_][\w'’.+#/@-]*[\w#+]|[^\W_]|(?<![\w-])--?[a-z][\w-]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0e7f]+")
_COMPOUND = re.compile(r"-{0,2}[^\W\d_]+(?:-[^\W\d_]+)+")
_NUMBER = re.compile(r"(?<![\w.])v?\d[\d.,:_]*(?:ms|s|m|h|d|%|kb|mb|gb|k|x)?(?!\w)", re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|without|nicht|kein\w*|nie|ohne|ne|pas|jamais|sans|nunca|sin|não|nao|sem|не|нет|без|"
    r"никогда)\b|n['’]t\b|ない|ません|ず(?=、|に)|[不没沒别未]|않|없|안 ",
    re.IGNORECASE,
)
_ON = re.compile(
    r"\b(?:enabled?|on|true|aktiviert|eingeschaltet|activé\w*|activad\w+|ativad\w+|включ\w+)\b|有効|启用|활성",
    re.IGNORECASE,
)
_OFF = re.compile(
    r"\b(?:disabled?|off|false|deaktiviert|ausgeschaltet|désactivé\w*|desactivad\w+|desativad\w+|отключ\w+|выключ\w+)\b|"
    r"無効|禁用|비활성",
    re.IGNORECASE,
)
_POLES = frozenset({"not", "+", "-"})
"""Values that turn a statement around."""
_ENDINGS = (
    *("ations", "ation", "ments", "ment", "ingly", "ings", "ing", "edly", "ies", "ied", "ers", "er", "es", "ed", "ly"),
    *("s", "e"),
)
_SHORTEST_STEM = 3

_DUPLICATE = 0.72
_CONTAINED = 0.86
_FEWEST_CONTAINED = 5
_FEWEST_WITH_A_VALUE_MORE = 4
_MOST_TERMS_MORE = 2
_FEWEST_ALIKE = 4
"""Terms that two texts must share to be alike; one fewer where the shorter has no others."""
_ALIKE = 0.75
_ALIKE_AT_ALL = 0.45
_CONTRADICTION = 0.55
_FEWEST_CONTRADICTING = 3
_SAME_TITLE = 0.6
_FEWEST_IN_TITLE = 3


@lru_cache(maxsize=16_384)
def terms(text: str) -> frozenset[str]:
    """Collect the terms that carry the meaning of `text` (plain); words that carry none are left out."""
    return frozenset(_terms(text))


@lru_cache(maxsize=16_384)
def subject_terms(text: str) -> frozenset[str]:
    """Collect the terms of `text` (plain) without nouns too general to be a subject."""
    return frozenset(_terms(text, hollow_words()))


@lru_cache(maxsize=16_384)
def values(text: str) -> frozenset[str]:
    """Collect numbers, versions, negation and on/off words: in what two statements about one thing can differ."""
    found = {match.group().casefold().strip(".,:") for match in _NUMBER.finditer(text)}
    signs = (("not", _NEGATION), ("+", _ON), ("-", _OFF))
    return frozenset(found) | {sign for sign, pattern in signs if pattern.search(text)}


def same(one: str, other: str) -> bool:
    """Say whether two plain texts say the same in nearly the same words, with the same values."""
    if one.casefold() == other.casefold():
        return True
    left, right = terms(one), terms(other)
    shared = len(left & right)
    smaller = min(len(left), len(right))
    if shared * 2 < smaller or not smaller:
        return False
    ours, theirs = values(one), values(other)
    union = len(left | right)
    if ours == theirs:
        return shared / union >= _DUPLICATE or (smaller >= _FEWEST_CONTAINED and shared / smaller >= _CONTAINED)
    # One says a value more: it is the same only when it says everything else too.
    says_more = (ours < theirs or theirs < ours) and not _POLES & (ours ^ theirs)
    says_all = shared == smaller >= _FEWEST_WITH_A_VALUE_MORE and union - smaller <= _MOST_TERMS_MORE
    return says_more and says_all


def alike(one: str, other: str) -> bool:
    """Say whether two plain texts tell one thing in other words: one has hardly anything of its own.

    Two texts that each name something in code that the other does not are about two things.
    """
    if same(one, other):
        return True
    left, right = subject_terms(one), subject_terms(other)
    shared = len(left & right)
    smaller = min(len(left), len(right))
    if (
        shared < _FEWEST_ALIKE - (shared == smaller)
        or shared / smaller < _ALIKE
        or shared / len(left | right) < _ALIKE_AT_ALL
    ):
        return False
    ours, theirs = values(one), values(other)
    if _POLES & (ours ^ theirs) or not (ours <= theirs or theirs <= ours):
        return False
    return all(map(str.isalpha, left - right)) or all(map(str.isalpha, right - left))


def contradicts(one: str, other: str) -> bool:
    """Say whether two plain texts say the same of the same thing with another value."""
    left, right = terms(one), terms(other)
    shared = len(left & right)
    if shared < _FEWEST_CONTRADICTING or shared / len(left | right) < _CONTRADICTION:
        return False
    ours, theirs = values(one), values(other)
    if _POLES & (ours ^ theirs):
        return True
    return not (ours <= theirs or theirs <= ours)


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Measure how much of the smaller set of terms stands in the other."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Measure how much two sets of terms share of all they hold."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0


def same_title(one: str, other: str) -> bool:
    """Say whether two titles name one subject in other words."""
    if one.casefold() == other.casefold():
        return True
    left, right = subject_terms(one) or terms(one), subject_terms(other) or terms(other)
    if not left or not right or values(one) - _POLES != values(other) - _POLES:
        return False
    if left == right or jaccard(left, right) >= _SAME_TITLE:
        return True
    smaller, larger = sorted((left, right), key=len)
    return len(smaller) >= _FEWEST_IN_TITLE and smaller <= larger and len(larger - smaller) <= _MOST_TERMS_MORE


def _terms(text: str, without: frozenset[str] = frozenset()) -> list[str]:
    found: list[str] = []
    for match in _WORD.finditer(text.replace("’", "'")):
        word = match.group().casefold()
        if not word.isascii():
            for run in _UNSPACED.findall(word):
                found.extend(_pairs(run))
            word = _UNSPACED.sub("", word)
        parts = word.split("-") if "-" in word and _COMPOUND.fullmatch(word) else (word,)
        found.extend(term for part in parts if part not in without and (term := _stem(part)))
    return found


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]


@lru_cache(maxsize=32_768)
def _stem(word: str) -> str:
    """Take a word without its ending, an identifier without its path; empty for a word that carries nothing."""
    word = word.strip("'.-/").removesuffix("'s")
    if not word or word in function_words():
        return ""
    word = word.rsplit("/", 1)[-1] or word
    if not word.isalpha():
        return word
    ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) - len(one) >= _SHORTEST_STEM), "")
    return word.removesuffix(ending)
