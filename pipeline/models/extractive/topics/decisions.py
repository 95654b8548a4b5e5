"""Owns what is a decision or a rule: what people settled, why, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.merit import is_decision, is_free, is_specific
from pipeline.models.extractive.parts import Topic, sections_of
from pipeline.models.extractive.similarity import contradicts, overlap, same_title, subject_terms
from pipeline.models.extractive.strength import chosen, folded, newest_first_where_they_differ, strength
from pipeline.models.extractive.titles import claim_title, request_title

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.extractive.session import Session, Statement
    from pipeline.models.extractive.strength import Group

_LEAST_ALONE = 0.5
_LEAST_RULE = 0.4
"""Rules are short."""
_LEAST_RESULT = 0.5
_MOST_REASONS = 3
_MOST_CONSEQUENCES = 4
_NEAR_TURNS = 2
"""How many turns later the consequences of a decision may be told."""
_KIN = 0.6
_FITTING = 0.5
_SHARED = 2
_LONGEST_OPINION = 1_200


def decision_topics(session: Session) -> list[Topic]:
    """Find decisions in people's words or under a heading that says so, with their reasons and what followed."""
    seeds = [one for one in session.statements if not one.explicit and is_decision(one) and one.alone >= _LEAST_ALONE]
    groups = folded(seeds)
    topics: list[Topic] = []
    for group in groups:
        topic = _topic(group, groups, session)
        if topic is None:
            continue
        twin = next((at for at, held in enumerate(topics) if same_title(held.title, topic.title)), None)
        if twin is None:
            topics.append(topic)
        elif topic.strength > topics[twin].strength or contradicts(topic.lead, topics[twin].lead):
            topics[twin] = topic
    return topics


def rule_topics(session: Session) -> list[Topic]:
    """Find rules in people's words, and rules that stand under a heading that says so."""
    return [topic for one in session.statements if _is_rule(one) and (topic := _rule(one, session)) is not None]


def _is_rule(one: Statement) -> bool:
    if one.explicit or one.act != "rule" or not is_free(one) or one.alone < _LEAST_RULE:
        return False
    return not one.voice.ear.asks.match(one.plain) and not (one.voice.prompt and len(one.voice.text) > _LONGEST_OPINION)


def _rule(one: Statement, session: Session) -> Topic | None:
    title = claim_title(one.piece, one.voice.ear) or request_title(one.piece.raw, one.voice.ear)
    if not title:
        return None
    why = _reasons(one, session)
    worth = strength(one, session) + 0.2 * bool(why) + 0.3 * one.voice.person
    return Topic("rule", title, sections_of((("Rule", [[one]]), ("Why", why))), worth)


def _topic(group: Group, groups: list[Group], session: Session) -> Topic | None:
    """Make the page of one decision; `group` says it, as often as it was said."""
    seed = group[0]
    about = subject_terms(seed.plain)
    kin = [other for other in groups if other is group or overlap(subject_terms(other[0].plain), about) >= _KIN]
    decided = newest_first_where_they_differ(kin)
    why = _reasons(seed, session)
    followed = _consequences(group, about, session)
    title = next((title for title in _titles(seed, followed) if overlap(subject_terms(title), about) >= _FITTING), "")
    spoken = seed.voice.person or "cause" in seed.heard or why or followed
    if not title or not spoken:
        return None
    worth = strength(seed, session) + 0.25 * bool(why or "cause" in seed.heard)
    worth += 0.15 * min(len(followed), 2) + 0.2 * seed.voice.person
    parts = (("Decision", decided), ("Why", why), ("Consequences", followed))
    return Topic("decision", title, sections_of(parts), worth)


def _titles(seed: Statement, followed: list[Group]) -> Iterator[str]:
    """List titles, the best first: the wish, unless it lost what it sets aside; what followed; the claim."""
    ear = seed.voice.ear
    wish = request_title(seed.piece.raw, ear)
    whole = ear.contrast.search(seed.plain) is None or ear.contrast.search(wish) is not None
    if whole:
        yield wish
    for group in followed:
        yield claim_title(group[0].piece, group[0].voice.ear)
    yield claim_title(seed.piece, ear)
    yield wish


def _reasons(seed: Statement, session: Session) -> list[Group]:
    """Find what the same observation gives as reasons, next to the seed."""
    near = [
        one
        for one in session.statements
        if one.voice is seed.voice and one is not seed and abs(one.piece.block - seed.piece.block) <= 1
    ]
    reasons = [one for one in near if "cause" in one.heard or one.act == "why"]
    return [[one] for one in reasons if not one.piece.leans and one.act not in {"question", "request"}][:_MOST_REASONS]


def _consequences(group: Group, about: frozenset[str], session: Session) -> list[Group]:
    followed = [
        one
        for one in session.statements
        if any(_follows(one, said) for said in group)
        and one.act in {"result", "outcome"}
        and one.voice.closing
        and is_free(one)
        and is_specific(one)
        and len(subject_terms(one.plain) & about) >= _SHARED
    ]
    return chosen(followed, session, _MOST_CONSEQUENCES, least=_LEAST_RESULT)


def _follows(one: Statement, said: Statement) -> bool:
    return one.voice.order > said.voice.order and one.voice.turn - said.voice.turn <= _NEAR_TURNS
