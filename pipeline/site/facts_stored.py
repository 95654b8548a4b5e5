"""Owns how what was read of a page is written down, and read back as the same value. Knows no file and no YAML.

Written is one line of JSON in ASCII. JSON knows neither tuples nor days, so that everything that is no text, number
or truth value stands as a list whose first entry tells what it is.
"""

from __future__ import annotations

import json
from dataclasses import fields, replace
from datetime import date, datetime
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.finding import Finding
from pipeline.site.facts import Facts, Outgoing, Section, Verified
from pipeline.wiki.format.page import Page, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Json: TypeAlias = "bool | int | float | str | list[Json] | None"

_LIST: Final = "l"
_TUPLE: Final = "t"
_MAPPING: Final = "m"
_DAY: Final = "day"
_TIME: Final = "time"
_VALUES: Final = {kind.__name__: kind for kind in (Facts, Finding, Outgoing, Page, Section, Source, Verified)}
_NAMES: Final[Mapping[type, tuple[str, tuple[str, ...]]]] = {
    kind: (name, tuple(field.name for field in fields(kind))) for name, kind in _VALUES.items()
}


def stored(facts: Facts) -> bytes:
    """Write down what was read of a page; the file that it was read from is left out."""
    told = _told(replace(facts, page=replace(facts.page, origin=None)))
    return json.dumps(told, separators=(",", ":")).encode("ascii")


def restored(line: bytes) -> Facts:
    """Read back what `stored` wrote. Raises `ValueError` for anything else."""
    try:
        facts = _meant(json.loads(line))
    except (LookupError, TypeError, RecursionError) as fault:
        raise ValueError(str(fault)) from None
    if not isinstance(facts, Facts):
        raise ValueError("no facts")  # noqa: TRY004  # the line is wrong, not the call
    return facts


def _told(value: object) -> Json:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    known = _NAMES.get(type(value))
    if known is not None:
        name, names = known
        return [name, *(_told(getattr(value, one)) for one in names)]
    if isinstance(value, tuple):
        return [_TUPLE, *map(_told, value)]
    if isinstance(value, list):
        return [_LIST, *map(_told, value)]
    if isinstance(value, dict):
        return [_MAPPING, *(_told(part) for pair in value.items() for part in pair)]
    if isinstance(value, date):
        return [_TIME if isinstance(value, datetime) else _DAY, value.isoformat()]
    raise TypeError(type(value).__name__)


def _meant(told: Json) -> object:
    if not isinstance(told, list):
        return told
    kind = told[0]
    if not isinstance(kind, str):
        raise TypeError(type(kind).__name__)
    values = [_meant(one) if type(one) is list else one for one in told[1:]]
    return _MEANT[kind](values)


def _mapping(values: list[object]) -> dict[object, object]:
    return dict(zip(values[::2], values[1::2], strict=True))


def _made(kind: Callable[..., object], values: list[object]) -> object:  # type: ignore[explicit-any]  # fields vary
    return kind(*values)


_MEANT: Final[Mapping[str, Callable[[list[object]], object]]] = {
    _LIST: list,
    _TUPLE: tuple,
    _MAPPING: _mapping,
    _DAY: lambda values: date.fromisoformat(str(values[0])),
    _TIME: lambda values: datetime.fromisoformat(str(values[0])),
    **{name: partial(_made, kind) for name, kind in _VALUES.items()},
}
