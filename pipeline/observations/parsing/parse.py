"""Owns how one line becomes an observation: spellings, defaults, limits; knows no file and no secret.

The canonical content of a line is the JSON object that it holds, without the key that its own id was read from,
written with sorted keys at every depth, no spaces, no ASCII escapes, a key that stands twice once with its last
value, `NaN` and `Infinity` as `null`, numbers as Python writes them, encoded as UTF-8 (a lone surrogate as the
three bytes that it would have). `Observation.digest` is its BLAKE2b of 20 bytes in hexadecimal. It depends on
the line alone: not on its place, the settings, redaction, or on which spellings a version of wikimill knows.

Tolerant where a meaning is plain, strict where a guess would be needed:

- the first spelling in a table that has a usable value counts; what is not used stays in `extra`;
- importance is rounded and clamped to 1..10, and may be a word (`low`, `high` ...); anything else counts as 5;
- an empty or missing project or workspace takes its default; a session id has none;
- an id, session id, project or workspace of more than 200 characters sets the line aside.
"""

from __future__ import annotations

import hashlib
import json
import math
from typing import TYPE_CHECKING

from pipeline.errors import ObservationError
from pipeline.observations.observation import Observation, SessionKey
from pipeline.observations.parsing.content import Content, read_content
from pipeline.observations.parsing.fields import Fields, read_id, read_name
from pipeline.observations.parsing.roles import is_agent, role_of_kind, role_of_name
from pipeline.observations.parsing.times import Moment, read_time

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.observations.observation import Json, Place, Role

LONGEST_NAME = 200
"""Characters of an id, a session id, a project or a workspace."""

DEEPEST = 100
"""Levels of nesting in one line; far more than any agent writes, far less than what a parser chokes on."""

DIGEST_SIZE = 20
"""Bytes of an observation's digest, and of the id of a line that has none."""

LEAST, DEFAULT_IMPORTANCE, MOST = 1, 5, 10

_IDS = ("id", "uuid", "observation_id")
_TIMES = ("ts", "timestamp", "created_at", "createdAt", "time", "datetime", "date", "@timestamp", "created_at_epoch")
_SESSIONS = (
    "session_id", "sessionId", "session", "conversation_id", "conversationId", "thread_id", "threadId", "chat_id",
    "memory_session_id",
)  # fmt: skip
_PROJECTS = ("project", "project_name", "projectName")
_WORKSPACES = ("workspace", "workspace_name", "workspaceName")
_AGENTS = ("agent_kind", "agentKind", "agent", "tool")
_AUTHORS = ("author", "user", "by", "username")
_KINDS = ("kind", "type", "event_type", "eventType", "event")
_TITLES = ("title", "subject", "headline")
_BODIES = ("body", "text", "content", "message", "narrative", "description", "summary", "note", "prompt", "response")
_SPEECH = ("content", "text", "parts")
_TAGS = ("tags", "labels", "concepts", "keywords")
_FILES = ("files", "file_paths", "filePaths", "files_modified", "file", "file_path", "filePath")

_IMPORTANCE = {"trivial": 1, "low": 3, "minor": 3, "medium": 5, "normal": 5, "high": 8, "major": 8, "critical": 10}


def parse_line(raw: bytes, place: Place, *, default_project: str) -> Observation:
    """Turn one line, without its line break or with it, into an observation; raises `ObservationError`."""
    return read_observation(decode_line(raw, place), place, default_project=default_project)


def decode_line(raw: bytes, place: Place) -> dict[str, Json]:
    """Read the JSON object of one line; raises `ObservationError`, whose message never quotes the line."""
    # A crashed append leaves blocks of NUL around a line; inside of one they are damage.
    stripped = raw.strip(b"\x00 \t\r\n\x0b\x0c")
    if b"\x00" in stripped:
        raise _aside("it holds NUL bytes, as a crashed append leaves them", place)
    try:
        value: Json = json.loads(stripped.decode("utf-8"), strict=False, parse_constant=_nothing)
    except UnicodeDecodeError as fault:
        raise _aside(f"it is not UTF-8 (byte {fault.start + 1})", place) from None
    except json.JSONDecodeError as fault:
        raise _aside(f"it is not JSON (column {fault.pos + 1})", place) from None
    except RecursionError:
        raise _aside(f"it is nested more than {DEEPEST} levels deep", place) from None
    except ValueError:
        raise _aside("it holds a number of too many digits", place) from None
    if not isinstance(value, dict):
        raise _aside(f"it is no JSON object but {_name_of(value)}", place)
    if stripped.count(b"[") + stripped.count(b"{") > DEEPEST and _is_too_deep(value):
        raise _aside(f"it is nested more than {DEEPEST} levels deep", place)
    return value


