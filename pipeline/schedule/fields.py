"""Owns one field of a cron expression: its values, and the words for what is wrong with it; knows no dates.

A mistake is a `ValueError` that names the field and the nearest valid form. It quotes nothing but what looks like
cron: what was written there by mistake may be a secret.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Final

_QUOTABLE: Final = re.compile(r"[A-Za-z0-9*/,#?@-]{1,20}")
_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_LAST: Final = re.compile(r"(?:[0-9A-Z]{1,3})?L(?:-[0-9]{1,2})?", re.IGNORECASE)
_NEAR: Final = re.compile(r"([0-9]{1,2}|L)W", re.IGNORECASE)
_NTH: Final = re.compile(r"([0-9A-Z]{1,3})#[0-9]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Field:
    """One of the five: its name, its values from `least` to `most`, and names for them, the first for `least`.

    `top` is the highest value that may be written: 7 for Sunday, which `*` and an open step do not reach.
    """

    name: str
    least: int
    most: int
    top: int
    names: tuple[str, ...] = ()


MINUTE: Final = Field("minute", 0, 59, 59)
HOUR: Final = Field("hour", 0, 23, 23)
DAY: Final = Field("day of the month", 1, 31, 31)
MONTH: Final = Field(
    "month", 1, 12, 12, ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
)
WEEKDAY: Final = Field("day of the week", 0, 6, 7, ("sun", "mon", "tue", "wed", "thu", "fri", "sat"))
FIELDS: Final = (MINUTE, HOUR, DAY, MONTH, WEEKDAY)


def values_of(field: Field, text: str) -> frozenset[int]:
    """Give the values that a field names: a list of values, ranges and steps."""
    found: set[int] = set()
    for part in text.split(","):
        if not part:
            nearest = ",".join(filter(None, text.split(",")))
            raise _wrong(field, text, "has a comma with nothing beside it", nearest or "*")
        found.update(_part(field, part))
    return frozenset(found)


def quoted(text: str) -> str:
    """Quote what looks like cron, and nothing else."""
    return f"'{text}'" if _QUOTABLE.fullmatch(text) else "something that cron does not know"


def _part(field: Field, part: str) -> range:
    base, slash, step_text = part.partition("/")
    first, last = _span(field, base, part)
    if not slash:
        return range(first, last + 1)
    if base != "*" and "-" not in base:  # as GitHub has it: `20/15` goes on from 20
        last = max(field.most, first)
    if not _NUMBER.fullmatch(step_text) or not max(field.least, 1) <= int(step_text) <= field.most:
        told = f"has {quoted(part)}, whose step must be a number from {max(field.least, 1)} to {field.most}"
        too_long = _NUMBER.fullmatch(step_text) and int(step_text) > field.most
        raise _wrong(field, part, told, str(first) if too_long else base or "*")
    return range(first, last + 1, int(step_text))


def _span(field: Field, base: str, part: str) -> tuple[int, int]:
    """Give the first and the last value of `*`, of a value, or of a range."""
    if base == "*":
        return field.least, field.most
    first_text, dash, last_text = base.partition("-")
    if not first_text or (dash and not last_text):
        raise _wrong(field, part, f"has {quoted(part)}, where a value is missing", f"{first_text or last_text or '*'}")
    first = _value(field, first_text, part)
    last = _value(field, last_text, part) if dash else first
    if first > last:
        until = first_text if first == field.most else f"{first_text}-{field.most}"
        since = last_text if last == field.least else f"{field.least}-{last_text}"
        raise _wrong(field, part, f"has {quoted(part)}, which goes backwards", f"{until},{since}")
    return first, last


def _value(field: Field, text: str, part: str) -> int:
    if text.lower() in field.names:
        return field.least + field.names.index(text.lower())
    if not _NUMBER.fullmatch(text):
        told, nearest = _foreign(field, text, part)
        raise _wrong(field, part, told, nearest)
    if not field.least <= int(text) <= field.top:
        nearest = str(field.least if int(text) < field.least else field.most)
        raise _wrong(field, part, f"has {quoted(text)}, but goes from {field.least} to {field.most}", nearest)
    return int(text)


def _foreign(field: Field, text: str, part: str) -> tuple[str, str]:
    """Tell what a sign of another kind of cron is, and what comes nearest to it here."""
    if text == "?":
        return "has '?', which other kinds of cron know", "*"
    if field is DAY and (near := _NEAR.fullmatch(text)):
        return f"has {quoted(text)} (the weekday nearest to a day), which other kinds of cron know", (
            "28" if near[1].upper() == "L" else near[1]
        )
    if field is WEEKDAY and (nth := _NTH.fullmatch(text)):
        return f"has {quoted(text)} (the weekday of one week), which other kinds of cron know", nth[1]
    if field in {DAY, WEEKDAY} and _LAST.fullmatch(part):
        nearest = "28" if field is DAY else text.upper().rstrip("L").lower() or str(field.most)
        return f"has {quoted(part)} (the last one), which other kinds of cron know", nearest
    near_names = difflib.get_close_matches(text.lower()[:20], field.names, n=1, cutoff=0.5)
    return f"has {quoted(part)}, which is no value", near_names[0] if near_names else "*"


def _wrong(field: Field, part: str, told: str, nearest: str) -> ValueError:
    """Say what is wrong, and offer `nearest` where it is a form that can stand in the field."""
    try:
        values_of(field, nearest) if nearest != part else None
    except ValueError:
        nearest = str(field.least)
    return ValueError(f"in its field '{field.name}' {told}; the nearest is '{nearest}'")
