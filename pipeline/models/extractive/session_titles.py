"""Owns what a session may be called: by what came of it, by what was asked, by the headings in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.asked import ask_of
from pipeline.models.extractive.merit import is_free, is_of_oneself, is_whole, tells_to_do
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import subject_terms, terms
from pipeline.models.extractive.strength import strength
from pipeline.models.extractive.subjects import HASH, SYMBOLS, names_its_subject
from pipeline.models.extractive.titles import claim_title, request_title, shortened_title, title_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.models.extractive.session import Session, Voice
    from pipeline.models.extractive.tongues.tongue import Act

_RESULTS: frozenset[Act] = frozenset({"result", "outcome", "fix"})
_TELLING: frozenset[Act] = _RESULTS | {"cause", "problem", "decision", "concept", "rule"}
_MOST_HEADINGS = 6
_CENTRAL = 0.25
_NAMED = 3.0
_WEIGHED = 3_000
_NAME = re.compile(r"[^\W\d_]+(?:[-_ ][^\W\d_]+)+")
_IDLE_START = re.compile(r"^\s*(?:at|on|some|more|new|any|all|just|only|which|that)\b", re.IGNORECASE)
_SPEAKING = re.compile(r"\b(?:I|you|we|me|my|your)\b", re.IGNORECASE)
_TESTS = re.compile(r"\btests?\b|\blines? \d|^(?:the )?\d", re.IGNORECASE)
_BESIDE = re.compile(r"^(?:more|less|fewer) than\b|^new tests?\b|\btests? (?:helper|coverage|cases?)\b", re.IGNORECASE)
_GOOD = 0.9
"""What a title weighs that needs no other beside it."""
_VAGUE = {0: 0.9, 1: 0.45}
"""What it costs a title to name so few things."""
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
    ranked += [(worth + _fit(title, session), -1, title) for worth, title in _named_titles(session)]
    ranked += [(worth + _fit(title, session), order, title) for worth, order, title in _told_titles(session)]
    if max((worth for worth, _, _ in ranked), default=0.0) < _GOOD:
        ranked += [(worth + _fit(title, session), order, title) for worth, order, title in _cut_titles(session)]
    best: dict[str, float] = {}
    for worth, _, title in sorted(ranked, key=lambda one: (-one[0], one[1], one[2])):
        best.setdefault(title, worth)
    return [(worth, title) for title, worth in best.items()]


def _named_titles(session: Session) -> Iterator[tuple[float, str]]:
    """Give what somebody called the session in its id, where these are words that the session speaks of."""
    name = session.projection.session.session_id
    title = name.replace("-", " ").replace("_", " ").strip()
    about = terms(title)
    said = {term for voice in session.voices if not voice.noise for term in terms(voice.text[:_WEIGHED])}
    spoken = len(about & said)
    if _NAME.fullmatch(name) and len(title.split()) >= _FEW_WORDS - 1 and about and spoken * 2 >= len(about):
        yield _NAMED, f"{title[:1].upper()}{title[1:]}"


def _own_titles(voice: Voice, session: Session) -> Iterator[tuple[float, str]]:
    """Titles out of an observation's own title and its headings."""
    own = voice.observation.title
    if own and (title := title_of(own, voice.ear, heading=True)):
        yield (
            1.4 + 0.2 * (voice.act in _RESULTS) + 0.3 * (voice.act == "decision") + 0.8 * session.centrality(title),
            title,
        )
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
            if title and not voice.ear.proposal.search(title) and not _SPEAKING.search(title):
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


def _cut_titles(session: Session) -> Iterator[tuple[float, int, str]]:
    """Give titles for want of better ones: what an answer says, cut at a clause's end where it is too long."""
    for one in session.statements:
        ear = one.voice.ear
        if one.voice.prompt or not one.voice.closing or one.act in {"question", "request", "proposal", "open"}:
            continue
        if (
            not (is_free(one) and is_whole(one))
            or one.piece.lead_kept
            or is_of_oneself(one)
            or ear.asks.match(one.plain)
        ):
            continue
        title = shortened_title(one.plain, ear)
        if SYMBOLS.search(title) or HASH.search(title) or _TESTS.search(title) or not names_its_subject(title, ear):
            continue
        whole = not title.endswith("…") and len(title.split()) >= _FEW_WORDS + 1
        if whole and not (_SPEAKING.search(title) or ear.pointers.search(title) or ear.setting.match(title)):
            yield 0.4 * strength(one, session) + 0.5 * session.centrality(title), one.voice.order, title


def _fit(title: str, session: Session) -> float:
    """Weigh how a title reads: four to ten words are best, general words or a side issue are worst."""
    words = len(title.split())
    size = 0.15 if words in _BEST_WORDS else -0.15 if words < _FEW_WORDS else 0.0
    ear = session.voices[0].ear if session.voices else None
    acts = ear.imperative.match(title) or ear.done.match(title) if ear else None
    about = subject_terms(_IDLE_START.sub("", title[acts.end() :] if acts else title))
    # One general noun names nothing, and a verb without one still less.
    vague = 0.0 if identifiers(title) else _VAGUE.get(len(about), 0.0)
    if ear and not ear.result.match(title) and not names_its_subject(title, ear):
        vague += 0.3
    beside = 0.4 * bool(ear and ear.chore.match(title)) + 0.3 * bool(_BESIDE.search(title))
    return size - vague - beside - 0.3 * (session.centrality(title) < _CENTRAL)