def read_observation(line: dict[str, Json], place: Place, *, default_project: str) -> Observation:
    """Read the fields of a decoded line; raises `ObservationError`."""
    fields = Fields(line)
    own_id = _take_name(fields, _IDS, "id", place, read_id)
    digest = _digest({name: value for name, value in line.items() if own_id is None or name != own_id[0]})
    moment = _take_time(fields, place)
    session = _take_session(fields, place, default_project)
    role = _read_role(fields)
    kind, author, title = fields.take_label(_KINDS), fields.take_label(_AUTHORS), fields.take_line(_TITLES)
    content = _take_body(fields)
    if not title and not content.text:
        raise _aside("it has neither a title nor a text", place)
    if content.only_results and role in {None, "user"}:
        role = "tool"
    role = role or ("assistant" if is_agent(author) else "user")
    return Observation(
        id=own_id[1] if own_id else digest,
        digest=digest,
        ts=moment.at,
        session=session,
        agent_kind=_take_agent(fields, role, author),
        author=author,
        role=role,
        kind=kind or "note",
        title=title,
        body=content.text,
        importance=_take_importance(fields),
        tags=fields.take_list(_TAGS, split=True),
        files=fields.take_list(_FILES, split=False),
        place=place,
        naive_time=moment.naive,
        extra=fields.rest(),
    )


def _aside(reason: str, place: Place) -> ObservationError:
    return ObservationError(reason, where=str(place), next_step="Write the observation again, on a new line.")


def _nothing(_constant: str) -> None:
    """Read `NaN` and `Infinity`, which are no JSON but common, as `null`."""


def _name_of(value: Json) -> str:
    if value is None:
        return "null"
    names = {list: "a list", str: "a text", bool: "true or false"}
    return names.get(type(value), "a number")


def _is_too_deep(value: Json) -> bool:
    level: list[Json] = [value]
    for _ in range(DEEPEST):
        inner: list[Json] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(item.values())
            elif isinstance(item, list):
                inner.extend(item)
        if not inner:
            return False
        level = inner
    return any(isinstance(item, dict | list) for item in level)


def _digest(content: dict[str, Json]) -> str:
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=DIGEST_SIZE).hexdigest()


def _take_name(
    fields: Fields,
    names: tuple[str, ...],
    what: str,
    place: Place,
    read: Callable[[Json], str | None] = read_name,
) -> tuple[str, str] | None:
    taken = fields.take(names, read)
    if taken and len(taken[1]) > LONGEST_NAME:
        raise _aside(f"its {what} is longer than {LONGEST_NAME} characters", place)
    return taken


def _take_session(fields: Fields, place: Place, default_project: str) -> SessionKey:
    workspace = _take_name(fields, _WORKSPACES, "workspace", place)
    project = _take_name(fields, _PROJECTS, "project", place)
    session = _take_name(fields, _SESSIONS, "session id", place, read_id)
    if session is None:
        raise _aside("it has no session id", place)
    return SessionKey(workspace[1] if workspace else "default", project[1] if project else default_project, session[1])


def _take_time(fields: Fields, place: Place) -> Moment:
    given = fields.has(_TIMES)
    taken = fields.take(_TIMES, read_time)
    if taken is None:
        raise _aside("its time cannot be read" if given else "it has no time", place)
    return taken[1]


def _read_role(fields: Fields) -> Role | None:
    taken: tuple[str, Role] | None = fields.take(("role",), _read_speaker)
    if taken:
        return taken[1]
    message = fields.peek("message")
    spoken = _read_speaker(message.get("role")) if isinstance(message, dict) else None
    if spoken:
        return spoken
    kinds = [kind for kind in map(fields.peek, _KINDS) if isinstance(kind, str)]
    return next((role for role in map(role_of_kind, kinds) if role), None)


def _read_speaker(value: Json) -> Role | None:
    return role_of_name(value) if isinstance(value, str) else None


def _take_body(fields: Fields) -> Content:
    for name in _BODIES:
        value = fields.peek(name)
        spoken, left = _split_message(value) if isinstance(value, dict) else (value, None)
        content = read_content(spoken)
        if content.text:
            fields.replace(name, left)
            return content
    return Content("")


def _split_message(message: dict[str, Json]) -> tuple[Json, Json]:
    """Tell what a message says, and what else it holds; one without a known part is a block like any other."""
    part = next((key for key in _SPEECH if message.get(key)), None)
    if part is None:
        return message, None
    return message[part], {key: value for key, value in message.items() if key not in {part, "role"}}


def _take_agent(fields: Fields, role: Role, author: str) -> str:
    # Where a tool speaks, `tool` names that tool and not the agent that called it.
    named = fields.take_label(_AGENTS[:-1] if role == "tool" else _AGENTS)
    speaks = role == "assistant" or (role == "tool" and is_agent(author))
    return named or (author if speaks else "") or "unknown"


def _take_importance(fields: Fields) -> int:
    taken = fields.take(("importance",), _read_importance)
    return min(max(taken[1], LEAST), MOST) if taken else DEFAULT_IMPORTANCE


def _read_importance(value: Json) -> int | None:
    if isinstance(value, str):
        word = value.strip().lower()
        if word in _IMPORTANCE:
            return _IMPORTANCE[word]
        try:
            value = float(word)
        except ValueError:
            return None
    if isinstance(value, float):
        return round(value) if math.isfinite(value) else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None
