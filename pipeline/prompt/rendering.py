"""Owns how a model reads a request: as the messages of a conversation, the schema of the reply at its end."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pipeline import context as wiki_context
from pipeline.draft import ConsolidatedBatch, ConsolidatedPage, ConsolidatedSessions
from pipeline.prompt.sessions import tell_sessions
from pipeline.prompt.wording import NO_PAGES, OBJECT, REPAIR, SCHEMA, SEVERAL
from pipeline.schema import portable_schema
from pipeline.text import fenced

if TYPE_CHECKING:
    from pipeline.observations.observation import Json
    from pipeline.prompt.request import Request


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation, as chat endpoints take it."""

    role: Literal["system", "user", "assistant"]
    text: str


def messages(request: Request, *, schema_in_prompt: bool = True) -> tuple[Message, ...]:
    """Write a request as a conversation; without the schema where the endpoint gets it apart from the text."""
    told = [Message("system", request.system), Message("user", render_task(request, schema_in_prompt=schema_in_prompt))]
    if request.repair is not None:
        told.append(Message("assistant", request.repair.reply))
        faults = fenced(json.dumps(list(request.repair.faults), ensure_ascii=False, indent=1), "json")
        told.append(Message("user", f"{REPAIR}\n\n{faults}"))
    return tuple(told)


def render(request: Request) -> str:
    """Write the whole request as one text, the system text first."""
    return "\n\n".join(message.text for message in messages(request))


def render_task(request: Request, *, schema_in_prompt: bool = True) -> str:
    """Write the first request of a conversation, all but its system text."""
    return "\n\n".join(
        (
            f"# The wiki\n\n{wiki_context.render(request.context) or NO_PAGES}",
            *tell_sessions(request),
            f"# The reply\n\n{_ending(request, schema_in_prompt=schema_in_prompt)}",
        )
    )


def reply_schema(request: Request) -> dict[str, Json]:
    """Give the JSON schema of the reply, in the subset that every vendor takes."""
    if request.mode == "single":
        return portable_schema(ConsolidatedPage)
    return portable_schema(ConsolidatedSessions if len(request.windows) > 1 else ConsolidatedBatch)


def compact(schema: dict[str, Json]) -> str:
    """Write a schema as it stands in a prompt."""
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def _ending(request: Request, *, schema_in_prompt: bool) -> str:
    several = f"{SEVERAL}\n\n" if len(request.windows) > 1 else ""
    return several + (f"{SCHEMA}{compact(reply_schema(request))}" if schema_in_prompt else OBJECT)
