"""Owns reading the trailers of a commit's message, as git reads them; pure, for messages that no git at hand holds.

Trailers are the last paragraph of a message, if it is not the first, and if all its lines are `key: value` or go on
with the value before; a paragraph in which git has signed something may hold other lines too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SPACE = " \t\n\r"
"""What counts as a blank for git."""

_KEY = re.compile(r"([A-Za-z0-9-]+)[ \t]*:")
_SIGNED = ("Signed-off-by: ", "(cherry picked from commit ")
"""Lines that git itself writes."""

_COMMENT = "#"
_SIGNED_SHARE = 3
"""In a paragraph with a line of git's own, a line in four must be a trailer: three others to each."""


def trailers_of(message: str) -> dict[str, tuple[str, ...]]:
    """Read the trailers of a message, by key, each key's values in their order; keys are told as they stand."""
    lines = message.split("\n")
    start, end = block(lines)
    found: dict[str, list[str]] = {}
    last: list[str] | None = None
    for line in lines[start:end]:
        if line[:1] in _SPACE and last:
            last[-1] = f"{last[-1]} {line.strip(_SPACE)}".strip(_SPACE)
            continue
        key = key_of(line)
        last = found.setdefault(key, []) if key else None
        if last is not None:
            last.append(line.partition(":")[2].strip(_SPACE))
    return {key: tuple(values) for key, values in found.items()}


def key_of(line: str) -> str:
    """Give the key of a line that is a trailer; empty for any other line."""
    found = _KEY.match(line)
    return found.group(1) if found else ""


def block(lines: Sequence[str]) -> tuple[int, int]:
    """Tell from which line to before which one the trailers of a message stand; the same twice where it has none."""
    end = len(lines)
    while end and (_is_blank(lines[end - 1]) or lines[end - 1].startswith(_COMMENT)):
        end -= 1
    first = next((number for number, line in enumerate(lines) if not _is_blank(line)), end)
    title = next((number for number in range(first, end) if _is_blank(lines[number])), end)
    start = end
    while start > title and not _is_blank(lines[start - 1]):
        start -= 1
    if start <= title or not _are_trailers(lines[start:end]):
        return end, end
    return start, end


def _are_trailers(lines: Sequence[str]) -> bool:
    trailers = others = continued = 0
    signed = False
    for line in reversed(lines):
        if line.startswith(_COMMENT):
            others, continued = others + continued, 0
        elif line.startswith(_SIGNED) or key_of(line):
            trailers, continued = trailers + 1, 0
            signed = signed or line.startswith(_SIGNED)
        elif line[:1] in _SPACE:
            continued += 1
        else:
            others, continued = others + 1 + continued, 0
    others += continued
    return (signed and trailers * _SIGNED_SHARE >= others) or bool(trailers and not others)


def _is_blank(line: str) -> bool:
    return not line.strip(_SPACE)
