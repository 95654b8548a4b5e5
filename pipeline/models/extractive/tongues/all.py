"""Owns which languages the extractor has tables for, their compiled patterns, and telling languages apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pipeline.models.extractive.tongues.chinese import CHINESE
from pipeline.models.extractive.tongues.english import ENGLISH
from pipeline.models.extractive.tongues.french import FRENCH
from pipeline.models.extractive.tongues.german import GERMAN
from pipeline.models.extractive.tongues.japanese import JAPANESE
from pipeline.models.extractive.tongues.korean import KOREAN
from pipeline.models.extractive.tongues.portuguese import PORTUGUESE
from pipeline.models.extractive.tongues.russian import RUSSIAN
from pipeline.models.extractive.tongues.spanish import SPANISH
from pipeline.models.extractive.tongues.tongue import Act, Tongue, Words

TONGUES: tuple[Tongue, ...] = (
    ENGLISH,
    GERMAN,
    FRENCH,
    SPANISH,
    PORTUGUESE,
    RUSSIAN,
    JAPANESE,
    CHINESE,
    KOREAN,
)
UNKNOWN = Tongue(code="", function_words=frozenset())

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SAMPLE = 4_000
_NEVER = re.compile(r"(?!)")
_CODE = re.compile(r"`[^`\n]*`|https?://\S+|\S*[/\\_]\S*")


@dataclass(frozen=True, slots=True)
class Ear:
    """The patterns of one language, compiled; `starts_*` are to be matched, the others searched."""

    tongue: Tongue
    dropped: re.Pattern[str]
    chatter: re.Pattern[str]
    dangling: re.Pattern[str]
    polite: re.Pattern[str]
    pleads: re.Pattern[str]
    imperative: re.Pattern[str]
    setting: re.Pattern[str]
    continues: re.Pattern[str]
    asks: re.Pattern[str]
    wonders: re.Pattern[str]
    result: re.Pattern[str]
    done: re.Pattern[str]
    claim: re.Pattern[str]
    request: re.Pattern[str]
    decision: re.Pattern[str]
    contrast: re.Pattern[str]
    preference: re.Pattern[str]
    rule: re.Pattern[str]
    problem: re.Pattern[str]
    cause: re.Pattern[str]
    fix: re.Pattern[str]
    concept: re.Pattern[str]
    wish: re.Pattern[str]
    open: re.Pattern[str]
    proposal: re.Pattern[str]
    hedge: re.Pattern[str]
    passing_state: re.Pattern[str]
    self_reference: re.Pattern[str]
    passing: re.Pattern[str]


@lru_cache(maxsize=32)
def ear(tongue: Tongue) -> Ear:
    """Compile the patterns of a language, once."""
    return Ear(
        tongue=tongue,
        dropped=_pattern(tongue.starts_dropped),
        chatter=_pattern(tongue.starts_chatter),
        dangling=_pattern(tongue.starts_dangling),
        polite=_pattern(tongue.starts_request),
        pleads=_pattern(tuple(f"(?:{one})[。.!！?？\\s]*$" for one in tongue.ends_request)),
        imperative=_pattern(tongue.starts_imperative),
        setting=_pattern(tongue.starts_setting),
        continues=_pattern(tongue.continues),
        asks=_pattern((*tongue.starts_question, *tongue.starts_wondering)),
        wonders=_pattern(tongue.starts_wondering),
        result=_pattern((*tongue.starts_done, *tongue.starts_result)),
        done=_pattern(tongue.starts_done),
        claim=_pattern(tongue.starts_claim),
        request=_pattern(tongue.request),
        decision=_pattern(tongue.decision),
        contrast=_pattern(tongue.contrast),
        preference=_pattern(tongue.preference),
        rule=_pattern(tongue.rule),
        problem=_pattern(tongue.problem),
        cause=_pattern(tongue.cause),
        fix=_pattern(tongue.fix),
        concept=_pattern(tongue.concept),
        wish=_pattern(tongue.wish),
        open=_pattern(tongue.open),
        hedge=_pattern(tongue.hedge),
        passing_state=_pattern(tongue.passing_state),
        self_reference=_pattern(tongue.self_reference),
        proposal=_pattern(tongue.proposal),
        passing=_pattern(tongue.passing),
    )


@lru_cache(maxsize=1)
def _heading_patterns() -> tuple[tuple[Act, re.Pattern[str]], ...]:
    acts: dict[Act, list[str]] = {}
    for tongue in TONGUES:
        for act, alternatives in tongue.headings.items():
            acts.setdefault(act, []).extend(alternatives)
    return tuple((act, _pattern(tuple(alternatives))) for act, alternatives in acts.items())


@lru_cache(maxsize=8_192)
def heading_act(text: str) -> Act:
    """What a heading or lead-in says about what stands under it; the whole of it must match, in any language."""
    bare = text.strip(" \t*_`#:：.!?？-–—✅❌⚠🔴🟡🟢").casefold()
    for act, pattern in _heading_patterns():
        if pattern.fullmatch(bare):
            return act
    return "none"


@lru_cache(maxsize=1)
def function_words() -> frozenset[str]:
    """Words without meaning of their own, of all languages."""
    return frozenset().union(*(tongue.function_words for tongue in TONGUES))


@lru_cache(maxsize=1)
def vague_heads() -> frozenset[str]:
    """Nouns that make a noun phrase vague when they stand at its end, of all languages."""
    return frozenset().union(*(tongue.vague_heads for tongue in TONGUES))


@lru_cache(maxsize=1)
def kinds_of_name() -> frozenset[str]:
    """Nouns that may follow a name in code, of all languages."""
    return frozenset().union(*(tongue.kinds_of_name for tongue in TONGUES))


@lru_cache(maxsize=1)
def hollow_words() -> frozenset[str]:
    """Nouns too general to be a subject, of all languages."""
    return frozenset().union(*(tongue.hollow for tongue in TONGUES))


def tongue_of(text: str, fallback: Tongue = UNKNOWN) -> Tongue:
    """Tell the language of `text`: by its script, or by its function words; `fallback` when nothing tells."""
    sample = _CODE.sub(" ", text[:_SAMPLE])
    if scripted := _by_script(sample):
        return scripted
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(sample)]
    best, most = fallback, 1
    for tongue in TONGUES:
        if tongue.spaced:
            hits = sum(word in tongue.function_words for word in words)
            if hits > most:
                best, most = tongue, hits
    return best if most * 6 >= len(words) else fallback


def _by_script(text: str) -> Tongue | None:
    codes = {tongue.code: tongue for tongue in TONGUES}
    letters = sum(character.isalpha() for character in text) or 1
    kana = len(re.findall(r"[\u3040-\u30ff]", text))
    han = len(re.findall(r"[\u3400-\u9fff]", text))
    hangul = len(re.findall(r"[\uac00-\ud7af]", text))
    cyrillic = len(re.findall(r"[\u0400-\u04ff]", text))
    if kana * 12 >= letters:
        return codes.get("ja")
    if hangul * 8 >= letters:
        return codes.get("ko")
    if han * 8 >= letters:
        return codes.get("zh")
    if cyrillic * 4 >= letters:
        return codes.get("ru")
    return None


def _pattern(alternatives: Words) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{one})" for one in alternatives), re.IGNORECASE) if alternatives else _NEVER
