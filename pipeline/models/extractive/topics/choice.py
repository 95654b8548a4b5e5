"""Owns which subjects of a session deserve a page of their own: the strongest, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.similarity import jaccard, same, same_title, subject_terms
from pipeline.models.extractive.topics.concepts import concept_topics
from pipeline.models.extractive.topics.decisions import decision_topics, rule_topics
from pipeline.models.extractive.topics.explicit import explicit_topics
from pipeline.models.extractive.topics.gotchas import gotcha_topics
from pipeline.models.extractive.topics.procedures import procedure_topics
from pipeline.models.extractive.topics.questions import question_topics

if TYPE_CHECKING:
    from collections.abc import Container

    from pipeline.draft import Kind
    from pipeline.models.extractive.parts import Topic
    from pipeline.models.extractive.session import Session

_LEAST: dict[Kind, float] = {"decision": 0.9, "gotcha": 1.0, "concept": 0.85, "rule": 0.75, "procedure": 1.0}
"""What a subject must weigh to get a page."""
_FOR_ONE = 0.15
"""What a gotcha must weigh more when a single statement tells it."""
_SHARED = 0.5
_ALIKE = 0.4
_FIRST = 3
_LONGER = 1.3


def topics_of(session: Session, standing: Container[frozenset[str]]) -> list[Topic]:
    """Find the subjects worth a page, the strongest first; no two are about one thing.

    `standing` holds the terms of the names that concept pages of the wiki have.
    """
    found = [
        *explicit_topics(session),
        *decision_topics(session),
        *rule_topics(session),
        *gotcha_topics(session),
        *procedure_topics(session),
        *question_topics(session),
        *concept_topics(session, standing),
    ]
    worthy = [one for one in found if one.explicit or _is_worthy(one)]
    kept: list[Topic] = []
    for topic in sorted(worthy, key=lambda one: (-one.strength, one.kind, one.title)):
        if not any(_are_one(topic, held) for held in kept):
            kept.append(topic)
    return kept


def _is_worthy(topic: Topic) -> bool:
    least = _LEAST[topic.kind] + _FOR_ONE * (topic.kind == "gotcha" and len(topic.plains) == 1)
    return topic.strength >= least and _says_more(topic)


def _says_more(topic: Topic) -> bool:
    """Say whether a page would say more than its title, or is somebody's word, which counts by itself."""
    if topic.kind in {"rule", "decision"} or len(topic.plains) > 1:
        return True
    return len(topic.lead) > _LONGER * len(topic.title) + 10


def _are_one(one: Topic, other: Topic) -> bool:
    """Say whether two topics are about one thing, or say mostly the same."""
    if same_title(one.title, other.title) or same(one.lead, other.lead):
        return True
    if one.kind == other.kind and not one.explicit and jaccard(_about(one), _about(other)) >= _ALIKE:
        return True
    return sum(any(same(plain, held) for held in other.plains) for plain in one.plains) >= _SHARED * len(one.plains)


def _about(topic: Topic) -> frozenset[str]:
    return subject_terms(" ".join((topic.title, *topic.plains[:_FIRST])))
