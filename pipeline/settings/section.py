"""Owns what all sections of the settings share: their form, and the rules that more than one of them has.

A rule raises a `ValueError` whose text follows the name of the setting, and never holds its value.
"""

from __future__ import annotations

import re

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A table of `wikimill.toml`: frozen, without keys that nobody knows, each value of its own type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


def inner_folder(value: str) -> str:
    """Give the path of a folder below the one that holds `wikimill.toml`, with `/` between its parts."""
    parts = value.replace("\\", "/").split("/")
    if not value or value.startswith(("/", "\\")) or ":" in value or any(part in {"", ".", ".."} for part in parts):
        message = "must be a folder below the one that holds wikimill.toml, such as 'wiki'"
        raise ValueError(message)
    return "/".join(parts)


def compiled(pattern: str, *, what: str) -> re.Pattern[str]:
    """Compile a regular expression; `what` begins the message when it is none."""
    try:
        return re.compile(pattern)
    except re.error as fault:
        # The library quotes names of groups, and a pattern may hold the secret that it looks for.
        told = fault.msg.partition("'")[0].strip()
        at = "" if fault.pos is None else f" at character {fault.pos + 1}"
        message = f"{what} not a regular expression: {told}{at}"
        raise ValueError(message) from None
