"""Owns what a concrete detail is; knows neither how one is found nor what was shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "code", "quote", "url", "email", "path", "date", "time", "hash", "version", "number", "issue", "identifier",
    "acronym", "name",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Detail:
    """A detail in a text as it reads, from `start` to `end`."""

    kind: Kind
    start: int
    end: int
    text: str
    before: str = ""
    """For a number, the word that it stands behind, in lower case."""
