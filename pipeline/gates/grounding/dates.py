"""Owns how dates and times of the day are written, and what they say; knows no text around them.

A date may say no year, or no day. A spelling that can be read in two ways is read in both.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, TypeAlias

Day: TypeAlias = "tuple[int | None, int, int | None]"
"""Year, month, day."""
Clock: TypeAlias = "tuple[int, int, int | None]"
"""Hour, minute, second."""

_NAMES: Final = (
    "january jan januar jänner janvier janv enero ene janeiro января январь янв",
    "february feb februar février fevrier févr febrero fevereiro fev февраля февраль фев",
    "march mar märz maerz mär mars marzo março марта март",
    "april apr avril avr abril abr апреля апрель апр",
    "may mai mayo maio мая май",
    "june jun juni juin junio junho июня июнь июн",
    "july jul juli juillet juil julio julho июля июль июл",
    "august aug août aout agosto ago августа август авг",
    "september sept sep septembre septiembre setembro set сентября сентябрь сен сент",
    "october oct oktober okt octobre octubre outubro out октября октябрь окт",
    "november nov novembre noviembre novembro ноября ноябрь ноя нояб",
    "december dec dezember dez décembre decembre déc diciembre dic dezembro декабря декабрь дек",
)
_MONTHS: Final = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
_ALSO_WORDS: Final = frozenset({"may", "mar", "march", "set", "out", "ago", "dec", "mai", "mars", "jan", "sep"})
"""Names of months that mean something else when they are written small."""

_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d(?!\d)"
_WRITTEN = (
    rf"\b(?:(?<![.,])\d{{1,2}}(?:st|nd|rd|th|er|º|\.)?[ -]?(?:de |of )?(?:{_MONTH})\b\.?"
    rf"(?:,?[ -](?:del? |of )?{_YEAR})?"
    rf"|(?:{_MONTH})\b\.? (?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?![\d:.,/-]\d|\w)(?:,? (?:of )?{_YEAR})?"
    rf"|(?:{_MONTH})\b\.?,? (?:del? |of )?{_YEAR})"
)
WRITTEN = re.compile(_WRITTEN, re.IGNORECASE)
"""A date with the name of its month; what `dates_of` gives nothing for is none."""
WRITTEN_SMALL = re.compile(_WRITTEN)
"""The same in a text of small letters; it takes a quarter of the time."""
_TIME = r"(?:[01]?\d|2[0-4])"
NUMERIC = re.compile(
    r"(?<![\d.])(?:\d{4}年\d{1,2}月(?:\d{1,2}日)?|\d{1,2}月\d{1,2}日"
    r"|\d{4}(?P<sep>[-/.])\d{1,2}(?P=sep)\d{1,2}(?![\d])"
    r"|\d{1,2}(?P<other>[-/.])\d{1,2}(?P=other)\d{4}(?!\d)"
    r"|\d{1,2}/\d{1,2}/\d\d(?!\d)"
    r"|(?:19|20)\d\d-(?:0[1-9]|1[0-2])(?![\d-]))"
)
_HALF = r"[aApP]\.?[mM]\b"
CLOCK = re.compile(
    rf"(?<![\d:.,])(?:{_TIME}:[0-5]\d(?::[0-5]\d(?:[.,]\d+)?)?(?!:?\d)(?: ?{_HALF})?"
    rf"|{_TIME}\.[0-5]\d ?(?:[uU]hr\b|{_HALF})"
    rf"|{_TIME} ?(?:[hH]|[uU]hr) ?[0-5]\d(?!\w| ?m)|{_TIME} ?{_HALF}|{_TIME} ?[uU]hr\b|{_TIME}[時点时][0-5]?\d分)"
)
_DIGITS = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]{3,}")
_MOST_MONTHS, _MOST_DAYS = 12, 31


def _day(year: int | None, month: int, day: int | None) -> tuple[Day, ...]:
    fits = 1 <= month <= _MOST_MONTHS and (day is None or 1 <= day <= _MOST_DAYS)
    return ((year, month, day),) if fits else ()


@lru_cache(maxsize=10_000)
def dates_of(text: str) -> tuple[Day, ...]:
    """Read what `WRITTEN` or `NUMERIC` found; nothing when no reading of it is a date."""
    numbers = _DIGITS.findall(text)
    month = next((word for word in _LETTERS.findall(text) if word.lower() in _MONTHS), "")
    if month:
        if month.islower() and month in _ALSO_WORDS and len(numbers) < len(("day", "year")):
            return ()
        years = [int(number) for number in numbers if len(number) == len("2026")]
        days = [int(number) for number in numbers if len(number) < len("2026")]
        return _day(years[0] if years else None, _MONTHS[month.lower()], days[0] if days else None)
    first, *rest = map(int, numbers)
    if "月" in text:
        return _day(first, rest[0], rest[1] if rest[1:] else None) if "年" in text else _day(None, first, rest[0])
    if len(numbers[0]) == len("2026"):
        return _day(first, rest[0], rest[1] if rest[1:] else None)
    year = rest[1] if len(numbers[2]) == len("2026") else 2000 + rest[1]
    european, american = _day(year, rest[0], first), _day(year, first, rest[0])
    return european if "." in text else (*european, *american)


@lru_cache(maxsize=10_000)
def clock_of(text: str) -> Clock:
    """Read what `CLOCK` found."""
    hour, *rest = map(int, _DIGITS.findall(text))
    small = text.lower().replace(".", "").rstrip("m")
    if small.endswith("p") and hour < _MOST_MONTHS:
        hour += 12
    elif small.endswith("a") and hour == _MOST_MONTHS:
        hour = 0
    return hour, rest[0] if rest else 0, rest[1] if rest[1:] else None
