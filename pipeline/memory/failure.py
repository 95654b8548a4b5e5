"""Owns how the mechanics of memory fail: as a value with a code and a message that names the path; raises nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Code = Literal["read_failed", "write_failed", "callback_failed", "invalid_decision", "invalid_output", "conflict"]
"""What went wrong: the memory could not be read or written, a function of yours failed, answered what is no decision
or gave what is no output, or somebody else changed or holds what was to be written."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An ordinary failure; `path` is empty where it belongs to no file."""

    code: Code
    message: str
    path: str = ""

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


def unreadable(path: str, why: str) -> Failure:
    """Tell that a path cannot be read."""
    return Failure("read_failed", f"{shown(path)} cannot be read: {why}.", path)


def unwritable(path: str, why: str) -> Failure:
    """Tell that a path cannot be written."""
    return Failure("write_failed", f"{shown(path)} cannot be written: {why}.", path)


def conflicting(path: str, why: str) -> Failure:
    """Tell that somebody else changed or holds a path."""
    return Failure("conflict", f"{shown(path)}: {why}.", path)


def raised(fault: Exception) -> str:
    """Tell an exception by its type and its own words, or without them where even its words raise."""
    try:
        return f"raised {type(fault).__name__}: {fault}"
    except Exception:  # noqa: BLE001  # whatever a class of somebody else raises
        return f"raised {type(fault).__name__}"


def shown(path: str) -> str:
    """Write a path as one line that a terminal survives, whatever stands in it."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in path)[:300] or "the empty path"
