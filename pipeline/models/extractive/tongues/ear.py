"""Owns the patterns of a language, compiled; knows no particular language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.models.extractive.tongues.tongue import Tongue, Words

_PART = re.compile(r"<([a-z]+)>")
_NEVER = re.compile(r"(?!)")
_FULL_STOP = r"[。.!！?？\s]*$"


@dataclass(frozen=True, slots=True)
class Ear:
    """The patterns of one language. Those that say what a sentence begins with are to be matched, `passing` fully."""

    tongue: Tongue
    dropped: re.Pattern[str]
    chatter: re.Pattern[str]
    dangling: re.Pattern[str]
    passing: re.Pattern[str]
    polite: re.Pattern[str]
    pleads: re.Pattern[str]
    imperative: re.Pattern[str]
    chore: re.Pattern[str]
    request: re.Pattern[str]
    asks: re.Pattern[str]
    wonders: re.Pattern[str]
    result: re.Pattern[str]
    done: re.Pattern[str]
    decision: re.Pattern[str]
    wish: re.Pattern[str]
    contrast: re.Pattern[str]
    preference: re.Pattern[str]
    rule: re.Pattern[str]
    problem: re.Pattern[str]
    cause: re.Pattern[str]
    fix: re.Pattern[str]
    concept: re.Pattern[str]
    verbs: re.Pattern[str]
    open: re.Pattern[str]
    proposal: re.Pattern[str]
    hedge: re.Pattern[str]
    passing_state: re.Pattern[str]
    fleeting: re.Pattern[str]
    bygone: re.Pattern[str]
    self_reference: re.Pattern[str]
    claim: re.Pattern[str]
    setting: re.Pattern[str]
    speaker: re.Pattern[str]
    pointers: re.Pattern[str]
    articles: re.Pattern[str]
    continues: re.Pattern[str]
    breaks: re.Pattern[str]
    adjuncts: re.Pattern[str]
    idle_end: re.Pattern[str]


@lru_cache(maxsize=32)
def ear(tongue: Tongue) -> Ear:
    """Compile the patterns of a language, once."""

    def compiled(alternatives: Words) -> re.Pattern[str]:
        return compile_all(alternatives, tongue)

    return Ear(
        tongue=tongue,
        dropped=compiled(tongue.starts_dropped),
        chatter=compiled(tongue.starts_chatter),
        dangling=compiled(tongue.starts_dangling),
        passing=compiled(tongue.passing),
        polite=compiled(tongue.starts_request),
        pleads=compiled(tuple(f"(?:{one}){_FULL_STOP}" for one in tongue.ends_request)),
        imperative=compiled(tongue.starts_imperative),
        chore=compiled(tongue.starts_chore),
        request=compiled(tongue.request),
        asks=compiled((*tongue.starts_question, *tongue.starts_wondering)),
        wonders=compiled(tongue.starts_wondering),
        result=compiled((*tongue.starts_done, *tongue.starts_result)),
        done=compiled(tongue.starts_done),
        decision=compiled(tongue.decision),
        wish=compiled(tongue.wish),
        contrast=compiled(tongue.contrast),
        preference=compiled(tongue.preference),
        rule=compiled(tongue.rule),
        problem=compiled(tongue.problem),
        cause=compiled(tongue.cause),
        fix=compiled(tongue.fix),
        concept=compiled(tongue.concept),
        verbs=compiled(tongue.verbs),
        open=compiled(tongue.open),
        proposal=compiled(tongue.proposal),
        hedge=compiled(tongue.hedge),
        passing_state=compiled(tongue.passing_state),
        fleeting=compiled(tongue.fleeting),
        bygone=compiled(tongue.bygone),
        self_reference=compiled(tongue.self_reference),
        claim=compiled(tongue.starts_claim),
        setting=compiled(tongue.starts_setting),
        speaker=compiled(tongue.starts_speaker),
        pointers=compiled(tongue.pointers),
        articles=compiled(tongue.articles),
        continues=compiled(tongue.continues),
        breaks=compiled(tongue.breaks),
        adjuncts=compiled(tongue.adjuncts),
        idle_end=compiled(tuple(f"(?:{one})$" for one in tongue.ends_idle)),
    )


def compile_all(alternatives: Words, tongue: Tongue) -> re.Pattern[str]:
    """Compile alternatives of one language into one pattern; none match nothing."""
    if not alternatives:
        return _NEVER
    return re.compile("|".join(f"(?:{expanded(one, tongue)})" for one in alternatives), re.IGNORECASE)


def expanded(pattern: str, tongue: Tongue) -> str:
    """Put the alternatives that a pattern names in their place."""
    return _PART.sub(lambda found: "|".join(tongue.parts[found[1]]), pattern)
