"""Owns how a host's no is told within this package, and what it says in its own words; knows no host and no HTTP.

These errors go out as they are where nobody knows better what to do about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import ForgeError, ForgeUnavailable

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

_MOST_ERRORS = 5


class HostRefused(ForgeError):
    """The host answered with 4xx: `status` is that, `said` its own words on one line, free of the token."""

    def __init__(self, message: str, *, status: int, said: str, next_step: str = "") -> None:
        super().__init__(message, next_step=next_step)
        self.status = status
        self.said = said

    def says(self, *texts: str) -> bool:
        """Whether one of these stands in what the host said, whatever the case of its letters."""
        return any(text.lower() in self.said.lower() for text in texts)


class Moved(HostRefused):
    """What was to be written to has moved; nothing was written."""


class Interrupted(ForgeUnavailable):
    """The answer to a write was lost: it may have taken effect, so that a look comes before a repetition."""


def said_by(answer: Json) -> str:
    """Give what an answer says in words: `message`, `error`, and what stands in a list of `errors`; any length."""
    if not isinstance(answer, dict):
        return ""
    told = [_flat(answer.get(name)) for name in ("message", "error", "error_description")]
    errors = answer.get("errors")
    if isinstance(errors, list):
        told.extend(_words_of(error) for error in errors[:_MOST_ERRORS])
    return ": ".join(dict.fromkeys(text for text in told if text))


def _words_of(error: Json) -> str:
    return _flat(error.get("message") or _code(error)) if isinstance(error, dict) else _flat(error)


def _code(error: dict[str, Json]) -> str:
    """Tell an error that has no message: `PullRequest head invalid`."""
    return " ".join(_flat(error.get(name)) for name in ("resource", "field", "code") if error.get(name))


def _flat(value: Json) -> str:
    """Give a text of whatever stands where a message should: GitLab has lists, and lists by field."""
    if isinstance(value, dict):
        return ", ".join(f"{name} {_flat(inner)}" for name, inner in value.items())[:1_000]
    if isinstance(value, list):
        return ", ".join(_flat(inner) for inner in value[:_MOST_ERRORS])
    return "" if value is None else str(value)[:1_000]
