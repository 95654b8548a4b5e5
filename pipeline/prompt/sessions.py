"""Owns how the sessions of a request are told: what each is, as JSON, and its observations behind a fence."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from pipeline import projection as window
from pipeline.prompt.request import name_of
from pipeline.prompt.wording import DATA
from pipeline.text import estimate_tokens, fenced, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.projection import Projection
    from pipeline.prompt.request import Request

MOST_PREFIX_TOKENS: Final = 900
"""Most estimated tokens of what tells what a session is."""

_NAME: Final = 80
"""Most Unicode characters of a name in the session's prefix."""
_NAME_TOKENS: Final = 60
_MOST_NAMES: Final = 12
_LIST_TOKENS: Final = 100
"""Most estimated tokens of all agents, or of all people; who does not fit is counted."""


def tell_sessions(request: Request) -> list[str]:
    """Write each session with its observations; where several stand, each under its name."""
    told: list[str] = []
    for number, projection in enumerate(request.windows):
        name = name_of(request, number)
        title = f"# Session {name}" if name else "# The session"
        told.append(f"{title}\n\n{_prefix(projection, request.session_pages[number])}")
        observations = fenced(window.render(projection), "observations")
        told.append(f"# The observations\n\n{DATA}\n\n{observations}" if not number else observations)
    return told


def _prefix(projection: Projection, session_page: str) -> str:
    """Tell what session the window is from, as JSON, so that no name in it can pass for anything else."""
    observations = [shown.observation for shown in projection.shown]
    key = projection.session
    times = sorted(observation.ts for observation in observations)
    told: dict[str, str | list[str]] = {"session": _short(key.session_id), "project": _short(key.project)}
    if key.workspace != "default":
        told["workspace"] = _short(key.workspace)
    if times:
        told["from"], told["to"] = window.timestamp(times[0]), window.timestamp(times[-1])
    if projection.of > 1:
        told["window"] = f"{projection.number} of {projection.of}"
    told["session_page"] = session_page or "new: leave `path` empty"
    agents = _some(one.agent_kind for one in observations if one.agent_kind != "unknown")
    people = _some(one.author for one in observations)
    told |= {name: some for name, some in (("agents", agents), ("people", people)) if some}
    return fenced(json.dumps(told, ensure_ascii=False), "json")


def _some(names: Iterable[str]) -> list[str]:
    """Name each once, in order, as many as fit."""
    distinct = list(dict.fromkeys(seen for name in names if (seen := _short(name))))
    told = distinct[:_MOST_NAMES]
    while told and estimate_tokens("".join(told)) > _LIST_TOKENS:
        told.pop()
    left = len(distinct) - len(told)
    return [*told, f"{left} more"] if left else told


def _short(name: str) -> str:
    seen = one_line(name, _NAME)
    while estimate_tokens(seen) > _NAME_TOKENS:
        seen = one_line(seen, len(seen) * 3 // 4)
    return seen
