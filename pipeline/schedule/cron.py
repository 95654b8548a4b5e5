"""Owns what a cron expression means: which days fit, and the times on such a day; knows no time zone and no clock.

The expressions are those of GitHub Actions: POSIX cron with names and steps. Five fields: minute, hour, day of the
month, month, day of the week, where 0 is Sunday. Where both day fields are restricted, a day that fits one of them
fits. A field that begins with `*`, `*/2` too, counts as unrestricted here, and then a day must fit both: so it is in
Vixie cron, while POSIX leaves it open and GitHub's documentation says nothing. Beyond GitHub, 7 is Sunday as well,
and `@daily` and its kin are known; `remarks` says so.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pipeline.schedule.fields import FIELDS, HOUR, WEEKDAY, quoted, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LONGEST: Final = 200
"""Characters of an expression."""
GITHUB_MINUTES: Final = 5
"""GitHub Actions starts no workflow more often."""

NAMED: Final = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}

_LONGEST_MONTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FORM: Final = "five fields, such as '23 5 * * 1': minute, hour, day of the month, month, day of the week"
_HOUR: Final = 60
"""Minutes."""


@dataclass(frozen=True, slots=True)
class Cron:
    """The times of an expression: every one of `minutes` in every one of `hours`, on the days that fit."""

    text: str
    """The five fields, with one space between them."""
    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    """0 is Sunday."""
    either: bool
    """Whether a day fits that is in `days` or in `weekdays`; else it must be in both."""
    remarks: tuple[str, ...]
    """What is otherwise on GitHub, as sentences."""

    @property
    def every_hour(self) -> bool:
        """Whether it goes on around the clock, so that no hour is meant more than another."""
        return len(self.hours) == HOUR.most + 1

    def fits(self, day: date) -> bool:
        """Whether there are times on a day."""
        in_month, in_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        return day.month in self.months and (in_month or in_week if self.either else in_month and in_week)

    def days_from(self, first: date) -> Iterator[date]:
        """Give the days that fit, `first` or later, until the calendar ends."""
        day = first
        while True:
            if self.fits(day):
                yield day
            try:
                day = day + timedelta(1) if day.month in self.months else _next_month(day)
            except (OverflowError, ValueError):
                return

    def days_back(self, last: date, least: date) -> Iterator[date]:
        """Give the days that fit, `last` or earlier but not before `least`, the latest first."""
        day = last
        while day >= least:
            if self.fits(day):
                yield day
            try:
                day -= timedelta(1 if day.month in self.months else day.day)
            except OverflowError:
                return


def parse_cron(text: str) -> Cron:
    """Take an expression apart; a `ValueError`, whose text follows the name of the setting, says what is wrong."""
    if len(text) > LONGEST:
        raise ValueError(f"may have at most {LONGEST} characters")
    words, remarks = text.split(), []
    if len(words) == 1 and words[0].startswith("@"):
        words = _named(words[0]).split()
        remarks.append(f"GitHub Actions does not know {text.strip()}: there, write '{' '.join(words)}'.")
    if len(words) != len(FIELDS):
        raise ValueError(_wrong_count(words))
    minutes, hours, days, months, weekdays = map(values_of, FIELDS, words)
    if WEEKDAY.top in weekdays:
        remarks.append("GitHub Actions does not take 7 for Sunday: there, write 0.")
        weekdays = weekdays - {WEEKDAY.top} | {0}
    either = not (words[2].startswith("*") or words[4].startswith("*"))
    if not either:
        _comes_due(words[2], days, months)
    apart = _least_apart(sorted(minutes), sorted(hours))
    if apart < GITHUB_MINUTES:
        remarks.append(f"Some times are {apart} min apart; GitHub Actions keeps {GITHUB_MINUTES} min between two runs.")
    return Cron(
        " ".join(words),
        tuple(sorted(minutes)),
        tuple(sorted(hours)),
        days,
        months,
        weekdays,
        either,
        tuple(remarks),
    )


def _named(word: str) -> str:
    known = NAMED.get(word.lower())
    if known is None:
        near = difflib.get_close_matches(word.lower()[:20], NAMED, n=1, cutoff=0.5)
        hint = f"the nearest is '{near[0]}'" if near else f"known are {', '.join(NAMED)}"
        raise ValueError(f"has {quoted(word)}, which is no name of a time here; {hint}")
    return known


def _wrong_count(words: Sequence[str]) -> str:
    if not words:
        return f"is empty; it needs {_FORM}"
    if "=" in words[0]:
        return f"begins with {words[0]!r}; a time zone is named beside it, by `timezone`"
    told = f"has {len(words)} {'field' if len(words) == 1 else 'fields'}; it needs {_FORM}"
    if len(words) != len(FIELDS) + 1:
        return told
    try:
        without = parse_cron(" ".join(words[1:])).text
    except ValueError:
        return told
    return f"{told}. Seconds cannot be given: without the first field, it is '{without}'"


def _comes_due(written: str, days: frozenset[int], months: frozenset[int]) -> None:
    """Refuse a day that none of the months has, for it would be waited for without end."""
    longest = max(_LONGEST_MONTHS[month - 1] for month in months)
    if min(days) > longest:
        raise ValueError(
            f"never comes due: in its field 'day of the month' it has {quoted(written)}, and none of its months is"
            f" that long; the nearest is '{longest}'"
        )


def _least_apart(minutes: Sequence[int], hours: Sequence[int]) -> int:
    """Give the least time between two times, in minutes."""
    within = [later - earlier for earlier, later in pairwise(minutes)]
    following = any((hour + 1) % (HOUR.most + 1) in hours for hour in hours)
    across = [_HOUR - minutes[-1] + minutes[0]] if following else []
    return min((*within, *across), default=_HOUR)


def _next_month(day: date) -> date:
    return date(day.year + day.month // 12, day.month % 12 + 1, 1)
