"""Owns what is a decision or a rule: what people settled, why, and what became of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.page_parts import Section, Topic, bullets
from pipeline.models.extractive.sessionpage import is_decision
from pipeline.models.extractive.similarity import contradicts, overlap, same_title, subject_terms
from pipeline.models.extractive.strength import chosen, newest_first_where_they_differ, specific, strength
from pipeline.models.extractive.subjects import claim_title, request_title, title_of

if TYPE_CHECKING:
    from pipeline.models.extractive.session import Session, Statement

_LEAST_ALONE = 0.5
_MOST_CONSEQUENCES = 4
_NEAR = 2
"""How many turns later the consequences of a decision may be told."""


def decision_topics(session: Session) -> list[Topic]:
    """Decisions in people's words, or under a heading that says so, each with its reasons and what followed."""
    seeds = [one for one in session.statements if not one.explicit and is_decision(one) and one.alone >= _LEAST_ALONE]
    topics: list[Topic] = []
    for seed in seeds:
        topic = _topic(seed, seeds, session)
        if topic is None:
            continue
        twin = next((at for at, held in enumerate(topics) if same_title(held.title, topic.title)), None)
        if twin is None:
            topics.append(topic)
        elif topic.strength > topics[twin].strength or contradicts(topic.lead, topics[twin].lead):
            topics[twin] = topic
    return topics


def rule_topics(session: Session) -> list[Topic]:
    """Rules in people's words, and rules that stand under a heading that says so."""
    topics = []
    for one in session.statements:
        if one.explicit or one.act != "rule" or one.voice.ear.asks.match(one.plain) or one.piece.leans or one.considered or one.alone < _LEAST_ALONE:
            continue
        if one.voice.prompt and len(one.voice.text) > 1_200:  # noqa: PLR2004
            continue
        title = claim_title(one.piece, one.voice.ear) or request_title(one.piece.raw, one.voice.ear)
        if not title:
            continue
        why = _reasons(one, session)
        sections = [Section("Rule", bullets([[one]]))]
        if why:
            sections.append(Section("Why", bullets([[reason] for reason in why])))
        worth = strength(one, session) + 0.2 * bool(why) + (0.3 if one.voice.person else 0.0)
        topics.append(Topic("rule", title, tuple(sections), worth))
    return topics


def _topic(seed: Statement, seeds: list[Statement], session: Session) -> Topic | None:
    about = subject_terms(seed.plain)
    kin = [one for one in seeds if one is seed or overlap(subject_terms(one.plain), about) >= 0.6]  # noqa: PLR2004
    decided = newest_first_where_they_differ([[one] for one in kin])
    why = _reasons(seed, session)
    told = _consequences(seed, about, session)
    titles = [request_title(seed.piece.raw, seed.voice.ear), *(claim_title(group[0].piece, group[0].voice.ear) for group in told)]
    titles.append(claim_title(seed.piece, seed.voice.ear))
    title = next((title for title in titles if title and overlap(subject_terms(title), about) >= 0.5), "")  # noqa: PLR2004
    if not title:
        return None
    sections = [Section("Decision", bullets(decided))]
    if why:
        sections.append(Section("Why", bullets([[one] for one in why])))
    if told:
        sections.append(Section("Consequences", bullets(told)))
    worth = strength(seed, session) + 0.25 * bool(why or "cause" in seed.acts) + 0.15 * min(len(told), 2) + 0.2 * seed.voice.person
    return Topic("decision", title, tuple(sections), worth)


def _reasons(seed: Statement, session: Session) -> list[Statement]:
    """What the same observation gives as reasons, next to the seed."""
    return [
        one
        for one in session.statements
        if one.voice is seed.voice
        and one is not seed
        and abs(one.piece.block - seed.piece.block) <= 1
        and ("cause" in one.acts or one.act == "why")
        and not one.piece.leans
        and one.act not in {"question", "request"}
    ][:3]


def _consequences(seed: Statement, about: frozenset[str], session: Session) -> list[list[Statement]]:
    found = [
        one
        for one in session.statements
        if one.voice.order > seed.voice.order
        and one.voice.turn - seed.voice.turn <= _NEAR
        and one.act in {"result", "outcome"}
        and not one.piece.leans
        and not one.piece.passes
        and not one.considered
        and one.voice.closing
        and specific(one)
        and len(subject_terms(one.plain) & about) >= 2  # noqa: PLR2004
    ]
    return chosen(found, session, _MOST_CONSEQUENCES, least=0.5)
