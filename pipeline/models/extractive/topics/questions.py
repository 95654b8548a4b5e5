"""Owns what was explained: a question that a person asked and the statements that answer it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.merit import is_free, is_specific, is_timeless, is_whole
from pipeline.models.extractive.parts import Topic, sections_of
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import subject_terms
from pipeline.models.extractive.strength import chosen, in_order
from pipeline.models.extractive.titles import request_title

if TYPE_CHECKING:
    from pipeline.models.extractive.session import Session, Statement, Voice

_LONGEST_QUESTION = 400
_MOST_ANSWERS = 2
_MOST_DETAILS = 5
_FEWEST = 2
_LEAST = 0.7
_SHARED = 2
_PERSONAL = re.compile(r"\b(?:I|you|we|me|us|he|she|lines? \d+)\b", re.IGNORECASE)


def question_topics(session: Session) -> list[Topic]:
    """Find questions about how things are, each with the strongest statements of its answer."""
    topics = []
    for voice in session.voices:
        if voice.noise or not voice.prompt or len(voice.text) > _LONGEST_QUESTION:
            continue
        answer = next((one for one in session.voices if one.closing and one.turn == voice.turn), None)
        title = _question(voice) if answer is not None else ""
        if answer is not None and title and (topic := _topic(title, answer, session)) is not None:
            topics.append(topic)
    return topics


def _question(voice: Voice) -> str:
    """Take the question as a title, when it asks how something is and not for something to be done."""
    for piece in voice.reading.pieces:
        if voice.ear.wonders.match(piece.plain) and (title := request_title(piece.raw, voice.ear)):
            named = len(subject_terms(title)) > 1 or identifiers(piece.raw)
            if named and not _PERSONAL.search(title):
                return title if title.endswith(("?", "？")) else f"{title}?"
    return ""


def _topic(title: str, answer: Voice, session: Session) -> Topic | None:
    about = subject_terms(title)

    def shared(one: Statement) -> int:
        return len(subject_terms(one.plain) & about)

    said = [one for one in session.statements if one.voice is answer and _answers(one)]
    groups = chosen(said, session, _MOST_ANSWERS + _MOST_DETAILS, least=_LEAST)
    if len(groups) < _FEWEST or not any(shared(group[0]) >= _SHARED for group in groups):
        return None
    groups.sort(key=lambda group: (-shared(group[0]), group[0].place))
    first, rest = in_order(groups[:_MOST_ANSWERS]), in_order(groups[_MOST_ANSWERS:])
    worth = 0.8 + 0.1 * len(groups) + 0.5 * session.centrality(title)
    return Topic("concept", title, sections_of((("Answer", first), ("Details", rest))), worth)


def _answers(one: Statement) -> bool:
    if one.act in {"question", "request", "proposal", "open"} or "result" in one.heard:
        return False
    return is_free(one) and is_specific(one) and is_whole(one) and is_timeless(one)
