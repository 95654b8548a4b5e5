"""Owns how strong a statement is and which few of many are kept; knows no section and no page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import contradicts, likeness, same
from pipeline.models.extractive.signals import identifiers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.extractive.session import Session, Statement

USUAL_IMPORTANCE = 5
_TESTS = re.compile(r"\b[Tt]ests?\b|_test\.|\bTest[A-Z]")
"""What tests do matters less than what the thing they test does."""


def strength(statement: Statement, session: Session) -> float:
    """How much a statement deserves to be kept, about 0 to 2."""
    score = statement.alone + 0.3 * min(session.centrality(statement.plain), 1.0)
    if statement.voice.closing:
        score += 0.2
    if statement.explicit:
        score = max(score, 0.6) + 0.4
    if statement.considered:
        score -= 0.3
    score += 0.08 * (statement.voice.observation.importance - USUAL_IMPORTANCE)
    if statement.piece.depth:
        score -= 0.1
    if _TESTS.search(statement.piece.lead if statement.piece.lead_kept else ""):
        score -= 0.35
    elif _TESTS.search(statement.plain):
        score -= 0.15
    return score


def folded(statements: Iterable[Statement]) -> list[list[Statement]]:
    """Statements in groups that say the same, each group in the order of its first."""
    groups: list[list[Statement]] = []
    for statement in statements:
        for group in groups:
            if same(statement.plain, group[0].plain):
                group.append(statement)
                break
        else:
            groups.append([statement])
    return groups


def chosen(
    statements: Sequence[Statement], session: Session, most: int, *, least: float = 0.0, against: Iterable[str] = ()
) -> list[list[Statement]]:
    """The strongest groups of statements, at most `most`, in chronological order.

    A group is as strong as its strongest statement, which comes first in it; what says the same as one of
    `against` is left out.
    """
    held = list(against)
    ranked = sorted(statements, key=lambda statement: (-strength(statement, session), statement.place, statement.plain))
    kept: list[list[Statement]] = []
    for statement in ranked:
        if strength(statement, session) < least:
            break
        if any(same(statement.plain, text) for text in held):
            continue
        twin = next((group for group in kept if same(statement.plain, group[0].plain)), None)
        if twin is not None:
            twin.append(statement)
        elif len(kept) < most:
            kept.append([statement])
    return sorted(kept, key=lambda group: (min(one.voice.order for one in group), group[0].piece.block))


def newest_first_where_they_differ(groups: list[list[Statement]]) -> list[list[Statement]]:
    """The groups in their order, but a statement that gives another value for an older one's subject before it."""
    ordered: list[list[Statement]] = []
    for group in groups:
        at = next(
            (
                place
                for place, held in enumerate(ordered)
                if held[0].place < group[0].place and contradicts(held[0].plain, group[0].plain)
            ),
            len(ordered),
        )
        ordered.insert(at, group)
    return ordered


def timeless(statement: Statement) -> bool:
    """Whether a statement holds beyond its moment: no progress report, no guess, no speaking of oneself."""
    return sure(statement) and statement.voice.ear.passing_state.search(statement.plain) is None


def sure(statement: Statement) -> bool:
    """Whether its speaker neither guesses nor, being an assistant, speaks of themself."""
    ear, text = statement.voice.ear, statement.plain
    return not (ear.hedge.search(text) or (not statement.voice.person and ear.self_reference.search(text)))


def specific(statement: Statement) -> bool:
    """Whether a statement names something of this project: an identifier, or several terms."""
    return bool(identifiers(statement.piece.raw)) or len(likeness(statement.plain).terms) >= 4  # noqa: PLR2004
