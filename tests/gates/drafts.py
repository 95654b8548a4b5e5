"""Small drafts and windows for the tests of gates and pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate, Kind
from pipeline.observations.observation import Observation, Place, Role, SessionKey
from pipeline.projection import Projection, Shown

if TYPE_CHECKING:
    from pipeline.gates.gated import Gated

SESSION = SessionKey("default", "acme", "s-1")
START = datetime(2026, 11, 29, 14, 3, tzinfo=UTC)


def observation_of(number: int, body: str, *, role: Role = "user", author: str = "dana") -> Observation:
    return Observation(
        id=f"id-{number}",
        digest=f"digest-{number}",
        ts=START + timedelta(minutes=number - 1),
        session=SESSION,
        agent_kind="claude-code",
        author=author,
        role=role,
        kind="note",
        title="",
        body=body,
        importance=5,
        tags=(),
        files=(),
        place=Place("acme/2026-11-29.jsonl", number),
    )


def window_of(*texts: str, session: SessionKey = SESSION, number: int = 1, of: int = 1) -> Projection:
    shown = tuple(Shown(f"o{place}", observation_of(place, text), text, 0) for place, text in enumerate(texts, start=1))
    return Projection(session, number, of, shown, 100)


def update_of(
    body: str, *, path: str = "", title: str = "Cookies", kind: Kind = "decision", **more: object
) -> ConsolidatedPageUpdate:
    return ConsolidatedPageUpdate.model_validate({"path": path, "kind": kind, "title": title, "body": body, **more})


def batch_of(body: str, *, path: str = "", title: str = "Cookies", kind: Kind = "decision") -> ConsolidatedBatch:
    return ConsolidatedBatch(updates=(update_of(body, path=path, title=title, kind=kind),), rationale="why")


def body_of(gated: Gated) -> str:
    (update,) = gated.batch.updates
    return update.body
