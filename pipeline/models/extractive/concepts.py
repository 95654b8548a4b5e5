"""Owns what is a concept: a thing with a name that several statements explain, or one that defines it."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pipeline.models.extractive.page_parts import Section, Topic, bullets
from pipeline.models.extractive.sessionpage import complete
from pipeline.models.extractive.similarity import terms
from pipeline.models.extractive.strength import chosen, timeless, newest_first_where_they_differ, strength
from pipeline.models.extractive.subjects import subject_of, tag_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.models.extractive.session import Session, Statement

_LEAST = 0.55
_MOST_DETAILS = 6
_STRONG = 1.2
_LONG_ENOUGH = 60
_CENTRAL = 0.4
_ENOUGH = 3
_LEAST_MENTION = 0.65
_MOST_MENTIONS = 3
_PLACE = re.compile(r"\.\w{1,4}:\d+|\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b")
"""A line of a file or a commit: what is told of it does not last."""


def concept_topics(session: Session, standing: Mapping[frozenset[str], str]) -> list[Topic]:
    """Concepts of a session; one that the wiki has a page of (`standing`) needs only one more statement."""
    told = [one for one in session.statements if _explains(one)]
    named: dict[frozenset[str], list[tuple[str, Statement]]] = {}
    for one in told:
        if noun := subject_of(one.piece.raw, one.voice.ear):
            named.setdefault(terms(noun), []).append((noun, one))
    return [
        topic
        for key, found in named.items()
        if (topic := _topic(key, found, told, session, known=key in standing))
    ]


def _explains(one: Statement) -> bool:
    return (
        not one.explicit
        and one.act in {"concept", "cause", "problem", "rule", "why", "none", "decision"}
        and (one.voice.closing or one.voice.person)
        and timeless(one)
        and complete(one)
        and "result" not in one.heard
        and not one.piece.leans
        and not one.piece.passes
        and not one.considered
        and not one.voice.prompt
        and one.alone >= _LEAST
        and _PLACE.search(one.plain) is None
    )


def _topic(
    key: frozenset[str], found: list[tuple[str, Statement]], told: list[Statement], session: Session, *, known: bool
) -> Topic | None:
    """The page of one thing: what statements with it as their subject say, and some that speak of it."""
    title = _name(found)
    if _is_everyday(title, key, session) and not known:
        return None
    groups = chosen([one for _, one in found], session, 1 + _MOST_DETAILS, least=0.6)
    if not groups:
        return None
    groups.sort(key=lambda group: (-_defines(group[0], session), group[0].place))
    best = _defines(groups[0][0], session)
    plains = [group[0].plain for group in groups]
    mentions = [] if known else [one for one in told if _speaks_of(one, key)]
    more = chosen(mentions, session, max(0, min(_MOST_MENTIONS, _MOST_DETAILS - len(groups) + 1)), least=0.8, against=plains)
    strong = best >= _STRONG and len(groups[0][0].plain) >= _LONG_ENOUGH
    if not known and not strong and len(groups) + len(more) < _ENOUGH:
        return None
    what = [] if known and not strong else groups[:1]
    rest = sorted((*groups[len(what) :], *more), key=lambda group: group[0].place)
    sections = [Section("What it is", bullets(what))] if what else []
    if rest:
        sections.append(Section("Details", bullets(newest_first_where_they_differ(rest))))
    size = len(groups) + 0.5 * len(more)
    worth = 0.5 * best + 0.2 * min(size, 4) + 0.5 * session.centrality(title) + (0.3 if known else 0.0)
    tag = tag_of(title)
    return Topic("concept", title, tuple(sections), worth, tags=(tag,) if tag and " " not in tag else ())


def _speaks_of(one: Statement, key: frozenset[str]) -> bool:
    """Whether a statement names the thing early on, and says what is so rather than what went wrong."""
    return (
        one.act in {"concept", "why", "none", "rule", "decision"}
        and one.alone >= _LEAST_MENTION
        and key <= terms(one.plain)
        and key <= terms(one.plain[: max(50, len(one.plain) * 3 // 5)])
    )


def _is_everyday(title: str, key: frozenset[str], session: Session) -> bool:
    """Whether a name is one ordinary word that the session does not turn around."""
    ordinary = title.isalpha() and title[1:].islower()
    return ordinary and max((session.weight.get(term, 0.0) for term in key), default=0.0) < _CENTRAL


def _defines(one: Statement, session: Session) -> float:
    """How much a statement says what its subject is."""
    score = strength(one, session)
    verb = one.voice.ear.concept.search(one.plain)
    if verb and verb.group().strip().split(" ")[0].casefold() in _DEFINING:
        score += 0.25
    if one.act in {"problem", "cause"}:
        score -= 0.15
    return score


_DEFINING = frozenset("is are means refers represents stands describes contains stores tracks holds".split())


def _name(found: list[tuple[str, Statement]]) -> str:
    """The form in which the thing is named most often, with a capital unless it is a name in code."""
    name = Counter(noun for noun, _ in found).most_common(1)[0][0]
    first = name.split(" ", 1)[0]
    code = any(f"`{name.split(' ', 1)[0]}" in one.piece.raw for _, one in found)
    return name if code or not first.islower() or not first.isalpha() else name[:1].upper() + name[1:]
