"""Owns the JSON form of a report, there and back; knows no file and no rendering for people.

The format is that of the values, field by field, in UTC, with what follows from them added for readers that are no
program of ours: `schema_version`, `incomplete`, `changed`, `exit_code`, and `cost`, which is null where it is unknown.
Those are worked out again when a report is read. Keys that are not known are passed over.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError

from pipeline.report.ending import exit_code
from pipeline.report.values import Report
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.observations.observation import Json

SCHEMA_VERSION = 1
"""Goes up when a reader of the format before would misunderstand; a field that is added is no such change."""

_SURROGATES = re.compile(r"[\ud800-\udfff]")
_LONGEST_MISTAKE = 300


class Newer(ValueError):
    """A report is not damaged, but in a format that a later version of wikimill writes."""


def as_json(report: Report) -> dict[str, Json]:
    """Give a report as plain data: strings, numbers, lists, mappings. A lone surrogate becomes U+FFFD."""
    plain = asdict(report)
    plain["spent"] = {**asdict(report.spent), "cost": report.spent.cost}
    told = {name: _plain(value) for name, value in plain.items()}
    return {
        "schema_version": SCHEMA_VERSION,
        **told,
        "incomplete": report.incomplete,
        "changed": report.changed,
        "exit_code": int(exit_code(report)),
    }


def render_json(report: Report) -> bytes:
    """Write a report as a JSON document in ASCII."""
    return (json.dumps(as_json(report), indent=1, ensure_ascii=True, allow_nan=False) + "\n").encode("ascii")


def from_json(value: Mapping[str, Json]) -> Report:
    """Read a report back from plain data; raises `ValueError`, free of what the data say, when it is none."""
    return parse_json(json.dumps(value).encode())


def parse_json(raw: bytes) -> Report:
    """Read a report from a JSON document; raises `ValueError`, free of what the document says, when it is none."""
    try:
        version = json.loads(raw).get("schema_version", SCHEMA_VERSION)
    except (ValueError, RecursionError, AttributeError):
        raise ValueError("it is no JSON object") from None
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError("its schema_version is no number from 1")
    if version > SCHEMA_VERSION:
        raise Newer(f"its schema_version is {version:,}, and this wikimill reads up to {SCHEMA_VERSION}")
    try:
        report = _reader().validate_json(raw, strict=True)
    except ValidationError as mistakes:
        first = mistakes.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise ValueError(one_line(f"{place}: {first['msg']}" if place else first["msg"], _LONGEST_MISTAKE)) from None
    if not math.isfinite(report.spent.known_cost):
        raise ValueError("spent.known_cost: it is no number of money")
    return replace(report, started_at=_aware(report.started_at), ended_at=_aware(report.ended_at))


@cache
def _reader() -> TypeAdapter[Report]:
    return TypeAdapter(Report)


def _aware(at: datetime | None) -> datetime | None:
    if at is None:
        return None
    if at.tzinfo is None:
        raise ValueError("started_at, ended_at: a time needs its zone")
    try:
        return at.astimezone(UTC)
    except OverflowError:
        raise ValueError("started_at, ended_at: the time is out of reach") from None


def _plain(value: object) -> Json:
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_SURROGATES.sub("\ufffd", str(name)): _plain(one) for name, one in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(one) for one in value]
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if value is None or isinstance(value, (bool, int, float)):
        return value
    raise TypeError(type(value).__name__)
