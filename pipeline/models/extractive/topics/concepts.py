"""Owns what is a concept: a thing with a name that several statements explain, or that one defines well."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from pipeline.models.extractive.merit import is_free, is_lasting, is_timeless, is_whole, tells_to_do
from pipeline.models.extractive.parts import Topic, sections_of
from pipeline.models.extractive.similarity import terms
from pipeline.models.extractive.strength import chosen, in_order, newest_first_where_they_differ, plains, strength
from pipeline.models.extractive.subjects import HASH, names_its_subject, subject_of, tag_of, verb_of
from pipeline.models.extractive.tongues.tongue import words

if TYPE_CHECKING:
    from collections.abc import Container

    from pipeline.models.extractive.session import Session, Statement
    from pipeline.models.extractive.tongues.tongue import Act

_EXPLAINING: frozenset[Act] = frozenset({"concept", "cause", "problem", "rule", "why", "none", "decision"})
_DESCRIBING: frozenset[Act] = frozenset({"concept", "why", "none", "rule", "decision"})
_DEFINING = words("means refers represents stands describes contains stores tracks holds handles identifies")
_BEING = words("is are ist sind est sont es son é são ser")
_NEGATED = re.compile(r"\s*(?:not|no longer|never|nicht|pas|no|não|empty|zero|0|leer)\b", re.IGNORECASE)
_MEASURED = re.compile(r"(?<![\w.])\d{2,}\b")
_LEAST_ALONE = 0.55
_LEAST_STRENGTH = 0.6
_AN_ADVERB = 6
"""What may stand between the beginning of a verb and the verb itself: `only happened`."""
_MOST = 7
_MOST_MENTIONS = 3
_LEAST_MENTION = 0.65
_LEAST_MENTIONING = 0.8
_ENOUGH = 3
"""Statements that make a page when none of them defines the thing well."""
_STRONG = 1.2
_LONG_ENOUGH = 60
_CENTRAL = 0.4
_EARLY = 0.6
_EARLY_CHARACTERS = 50
_LINE_OF_A_FILE = re.compile(r"\.\w{1,4}:\d+")


def concept_topics(session: Session, standing: Container[frozenset[str]]) -> list[Topic]:
    """Find the concepts of a session; one that the wiki has a page of (`standing`) needs only one more statement."""
    told = [one for one in session.statements if _explains(one)]
    named: dict[frozenset[str], list[tuple[str, Statement]]] = {}
    for one in told:
        if noun := subject_of(one.piece.raw, one.voice.ear):
            named.setdefault(terms(noun), []).append((noun, one))
    found = (_topic(key, about, told, session, known=key in standing) for key, about in named.items())
    return [topic for topic in found if topic is not None]


def _explains(one: Statement) -> bool:
    if one.explicit or one.act not in _EXPLAINING or "result" in one.heard or one.voice.prompt:
        return False
    if not (one.voice.closing or one.voice.person) or one.alone < _LEAST_ALONE:
        return False
    # What is told of a commit or a line of a file does not last.
    lasts = is_timeless(one) and not _LINE_OF_A_FILE.search(one.plain) and not HASH.search(one.plain)
    return lasts and is_lasting(one) and is_free(one) and is_whole(one) and _is_about_a_thing(one)


def _is_about_a_thing(one: Statement) -> bool:
    """Whether a statement tells of a thing as it is, not of a change, of how it once was, or of what to do."""
    ear = one.voice.ear
    verb = verb_of(one.piece.body, ear)
    once = ear.bygone.search(one.piece.body)
    if tells_to_do(one) or (once and (verb is None or once.start() <= verb + _AN_ADVERB)):
        return False
    return names_its_subject(one.piece.body, ear)


def _topic(
    key: frozenset[str], about: list[tuple[str, Statement]], told: list[Statement], session: Session, *, known: bool
) -> Topic | None:
    """Make the page of one thing: what statements with it as their subject say, and some that speak of it."""
    title = _name(about)
    if not known and _is_everyday(title, key, session):
        return None
    groups = chosen([one for _, one in about], session, _MOST, least=_LEAST_STRENGTH)
    if not groups:
        return None
    groups.sort(key=lambda group: (-_definition(group[0], session), group[0].place))
    best = _definition(groups[0][0], session)
    mentions = [] if known else [one for one in told if _speaks_of(one, key)]
    room = max(0, min(_MOST_MENTIONS, _MOST - len(groups)))
    more = chosen(mentions, session, room, least=_LEAST_MENTIONING, against=plains(groups))
    strong = best >= _STRONG and len(groups[0][0].plain) >= _LONG_ENOUGH and _defines(groups[0][0])
    if not known and not strong and len(groups) + len(more) < _ENOUGH:
        return None
    what = [] if known and not strong else groups[:1]
    rest = newest_first_where_they_differ(in_order([*groups[len(what) :], *more]))
    size = min(len(groups) + 0.5 * len(more), 4)
    worth = 0.5 * best + 0.2 * size + 0.5 * session.centrality(title) + 0.3 * known
    tag = tag_of(title)
    tags = (tag,) if tag and " " not in tag else ()
    return Topic("concept", title, sections_of((("What it is", what), ("Details", rest))), worth, tags=tags)


def _speaks_of(one: Statement, key: frozenset[str]) -> bool:
    """Whether a statement names the thing early on, and says what is so rather than what went wrong."""
    if one.piece.lead_kept and one.piece.shape == "item":
        return False  # The list is about something else, and names it in the lead-in.
    if len(_MEASURED.findall(one.plain)) > 1:
        return False  # It tells of one case.
    early = one.plain[: max(_EARLY_CHARACTERS, int(len(one.plain) * _EARLY))]
    return one.act in _DESCRIBING and one.alone >= _LEAST_MENTION and key <= terms(early)


def _is_everyday(title: str, key: frozenset[str], session: Session) -> bool:
    """Whether a name is one ordinary word that the session does not turn around."""
    ordinary = title.isalpha() and title[1:].islower()
    return ordinary and max((session.weight.get(term, 0.0) for term in key), default=0.0) < _CENTRAL


def _definition(one: Statement, session: Session) -> float:
    """Weigh how much a statement says what its subject is."""
    return strength(one, session) + 0.25 * _defines(one) - 0.15 * (one.act in {"problem", "cause"})


def _defines(one: Statement) -> bool:
    """Whether a statement says what its subject is or holds, and not only how it is at the moment."""
    ear = one.voice.ear
    verb = verb_of(one.plain, ear)
    if verb is None or not ear.tongue.articles:
        return verb is not None
    word, _, rest = one.plain[verb:].partition(" ")
    if word.casefold() in _DEFINING:
        return True
    # Where the table has no form of `to be`, an article behind the verb has to do.
    is_said = word.casefold() in _BEING and not _NEGATED.match(rest)
    return is_said and ear.articles.match(rest) is not None


def _name(about: list[tuple[str, Statement]]) -> str:
    """Take the form in which the thing is named most often, with a capital unless it is a name in code."""
    name = Counter(noun for noun, _ in about).most_common(1)[0][0]
    first = name.split(" ", 1)[0]
    in_code = any(f"`{first}" in one.piece.raw for _, one in about)
    return name if in_code or not first.islower() or not first.isalpha() else name[:1].upper() + name[1:]
