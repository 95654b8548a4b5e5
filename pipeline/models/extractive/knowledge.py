"""Owns which subjects of a session deserve a page of their own: the few strongest, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.models.extractive.concepts import concept_topics
from pipeline.models.extractive.decisions import decision_topics, rule_topics
from pipeline.models.extractive.explicit import explicit_topics
from pipeline.models.extractive.gotchas import gotcha_topics
from pipeline.models.extractive.procedures import procedure_topics
from pipeline.models.extractive.questions import question_topics
from pipeline.models.extractive.similarity import jaccard, same, same_title, subject_terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.models.extractive.page_parts import Topic
    from pipeline.models.extractive.session import Session

LEAST = {"decision": 0.9, "gotcha": 1.15, "concept": 0.85, "rule": 0.9, "procedure": 1.0}
"""What a subject must weigh to get a page, by kind."""
_SHARED = 0.5
_LONGER = 1.3
_ALIKE = 0.4


def topics(session: Session, standing: Mapping[frozenset[str], str]) -> list[Topic]:
    """The subjects worth a page, the strongest first; no two about one thing."""
    found = [
        *explicit_topics(session),
        *decision_topics(session),
        *rule_topics(session),
        *gotcha_topics(session),
        *procedure_topics(session),
        *question_topics(session),
        *concept_topics(session, standing),
    ]
    strong = [topic for topic in found if topic.explicit or (topic.strength >= LEAST[topic.kind] and _says_more(topic))]
    strong.sort(key=lambda topic: (-topic.strength, topic.kind, topic.title))
    kept: list[Topic] = []
    for topic in strong:
        if not any(_one_thing(topic, held) for held in kept):
            kept.append(topic)
    return kept


def _says_more(topic: Topic) -> bool:
    """Whether a page would say more than its title."""
    return topic.kind in {"rule", "decision"} or len(topic.plains) > 1 or len(topic.lead) > _LONGER * len(topic.title) + 10


def _about(topic: Topic) -> frozenset[str]:
    return subject_terms(" ".join((topic.title, *topic.plains[:3])))


def _one_thing(one: Topic, other: Topic) -> bool:
    if same_title(one.title, other.title) or same(one.lead, other.lead):
        return True
    if one.kind == other.kind and not one.explicit and jaccard(_about(one), _about(other)) >= _ALIKE:
        return True
    shared = sum(any(same(plain, held) for held in other.plains) for plain in one.plains)
    return shared >= _SHARED * len(one.plains)
