"""Owns how a timetable triggers APScheduler; knows no cron and no time zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apscheduler.triggers.base import BaseTrigger  # type: ignore[import-untyped]  # it has no types

if TYPE_CHECKING:
    from datetime import datetime

    from pipeline.schedule.timetable import Timetable


class TimetableTrigger(BaseTrigger):  # type: ignore[misc, no-any-unimported]  # as above
    """Comes due when the timetable says so.

    Of several moments that were slept through, it gives the first and the last alone. The others would be joined to
    the last anyway, and between a clock that starts in 1970 and one that is set right they may be millions.
    """

    def __init__(self, timetable: Timetable) -> None:
        self._timetable = timetable

    def get_next_fire_time(self, previous_fire_time: datetime | None, now: datetime) -> datetime | None:
        """Give the next moment after an earlier one, in UTC, whether or not it has passed; none when there is none."""
        if previous_fire_time is None:
            return self._timetable.after(now)
        following = self._timetable.after(previous_fire_time)
        if following is None or following > now:
            return following
        return self._timetable.latest(now, since=previous_fire_time)
