"""Owns small invented sessions, and prompts that the pipeline builds of them; knows no endpoint."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pipeline.context import Context
from pipeline.observations.observation import Observation, Place, Role, SessionKey
from pipeline.projection import project
from pipeline.prompt import build_batch_request_with_slots, build_request, messages, reply_schema
from tests.endpoint.prompt import Prompt, read_prompt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.projection import Projection
    from pipeline.prompt import Request

START = datetime(2026, 11, 29, 14, 3, tzinfo=UTC)

CACHE: tuple[tuple[Role, str, str], ...] = (
    ("user", "note", "Please find out why the nightly import takes 43 minutes."),
    (
        "tool",
        "tool_result",
        "$ time ./import.sh\n```\nreal 43m12.5s\n```\n\nIt waits for `db.example:5432` 1,204 times.",
    ),
    ("user", "decision", "We decided to cache the price list for 15 minutes, because it changes once a day."),
    ("assistant", "error", "Cache keys collide: `key(a, b)` drops b in v2.3.1. Fixed in 4ec1ed7."),
    ("user", "rule", "Never clear the cache by hand in production."),
    ("assistant", "note", "Vec<u8> is read by src/import.rs; see ![chart](https://x.example/c.png) [^1]."),
)
LOGIN: tuple[tuple[Role, str, str], ...] = (
    ("user", "note", "The login page shows [REDACTED:password]. It must not."),
    ("assistant", "note", "Removed the field from `login.html`."),
)


def window_of(lines: Sequence[tuple[Role, str, str]], session: str = "s-1", author: str = "dana") -> Projection:
    key = SessionKey("default", "acme", session)
    observations = [
        Observation(
            id=f"{session}-{number}",
            digest=f"{session}-{number}",
            ts=START + timedelta(minutes=number),
            session=key,
            agent_kind="claude-code",
            author=author if role == "user" else "",
            role=role,
            kind=kind,
            title="",
            body=text,
            importance=5,
            tags=("a:b",) if number % 2 else (),
            files=("src/import.rs", "a (b).md") if number % 3 == 0 else (),
            place=Place("acme/2026-11-29.jsonl", number),
        )
        for number, (role, kind, text) in enumerate(lines, start=1)
    ]
    return project(key, observations, budget_tokens=20_000, observation_characters=6_000)[0]


def batch_request(*windows: Projection, context: Context | None = None, session_pages: Sequence[str] = ()) -> Request:
    return build_batch_request_with_slots("Keep it.", windows, context or Context(), session_pages=session_pages)


def single_request(window: Projection) -> Request:
    return build_request("Keep it.", window, Context())


def seen(request: Request, *, schema_apart: bool = False) -> Prompt:
    """Show a request to a brain as an endpoint would."""
    told = messages(request, schema_in_prompt=not schema_apart)
    return read_prompt([(one.role, one.text) for one in told], reply_schema(request) if schema_apart else None)
