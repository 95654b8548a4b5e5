"""Owns what counts as a value in a sentence, and when two spellings say the same value.

A number with its unit, a version, a date, a time of day, a path, an address, a hash. Units of time and size are
compared in one measure; a number that can be read in two ways (`1.000`) has two readings. Knows no subject.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from pipeline.gates.contradiction.units import CURRENCIES, MONTHS, NUMERALS, UNITS, WEEKDAYS
from pipeline.gates.contradiction.words import LIGHT, is_unspaced, stem

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["number", "date", "clock", "weekday", "path", "url", "hash"]

_EXTENSIONS = (
    "py|toml|json|jsonl|ya?ml|md|txt|cfg|ini|conf|sh|sql|js|ts|tsx|go|rs|rb|java|html|css|csv|xml|lock|log|env"
)
_MONTH = "|".join(sorted(map(re.escape, MONTHS), key=len, reverse=True))
_NUMERAL = "|".join(sorted(NUMERALS, key=len, reverse=True))
_WEEKDAY = "|".join(sorted(WEEKDAYS, key=len, reverse=True))
_WORD = r"[^\W\u3040-\u30ff\u3400-\u9fffー]"
"""A character of a word in a script that puts spaces between words."""
_PATTERN = re.compile(
    rf"""
    (?P<url>https?://[^\s<>()"'`，。）]+)
    |(?P<iso>(?<!\d)\d{{4}}-\d{{2}}-\d{{2}}(?!\d))
    |(?P<cjk>\d{{4}}年\d{{1,2}}月\d{{1,2}}日)
    |(?P<day_first>(?<![\w.])\d{{1,2}}(?:st|nd|rd|th|er|\.|º)?\s(?:de\s|of\s)?(?:{_MONTH})\b\.?,?(?:\s(?:de\s)?\d{{4}}\b)?)
    |(?P<month_first>\b(?:{_MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:,?\s\d{{4}}\b)?)
    |(?P<dotted>(?<![\w.])\d{{1,2}}\.\d{{1,2}}\.\d{{4}}(?![\w.]))
    |(?P<clock>(?<![\w:.])\d{{1,2}}:\d{{2}}(?![\d:])|(?<![\w.])\d{{1,2}}\s?[ap]\.?m\b)
    |(?P<host>(?<![\w.@/-])[a-z][\w-]+(?:\.[\w-]{{2,}})*\.(?!(?:{_EXTENSIONS})\b)[a-z]{{2,}}(?::\d{{2,5}})?(?:/[\w./-]*)?(?![\w-]))
    |(?P<host_port>(?<![\w.@/-])[a-z][\w-]+:\d{{2,5}}\b)
    |(?P<path>(?<![\w.:/])(?:~|\.{{1,2}})?/[\w.@+-]+(?:/[\w.@+-]+){{0,30}}/?|(?<![\w.:/-])[\w-]+(?:[./][\w-]+){{0,30}}\.(?:{_EXTENSIONS})\b)
    |(?P<hash>(?<![-])(?<!{_WORD})(?:sha256:)?(?=[0-9a-f]{{0,63}}[a-f])(?=[0-9a-f]{{0,63}}\d)[0-9a-f]{{7,64}}(?![\w-]))
    |(?P<number>(?<![.#])(?<!{_WORD})(?<!{_WORD}-)(?:(?P<before>[$€£¥])\s?)?v?\d[\d_]*(?:[.,'’\u202f\u00a0]\d+)*(?:[-.]?(?:rc|alpha|beta|dev|post)\.?\d*)?)
    |(?P<weekday>\b(?:{_WEEKDAY})\b)
    |(?P<numeral>\b(?:{_NUMERAL})\b(?!-))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_AFTER = re.compile(r"[\s\u00a0\u202f-]?(?P<unit>%|[€£¥$]|°C|[^\W\d_]+(?:/[^\W\d_]+)?)")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,'’\u202f\u00a0]\d{3})+\Z")
_SPACED = re.compile(r"(?<![\d.,])(\d{1,3})[ ](\d{3})(?![\d.,])")
_DIGITS = re.compile(r"\d+")
_TRAILING = ".,;:!?/"
_HOUR_HALF = 12
_ROOT = 3
_PORT = re.compile(r"(.*?):(\d{2,5})\Z")


@dataclass(frozen=True, slots=True)
class Value:
    """A value from `start` to `end` of its sentence.

    `readings` are its canonical spellings; `unit` is a dimension such as `time`, a counted noun, or empty. `label` is
    how it is written, without case.
    """

    start: int
    end: int
    kind: Kind
    readings: frozenset[str]
    unit: str
    label: str
    loose: bool = False
    """Whether its unit is a mere noun that follows, which another sentence may leave out."""


def read_values(text: str) -> tuple[Value, ...]:
    """Find the values of a sentence, in order."""
    return tuple(_read(_SPACED.sub(r"\1" + "\u00a0" + r"\2", text)))


def same(one: Value, other: Value, *, roughly: bool = False) -> bool:
    """Whether two values are one; `roughly` says that one of the sentences tells about how much."""
    if one.kind != other.kind or not _comparable(one, other):
        return False
    if one.readings & other.readings:
        return True
    if one.kind == "date":
        shorter, longer = sorted((min(one.readings), min(other.readings)), key=len)
        return longer.endswith(shorter)
    if one.kind != "number":
        return False
    return any(_near(a, b, one.unit, roughly=roughly) for a in one.readings for b in other.readings)


def rivals(one: Value, other: Value) -> bool:
    """Whether two values may be values of the same thing: of one kind and unit, and different."""
    return one.kind == other.kind and _comparable(one, other) and not same(one, other)


def _comparable(one: Value, other: Value) -> bool:
    if one.unit == other.unit or (one.loose and other.loose and _declined(one.unit, other.unit)):
        return True
    return (one.loose or not one.unit) and (other.loose or not other.unit) and (not one.unit or not other.unit)


def _declined(one: str, other: str) -> bool:
    """Whether two counted nouns are forms of one Russian word."""
    return not one.isascii() and not is_unspaced(one) and len(one) > _ROOT and one[:_ROOT] == other[:_ROOT]


def _near(one: str, other: str, unit: str, *, roughly: bool) -> bool:
    if one.count(".") > 1 or other.count(".") > 1 or (not unit and "." in one + other):
        shorter, longer = sorted((one, other), key=len)
        return longer.startswith(f"{shorter}.")
    share = Decimal("0.1") if roughly else Decimal("0.05") if unit == "size" else Decimal(0)
    try:
        first, second = Decimal(one), Decimal(other)
    except InvalidOperation:
        return False
    return abs(first - second) <= share * max(abs(first), abs(second))


def _read(text: str) -> Iterator[Value]:
    for found in _PATTERN.finditer(text):
        start, end = found.span()
        name = found.lastgroup if found.lastgroup != "before" else "number"
        written = found.group()
        if name in {"host", "path"} and "/" not in written and written[0].isupper():
            continue  # Fly.io and Node.js are names
        if name in {"url", "host", "host_port"}:
            yield from _address(written, start, bare=name != "url")
        elif name == "path":
            label = written.rstrip(_TRAILING)
            yield Value(start, start + len(label), "path", frozenset({label.casefold()}), "", label.casefold())
        elif name == "hash":
            label = written.casefold().removeprefix("sha256:")
            yield Value(start, end, "hash", frozenset({label}), "", label)
        elif name == "clock":
            yield Value(start, end, "clock", frozenset({_clock(written)}), "", written.casefold())
        elif name == "weekday":
            day = WEEKDAYS[written.casefold()]
            yield Value(start, end, "weekday", frozenset({day}), "", written.casefold())
        elif name in {"iso", "cjk", "day_first", "month_first", "dotted"}:
            yield Value(start, end, "date", frozenset({_date(written)}), "", written.casefold())
        else:
            yield from _number(text, found)


def _address(written: str, start: int, *, bare: bool) -> Iterator[Value]:
    label = written.rstrip(_TRAILING).casefold()
    port = _PORT.match(label) if bare else None
    if port is not None:
        if "." in port[1]:
            yield Value(start, start + len(port[1]), "url", frozenset({port[1]}), "", port[1])
        place = start + len(port[1]) + 1
        yield Value(place, place + len(port[2]), "number", frozenset({port[2]}), "", port[2])
        return
    yield Value(start, start + len(label), "url", frozenset({label.split("://")[-1]}), "", label)


def _clock(written: str) -> str:
    hour, *minutes = map(int, _DIGITS.findall(written))
    low = written.casefold()
    if "m" in low:
        hour = hour % _HOUR_HALF + (_HOUR_HALF if "p" in low else 0)
    return f"{hour:02}:{minutes[0] if minutes else 0:02}"


def _date(written: str) -> str:
    """Write a date as `2026-11-29`; without its year as `-11-29`."""
    numbers = [int(number) for number in _DIGITS.findall(written)]
    words = re.findall(r"[^\W\d_]+", written.casefold())
    month = next((MONTHS[word] for word in words if word in MONTHS), 0)
    if month:
        day, *rest = numbers
        year = str(rest[0]) if rest else ""
    elif len(_DIGITS.findall(written)[0]) > 2:  # noqa: PLR2004  # a year stands first
        year, month, day = str(numbers[0]), numbers[1], numbers[2]
    else:
        day, month, year = numbers[0], numbers[1], str(numbers[2])
    return f"{year}-{month:02}-{day:02}"


def _number(text: str, found: re.Match[str]) -> Iterator[Value]:
    start, end = found.span()
    written = found.group().casefold()
    after = _AFTER.match(text, end)
    unit = _unit(after["unit"].casefold()) if after else ""
    sign = found["before"] or ""
    if sign or unit in CURRENCIES:
        money = CURRENCIES[sign or unit]
        stop = end if sign or after is None else after.end()
        yield Value(start, stop, "number", _readings(written, 1), f"money {money}", written)
    elif unit in UNITS:
        dimension, factor = UNITS[unit]
        stop = after.start("unit") + len(unit) if after is not None else end
        yield Value(start, stop, "number", _readings(written, factor), dimension, text[start:stop].casefold())
    else:
        noun = stem(unit) if len(unit) > 1 and unit not in LIGHT else ""
        if written == "one" and not noun:
            return  # a pronoun
        yield Value(start, end, "number", _readings(written, 1), noun, written, loose=True)


def _unit(word: str) -> str:
    """Cut a unit out of a rate, and out of a script that puts no space behind it."""
    if word in UNITS or word in CURRENCIES:
        return word
    if word.isascii() or not is_unspaced(word):
        base = word.split("/", 1)[0]
        return base if base in UNITS else word
    return next((word[:size] for size in (3, 2, 1) if word[:size] in UNITS), word)


@lru_cache(maxsize=20_000)
def _readings(written: str, factor: int | str) -> frozenset[str]:
    """Give the canonical spellings of a number, times `factor`."""
    bare = NUMERALS.get(written, written.lstrip("$€£¥ ").removeprefix("v").replace("_", "").rstrip(".,"))
    spelt = {bare.replace(",", ".")} if not _THOUSANDS.match(bare) else {re.sub(r"\D", "", bare)}
    if _THOUSANDS.match(bare) and sum(map(bare.count, ".,")) == 1:
        spelt.add(bare.replace(",", "."))
    return frozenset(_scaled(one, Decimal(factor)) for one in spelt)


def _scaled(number: str, factor: Decimal) -> str:
    try:
        value = Decimal(number) * factor
    except InvalidOperation:
        return number
    if factor == 1 and "." in number:
        return number
    return format(value.normalize(), "f")
