"""Owns what `${{ }}` means in a workflow, as far as workflows here use it: contexts, operators, five functions.

An unknown name or function is an error and not an empty text, so that a misspelt one fails a test.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias

Value: TypeAlias = "bool | float | str | Mapping[str, Value] | None"
Function: TypeAlias = Callable[..., Value]

STATUS = ("success", "failure", "always", "cancelled")
"""Functions that say whether a step or a job runs; where none is asked, `success()` is."""

OPEN = ("inputs", "vars", "secrets", "outputs", "steps", "event")
"""Contexts in which a name that nobody set is empty, as on GitHub."""

_TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(\d+(?:\.\d+)?)|([A-Za-z_][\w-]*)|(&&|\|\||==|!=|[!().,]))")
_FIELD = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)


class Unknown(Exception):
    """An expression names what there is not, or cannot be read."""


def fill(text: str, contexts: Mapping[str, Value], functions: Mapping[str, Function]) -> str:
    """Replace every `${{ }}` of a text by what it comes to."""
    return _FIELD.sub(lambda found: as_text(evaluate(found[1], contexts, functions)), text)


def holds(condition: str, contexts: Mapping[str, Value], functions: Mapping[str, Function]) -> bool:
    """Decide an `if:`, an empty one too; without a status function it also asks for `success()`."""
    found = _FIELD.fullmatch(condition.strip())
    text = found[1] if found else condition.strip()
    goes_on = any(re.search(rf"\b{name}\s*\(", text) for name in STATUS) or is_true(functions["success"]())
    return goes_on and (not text or is_true(evaluate(text, contexts, functions)))


def evaluate(text: str, contexts: Mapping[str, Value], functions: Mapping[str, Function]) -> Value:
    """Work an expression out."""
    reader = _Reader(_tokens(text), contexts, functions)
    value = reader.either()
    if reader.rest:
        raise Unknown(f"{text}: {reader.rest[0]} is too much")
    return value


def is_true(value: Value) -> bool:
    return value not in (None, False, 0, "")


def as_text(value: Value) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case float() | int():
            return f"{value:g}"
        case str():
            return value
    raise Unknown("a whole context is no text")


def equal(one: Value, other: Value) -> bool:
    """Compare as GitHub does: texts without case, and what is of different kinds as numbers."""
    if isinstance(one, str) and isinstance(other, str):
        return one.casefold() == other.casefold()
    if type(one) is type(other):
        return one == other
    return _number(one) == _number(other)


def _number(value: Value) -> float:
    match value:
        case None | "":
            return 0
        case bool() | float() | int():
            return float(value)
        case str() if re.fullmatch(r"-?\d+(\.\d+)?", value):
            return float(value)
    return float("nan")


def _tokens(text: str) -> list[str]:
    found, at = [], 0
    while text[at:].strip():
        token = _TOKEN.match(text, at)
        if token is None:
            raise Unknown(f"{text}: {text[at:]!r}")
        found.append(token[0].strip())
        at = token.end()
    return found


class _Reader:
    """Reads tokens from left to right; what binds more tightly is read further down."""

    def __init__(self, tokens: list[str], contexts: Mapping[str, Value], functions: Mapping[str, Function]) -> None:
        self.rest = tokens
        self.contexts = contexts
        self.functions = functions

    def either(self) -> Value:
        value = self.both()
        while self.takes("||"):
            other = self.both()
            value = value if is_true(value) else other
        return value

    def both(self) -> Value:
        value = self.compared()
        while self.takes("&&"):
            other = self.compared()
            value = other if is_true(value) else value
        return value

    def compared(self) -> Value:
        value = self.single()
        while self.rest and self.rest[0] in {"==", "!="}:
            asks_same = self.rest.pop(0) == "=="
            value = equal(value, self.single()) is asks_same
        return value

    def single(self) -> Value:
        if self.takes("!"):
            return not is_true(self.single())
        if self.takes("("):
            value = self.either()
            self.needs(")")
            return value
        token = self.rest.pop(0) if self.rest else ""
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if token[:1].isdigit():
            return float(token)
        if token in {"true", "false", "null"}:
            return {"true": True, "false": False, "null": None}[token]
        return self.call(token) if self.takes("(") else self.named(token)

    def call(self, name: str) -> Value:
        given: list[Value] = []
        while not self.takes(")"):
            given.append(self.either())
            if not self.takes(","):
                self.needs(")")
                break
        if name not in self.functions:
            raise Unknown(f"{name}()")
        return self.functions[name](*given)

    def named(self, name: str) -> Value:
        if name not in self.contexts:
            raise Unknown(name or "the end")
        value, is_open = self.contexts[name], name in OPEN
        while self.takes("."):
            part = self.rest.pop(0)
            inner = value if isinstance(value, Mapping) else {}
            if not is_open and part not in inner:
                raise Unknown(f"{name}.{part}")
            value, is_open = inner.get(part), is_open or part in OPEN
        return value

    def takes(self, token: str) -> bool:
        if self.rest[:1] == [token]:
            self.rest = self.rest[1:]
            return True
        return False

    def needs(self, token: str) -> None:
        if not self.takes(token):
            raise Unknown(f"{token} is missing")
