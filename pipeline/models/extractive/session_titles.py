"""Owns what a session may be called: by what came of it, by what was asked, by the headings in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.asked import ask_of
from pipeline.models.extractive.merit import is_free, is_whole, tells_to_do
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import subject_terms
from pipeline.models.extractive.strength import strength
from pipeline.models.extractive.titles import claim_title, request_title, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.extractive.session import Session, Voice
    from pipeline.models.extractive.tongues.tongue import Act

_RESULTS: frozenset[Act] = frozenset({"result", "outcome", "fix"})
_TELLING: frozenset[Act] = _RESULTS | {"cause", "problem", "decision", "concept", "rule"}
_MOST_HEADINGS = 6
_CENTRAL = 0.25
_BEST_WORDS = range(4, 11)
_FEW_WORDS = 3


def session_titles(session: Session) -> list[tuple[float, str]]:
    """List titles for the session and how well they fit, the best first."""
    ranked = [
        (worth + _fit(title, session), voice.order, title)
        for voice in session.voices
        if not voice.noise
        for worth, title in (*_own_titles(voice, session), *_ask_titles(voice, session))
    ]
    ranked += [(worth + _fit(title, session), order, title) for worth, order, title in _told_titles(session)]
    best: dict[str, float] = {}
    for worth, _, title in sorted(ranked, key=lambda one: (-one[0], one[1], one[2])):
        best.setdefault(title, worth)
    return [(worth, title) for title, worth in best.items()]


def _own_titles(voice: Voice, session: Session) -> Iterator[tuple[float, str]]:
    """Titles out of an observation's own title and its headings."""
    own = voice.observation.title
    if own and (title := title_of(own, voice.ear, heading=True)):
        yield 1.4 + 0.2 * (voice.act in _RESULTS) + 0.8 * session.centrality(title), title
    for piece in voice.reading.headings[:_MOST_HEADINGS]:
        if len(piece.headings) <= 1 and (title := title_of(piece.raw, voice.ear, heading=True)):
            yield (1.0 if voice.closing or voice.prompt else 0.6) + 0.8 * session.centrality(title), title


def _ask_titles(voice: Voice, session: Session) -> Iterator[tuple[float, str]]:
    """Titles out of what a person asked, or reported when they asked."""
    ask = ask_of(voice) if voice.prompt else None
    if ask is None:
        return
    for piece in voice.reading.pieces:
        if piece.raw not in ask.raw:
            continue
        if title := request_title(piece.raw, voice.ear):
            worth = 0.7 if title.endswith("?") else 0.95 + 0.3 * (voice.turn == 1)
            yield worth + 0.8 * session.centrality(title), title
        elif not piece.leans:
            title = claim_title(piece, voice.ear, asked=True)
            if title and not voice.ear.proposal.search(title):
                yield 0.55 + 0.8 * session.centrality(title), title


def _told_titles(session: Session) -> Iterator[tuple[float, int, str]]:
    """Titles out of statements, results before what was found out."""
    for one in session.statements:
        if one.act not in _TELLING or one.voice.prompt or not is_free(one) or not is_whole(one) or tells_to_do(one):
            continue
        if title := claim_title(one.piece, one.voice.ear):
            worth = strength(one, session) + 0.5 * session.centrality(title)
            lesser = 0.35 * (one.piece.shape == "item") + 0.5 * (one.act not in _RESULTS)
            yield worth - lesser, one.voice.order, title


def _fit(title: str, session: Session) -> float:
    """Weigh how a title reads: four to ten words are best, general words or a side issue are worst."""
    words = len(title.split())
    size = 0.15 if words in _BEST_WORDS else -0.15 if words < _FEW_WORDS else 0.0
    vague = len(subject_terms(title)) < 2 and not identifiers(title)  # noqa: PLR2004  # one general noun names nothing
    return size - 0.35 * vague - 0.3 * (session.centrality(title) < _CENTRAL)
