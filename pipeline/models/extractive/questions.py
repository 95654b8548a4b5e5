"""Owns what was explained: a question that a person asked and the statements that answer it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.models.extractive.page_parts import Section, Topic, bullets
from pipeline.models.extractive.sessionpage import complete
from pipeline.models.extractive.signals import identifiers
from pipeline.models.extractive.similarity import subject_terms
from pipeline.models.extractive.strength import chosen, specific, timeless
from pipeline.models.extractive.subjects import request_title

if TYPE_CHECKING:
    from pipeline.models.extractive.session import Session, Statement, Voice

_MOST_ANSWERS = 2
_MOST_DETAILS = 5
_FEWEST = 3
_PERSONAL = re.compile(r"\b(?:I|you|we|me|us|he|she|lines? \d+)\b", re.IGNORECASE)
_LEAST = 0.75
_LONGEST_QUESTION = 400


def question_topics(session: Session) -> list[Topic]:
    """Questions about how things are, each with the strongest statements of its answer."""
    topics = []
    for voice in session.voices:
        if voice.noise or not voice.prompt or len(voice.text) > _LONGEST_QUESTION:
            continue
        title = _question(voice)
        answer = next((one for one in session.voices if one.closing and one.turn == voice.turn), None)
        if title and answer is not None and (topic := _topic(title, answer, session)):
            topics.append(topic)
    return topics


def _question(voice: Voice) -> str:
    """The question as a title, when it asks how something is and not for something to be done."""
    for piece in voice.reading.pieces:
        if voice.ear.wonders.match(piece.plain) and (title := request_title(piece.raw, voice.ear)):
            subject = subject_terms(title)
            if _PERSONAL.search(title):
                return ""
            if len(subject) > 1 or (subject and identifiers(piece.raw)):
                return title if title.endswith(("?", "？")) else f"{title}?"
    return ""


def _topic(title: str, answer: Voice, session: Session) -> Topic | None:
    about = subject_terms(title)
    said = [one for one in session.statements if one.voice is answer and _answers(one)]
    if not any(len(subject_terms(one.plain) & about) > 1 for one in said):
        return None
    groups = chosen(said, session, _MOST_ANSWERS + _MOST_DETAILS, least=_LEAST)
    if len(groups) < _FEWEST:
        return None
    ranked = sorted(groups, key=lambda group: (-len(subject_terms(group[0].plain) & about), group[0].place))
    first = sorted(ranked[:_MOST_ANSWERS], key=lambda group: group[0].place)
    rest = [group for group in groups if not any(group is held for held in first)]
    sections = [Section("Answer", bullets(first))]
    if rest:
        sections.append(Section("Details", bullets(rest)))
    worth = 0.8 + 0.1 * len(groups) + 0.5 * session.centrality(title)
    return Topic("concept", title, tuple(sections), worth)


def _answers(one: Statement) -> bool:
    return (
        one.act not in {"question", "request", "proposal", "open"}
        and "result" not in one.heard
        and not one.piece.leans
        and not one.piece.passes
        and not one.considered
        and specific(one)
        and complete(one)
        and timeless(one)
    )
