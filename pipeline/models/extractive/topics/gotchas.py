"""Owns what is a gotcha: something went wrong, why, and what mended it, as far as the observations say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.merit import is_free, is_lasting, is_specific, is_sure, is_timeless, is_whole
from pipeline.models.extractive.parts import Topic, sections_of
from pipeline.models.extractive.pointed_titles import is_pointed, pointed_title
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import same, subject_terms
from pipeline.models.extractive.strength import chosen, in_order, plains, strength
from pipeline.models.extractive.subjects import HASH
from pipeline.models.extractive.titles import title_of
from pipeline.models.extractive.tongues.all import heading_act

if TYPE_CHECKING:
    from pipeline.models.extractive.session import Session, Statement
    from pipeline.models.extractive.strength import Group
    from pipeline.models.extractive.tongues.tongue import Act

_WRONG: frozenset[Act] = frozenset({"cause", "problem"})
_BELONGING: frozenset[Act] = _WRONG | {"fix"}
_MOST_SEEDS = 24
_MOST = 3
"""Statements of one section."""
_LEAST = 0.55
_LEAST_NEAR = 0.4
_LEAST_FIX = 0.5
_NEAR_BLOCKS = 4
_NEAR_LABELLED = 10
_NEAR_VOICES = 12
_SHARED = 2
_TELLING = 3
"""Terms from which on a title tells enough; of two that do the first is taken."""


def gotcha_topics(session: Session) -> list[Topic]:
    """Find gotchas, each grown around a statement that says why something goes wrong."""
    seeds = [one for one in session.statements if _is_seed(one)]
    seeds.sort(key=lambda one: (-_worth(one, session), one.place))
    topics: list[Topic] = []
    told: list[str] = []
    for seed in seeds[:_MOST_SEEDS]:
        topic = None if any(same(seed.plain, text) for text in told) else _topic(seed, session)
        if topic is not None:
            topics.append(topic)
            told.extend(topic.plains)
    return topics


def _is_seed(one: Statement) -> bool:
    if one.explicit or one.act not in _WRONG or one.alone < _LEAST or "?" in one.plain or "？" in one.plain:
        return False
    if one.piece.leans or one.piece.passes or (one.considered and not one.voice.person):
        return False
    if not is_specific(one) or not is_whole(one) or HASH.search(one.plain) or not is_lasting(one):
        return False
    explains = one.says("problem") and ("cause" in one.heard or one.voice.person)
    under_cause = _label(one) == "cause" and "cause" in one.heard
    lasts = is_timeless(one) or (is_sure(one) and (one.voice.closing or one.voice.person))
    return lasts and (_is_labelled(one) or under_cause or explains)


def _is_labelled(one: Statement) -> bool:
    return bool(one.piece.lead) and heading_act(one.piece.lead) in _WRONG


def _label(one: Statement) -> Act:
    """Say what the lead-in or the nearest heading calls a statement."""
    acts = (heading_act(text) for text in (one.piece.lead, *one.piece.headings[-1:]) if text)
    return next((act for act in acts if act != "none"), "none")


def _worth(one: Statement, session: Session) -> float:
    worth = strength(one, session) + 0.2 * one.voice.closing
    return worth + 0.2 * (one.act == "cause") + 0.2 * (_label(one) in _WRONG)


def _topic(seed: Statement, session: Session) -> Topic | None:
    near = _near(seed, session)
    happens = chosen([one for one in near if one.act == "problem"], session, _MOST, against=[seed.plain], once=True)
    mended = [one for one in near if one.act == "fix" or "result" in one.heard]
    fixes = chosen(mended, session, _MOST, least=_LEAST_FIX, against=[seed.plain])
    causes = [one for one in near if one.act == "cause"]
    if not (seed.voice.person or fixes or (seed.voice.closing and (happens or causes))):
        return None
    if seed.act == "problem" and _label(seed) != "cause":
        why = chosen(causes, session, _MOST, against=[*plains(happens, fixes), seed.plain], once=True)
        happens = in_order([[seed], *happens][:_MOST])
    else:
        why = chosen([seed, *causes], session, _MOST, against=plains(happens, fixes), once=True)
    title = _title(seed, happens)
    if not title:
        return None
    worth = _worth(seed, session) + 0.25 * bool(fixes) + 0.15 * bool(happens and why)
    return Topic("gotcha", title, sections_of((("What happens", happens), ("Cause", why), ("Fix", fixes))), worth)


def _near(seed: Statement, session: Session) -> list[Statement]:
    """Find what belongs to the seed: under one label with it, or close by and about the same."""
    about = subject_terms(seed.plain)
    labelled = _label(seed) in _WRONG
    bound = labelled
    found = []
    for one in session.statements:
        if one is seed or not _may_belong(one, by_label=labelled and one.voice is seed.voice):
            continue
        shared = len(subject_terms(one.plain) & about)
        if one.voice is seed.voice:
            distance = one.piece.block - seed.piece.block
            if distance > 0 and _label(one) == "problem" and one.piece.headings != seed.piece.headings:
                bound = False  # The next problem begins here.
            if distance < 0:
                goes_with = labelled and -distance <= _NEAR_BLOCKS and _label(one) == "problem"
            else:
                goes_with = bound and distance <= _NEAR_LABELLED and _label(one) in _BELONGING
            if goes_with or (abs(distance) <= _NEAR_BLOCKS and shared):
                found.append(one)
        elif shared >= _SHARED and _follows(one, seed):
            found.append(one)
    return found


def _may_belong(one: Statement, *, by_label: bool) -> bool:
    if one.act == "question" or one.alone < _LEAST_NEAR or not is_whole(one):
        return False
    lasts = is_lasting(one) and (is_timeless(one) or (is_sure(one) and one.voice.closing))
    return lasts and (is_free(one) or (by_label and not one.piece.leans and not one.piece.passes))


def _follows(one: Statement, seed: Statement) -> bool:
    """Whether it is said soon after, in the same turn or in the answer of the next."""
    soon = 0 < one.voice.order - seed.voice.order <= _NEAR_VOICES
    turns = one.voice.turn - seed.voice.turn
    return soon and not one.voice.prompt and (turns == 0 or (turns == 1 and one.voice.closing))


def _title(seed: Statement, happens: list[Group]) -> str:
    """Choose among the seed's claim, a heading above it that is about the same, and what happens."""
    about = subject_terms(seed.plain)
    least = 1 if _is_labelled(seed) else _SHARED
    heads = (title_of(head, seed.voice.ear, heading=True) for head in reversed(seed.piece.headings[-2:]))
    fitting = [title for title in heads if len(subject_terms(title) & about) >= least]
    claims = [
        pointed_title(one.piece, one.voice.ear, told=_label(one) == "problem")
        for one in (seed, *(group[0] for group in happens))
    ]
    if len(claims) > 1 and _label(happens[0][0]) == "problem":
        claims[:2] = claims[1::-1]  # What happens is what people look for.
    told = [title for title in (claims[0], *fitting, *claims[1:]) if title and _is_telling(title)]
    ear = seed.voice.ear
    return max(
        told,
        key=lambda title: (is_pointed(title, ear), min(len(subject_terms(title)), _TELLING), -told.index(title)),
        default="",
    )


def _is_telling(title: str) -> bool:
    return len(subject_terms(title)) > 1 or bool(identifiers(title))
