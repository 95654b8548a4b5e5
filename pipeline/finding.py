"""Owns what a check has to say about one place; knows no check and no rendering."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One thing that a person may want to know or mend.

    `where` is `page#section`, `file:line` or a setting; `rule` a short kebab-case name that stays stable, so
    that machines can count on it; `message` and `next_step` are free of secrets and hold no line breaks.
    """

    where: str
    rule: str
    severity: Severity
    message: str
    next_step: str = ""

    def __str__(self) -> str:
        told = f"{self.where}: {self.severity} [{self.rule}] {self.message}"
        return f"{told} {self.next_step}" if self.next_step else told
