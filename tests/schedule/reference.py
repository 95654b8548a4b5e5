"""What cron means, minute by minute: slow, plain, and written without a look at the code that it is held against."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from hypothesis import strategies as st

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

MINUTE = timedelta(minutes=1)
RANGES = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
NAMES = {
    3: {name.upper(): number for number, name in enumerate(calendar.month_abbr) if name},
    4: {name.upper(): (number + 1) % 7 for number, name in enumerate(calendar.day_abbr)},
}


@dataclass(frozen=True)
class Written:
    """An expression, and the values of each of its fields."""

    text: str
    fields: tuple[frozenset[int], ...]

    def shows(self, wall: datetime) -> bool:
        """Whether a clock that shows this time shows one of the expression's."""
        minute, hour, days, month, weekdays = self.fields
        if wall.minute not in minute or wall.hour not in hour or wall.month not in month:
            return False
        words = self.text.split()
        day, weekday = wall.day in days, (wall.weekday() + 1) % 7 in weekdays
        if words[2][0] == "*" or words[4][0] == "*":
            return day and weekday
        return day or weekday


def due(written: Written, zone: ZoneInfo, begin: datetime, end: datetime) -> list[datetime]:
    """Give the moments after `begin` up to `end`, by looking at the clock on the wall each minute."""
    around_the_clock = written.fields[1] == frozenset(range(24))
    found, before = [], wall_of(begin, zone)
    now = begin
    while now < end:
        now += MINUTE
        wall = wall_of(now, zone)
        fresh = now.astimezone(zone).fold == 0 or around_the_clock
        skipped = [before + step * MINUTE for step in range(1, (wall - before) // MINUTE)]
        late = not around_the_clock and any(map(written.shows, skipped))
        if late or (fresh and written.shows(wall)):
            found.append(now)
        before = wall
    return found


def wall_of(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)


@st.composite
def parts(draw: st.DrawFn, place: int) -> tuple[str, frozenset[int]]:
    least, most = RANGES[place]
    kind = draw(st.sampled_from(["*", "*/n", "v", "v-v", "v-v/n", "v/n", "name"]))
    low, high = sorted((draw(st.integers(least, most)), draw(st.integers(least, most))))
    step = draw(st.integers(max(least, 1), most))
    if kind == "name" and place in NAMES:
        name = draw(st.sampled_from(sorted(NAMES[place])))
        return draw(st.sampled_from([name, name.lower(), name.title()])), frozenset({NAMES[place][name]})
    whole = range(least, most + 1)
    return {
        "*": ("*", frozenset(whole)),
        "*/n": (f"*/{step}", frozenset(whole[::step])),
        "v-v": (f"{low}-{high}", frozenset(range(low, high + 1))),
        "v-v/n": (f"{low}-{high}/{step}", frozenset(range(low, high + 1, step))),
        "v/n": (f"{low}/{step}", frozenset(range(low, most + 1, step))),
    }.get(kind, (str(low), frozenset({low})))


@st.composite
def expressions(draw: st.DrawFn) -> Written:
    texts, values = [], []
    for place in range(5):
        chosen = draw(st.lists(parts(place), min_size=1, max_size=3))
        texts.append(",".join(text for text, _ in chosen))
        values.append(frozenset().union(*(found for _, found in chosen)))
    return Written(" ".join(texts), tuple(values))


def utc(*parts_of_it: int) -> datetime:
    return datetime(*parts_of_it, tzinfo=UTC)  # type: ignore[misc, arg-type]  # year, month, day, and perhaps more
