"""Owns topics that an observation announces itself: by an explicit kind, a tag that names one, or high importance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.page_parts import Section, Topic, bullets
from pipeline.models.extractive.procedures import steps_of
from pipeline.models.extractive.wording import readable
from pipeline.models.extractive.session import IMPORTANT
from pipeline.models.extractive.similarity import same, same_title
from pipeline.models.extractive.strength import folded
from pipeline.models.extractive.subjects import claim_title, title_of
from pipeline.text import one_line

if TYPE_CHECKING:
    from pipeline.draft import Kind
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
_HEADINGS: dict[Kind, tuple[str, str]] = {
    "decision": ("Decision", "Details"),
    "rule": ("Rule", "Details"),
    "gotcha": ("What happens", "Details"),
    "concept": ("What it is", "Details"),
    "procedure": ("Steps", "Details"),
}
_ORDER = ("Cause", "Why", "Fix", "Consequences")
_LONGEST_FALLBACK = 90
_MOST_LEADING = 2
_MOST_DETAILS = 8


def explicit_topics(session: Session) -> list[Topic]:
    """One topic for each observation that says what it is, those about one thing put together."""
    found: list[Topic] = []
    for voice in session.voices:
        kind = _kind(voice, session)
        if kind is None or voice.noise:
            continue
        topic = _topic(voice, kind, session)
        if topic is not None:
            _put(topic, found)
    return found


def _kind(voice: Voice, session: Session) -> Kind | None:
    if voice.act != "none":
        return _KINDS.get(voice.act)
    if voice.observation.importance < IMPORTANT or voice.prompt:
        return None
    acts = [one.act for one in session.statements if one.voice is voice]
    return next((_KINDS[act] for act in acts if act in _KINDS), "concept" if acts else None)


def _topic(voice: Voice, kind: Kind, session: Session) -> Topic | None:
    spoken = [one for one in session.statements if one.voice is voice and not one.piece.passes and one.act != "question"]
    title = _title(voice, spoken)
    said = [one for one in spoken if one.piece.shape != "headline"] or spoken
    sections = _sections(voice, kind, said)
    if not title or not sections:
        return None
    strength = 2.0 + 0.1 * voice.observation.importance + 0.1 * min(len(said), 4)
    return Topic(kind, title, sections, strength, tags=voice.observation.tags, explicit=True)


def _title(voice: Voice, spoken: list[Statement]) -> str:
    own = voice.observation.title
    if own.strip():
        return title_of(own, voice.ear, heading=True) or one_line(readable(own), _LONGEST_FALLBACK)
    for piece in voice.reading.headings[:2]:
        if title := title_of(piece.raw, voice.ear, heading=True):
            return title
    for one in spoken[:3]:
        if title := title_of(one.piece.raw, voice.ear):
            return title
    return one_line(spoken[0].plain, _LONGEST_FALLBACK) if spoken else ""


def _sections(voice: Voice, kind: Kind, said: list[Statement]) -> tuple[Section, ...]:
    leading, details = _HEADINGS[kind]
    parts: dict[str, list[Statement]] = {}
    if kind == "procedure" and (steps := steps_of(voice)):
        rest = [one for one in said if one.piece.number == 0]
        found = [Section("Steps", steps, numbered=True)]
        if rest:
            found.append(Section(details, bullets(folded(rest[:_MOST_DETAILS]))))
        return tuple(found)
    first = _leading(said) if kind == "decision" else 0
    for position, one in enumerate(said):
        name = leading if position == first else _part(one, kind, max(position, 1) if first else position, leading, details)
        parts.setdefault(name, []).append(one)
    if leading not in parts and parts:
        first = said[0]
        parts = {leading: [first], **{name: [one for one in held if one is not first] for name, held in parts.items()}}
    return tuple(
        Section(name, bullets(folded(parts[name][:_MOST_DETAILS])), numbered=name == "Steps")
        for name in (leading, *_ORDER, details)
        if parts.get(name)
    )


def _leading(said: list[Statement]) -> int:
    """Which statement of a decision decides: the first that sets one thing against another, else the first."""
    return next((at for at, one in enumerate(said) if one.voice.ear.contrast.search(one.plain)), 0)


def _part(one: Statement, kind: Kind, position: int, leading: str, details: str) -> str:
    """Where a statement of an explicit observation belongs."""
    lead = one.acts
    if kind == "gotcha":
        if one.act == "fix" or {"fix", "result"} & one.heard:
            return "Fix"
        if one.act == "cause" or ("cause" in lead and position > 0):
            return "Cause"
        return leading if position < _MOST_LEADING else details
    if kind in {"decision", "rule"} and position > 0 and (one.act in {"why", "cause"} or "cause" in lead):
        return "Why"
    if kind == "decision" and one.act in {"result", "outcome"}:
        return "Consequences"
    return leading if position < (1 if kind in {"decision", "rule"} else _MOST_LEADING) else details


def _put(topic: Topic, found: list[Topic]) -> None:
    """Add a topic, or put it together with one of the same kind about the same thing: the newer word first."""
    for at, held in enumerate(found):
        if held.kind == topic.kind and (same_title(held.title, topic.title) or same(held.lead, topic.lead)):
            found[at] = merged(topic, held)
            return
    found.append(topic)


def merged(newer: Topic, older: Topic) -> Topic:
    """One topic of two about one thing; the newer's title and statements come first."""
    held = {section.heading for section in (*newer.sections, *older.sections)}
    lead, details = _HEADINGS[newer.kind]
    names = [name for name in (lead, *_ORDER, details) if name in held]
    sections = []
    for name in names:
        held = [bullet for topic in (newer, older) for section in topic.sections if section.heading == name for bullet in section.bullets]
        kept: list[int] = []
        for at, bullet in enumerate(held):
            if not any(same(bullet.plain, held[one].plain) for one in kept):
                kept.append(at)
        sections.append(Section(name, tuple(held[at] for at in kept), numbered=name == "Steps"))
    return Topic(
        newer.kind,
        newer.title,
        tuple(sections),
        max(newer.strength, older.strength) + 0.2,
        tags=tuple(dict.fromkeys((*newer.tags, *older.tags))),
        aliases=() if newer.title == older.title else (older.title,),
        explicit=newer.explicit or older.explicit,
    )
