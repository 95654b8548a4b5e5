"""Owns the lines of a ledger file: JSON objects, one a line, read with tolerance; knows not what they mean.

A ledger file is merged by git like any text, and a person may edit it. So a line that cannot be read costs only
itself, and the marks of an unsolved merge are stepped over; both become findings.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipeline.observations.observation import Json

MERGE_MARKS = (b"<<<<<<<", b"=======", b">>>>>>>", b"|||||||")

_BROKEN = "ledger-broken-line"

BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is a JSON object; asking for a value of the wrong kind raises `ValueError`."""

    number: int
    values: Mapping[str, Json]

    def text(self, key: str, default: str | None = None) -> str:
        """Give the text under `key`; without a default it must be there and not be empty."""
        value = self.values.get(key, default)
        if not isinstance(value, str) or (default is None and not value):
            message = f"'{key}' must be a text"
            raise ValueError(message)
        return value

    def count(self, key: str) -> int:
        """Give the number under `key`: whole, and not below zero."""
        value = self.values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            message = f"'{key}' must be a whole number, not below zero"
            raise ValueError(message)
        return value

    def flag(self, key: str) -> bool:
        """Give the truth under `key`; a missing one is false."""
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            message = f"'{key}' must be true or false"
            raise ValueError(message)  # noqa: TRY004  # one kind of mistake for whoever reads a line
        return value

    def items(self, key: str) -> list[Json]:
        """Give the list under `key`; a missing one is empty."""
        value = self.values.get(key, [])
        if not isinstance(value, list):
            message = f"'{key}' must be a list"
            raise ValueError(message)  # noqa: TRY004  # one kind of mistake for whoever reads a line
        return value


@dataclass(slots=True)
class Trouble:
    """The findings of one ledger file, collected while it is read."""

    path: str
    findings: list[Finding] = field(default_factory=list)

    @property
    def is_broken(self) -> bool:
        """Whether a line could not be read."""
        return any(found.rule == _BROKEN for found in self.findings)

    def broken(self, number: int, why: str) -> None:
        """Note a line that cannot be read."""
        self._add(number, _BROKEN, f"the line is left out: {why}.", "What it stood for is read again.")

    def merge_mark(self, number: int) -> None:
        """Note a mark of a merge that nobody solved."""
        self._add(
            number,
            "ledger-merge-mark",
            "the mark of an unsolved merge stands here; both sides of it are read.",
            "The next run removes it.",
        )

    def double(self, number: int, what: str) -> None:
        """Note a second line about the same thing, as a merge leaves it."""
        message = f"{what} has more than one line; the most careful one counts."
        self._add(number, "ledger-double-line", message, "The next run makes one of them.")

    def _add(self, number: int, rule: str, message: str, next_step: str) -> None:
        self.findings.append(Finding(f"{self.path}:{number}", rule, "warning", message, next_step))


def read_lines(raw: bytes, trouble: Trouble) -> Iterator[Line]:
    """Give each line of a ledger file that is a JSON object; everything else becomes a finding."""
    for number, line in enumerate(raw.removeprefix(BOM).split(b"\n"), start=1):
        stripped = line.strip()
        if not stripped:
            continue
        if stripped.startswith(MERGE_MARKS):
            trouble.merge_mark(number)
            continue
        try:
            values: Json = json.loads(stripped)
        except (ValueError, RecursionError):
            trouble.broken(number, "it is not JSON")
            continue
        if isinstance(values, dict):
            yield Line(number, values)
        else:
            trouble.broken(number, "it is not a JSON object")


def render_lines(lines: Iterable[Mapping[str, Json]]) -> bytes:
    """Write objects, one a line, in the given order: sorted keys, UTF-8, LF, one newline at the end.

    A lone surrogate, which UTF-8 cannot hold, is written as the escape that JSON has for it.
    """
    text = "".join(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n" for line in lines)
    return text.encode("utf-8", "backslashreplace")
