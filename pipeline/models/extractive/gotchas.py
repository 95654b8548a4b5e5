"""Owns what is a gotcha: something went wrong, why, and what mended it, as far as the observations say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.page_parts import Section, Topic, bullets
from pipeline.models.extractive.sessionpage import complete
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import same, subject_terms
from pipeline.models.extractive.strength import chosen, specific, strength, sure, timeless
from pipeline.models.extractive.subjects import claim_title, title_of
from pipeline.models.extractive.tongues.all import heading_act

if TYPE_CHECKING:
    from pipeline.models.extractive.session import Session, Statement
    from pipeline.models.extractive.tongues.tongue import Act

_LEAST = 0.55
_MOST = {"What happens": 3, "Cause": 3, "Fix": 3}
_LEAST_NEAR = 0.4
_NEAR_BLOCKS = 4
_NEAR_LABELLED = 10
_SHARED = 2
_FITTING = 2
_TELLING = 3
"""Terms from which on a title tells enough; of two that do the first is taken."""
_NEAR_VOICES = 12


def gotcha_topics(session: Session) -> list[Topic]:
    """Gotchas, each grown around a statement that says why something goes wrong."""
    seeds = [one for one in session.statements if _is_seed(one)]
    seeds.sort(key=lambda one: (-_worth(one, session), one.place))
    topics: list[Topic] = []
    used: list[str] = []
    for seed in seeds[:24]:
        if any(same(seed.plain, text) for text in used):
            continue
        topic = _topic(seed, session)
        if topic is not None:
            topics.append(topic)
            used.extend(topic.plains)
    return topics


def _is_seed(one: Statement) -> bool:
    return (
        not one.explicit
        and one.act in {"cause", "problem"}
        and not one.piece.leans
        and not one.piece.passes
        and one.alone >= _LEAST
        and specific(one)
        and not (one.considered and not one.voice.person)
        and (_by_lead(one) or (_labelled(one) == "cause" and "cause" in one.heard) or ("problem" in one.acts and ("cause" in one.acts or one.voice.person)))
        and "question" not in one.acts
        and "?" not in one.plain
        and (timeless(one) or (sure(one) and (one.voice.closing or one.voice.person)))
        and complete(one)
    )


def _by_lead(one: Statement) -> bool:
    return bool(one.piece.lead) and heading_act(one.piece.lead) in {"cause", "problem"}


def _labelled(one: Statement) -> Act:
    """What the lead-in or the nearest heading calls a statement."""
    for text in (one.piece.lead, *one.piece.headings[-1:]):
        if text and (act := heading_act(text)) != "none":
            return act
    return "none"


def _worth(one: Statement, session: Session) -> float:
    worth = strength(one, session) + (0.2 if one.voice.closing else 0.0)
    return worth + 0.2 * (one.act == "cause") + 0.2 * (_labelled(one) in {"cause", "problem"})


def _topic(seed: Statement, session: Session) -> Topic | None:
    near = _near(seed, session)
    symptoms = [one for one in near if one.act == "problem"]
    causes = [one for one in near if one.act == "cause"]
    mended = [one for one in near if one.act == "fix" or "result" in one.heard]
    happens = chosen(symptoms, session, _MOST["What happens"], against=[seed.plain])
    fixes = chosen(mended, session, _MOST["Fix"], least=0.5, against=[seed.plain])
    if not (happens or fixes or causes or seed.voice.person) or not (seed.voice.closing or seed.voice.person or fixes):
        return None
    told = [group[0].plain for group in (*happens, *fixes)]
    is_symptom = seed.act == "problem" and _labelled(seed) != "cause"
    if is_symptom:
        happens = _in_order([[seed], *happens][: _MOST["What happens"]])
        why = chosen(causes, session, _MOST["Cause"], against=[*told, seed.plain])
    else:
        why = chosen([seed, *causes], session, _MOST["Cause"], against=told)
    title = _title(seed, happens)
    if not title:
        return None
    parts = {"What happens": happens, "Cause": why, "Fix": fixes}
    sections = tuple(Section(name, bullets(groups)) for name, groups in parts.items() if groups)
    worth = _worth(seed, session) + 0.25 * bool(fixes) + 0.15 * bool(happens and why)
    return Topic("gotcha", title, sections, worth)


def _in_order(groups: list[list[Statement]]) -> list[list[Statement]]:
    return sorted(groups, key=lambda group: group[0].place)


def _near(seed: Statement, session: Session) -> list[Statement]:
    """Statements that belong to the seed: under one heading or label with it, or close by and about the same."""
    about = subject_terms(seed.plain)
    found = []
    labelled = _labelled(seed) in {"cause", "problem"}
    open_label = labelled
    for one in session.statements:
        if one is seed or one.piece.leans or one.piece.passes or one.act == "question" or one.alone < _LEAST_NEAR:
            continue
        if one.considered and not (labelled and one.voice is seed.voice):
            continue
        if not (timeless(one) or (sure(one) and one.voice.closing)) or not complete(one):
            continue
        shared = len(subject_terms(one.plain) & about)
        if one.voice is seed.voice:
            distance = one.piece.block - seed.piece.block
            if distance > 0 and _labelled(one) == "problem" and one.piece.headings != seed.piece.headings:
                open_label = False
            bound = open_label and 0 <= distance <= _NEAR_LABELLED and _labelled(one) in {"cause", "fix", "problem"}
            if bound or (abs(distance) <= _NEAR_BLOCKS and shared):
                found.append(one)
        elif 0 <= one.voice.turn - seed.voice.turn <= 1 and 0 < one.voice.order - seed.voice.order <= _NEAR_VOICES:
            if shared >= _SHARED and not one.voice.prompt and (one.voice.turn == seed.voice.turn or one.voice.closing):
                found.append(one)
    return found


def _title(seed: Statement, happens: list[list[Statement]]) -> str:
    about = subject_terms(seed.plain)
    heads = [title_of(head, seed.voice.ear, heading=True) for head in reversed(seed.piece.headings[-2:])]
    shared = 1 if _by_lead(seed) else _FITTING
    fitting = [title for title in heads if title and len(subject_terms(title) & about) >= shared]
    claims = [claim_title(one.piece, one.voice.ear) for one in (seed, *(group[0] for group in happens))]
    told = [title for title in (*claims[:1], *fitting, *claims[1:]) if title and _is_specific(title)]
    return max(told, key=lambda title: (min(len(subject_terms(title)), _TELLING), -told.index(title)), default="")


def _is_specific(title: str) -> bool:
    return len(subject_terms(title)) > 1 or bool(identifiers(title))
