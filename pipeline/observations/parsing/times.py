"""Owns the forms in which a line may state its time; knows no clock and no other field.

Read are RFC 3339 and its usual relatives (a space or `t` instead of `T`, no seconds, one to nine digits of a
second and more, `+0100`, `UTC`, a date alone), and numbers since 1970: seconds, milliseconds, microseconds or
nanoseconds, told apart by their size. What is finer than a microsecond is cut off, never rounded.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

_STAMP = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)"
    r"(?:[Tt ]\s?(?P<hour>\d\d):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,](?P<fraction>\d{1,18}))?)?"
    r"\s?(?P<zone>[Zz]|UTC|GMT|[+\-\u2212]\d\d(?::?\d\d)?)?)?",
    re.ASCII,
)
_NUMBER = re.compile(r"-?\d{9,25}(?:\.\d{1,25})?", re.ASCII)
"""A number in a string has nine digits or more: `2026` or `20260105` would be taken for seconds of 1970."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS = ((Decimal(10) ** 11, 1_000_000), (Decimal(10) ** 14, 1_000), (Decimal(10) ** 17, 1))
"""Below the limit a number counts in units of so many microseconds: seconds up to the year 5138, and so on."""

_LEAP_SECOND = 60


@dataclass(frozen=True, slots=True)
class Moment:
    """A point in time, in UTC; `naive` when its text named no zone, so that UTC is an assumption."""

    at: datetime
    naive: bool


def read_time(value: Json) -> Moment | None:
    """Read one value as a time, or tell with `None` that it is none."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return _from_number(Decimal(str(value))) if _is_finite(value) else None
    if not isinstance(value, str):
        return None
    text = value.strip()
    if _NUMBER.fullmatch(text):
        return _from_number(Decimal(text))
    return _from_stamp(text)


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # a whole number that no float can hold
        return False


def _from_number(number: Decimal) -> Moment | None:
    size = abs(number)
    scale = next((Decimal(microseconds) for limit, microseconds in _UNITS if size < limit), Decimal("0.001"))
    try:
        # Floor, so that times before 1970 are cut in the same direction.
        return Moment(_EPOCH + timedelta(microseconds=math.floor(number * scale)), naive=False)
    except OverflowError:
        return None


def _from_stamp(text: str) -> Moment | None:
    found = _STAMP.fullmatch(text)
    if not found:
        return None
    part = {name: found[name] or "0" for name in ("hour", "minute", "second")}
    microsecond = int((found["fraction"] or "0")[:6].ljust(6, "0"))
    second = int(part["second"])
    leap = second == _LEAP_SECOND
    try:
        stamp = datetime(
            int(found["year"]),
            int(found["month"]),
            int(found["day"]),
            int(part["hour"]),
            int(part["minute"]),
            _LEAP_SECOND - 1 if leap else second,
            microsecond,
            tzinfo=_zone(found["zone"]),
        )
        return Moment((stamp + timedelta(seconds=leap)).astimezone(UTC), naive=found["zone"] is None)
    except (ValueError, OverflowError):
        return None


def _zone(text: str | None) -> timezone:
    if text is None or text.upper() in {"Z", "UTC", "GMT"}:
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(offset if text[0] == "+" else -offset)
