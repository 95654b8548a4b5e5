"""Owns what one observation is; knows nothing of files, secrets, or what becomes of an observation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

Role = Literal["user", "assistant", "tool", "system"]


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Where a line stands: a path below the observations folder, with `/`, and a line number from 1."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, order=True)
class SessionKey:
    """What tells sessions apart: the same session id in two projects is two sessions."""

    workspace: str
    project: str
    session_id: str

    def __str__(self) -> str:
        home = f"{self.workspace}/{self.project}" if self.workspace != "default" else self.project
        return f"{home}/{self.session_id}"


@dataclass(frozen=True, slots=True)
class Observation:
    """One immutable line: who noticed what, when, in which session of which project.

    `id` is the line's own or, without one, the BLAKE2b of its canonical content; `digest` is always the
    latter, so that two lines with one id can be told equal or in conflict. `ts` is aware and in UTC.
    """

    id: str
    digest: str
    ts: datetime
    session: SessionKey
    agent_kind: str
    author: str
    role: Role
    kind: str
    title: str
    body: str
    importance: int
    tags: tuple[str, ...]
    files: tuple[str, ...]
    place: Place
    naive_time: bool = False
    extra: Mapping[str, Json] = field(default_factory=dict)
