"""Owns what one window of a session holds, read once: voices in order, turns, and statements with what they are.

Knows no page: what becomes of a statement is decided elsewhere.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.models.extractive.chatter import machine_made, spoken
from pipeline.models.extractive.signals import (
    PROMPTS,
    explicit_act,
    heard,
    stands_alone,
    structural_act,
    under_proposal,
)
from pipeline.models.extractive.similarity import subject_terms
from pipeline.models.extractive.statements import Piece, Reading, read
from pipeline.models.extractive.subjects import subject_of
from pipeline.models.extractive.tongues.all import Ear, ear, heading_act, tongue_of
from pipeline.models.extractive.wording import readable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.models.extractive.tongues.tongue import Act, Tongue
    from pipeline.observations.observation import Observation
    from pipeline.projection import Projection, Shown

_FIRST_WORDS = 2
IMPORTANT = 8
"""From this importance on an observation counts as if it had an explicit kind."""


@dataclass(frozen=True, slots=True, eq=False)
class Voice:
    """One observation as it was read."""

    handle: str
    order: int
    observation: Observation
    text: str
    reading: Reading
    ear: Ear
    act: Act
    """What its kind or tags say it is."""
    person: bool
    prompt: bool
    """Whether a person asked for something, as opposed to noting it down."""
    noise: bool
    headline: Piece | None = None
    """Its own title, where it has one."""
    turn: int = 0
    closing: bool = False
    """Whether it ends a turn: the answer to a prompt, after all progress reports."""


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One piece, by whom, and what it is."""

    voice: Voice
    piece: Piece
    act: Act
    acts: frozenset[Act]
    """What its words say, and `act`."""
    heard: frozenset[Act]
    """What its words alone say."""
    alone: float
    considered: bool
    """Whether somebody merely weighed it up."""
    prominent: bool = True
    """Whether it may stand for its observation on the session's page: of one that says what it is, only the
    title may, or its first words."""

    @property
    def plain(self) -> str:
        """As it reads."""
        return self.piece.plain

    @property
    def explicit(self) -> bool:
        """Whether its observation says what it is, or that it matters."""
        return self.voice.act != "none" or self.voice.observation.importance >= IMPORTANT

    @property
    def place(self) -> tuple[int, int]:
        """Where it stands in the session."""
        return self.voice.order, self.piece.block


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """One window."""

    projection: Projection
    voices: tuple[Voice, ...]
    statements: tuple[Statement, ...]
    weight: Mapping[str, float]
    """How much the session speaks of a term, from 0 to 1."""

    def centrality(self, text: str) -> float:
        """How much of what the session is about stands in `text`, from 0 to about 1."""
        found = sorted((self.weight.get(term, 0.0) for term in subject_terms(text)), reverse=True)[:4]
        return sum(found) / 2.5


def read_session(projection: Projection) -> Session:
    """Read one window."""
    voices = _with_turns(_voices(projection))
    statements = tuple(statement for voice in voices if not voice.noise for statement in _statements(voice))
    return Session(projection, voices, statements, _weights(voices))


def _voices(projection: Projection) -> list[Voice]:
    home = tongue_of("\n".join(shown.text[:400] for shown in projection.shown[:40]))
    answered = any(shown.observation.role == "assistant" for shown in projection.shown)
    return [_voice(shown, order, home, answered=answered) for order, shown in enumerate(projection.shown)]


def _voice(shown: Shown, order: int, home: Tongue, *, answered: bool) -> Voice:
    observation = shown.observation
    act = explicit_act(observation.kind, observation.tags)
    important = observation.importance >= IMPORTANT
    kind = observation.kind.casefold()
    person = observation.role == "user"
    headline, text = _headline(observation, shown.text)
    noise = (observation.role in {"tool", "system"} and act == "none" and not important) or machine_made(shown.text)
    hears = ear(tongue_of(text, home))
    prompt = person and (act in {"request", "question"} or (act == "none" and (kind in PROMPTS or answered)))
    reading = Reading((), (), ()) if noise else read(text, hears, by_person=person)
    return Voice(shown.handle, order, observation, text, reading, hears, act, person, prompt, noise, headline)


