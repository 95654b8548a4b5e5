"""Owns how an observation, and its id, stand in the rows of the spool; knows no database."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeAlias

from pipeline.observations.observation import Observation, Place, Role, SessionKey

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

Row: TypeAlias = "tuple[str, str, int, str, str, Role, str, str, str, int, str, str, str, int, int, str]"

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_ID_SIZE = 16


def hash_id(own_id: str) -> bytes:
    """Give the hash by which the spool knows an id."""
    return hashlib.blake2b(own_id.encode("utf-8", "surrogatepass"), digest_size=_ID_SIZE).digest()


def to_number(moment: datetime) -> int:
    """Give a moment as microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def to_time(number: int) -> datetime:
    """Give the moment that a number stands for."""
    return _EPOCH + number * _MICROSECOND


def to_columns(observation: Observation) -> tuple[str | int, ...]:
    """Give what stands in a row behind its session, time and place."""
    return (
        observation.id,
        observation.digest,
        observation.agent_kind,
        observation.author,
        observation.role,
        observation.kind,
        observation.title,
        observation.body,
        observation.importance,
        json.dumps(observation.tags),
        json.dumps(observation.files),
        int(observation.naive_time),
        json.dumps(observation.extra),
    )


def to_observation(session: SessionKey, row: Row) -> Observation:
    """Give the observation that a row holds."""
    (
        own_id,
        digest,
        ts,
        agent_kind,
        author,
        role,
        kind,
        title,
        body,
        importance,
        tags,
        files,
        path,
        line,
        naive,
        extra,
    ) = row
    kept: dict[str, Json] = json.loads(extra)
    return Observation(
        id=own_id,
        digest=digest,
        ts=to_time(ts),
        session=session,
        agent_kind=agent_kind,
        author=author,
        role=role,
        kind=kind,
        title=title,
        body=body,
        importance=importance,
        tags=tuple(json.loads(tags)),
        files=tuple(json.loads(files)),
        place=Place(path, line),
        naive_time=bool(naive),
        extra=kept,
    )
