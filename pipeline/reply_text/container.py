"""Owns reading one object or list of a JSON text as models write it, without recursion; knows no drafts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.reply_text.lexemes import QUOTES, CutOff, Malformed, after_gap, read_name, read_scalar, read_string

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

MOST_DEPTH: Final = 100
"""Containers inside each other; a draft has five."""

_CLOSING: Final = {"{": "}", "[": "]"}
_STRUCTURE: Final = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|\\.|[{}\[\]]', re.DOTALL)


@dataclass(slots=True)
class _Open:
    """A container that is being read."""

    value: dict[str, Json] | list[Json]
    closing: str
    key: str = ""
    filled: bool = False
    """Whether a value was just read, so that a comma or the end must follow."""


@dataclass(slots=True)
class ContainerReader:
    """Reads the container that opens at `at`; a trailing comma, comments and bare keys are taken, nothing is mended."""

    text: str
    at: int
    open: list[_Open] = field(default_factory=list)

    def keys(self) -> dict[str, Json]:
        """Name the keys of the outermost object as far as it was read."""
        outermost = self.open[0] if self.open else None
        if outermost is None or isinstance(outermost.value, list):
            return {}
        return dict.fromkeys((*outermost.value, outermost.key), True)

    def read(self) -> dict[str, Json] | list[Json]:
        """Give the container; `at` is then behind it. Raises `CutOff` and `Malformed`."""
        self._enter()
        outermost = self.open[0].value
        while self.open:
            inner = self.open[-1]
            character = self._next()
            if character == inner.closing:
                self.at += 1
                self.open.pop()
                self._put(inner.value)
            elif inner.filled:
                if character != ",":
                    raise Malformed("a comma or the end is missing after a value", self.at)
                self.at += 1
                inner.filled = False
            else:
                self._member(inner, character)
        return outermost

    def _member(self, inner: _Open, character: str) -> None:
        if isinstance(inner.value, dict):
            read = read_string if character in QUOTES else read_name
            inner.key, self.at = read(self.text, self.at)
            if inner.key in inner.value:
                raise Malformed("an object has the same key twice", self.at)
            if self._next() != ":":
                raise Malformed("a colon is missing after a key", self.at)
            self.at += 1
            character = self._next()
        if character in _CLOSING:
            self._enter()
        else:
            value, self.at = read_scalar(self.text, self.at)
            self._put(value)

    def _enter(self) -> None:
        if len(self.open) >= MOST_DEPTH:
            raise Malformed("values are nested too deep", self.at)
        opening = self.text[self.at]
        self.open.append(_Open({} if opening == "{" else [], _CLOSING[opening]))
        self.at += 1

    def _put(self, value: Json) -> None:
        if not self.open:
            return
        outer = self.open[-1]
        outer.filled = True
        if isinstance(outer.value, dict):
            outer.value[outer.key] = value
        else:
            outer.value.append(value)

    def _next(self) -> str:
        self.at = after_gap(self.text, self.at)
        if self.at == len(self.text):
            raise CutOff
        return self.text[self.at]


def end_of_broken(text: str, at: int) -> int | None:
    """Find where a container that cannot be read ends, by its brackets alone; `None` when they do not close."""
    expected: list[str] = []
    for found in _STRUCTURE.finditer(text, at):
        part = found[0]
        if part in _CLOSING:
            expected.append(_CLOSING[part])
        elif part in {"}", "]"}:
            if expected.pop() != part:
                return None
            if not expected:
                return found.end()
    return None