def _headline(observation: Observation, text: str) -> tuple[Piece | None, str]:
    """The observation's own title and what follows it."""
    title = observation.title.strip()
    plain = readable(title)
    if not plain or not text.startswith(title):
        return None, spoken(text)
    rest = text[len(title) :]
    if rest and not rest.startswith(("\n", "\r")):
        return None, spoken(text)
    return Piece(raw=title, plain=plain, block=-1, shape="headline", body=plain), spoken(rest)


def _with_turns(voices: list[Voice]) -> tuple[Voice, ...]:
    turn = 0
    closing: dict[int, int] = {}
    turns = []
    for voice in voices:
        if voice.prompt and not voice.noise:
            turn += 1
        turns.append(turn)
        if voice.observation.role == "assistant" and not voice.noise and (voice.reading.pieces or voice.headline):
            closing[turn] = voice.order
    ends = set(closing.values())
    told = bool(ends)
    return tuple(
        replace(voice, turn=turns[voice.order], closing=voice.order in ends or (not told and not voice.noise))
        for voice in voices
    )


def _statements(voice: Voice) -> list[Statement]:
    explicit = voice.act != "none" or voice.observation.importance >= IMPORTANT
    if voice.headline is None:
        told = [piece for piece in voice.reading.pieces if not piece.leans]
        return [
            _statement(voice, piece, prominent=not explicit or piece in told[:_FIRST_WORDS])
            for piece in voice.reading.pieces
        ]
    named = voice.act == "concept" and bool(voice.reading.pieces)
    found = [
        _statement(voice, piece, prominent=not explicit or (named and at == 0))
        for at, piece in enumerate(voice.reading.pieces)
    ]
    return [_statement(voice, voice.headline, prominent=not named), *found]


def _statement(voice: Voice, piece: Piece, *, prominent: bool) -> Statement:
    acts = heard(piece, voice.ear, by_person=voice.person)
    structure = structural_act(piece)
    labelled = bool(piece.lead) and heading_act(piece.lead) not in {"none", "proposal"}
    weighing = not voice.person and "proposal" in acts and "result" not in acts and not labelled
    considered = under_proposal(piece) or weighing
    act = _act(voice, piece, acts, structure)
    return Statement(voice, piece, act, acts | {act}, acts, stands_alone(piece, voice.ear), considered, prominent)


def _act(voice: Voice, piece: Piece, acts: frozenset[Act], structure: Act) -> Act:
    lead = heading_act(piece.lead) if piece.lead else "none"
    if lead not in {"none", "proposal"}:
        return lead
    if "question" in acts:
        return "question"
    if voice.act != "none":
        return voice.act
    if voice.person and "request" in acts:
        return "request"
    if structure in {"cause", "problem", "why", "decision", "rule"} and "result" not in acts:
        return structure
    if structure in {"cause", "why"}:
        return structure
    if structure == "result" and {"cause", "problem"} <= acts:
        return "cause"
    if "result" in acts:
        return "result"
    if structure not in {"none", "proposal"}:
        return structure
    return _act_by_words(voice, piece, acts)


def _act_by_words(voice: Voice, piece: Piece, acts: frozenset[Act]) -> Act:
    if not voice.ear.tongue.code and voice.closing and not voice.person:
        return "result"  # No table for the language: what an answer says in the end is what came of it.
    order: tuple[Act, ...] = ("fix", "rule", "decision", "open") if voice.person else ("fix", "decision", "open")
    if voice.ear.decision.search(piece.plain):
        order = ("decision",)
    found = next((act for act in order if act in acts), None)
    if found:
        return found
    if "problem" in acts:
        return "cause" if "cause" in acts else "problem"
    if subject_of(piece.raw, voice.ear):
        return "cause" if "cause" in acts else "concept"
    return "none"


def _weights(voices: tuple[Voice, ...]) -> dict[str, float]:
    """Terms by how many observations speak of them; a person's word counts threefold."""
    counts: Counter[str] = Counter()
    for voice in voices:
        if not voice.noise:
            for term in subject_terms(voice.text[:3_000]):
                counts[term] += 3 if voice.person else 1
    most = max(counts.values(), default=1)
    return {term: count / most for term, count in counts.items()}
