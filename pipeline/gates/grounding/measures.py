"""Owns how numbers, their units and versions are written, and which spellings are equal; knows no text around them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pipeline.gates.grounding.characters import CJK

_UNITS: Final = {
    "ms": "ms msec millisecond milliseconds millisekunde millisekunden milliseconde millisecondes milisegundo"
    " milisegundos milissegundo milissegundos мс миллисекунд миллисекунды 毫秒 ミリ秒",
    "us": "us μs microsecond microseconds mikrosekunden microsecondes microsegundos мкс 微秒",
    "ns": "ns nanosecond nanoseconds nanosekunden nanosecondes nanosegundos нс",
    "s": "s sec secs second seconds sek sekunde sekunden seconde secondes seg segundo segundos с сек секунда секунды"
    " секунд секунду 秒 秒間 秒钟",
    "min": "m min mins minute minutes minuten minuto minutos мин минута минуты минут минуту 分 分間 分钟",
    "h": "h hr hrs hour hours std stunde stunden heure heures hora horas ч час часа часов 小时 時間",
    "d": "d day days tag tage tagen jour jours día días dia dias день дня дней дн 天 日間",
    "week": "w week weeks woche wochen semaine semaines semana semanas неделя недели недель 周 週間",
    "month": "month months monat monate monaten mois mes meses mês месяц месяца месяцев 个月 か月 ヶ月",
    "year": "y yr year years jahr jahre jahren an ans année années año años ano anos год года лет 年間",
    "%": "% percent prozent pourcent pct процент процента процентов パーセント",
    "B": "b byte bytes octet octets байт байта",
    "KB": "k kb ko kilobyte kilobytes кб",
    "MB": "m mb mo megabyte megabytes мб",
    "GB": "g gb go gigabyte gigabytes гб",
    "TB": "t tb to terabyte terabytes тб",
    "KiB": "ki kib",
    "MiB": "mi mib",
    "GiB": "gi gib",
    "TiB": "ti tib",
    "kbit": "kbit kbps",
    "Mbit": "mbit mbps",
    "Gbit": "gbit gbps",
    "Hz": "hz",
    "kHz": "khz",
    "MHz": "mhz",
    "GHz": "ghz",
    "px": "px pixel pixels",
    "°": "° °c °f",
    "rps": "rps qps",
    "USD": "$ usd dollar dollars",
    "EUR": "€ eur euro euros евро",
    "GBP": "£ gbp pound pounds",
}
_TIMES: Final = {
    1_000: "k thousand tausend tsd mille mil тыс тысяч тысячи 千",
    10_000: "万",
    1_000_000: "m million millions mio millionen millón millones milhão milhões млн миллион миллиона миллионов",
    100_000_000: "億 亿",
    1_000_000_000: "bn billion billions mrd млрд",
}
UNITS: Final = {name: frozenset({unit}) for unit, names in _UNITS.items() for name in names.split()} | {
    name: frozenset(unit for unit, names in _UNITS.items() if name in names.split()) for name in ("m", "k")
}
MULTIPLES: Final = {name: times for times, names in _TIMES.items() for name in names.split()}

_CORE = r"(?:\d{1,3}(?:[ .,']\d{3})+(?:[.,]\d+)?(?![\d])|\d+(?:[.,]\d+)*)"
_AFTER = r"%|‰|°[CF]?|[$€£]"
_CJK_UNITS = "|".join(
    sorted((name for name in (*UNITS, *MULTIPLES) if re.match(rf"[{CJK}]", name)), key=len, reverse=True)
)
_WORDS_AFTER = rf"[^\W\d_{CJK}]+"
NUMBER = re.compile(
    rf"(?:[$€£] ?)?{_CORE}(?: {{0,2}}(?:{_AFTER})|[ -]{{0,2}}(?:{_CJK_UNITS})|[ -]{{0,2}}{_WORDS_AFTER})?"
)
"""A number with what stands before it as a currency, and the word or sign behind it, which may be no unit."""
VERSION = re.compile(
    rf"(?<![^\W{CJK}])(?<!\.)(?:[vV]\d+(?:\.\d+)*|\d+(?:\.\d+){{2,}})(?:[-.]?(?:rc|alpha|beta|dev|post|a|b)[-.]?\d*)?(?![^\W{CJK}])(?!\.\d)"
)
"""A version that cannot be a mere number."""
_PARTS = re.compile(rf"(?P<before>[$€£]?) ?(?P<core>{_CORE})(?P<gap>[ -]{{0,2}})(?P<after>\D*)\Z", re.DOTALL)
_SEPARATOR = re.compile(r"[ .,']")
_ALSO_WORDS: Final = frozenset({"to", "go", "y"})
"""Units that are other words when they stand alone and small: `from 71 to 84`, `entre 2 y 5`."""
_ORDINAL = frozenset({"st", "nd", "rd", "th", "er", "ème", "º", "ª", "x", "xx"})
_GROUP = 3
_LONGEST = 30
"""Digits of a number that is reckoned with."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number: each of its possible values, its possible units, and the numbers that it would be as a list."""

    values: frozenset[str]
    units: frozenset[str]
    listed: tuple[str, ...]
    rest: str
    """The word behind it that is no unit."""
    glued: bool
    """Whether that word stands behind it without a space, and is no ordinal."""


