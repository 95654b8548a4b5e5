"""Requests to ask, and a model that answers as a test says; it counts who asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING

from pipeline.context import Context
from pipeline.models.model import Reply
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.projection import Projection, project
from pipeline.prompt import Request, build_batch_request_with_slots
from pipeline.spending import Spent, Usage

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.finding import Finding

AT = datetime(2026, 11, 30, 14, 0, tzinfo=UTC)


def window(session: str, text: str, project_name: str = "acme") -> Projection:
    key = SessionKey("default", project_name, session)
    observation = Observation(
        id=f"id-{session}",
        digest="d",
        ts=AT,
        session=key,
        agent_kind="claude-code",
        author="dana",
        role="user",
        kind="note",
        title="",
        body=text,
        importance=5,
        tags=(),
        files=(),
        place=Place("a.jsonl", 1),
    )
    return project(key, [observation], budget_tokens=20_000, observation_characters=6_000)[0]


def ask(text: str = "Which cookies?\nSigned ones.", *sessions: str, project_name: str = "acme") -> Request:
    windows = [window(session, text, project_name) for session in sessions or ("s1",)]
    return build_batch_request_with_slots("Be brief.", windows, Context())


def names(folder: Path) -> list[str]:
    """Give the names of what stands in a folder, hidden files included."""
    return sorted(path.name for path in folder.iterdir())


def same(text: str) -> str:
    return text


def hide(text: str) -> str:
    return text.replace("hunter2", "[REDACTED:password]")


class Ticking:
    """A clock that goes on by a minute whenever somebody looks."""

    def __init__(self) -> None:
        self.now = AT

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


class Scripted:
    """A model that a function plays. It counts what it was asked, and what it was told to forget."""

    def __init__(self, script: Callable[[Request], Reply], *, name: str = "scripted", workers: int = 4) -> None:
        self._script = script
        self._lock = Lock()
        self.name = name
        self.quotes = True
        self.workers = workers
        self.tokens_ratio = 1.25
        self.spent = Spent()
        self.findings: tuple[Finding, ...] = ()
        self.forgotten: list[Request] = []

    def complete(self, request: Request) -> Reply:
        with self._lock:
            self.spent += Spent(calls=1, output_tokens=10, known_cost=0.5)
        return self._script(request)

    def forget(self, request: Request) -> None:
        self.forgotten.append(request)


def answering(text: str = "an answer", **how: str) -> Scripted:
    reply = Reply(text, Usage(120, 30))
    return Scripted(lambda _: replace(reply, **how))  # type: ignore[arg-type]
