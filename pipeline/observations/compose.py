"""Owns how wikimill writes an observation: one canonical line, which `parse` reads as what was meant.

Knows no file. Whoever composes has scrubbed every text before.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.errors import ObservationError
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import DEFAULT_IMPORTANCE, LEAST, MOST, parse_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.observations.observation import Json, Role

_NOWHERE = Place("a new line", 1)


def compose_line(  # noqa: PLR0913  # the fields of an observation, one by one
    *,
    ts: datetime,
    session_id: str,
    project: str,
    title: str = "",
    body: str = "",
    role: Role = "user",
    kind: str = "note",
    author: str = "",
    agent_kind: str = "",
    workspace: str = "",
    tags: Sequence[str] = (),
    files: Sequence[str] = (),
    importance: int = DEFAULT_IMPORTANCE,
    own_id: str = "",
) -> bytes:
    """Write one observation as a line with its line break: sorted keys, no ASCII escapes, nothing that is empty.

    Raises `ObservationError` when the line could not be read again: no title and no body, no session, a time
    without a zone, an importance out of 1..10.
    """
    if ts.tzinfo is None:
        raise ObservationError("its time has no zone", where=str(_NOWHERE))
    if not LEAST <= importance <= MOST:
        raise ObservationError(f"its importance is not in {LEAST}..{MOST}", where=str(_NOWHERE))
    fields: dict[str, Json] = {
        "agent_kind": agent_kind,
        "author": author,
        "body": body,
        "files": list(files),
        "id": own_id,
        "importance": importance,
        "kind": kind,
        "project": project,
        "role": role,
        "session_id": session_id,
        "tags": list(tags),
        "title": title,
        "ts": _stamp(ts),
        "workspace": workspace,
    }
    told = {name: value for name, value in fields.items() if value not in ("", [])}
    text = json.dumps(told, ensure_ascii=False, sort_keys=True)
    # A lone surrogate, which UTF-8 cannot hold, is written as the escape that JSON has for it.
    line = text.encode("utf-8", "backslashreplace")
    parse_line(line, _NOWHERE, default_project=project)
    return line + b"\n"


def _stamp(ts: datetime) -> str:
    return ts.astimezone(UTC).isoformat().replace("+00:00", "Z")
