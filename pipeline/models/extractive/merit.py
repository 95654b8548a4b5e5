"""Owns single questions about a statement: is it whole, sure, timeless, specific, a decision. Knows no section."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.signals import closed, identifiers, weighs_up
from pipeline.models.extractive.similarity import terms
from pipeline.models.extractive.subjects import subject_of

if TYPE_CHECKING:
    from pipeline.models.extractive.session import Statement

_RELATIVE = re.compile(r"\b(?:that|which|who|whose|where)\b", re.IGNORECASE)
_LONG_SENTENCE = 60
_SPECIFIC_TERMS = 4
_LONGEST_OPINION = 1_200
_OPENING_BLOCKS = 4
"""In a longer text only the beginning is taken for its author's word; the rest may be pasted."""
_LEAST_ALONE = 0.5


def is_whole(one: Statement) -> bool:
    """Say whether a statement is a sentence of its own, not the name of something in a list."""
    if one.piece.shape == "headline" or "result" in one.heard or one.plain.endswith((".", "!", "。", "！")):
        return True
    if one.piece.shape == "sentence" and (one.voice.prompt or len(one.plain) > _LONG_SENTENCE):
        return True
    ear = one.voice.ear
    if ear.tongue.verbs:
        found = [verb.start() for verb in ear.verbs.finditer(one.piece.body)]
        clause = _RELATIVE.search(one.piece.body, 1)
        in_clause = clause is not None and len(found) == 1 and clause.start() < found[0]
        return bool(found) and not in_clause  # `Details that nobody reads` is a name with a clause behind it.
    if not ear.tongue.starts_done:
        return True  # Without verbs in the table nothing tells a phrase from a sentence.
    return not {"cause", "problem"}.isdisjoint(one.heard) or bool(subject_of(one.piece.raw, one.voice.ear))


def is_sure(one: Statement) -> bool:
    """Say whether its speaker neither guesses nor, being an assistant, speaks of themself."""
    ear = one.voice.ear
    return not (ear.hedge.search(one.plain) or (not one.voice.person and ear.self_reference.search(one.plain)))


def is_timeless(one: Statement) -> bool:
    """Say whether a statement holds beyond its moment: no progress report, no guess, no speaking of oneself."""
    return is_sure(one) and one.voice.ear.passing_state.search(one.plain) is None


def is_lasting(one: Statement) -> bool:
    """Say whether a statement is more than news: that work is complete, that something is new or not there."""
    return one.voice.ear.fleeting.search(one.plain) is None


def is_specific(one: Statement) -> bool:
    """Say whether a statement names something of this project: an identifier, or several terms."""
    return bool(identifiers(one.piece.raw)) or len(terms(one.plain)) >= _SPECIFIC_TERMS


def is_free(one: Statement) -> bool:
    """Say whether a statement neither leans on another, nor only reports passing checks, nor was merely considered."""
    return not (one.piece.leans or one.piece.passes or one.considered)


def is_of_oneself(one: Statement) -> bool:
    """Say whether an assistant speaks of itself, other than of what it did."""
    speaks = one.voice.ear.self_reference.search(one.plain) is not None
    return speaks and not one.voice.person and "result" not in one.heard


def tells_to_do(one: Statement) -> bool:
    """Say whether a statement tells what to do rather than what was done."""
    return "result" not in one.heard and one.voice.ear.imperative.match(one.piece.body) is not None


def is_decision(one: Statement) -> bool:
    """Say whether a statement decides: by its kind, its lead-in, or a person who sets one thing against another."""
    ear = one.voice.ear
    if one.explicit and one.act == "decision":
        return True
    if one.piece.leans or one.act in {"question", "rule"} or ear.hedge.search(one.plain) or not closed(one.plain):
        return False
    polite = ear.polite.match(one.plain)
    if ear.chore.match(one.plain[polite.end() :] if polite else one.plain):
        return False
    if one.act == "decision" and not one.voice.person:
        return not one.considered and is_whole(one) and one.alone >= _LEAST_ALONE
    if not one.voice.person or "?" in one.plain or "？" in one.plain:
        return False
    wished = one.says("decision") and (weighs_up(one.plain, ear) or "cause" in one.heard)
    replaced = "request" in one.heard and ear.contrast.search(one.plain) is not None
    own = len(one.voice.text) < _LONGEST_OPINION or one.piece.block <= _OPENING_BLOCKS
    return (wished or replaced) and own
