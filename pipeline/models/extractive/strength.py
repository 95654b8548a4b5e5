"""Owns how strong a statement is, which few of many are kept, and their order; knows no section and no page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import alike, contradicts, same

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.models.extractive.session import Session, Statement

Group = list["Statement"]
"""Statements that say the same; the one that is quoted comes first."""

_SAME_NAMES = 2
_MOST_OF_THE_SAME = 2
"""How many statements may speak of the same two names."""
_USUAL_IMPORTANCE = 5
_LEAST_EXPLICIT = 0.6
_TESTS = re.compile(r"\b[Tt]ests?\b|_test\.|\bTest[A-Z]")
"""What tests do matters less than what the thing they test does."""


def strength(one: Statement, session: Session) -> float:
    """Say how much a statement deserves to be kept, about 0 to 2."""
    score = one.alone + 0.3 * min(session.centrality(one.plain), 1.0)
    score += 0.2 * one.voice.closing - 0.3 * one.considered - 0.1 * bool(one.piece.depth)
    score += 0.08 * (one.voice.observation.importance - _USUAL_IMPORTANCE)
    if one.piece.lead_kept and _TESTS.search(one.piece.lead):
        score -= 0.35
    elif _TESTS.search(one.plain):
        score -= 0.15
    return max(score, _LEAST_EXPLICIT) + 0.4 if one.explicit else score


def folded(statements: Iterable[Statement]) -> list[Group]:
    """Put statements that say the same together, in the order of the first of each."""
    groups: list[Group] = []
    for one in statements:
        twin = next((group for group in groups if same(one.plain, group[0].plain)), None)
        if twin is None:
            groups.append([one])
        else:
            twin.append(one)
    return groups


def chosen(  # noqa: PLR0913  # each is a plain choice, named where it is called
    statements: Sequence[Statement],
    session: Session,
    most: int,
    *,
    least: float = 0.0,
    against: Iterable[str] = (),
    once: bool = False,
) -> list[Group]:
    """Keep the strongest groups of statements, at most `most`, in chronological order.

    A group is as strong as its strongest statement, which comes first in it; what says the same as one of
    `against` is left out. With `once`, so is what a kept one tells already in other words.
    """
    held = tuple(against)
    weighed = sorted(
        ((strength(one, session), one) for one in statements), key=lambda pair: (-pair[0], pair[1].place, pair[1].plain)
    )
    kept: list[Group] = []
    for score, one in weighed:
        if score < least:
            break
        if any(same(one.plain, text) for text in held):
            continue
        if once and _is_told(one, [group[0] for group in kept], held):
            continue
        twin = next((group for group in kept if same(one.plain, group[0].plain)), None)
        if twin is not None:
            twin.append(one)
        elif len(kept) < most:
            kept.append([one])
    return sorted(kept, key=lambda group: (min(one.voice.order for one in group), group[0].place[1:]))


def _is_told(one: Statement, kept: Sequence[Statement], held: Iterable[str]) -> bool:
    """Whether others tell it in other words, or enough of them speak of the same names already."""
    texts = (*held, *(other.plain for other in kept))
    if any(alike(one.plain, text) and not same(one.plain, text) for text in texts):
        return True
    names = frozenset(identifiers(one.piece.raw))
    about = sum(len(names & frozenset(identifiers(other.piece.raw))) >= _SAME_NAMES for other in kept)
    return about >= _MOST_OF_THE_SAME


def with_twins(groups: Iterable[Group], statements: Iterable[Statement]) -> list[Group]:
    """Add to each group what says the same elsewhere, so that it is cited too."""
    others = tuple(one for one in statements if not one.piece.passes)
    return [
        [*group, *(one for one in others if one not in group and same(one.plain, group[0].plain))] for group in groups
    ]


def in_order(groups: Iterable[Group]) -> list[Group]:
    """Sort groups by the place of the statement that is quoted."""
    return sorted(groups, key=lambda group: group[0].place)


def newest_first_where_they_differ(groups: Iterable[Group]) -> list[Group]:
    """Keep the order, but put a statement that gives another value for an older one's subject before it."""
    ordered: list[Group] = []
    for group in groups:
        older = (
            at
            for at, held in enumerate(ordered)
            if held[0].place < group[0].place and contradicts(held[0].plain, group[0].plain)
        )
        ordered.insert(next(older, len(ordered)), group)
    return ordered


def plains(*groups: Iterable[Group]) -> list[str]:
    """List what groups say, each once."""
    return [group[0].plain for some in groups for group in some]
