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
from pipeline.models.extractive.tongues.all import heading_act, tongue_of
from pipeline.models.extractive.tongues.ear import ear
from pipeline.models.extractive.wording import readable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pipeline.models.extractive.tongues.ear import Ear
    from pipeline.models.extractive.tongues.tongue import Act, Tongue
    from pipeline.observations.observation import Observation
    from pipeline.projection import Projection, Shown

IMPORTANT = 8
"""From this importance on an observation counts as if it had an explicit kind."""
_FIRST_WORDS = 2
_PERSON_COUNTS = 3
"""How often a person's word counts against an assistant's."""
_WEIGHED = 3_000
_MOST_CENTRAL = 4
_FULLY_CENTRAL = 2.5


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

    @property
    def explicit(self) -> bool:
        """Whether it says what it is, or that it matters."""
        return self.act != "none" or self.observation.importance >= IMPORTANT


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """One piece, by whom, and what it is."""

    voice: Voice
    piece: Piece
    act: Act
    heard: frozenset[Act]
    """What its words say, whatever structure says."""
    alone: float
    """How well it reads by itself, from 0 to 1."""
    considered: bool
    """Whether somebody merely weighed it up."""
    prominent: bool
    """Whether it may stand for its observation on the session's page: of one that says what it is, only the
    title may, or its first words."""

    @property
    def plain(self) -> str:
        """As it reads."""
        return self.piece.plain

    @property
    def explicit(self) -> bool:
        """Whether its observation says what it is, or that it matters."""
        return self.voice.explicit

    @property
    def place(self) -> tuple[int, int, int]:
        """Where it stands in the session: in which observation, in which block, how far into the text."""
        return self.voice.order, self.piece.block, self.voice.text.find(self.piece.raw)

    def says(self, act: Act) -> bool:
        """Tell whether structure or words say that it is this."""
        return act == self.act or act in self.heard


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """One window."""

    projection: Projection
    voices: tuple[Voice, ...]
    statements: tuple[Statement, ...]
    weight: Mapping[str, float]
    """How much the session speaks of a term, from 0 to 1."""

    def centrality(self, text: str) -> float:
        """Measure how much of what the session is about stands in `text`, from 0 to about 1."""
        found = sorted((self.weight.get(term, 0.0) for term in subject_terms(text)), reverse=True)
        return sum(found[:_MOST_CENTRAL]) / _FULLY_CENTRAL


def read_session(projection: Projection) -> Session:
    """Read one window."""
    voices = _with_turns(_voices(projection.shown))
    statements = tuple(statement for voice in voices if not voice.noise for statement in _statements(voice))
    return Session(projection, voices, statements, _weights(voices))


def _voices(shown: Sequence[Shown]) -> list[Voice]:
    home = tongue_of("\n".join(one.text[:400] for one in shown[:40]))
    answered = any(one.observation.role == "assistant" for one in shown)
    return [_voice(one, order, home, answered=answered) for order, one in enumerate(shown)]


def _voice(shown: Shown, order: int, home: Tongue, *, answered: bool) -> Voice:
    observation = shown.observation
    act = explicit_act(observation.kind, observation.tags)
    person = observation.role == "user"
    headline, text = _headline(observation, shown.text)
    important = observation.importance >= IMPORTANT
    noise = (observation.role in {"tool", "system"} and act == "none" and not important) or machine_made(shown.text)
    hears = ear(tongue_of(text, home))
    addressed = observation.kind.casefold() in PROMPTS or (answered and not important)
    asks = act in {"request", "question"} or (act == "none" and addressed)
    reading = Reading() if noise else read(text, hears, by_person=person)
    return Voice(
        handle=shown.handle,
        order=order,
        observation=observation,
        text=text,
        reading=reading,
        ear=hears,
        act=act,
        person=person,
        prompt=person and asks,
        noise=noise,
        headline=headline,
    )


def _headline(observation: Observation, text: str) -> tuple[Piece | None, str]:
    """Part an observation's own title from what follows it."""
    title = observation.title.strip()
    rest = text.removeprefix(title)
    plain = readable(title)
    if not plain or not text.startswith(title) or (rest and rest[0] not in "\r\n"):
        return None, spoken(text)
    return Piece(title, plain, -1, "headline", plain), spoken(rest)


