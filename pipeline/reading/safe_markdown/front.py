"""Owns what a page's front matter may say to the theme, and what of it is read; knows no template and no generator.

Themes print front matter without escaping: into the title, the description, the navigation and, through the search
index, into the page by script. Some keys even choose the template. So each value is made plain text, escaped once,
and keys that steer the generator are checked or dropped.
"""

from __future__ import annotations

import html
import re
from datetime import date
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

    from pipeline.wiki.format.frontmatter import Yaml

Value: TypeAlias = object
"""What YAML can hold; only its text is of interest here."""

_STEERING = frozenset({"template", "icon", "subtitle", "encrypted", "social", "comments", "render_macros"})
_LISTS = frozenset({"tags", "hide"})
_SHOWN_STATUSES = frozenset({"draft", "deprecated"})
"""Statuses that the theme marks in its navigation; every other one would get a mark as well."""
_MOST_VALUES = 5_000
_DEEPEST = 8
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u2028\u2029]")
_LARGEST: Final = 10**18
"""Python writes no number out that has thousands of digits."""


class Escaped(str):
    """Text that is safe in HTML, so that nothing escapes it twice."""

    __slots__ = ()


def escape(value: str | float) -> Escaped:
    """Make a word or number safe in HTML, in an attribute as well; what is safe already stays as it is."""
    if isinstance(value, Escaped):
        return value
    return Escaped("" if _is_huge(value) else html.escape(_CONTROL.sub("", str(value))))


def _is_huge(value: Value) -> bool:
    return isinstance(value, int) and abs(value) >= _LARGEST


def read_front(front: Mapping[str, Value]) -> dict[str, Yaml]:
    """Give front matter as the generator read it, reduced to what YAML knows; call it before `make_safe`."""
    budget = _Budget(_MOST_VALUES)
    given: list[tuple[object, Value]] = list(front.items())
    return {key: _yaml(value, budget, _DEEPEST) for key, value in given if isinstance(key, str)}


def _yaml(value: Value, budget: _Budget, depth: int) -> Yaml:
    if not budget.spend() or depth < 0 or _is_huge(value):
        return None
    if isinstance(value, Escaped):
        return html.unescape(value)
    if isinstance(value, str | int | float | date):
        return value
    if isinstance(value, dict):
        entries: dict[object, Value] = value
        return {
            key: _yaml(entry, budget, depth - 1)
            for key, entry in entries.items()
            if isinstance(key, str) and budget.values > 0
        }
    if isinstance(value, list | tuple):
        return [_yaml(entry, budget, depth - 1) for entry in value if budget.values > 0]
    return None


def make_safe(front: MutableMapping[str, Value]) -> None:
    """Make front matter safe for any theme, in place."""
    budget = _Budget(_MOST_VALUES)
    given: list[tuple[object, Value]] = list(front.items())
    front.clear()
    for key, value in given:
        if isinstance(key, str) and key not in _STEERING:
            safe = _checked(key, value, budget)
            if safe is not None:
                front[escape(key)] = safe


def _checked(key: str, value: Value, budget: _Budget) -> Value:
    if key in {"title", "description", "author"}:
        return escape(value) if isinstance(value, str | int | float) else None
    if key in _LISTS:
        words = value if isinstance(value, list) else []
        return [escape(word) for word in words[:1_000] if isinstance(word, str | int | float)]
    if key == "status":
        return value if isinstance(value, str) and value in _SHOWN_STATUSES else None
    if key == "search":
        return _search(value)
    return _plain(value, budget, _DEEPEST)


def _search(value: Value) -> Value:
    if not isinstance(value, dict):
        return None
    boost = value.get("boost")
    safe: dict[str, Value] = {"exclude": value.get("exclude") is True}
    if isinstance(boost, int | float) and not isinstance(boost, bool):
        safe["boost"] = boost
    return safe


class _Budget:
    """How many values may still come: a few lines of YAML can name millions."""

    def __init__(self, values: int) -> None:
        self.values = values

    def spend(self) -> bool:
        self.values -= 1
        return self.values >= 0


def _plain(value: Value, budget: _Budget, depth: int) -> Value:
    if not budget.spend() or depth < 0 or _is_huge(value):
        return None
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, dict):
        return {
            escape(key): _plain(entry, budget, depth - 1)
            for key, entry in value.items()
            if isinstance(key, str) and budget.values > 0
        }
    if isinstance(value, list | tuple):
        return [_plain(entry, budget, depth - 1) for entry in value if budget.values > 0]
    if value is None or isinstance(value, bool | int | float) or hasattr(value, "isoformat"):
        return value
    return escape(repr(value))
