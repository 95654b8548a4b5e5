"""Owns how values are taken out of one decoded line, each once, by the spellings it may have; knows no meaning.

What was not taken is the rest. A value that cannot be used stays in the rest, and the next spelling is tried.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from pipeline.observations.parsing.content import clean, clean_json, one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.observations.observation import Json

LONGEST_LABEL = 200
"""Characters of an author, a kind, an agent or a tag; a longer one is none, and stays in the rest, whole."""

_NAME_KEYS = ("name", "login", "username", "email", "id")

_Value = TypeVar("_Value")


class Fields:
    """The values of one line that were not taken yet."""

    def __init__(self, line: dict[str, Json]) -> None:
        self._left = dict(line)

    def peek(self, name: str) -> Json:
        """Give the value under one spelling and leave it there."""
        return self._left.get(name)

    def has(self, names: tuple[str, ...]) -> bool:
        """Tell whether one of the spellings holds anything."""
        return any(self._left.get(name) not in (None, "") for name in names)

    def replace(self, name: str, value: Json) -> None:
        """Take what stands under one spelling; leave `value` in its place unless it is empty."""
        if value:
            self._left[name] = value
        else:
            self._left.pop(name, None)

    def take(self, names: tuple[str, ...], read: Callable[[Json], _Value | None]) -> tuple[str, _Value] | None:
        """Take the first value that `read` can use, with the spelling it stood under."""
        for name in names:
            if name in self._left:
                value = read(self._left[name])
                if value is not None:
                    del self._left[name]
                    return name, value
        return None

    def take_label(self, names: tuple[str, ...]) -> str:
        """Take a short text on one line; empty when there is none."""
        taken = self.take(names, _read_label)
        return taken[1] if taken else ""

    def take_line(self, names: tuple[str, ...]) -> str:
        """Take a text of any length, put on one line; empty when there is none."""
        taken = self.take(names, lambda value: (one_line(value) or None) if isinstance(value, str) else None)
        return taken[1] if taken else ""

    def take_list(self, names: tuple[str, ...], *, split: bool) -> tuple[str, ...]:
        """Take a list of short texts, each once, in their order; `split` reads `a, b` as two."""
        taken = self.take(names, lambda value: _read_list(value, split=split))
        return taken[1] if taken else ()

    def rest(self) -> dict[str, Json]:
        """Give what was not taken, cleaned."""
        return {clean(name): clean_json(value) for name, value in self._left.items()}


def read_name(value: Json) -> str | None:
    """Read a text, a whole number, or an object that has a name, as a name on one line."""
    return _read_word(value, _NAME_KEYS)


def read_id(value: Json) -> str | None:
    """Read a text, a whole number, or an object that has an id, as an id."""
    return _read_word(value, ("id",))


def _read_word(value: Json, keys: tuple[str, ...]) -> str | None:
    if isinstance(value, dict):
        value = next((value[key] for key in keys if isinstance(value.get(key), str)), None)
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    return (one_line(value) or None) if isinstance(value, str) else None


def _read_label(value: Json) -> str | None:
    name = read_name(value)
    return name if name and len(name) <= LONGEST_LABEL else None


def _read_list(value: Json, *, split: bool) -> tuple[str, ...] | None:
    if isinstance(value, str):
        value = list(value.split(",")) if split else [value]
    if not isinstance(value, list):
        return None
    labels = [_read_label(item) for item in value if item != ""]
    # One item that cannot be used leaves the whole list in the rest, so that nothing is lost.
    return tuple(dict.fromkeys(label for label in labels if label)) if all(labels) and labels else None
