"""Owns which languages the extractor has tables for, what they know together, and telling languages apart."""

from __future__ import annotations

import re
from functools import lru_cache

from pipeline.models.extractive.tongues.chinese import CHINESE
from pipeline.models.extractive.tongues.ear import compile_all, expanded
from pipeline.models.extractive.tongues.english import ENGLISH
from pipeline.models.extractive.tongues.french import FRENCH
from pipeline.models.extractive.tongues.german import GERMAN
from pipeline.models.extractive.tongues.japanese import JAPANESE
from pipeline.models.extractive.tongues.korean import KOREAN
from pipeline.models.extractive.tongues.portuguese import PORTUGUESE
from pipeline.models.extractive.tongues.russian import RUSSIAN
from pipeline.models.extractive.tongues.spanish import SPANISH
from pipeline.models.extractive.tongues.tongue import Act, Tongue

TONGUES = (ENGLISH, GERMAN, FRENCH, SPANISH, PORTUGUESE, RUSSIAN, JAPANESE, CHINESE, KOREAN)
UNKNOWN = Tongue(code="", function_words=frozenset())
"""Any other language."""

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CODE = re.compile(r"`[^`\n]*`|https?://\S+|\S*[/\\_]\S*")
_SAMPLE = 4_000
_LEAST_SHARE = 6
"""At least every so-many-th word must be a function word of a language for a text to be in it."""
_SCRIPTS = (
    (JAPANESE, re.compile(r"[\u3040-\u30ff]"), 12),
    (KOREAN, re.compile(r"[\uac00-\ud7af]"), 8),
    (CHINESE, re.compile(r"[\u3400-\u9fff]"), 8),
    (RUSSIAN, re.compile(r"[\u0400-\u04ff]"), 4),
)
"""In this order: a script, and at least every how-many-th letter must be of it."""
_HEADING_MARKS = " \t*_`#:：.!?？-–—✅❌⚠🔴🟡🟢"


def tongue_of(text: str, fallback: Tongue = UNKNOWN) -> Tongue:
    """Tell the language of `text`: by its script, or by its function words; `fallback` when nothing tells."""
    sample = _CODE.sub(" ", text[:_SAMPLE])
    letters = sum(map(str.isalpha, sample)) or 1
    for tongue, script, share in _SCRIPTS:
        if len(script.findall(sample)) * share >= letters:
            return tongue
    found = [word.casefold().replace("’", "'") for word in _WORD.findall(sample)]
    best, most = fallback, 1
    for tongue in TONGUES:
        hits = sum(word in tongue.function_words for word in found) if tongue.spaced else 0
        hits += sum(map(sample.count, tongue.letters)) if hits else 0
        if hits > most:
            best, most = tongue, hits
    return best if most * _LEAST_SHARE >= len(found) else fallback


@lru_cache(maxsize=8_192)
def heading_act(text: str) -> Act:
    """Say what a heading or lead-in says about what stands under it; the whole of it must match, in any language."""
    bare = text.strip(_HEADING_MARKS).casefold()
    return next((act for act, pattern in _heading_patterns() if pattern.fullmatch(bare)), "none")


@lru_cache(maxsize=1)
def _heading_patterns() -> tuple[tuple[Act, re.Pattern[str]], ...]:
    acts: dict[Act, list[str]] = {}
    for tongue in TONGUES:
        for act, alternatives in tongue.headings.items():
            acts.setdefault(act, []).extend(expanded(one, tongue) for one in alternatives)
    return tuple((act, compile_all(tuple(alternatives), UNKNOWN)) for act, alternatives in acts.items())


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Give the words without meaning of their own, of all languages."""
    return frozenset().union(*(tongue.function_words for tongue in TONGUES))


@lru_cache(maxsize=1)
def hollow_words() -> frozenset[str]:
    """Give the nouns too general to be a subject, of all languages."""
    return frozenset().union(*(tongue.hollow for tongue in TONGUES))