@lru_cache(maxsize=10_000)
def measure_of(text: str) -> Measure:
    """Read what `NUMBER` found."""
    parts = _PARTS.match(text)
    if parts is None:
        return Measure(frozenset({text}), frozenset(), (), "", glued=False)
    after = parts["after"]
    small = after.lower()
    is_word = bool(parts["gap"]) and after in _ALSO_WORDS
    units = UNITS.get("-" if is_word else small, frozenset()) | UNITS.get(parts["before"] or "-", frozenset())
    core = parts["core"]
    values, listed = _values(core, exact=not units)
    times = MULTIPLES.get(small)
    if times and (small != "m" or after == "M"):
        values = frozenset(_multiplied(value, times) for value in values) | (values if units else frozenset())
        # A multiple is a number of whatever follows, so it may also stand for itself.
        units = units | {""}
    rest = "" if units or after in _AFTER else after
    glued = bool(rest) and not parts["gap"] and small not in _ORDINAL
    return Measure(values, units, listed, rest, glued=glued)


def _values(core: str, *, exact: bool) -> tuple[frozenset[str], tuple[str, ...]]:
    marks = _SEPARATOR.findall(core)
    if not marks:
        return frozenset({core.lstrip("0") or "0"}), ()
    parts = _SEPARATOR.split(core)
    grouped = [len(part) == _GROUP for part in parts[1:]]
    values = set()
    if all(grouped) and len(set(marks)) == 1 and len(parts[0]) <= _GROUP and parts[0] != "0":
        values.add("".join(parts))
    if marks[-1] in ".," and all(grouped[:-1]) and (len(marks) == 1 or marks[-1] not in marks[:-1]):
        values.add(_decimal("".join(parts[:-1]), parts[-1], exact=exact))
    if len(marks) > 1 and set(marks) == {"."}:
        values.add(core)
    listed = tuple(part.lstrip("0") or "0" for part in parts) if set(marks) <= {",", " "} else ()
    return frozenset(values), listed


def _decimal(whole: str, part: str, *, exact: bool) -> str:
    whole = whole.lstrip("0") or "0"
    kept = part.rstrip("0")
    if not kept:
        return whole if not exact or len(part) == 1 else f"{whole}.{part}"
    return f"{whole}.{part if exact else kept}"


def _multiplied(value: str, times: int) -> str:
    whole, _, part = value.partition(".")
    if not (whole + part).isdigit() or len(value) > _LONGEST:
        return value
    shifted = int(whole + part) * times
    scale = 10 ** len(part)
    return str(shifted // scale) if shifted % scale == 0 else value


def prefixes(version: str) -> tuple[str, ...]:
    """Give a version and what names less of it: `1.2.3` is also a `1.2`, and a `1.`."""
    bare = version.lower().removeprefix("v")
    steps = bare.split(".")
    return (bare, f"{steps[0]}.", *(".".join(steps[:count]) for count in range(2, len(steps))))
