"""Owns the moments at which a cron expression comes due in a time zone; knows no clock and no scheduler.

Where the clocks are put forward, a time that is skipped comes due at the end of the gap, once, as on GitHub; where
they are put back, a time that is repeated comes due the first time alone. An expression that names every hour
follows the clock as it shows instead: it comes due in every hour that there is, and in none besides.

All moments are in UTC: two moments in one zone would be compared by what the clock shows.
"""

from __future__ import annotations

from bisect import bisect_right
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from zoneinfo import ZoneInfo

    from pipeline.schedule.cron import Cron

_AHEAD: Final = timedelta(hours=40)
"""No time of a day comes due earlier than so long before its midnight in UTC: 14 hours of offset, and a day that is
repeated."""
_SECOND: Final = timedelta(seconds=1)


class Timetable:
    """When runs are due. `jitter` puts each off by up to so many seconds, by a hash of `salt` and the moment.

    So the delay is the same whenever it is asked for, and differs between wikis that share an expression.
    """

    def __init__(self, cron: Cron, zone: ZoneInfo, *, jitter: int = 0, salt: str = "") -> None:
        self.cron = cron
        self.zone = zone
        self._jitter = jitter
        self._salt = salt
        self._on = lru_cache(maxsize=8)(self._moments)

    def after(self, moment: datetime) -> datetime | None:
        """Give the first moment after another; none when the calendar ends."""
        found = None
        due = self._due_after(moment - self._jitter * _SECOND)
        while due is not None and (found is None or due < found):
            put_off = self._put_off(due)
            if put_off > moment:
                found = put_off if found is None else min(found, put_off)
            due = self._due_after(due)
        return found

    def latest(self, moment: datetime, since: datetime) -> datetime | None:
        """Give the last moment that is not after another, but after `since`."""
        found = None
        for due in self._due_back(moment, since):
            if found is not None and due + self._jitter * _SECOND <= found:
                break
            put_off = self._put_off(due)
            if since < put_off <= moment:
                found = put_off if found is None else max(found, put_off)
        return found

    def upcoming(self, moment: datetime) -> Iterator[datetime]:
        """Give every moment after another, in order."""
        due = self.after(moment)
        while due is not None:
            yield due
            due = self.after(due)

    def _due_after(self, moment: datetime) -> datetime | None:
        found = None
        for day in self.cron.days_from(moment.astimezone(self.zone).date() - timedelta(1)):
            if found is not None and _midnight(day) - _AHEAD > found:
                break
            moments = self._on(day)
            place = bisect_right(moments, moment)
            if place < len(moments):
                found = moments[place] if found is None else min(found, moments[place])
        return found

    def _due_back(self, moment: datetime, since: datetime) -> Iterator[datetime]:
        """Give the moments up to one, the latest first, as far back as jitter can reach over `since`."""
        reach = since - self._jitter * _SECOND
        least = reach.astimezone(self.zone).date() - timedelta(1)
        held: list[datetime] = []
        for day in self.cron.days_back(moment.astimezone(self.zone).date() + timedelta(1), least):
            # What was held and lies after all that this day and earlier ones can have is in its place.
            sure = _midnight(day + timedelta(1)) + _AHEAD
            yield from reversed([one for one in held if one > sure])
            held = sorted([one for one in held if one <= sure] + [one for one in self._on(day) if one <= moment])
        yield from reversed(held)

    def _put_off(self, due: datetime) -> datetime:
        if not self._jitter:
            return due
        chance = int.from_bytes(sha256(f"{self._salt}\0{due.isoformat()}".encode()).digest()[:8])
        return due + chance % (self._jitter + 1) * _SECOND

    def _moments(self, day: date) -> tuple[datetime, ...]:
        """Give the moments of a day, in their order."""
        shown = [datetime.combine(day, time(hour, minute)) for hour in self.cron.hours for minute in self.cron.minutes]
        midnight = datetime.combine(day, time())
        ends = [
            end.replace(tzinfo=self.zone, fold=fold) for end in (midnight, midnight + timedelta(1)) for fold in (0, 1)
        ]
        offsets = {end.utcoffset() or timedelta() for end in ends}
        if len(offsets) == 1:
            offset = offsets.pop()
            return tuple((one - offset).replace(tzinfo=UTC) for one in shown)
        return tuple(sorted({moment for one in shown for moment in self._when(one)}))

    def _when(self, shown: datetime) -> tuple[datetime, ...]:
        """Tell when the clock shows a time, on a day on which it is changed."""
        first, second = (shown.replace(tzinfo=self.zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        if first == second:
            return (first,)
        if first < second:  # it shows it twice
            return (first, second) if self.cron.every_hour else (first,)
        return () if self.cron.every_hour else (self._change(second, first),)

    def _change(self, before: datetime, after: datetime) -> datetime:
        """Find the moment between two at which the clock is changed, to the second."""
        offset = before.astimezone(self.zone).utcoffset()
        while after - before > _SECOND:
            middle = before + (after - before) // (2 * _SECOND) * _SECOND
            if middle.astimezone(self.zone).utcoffset() == offset:
                before = middle
            else:
                after = middle
        return after


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
