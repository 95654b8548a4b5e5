"""Owns topics that an observation announces itself: by an explicit kind, a tag that names one, or high importance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.parts import Section, Topic, sections_of
from pipeline.models.extractive.similarity import same, same_title
from pipeline.models.extractive.strength import folded
from pipeline.models.extractive.titles import claim_title, shortened_title, title_of
from pipeline.models.extractive.topics.procedures import steps_of
from pipeline.models.extractive.wording import readable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.draft import Kind
    from pipeline.models.extractive.parts import Bullet
    from pipeline.models.extractive.session import Session, Statement, Voice
    from pipeline.models.extractive.tongues.tongue import Act

_KINDS: dict[Act, Kind] = {
    "decision": "decision",
    "rule": "rule",
    "problem": "gotcha",
    "cause": "gotcha",
    "fix": "gotcha",
    "step": "procedure",
    "concept": "concept",
    "why": "concept",
}
_LEADING: dict[Kind, str] = {
    "decision": "Decision",
    "rule": "Rule",
    "gotcha": "What happens",
    "concept": "What it is",
    "procedure": "Steps",
}
_DETAILS = "Details"
_BETWEEN = ("Cause", "Why", "Fix", "Consequences")
_MOST_LEADING = 2
_MOST = 8


def explicit_topics(session: Session) -> list[Topic]:
    """Make a topic of each observation that says what it is; those about one thing are put together."""
    found: list[Topic] = []
    for voice in session.voices:
        kind = _kind(voice, session)
        topic = _topic(voice, kind, session) if kind and not voice.noise else None
        if topic is not None:
            _add(topic, found)
    return found


def _kind(voice: Voice, session: Session) -> Kind | None:
    if voice.act != "none":
        return _KINDS.get(voice.act)
    if not voice.explicit or voice.prompt:
        return None
    acts = [one.act for one in session.statements if one.voice is voice]
    return next((_KINDS[act] for act in acts if act in _KINDS), "concept" if acts else None)


def _topic(voice: Voice, kind: Kind, session: Session) -> Topic | None:
    spoken = [
        one for one in session.statements if one.voice is voice and not one.piece.passes and one.act != "question"
    ]
    said = [one for one in spoken if one.piece.shape != "headline"] or spoken
    title = _title(voice, spoken)
    sections = _procedure(voice, said) if kind == "procedure" else ()
    sections = sections or _sections(kind, said)
    if not title or not sections:
        return None
    worth = 2.0 + 0.1 * voice.observation.importance + 0.1 * min(len(said), 4)
    return Topic(kind, title, sections, worth, tags=voice.observation.tags, explicit=True)


def _title(voice: Voice, spoken: list[Statement]) -> str:
    """Take the observation's own title, else the best that can be cut out of it, else its first words."""
    own = readable(voice.observation.title)
    if own:
        return title_of(own, voice.ear, heading=True) or shortened_title(own, voice.ear)
    heads = (title_of(piece.raw, voice.ear, heading=True) for piece in voice.reading.headings[:2])
    claims = (claim_title(one.piece, one.voice.ear) for one in spoken[:3])
    first = shortened_title(spoken[0].plain, voice.ear) if spoken else ""
    return next((title for title in (*heads, *claims) if title), first)


def _procedure(voice: Voice, said: list[Statement]) -> tuple[Section, ...]:
    steps = steps_of(voice)
    if not steps:
        return ()
    listed = {bullet.raw for bullet in steps}
    rest = [one for one in said if one.piece.raw not in listed][:_MOST]
    return (Section("Steps", steps, numbered=True), *sections_of(((_DETAILS, folded(rest)),)))


def _sections(kind: Kind, said: list[Statement]) -> tuple[Section, ...]:
    leading = _LEADING[kind]
    first = _deciding(said) if kind == "decision" else 0
    parts: dict[str, list[Statement]] = {}
    for position, one in enumerate(said):
        is_last = position == len(said) - 1
        name = leading if position == first else _part(one, kind, position, leading, is_last=is_last)
        parts.setdefault(name, []).append(one)
    names = (leading, *_BETWEEN, _DETAILS)
    return sections_of((name, folded(parts.get(name, [])[:_MOST])) for name in names)


def _deciding(said: list[Statement]) -> int:
    """Find the statement that decides: the first that sets one thing against another, else the first."""
    return next((at for at, one in enumerate(said) if one.voice.ear.contrast.search(one.plain)), 0)


def _part(one: Statement, kind: Kind, position: int, leading: str, *, is_last: bool) -> str:
    """Say where a statement that is not the leading one belongs.

    Who notes down what goes wrong ends with what to do about it, and does not call it wrong.
    """
    if kind == "gotcha":
        if one.act == "fix" or not {"fix", "result"}.isdisjoint(one.heard):
            return "Fix"
        if is_last and one.voice.ear.tongue.problem and {"problem", "cause"}.isdisjoint(one.heard):
            return "Fix"
        if one.says("cause"):
            return "Cause"
    if kind in {"decision", "rule"}:
        if one.act == "why" or one.says("cause"):
            return "Why"
        return "Consequences" if kind == "decision" and one.act in {"result", "outcome"} else _DETAILS
    return leading if position < _MOST_LEADING else _DETAILS


def _add(topic: Topic, found: list[Topic]) -> None:
    """Add a topic, or put it together with one of its kind about the same: the newer word first."""
    for at, held in enumerate(found):
        if held.kind == topic.kind and (same_title(held.title, topic.title) or same(held.lead, topic.lead)):
            found[at] = _merged(topic, held)
            return
    found.append(topic)


def _merged(newer: Topic, older: Topic) -> Topic:
    sections = []
    for name in (_LEADING[newer.kind], *_BETWEEN, _DETAILS):
        both = [section for topic in (newer, older) for section in topic.sections if section.heading == name]
        if both:
            bullets = _distinct(bullet for section in both for bullet in section.bullets)
            sections.append(Section(name, bullets, both[0].numbered))
    return Topic(
        newer.kind,
        newer.title,
        tuple(sections),
        max(newer.strength, older.strength) + 0.2,
        tags=tuple(dict.fromkeys((*newer.tags, *older.tags))),
        aliases=() if newer.title == older.title else (older.title,),
        explicit=True,
    )


def _distinct(bullets: Iterable[Bullet]) -> tuple[Bullet, ...]:
    kept: list[Bullet] = []
    for bullet in bullets:
        if not any(same(bullet.plain, held.plain) for held in kept):
            kept.append(bullet)
    return tuple(kept)