def _with_turns(voices: list[Voice]) -> tuple[Voice, ...]:
    """Count the turns, and mark the last answer of each; without answers every voice speaks for itself."""
    turns: list[int] = []
    ends: dict[int, int] = {}
    for voice in voices:
        asks = voice.prompt and not voice.noise
        turns.append((turns[-1] if turns else 0) + asks)
        says = bool(voice.reading.pieces) or voice.headline is not None
        if voice.observation.role == "assistant" and not voice.noise and says:
            ends[turns[-1]] = voice.order
    closing = set(ends.values())
    return tuple(
        replace(voice, turn=turn, closing=voice.order in closing if closing else not voice.noise)
        for voice, turn in zip(voices, turns, strict=True)
    )


def _statements(voice: Voice) -> Iterator[Statement]:
    pieces = voice.reading.pieces
    for_itself = not voice.explicit
    if voice.headline is None:
        first = [piece for piece in pieces if not piece.leans][:_FIRST_WORDS]
    else:
        # The title of a concept only names it; its first words say more.
        first = list(pieces[:1]) if voice.act == "concept" else []
        yield _statement(voice, voice.headline, prominent=not first)
    for piece in pieces:
        yield _statement(voice, piece, prominent=for_itself or any(piece is one for one in first))


def _statement(voice: Voice, piece: Piece, *, prominent: bool) -> Statement:
    words = heard(piece, voice.ear, by_person=voice.person)
    labelled = bool(piece.lead) and heading_act(piece.lead) not in {"none", "proposal"}
    weighing = not voice.person and "proposal" in words and "result" not in words and not labelled
    return Statement(
        voice=voice,
        piece=piece,
        act=_act(voice, piece, words),
        heard=words,
        alone=stands_alone(piece, voice.ear),
        considered=under_proposal(piece) or weighing,
        prominent=prominent,
    )


def _act(voice: Voice, piece: Piece, words: frozenset[Act]) -> Act:
    """Decide what a statement is: its lead-in, what it asks, its observation's kind, its headings, its words."""
    lead = heading_act(piece.lead) if piece.lead else "none"
    asks: Act = "question" if "question" in words else "none"
    wants: Act = "request" if voice.person and "request" in words else "none"
    if told := next((act for act in (lead, asks, voice.act, wants) if act not in {"none", "proposal"}), None):
        return told
    if voice.act == "proposal":
        return "proposal"
    structure = structural_act(piece)
    if structure in {"cause", "why"} or (structure == "result" and {"cause", "problem"} <= words):
        return "why" if structure == "why" else "cause"
    if "result" in words and structure not in {"problem", "decision", "rule"}:
        return "result"
    if structure not in {"none", "proposal"}:
        return "result" if "result" in words else structure
    return _act_by_words(voice, piece, words)


def _act_by_words(voice: Voice, piece: Piece, words: frozenset[Act]) -> Act:
    if not voice.ear.tongue.code and voice.closing and not voice.person:
        return "result"  # No table for the language: what an answer says in the end is what came of it.
    order: tuple[Act, ...] = ("fix", "rule", "decision", "open") if voice.person else ("fix", "decision", "open")
    if voice.ear.decision.search(piece.plain):
        order = ("decision",)
    if found := next((act for act in order if act in words), None):
        return found
    if "problem" in words:
        return "cause" if "cause" in words else "problem"
    if subject_of(piece.raw, voice.ear):
        return "cause" if "cause" in words else "concept"
    return "none"


def _weights(voices: tuple[Voice, ...]) -> dict[str, float]:
    """Weigh terms by how many observations speak of them."""
    counts: Counter[str] = Counter()
    for voice in voices:
        if not voice.noise:
            for term in subject_terms(voice.text[:_WEIGHED]):
                counts[term] += _PERSON_COUNTS if voice.person else 1
    most = max(counts.values(), default=1)
    return {term: count / most for term, count in counts.items()}
