"""Owns how APScheduler is set up for one job: what it may do at once, how it waits, how it is woken; knows no run.

Its own log is silent: what happens is told from its events.
"""

from __future__ import annotations

import logging  # noqa: TID251  # only to silence APScheduler's
from datetime import UTC
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Final, Protocol

from apscheduler.events import (  # type: ignore[import-untyped]  # it has no types
    EVENT_JOB_ERROR,
    EVENT_JOB_EXECUTED,
    EVENT_JOB_MAX_INSTANCES,
    EVENT_JOB_MISSED,
)
from apscheduler.executors.pool import ThreadPoolExecutor  # type: ignore[import-untyped]  # as above
from apscheduler.schedulers.blocking import BlockingScheduler  # type: ignore[import-untyped]  # as above

from pipeline.schedule.trigger import TimetableTrigger

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pipeline.schedule.timetable import Timetable

BEAT: Final = 5.0
"""Seconds after which it looks at the clock again, however far the next run is: the time for which a machine sleeps,
or by which its clock is set, counts for nothing that waits."""

JOB: Final = "run"


class Alarm:
    """What the scheduler waits for. Unlike `threading.Event`, it may be set by a handler of signals at any moment."""

    def __init__(self) -> None:
        self._rings: SimpleQueue[None] = SimpleQueue()

    def set(self) -> None:
        """Wake whoever waits, or whoever waits next."""
        self._rings.put(None)

    def is_set(self) -> bool:
        """Whether the next wait ends at once."""
        return not self._rings.empty()

    def clear(self) -> None:
        """Forget what has woken."""
        while self.is_set():
            self._rings.get()

    def wait(self, seconds: float) -> bool:
        """Wait until it is set, or so many seconds; tell whether it was."""
        try:
            self._rings.get(timeout=min(seconds, BEAT))
        except Empty:
            return False
        return True


class Watch(Protocol):
    """Who is told what happens; `beat` on the thread that waits, the others on any."""

    def beat(self) -> bool:
        """Hear that the scheduler lives; say whether it goes on."""

    def ended(self, given: object, fault: BaseException | None) -> None:
        """Hear that the job has ended, with what it gave or raised."""

    def missed(self, due: datetime) -> None:
        """Hear that a moment was noticed too late."""

    def overlapped(self, due: datetime) -> None:
        """Hear that a moment came due while the job was at work."""


class Clockwork(BlockingScheduler):  # type: ignore[misc, no-any-unimported]  # as above
    """APScheduler with one job that is never done twice at once."""

    def __init__(self, watch: Watch, alarm: Alarm) -> None:
        logging.getLogger("apscheduler").addHandler(logging.NullHandler())
        logging.getLogger("apscheduler").propagate = False
        super().__init__(timezone=UTC, executors={"default": self.executor()})
        self._event = alarm
        self._watch = watch
        self.add_listener(self._hear, EVENT_JOB_EXECUTED | EVENT_JOB_ERROR)
        self.add_listener(lambda event: watch.missed(event.scheduled_run_time), EVENT_JOB_MISSED)
        self.add_listener(lambda event: watch.overlapped(event.scheduled_run_times[-1]), EVENT_JOB_MAX_INSTANCES)

    def executor(self) -> object:
        """Give what carries out the job: a thread, so that signals and the clock are heard meanwhile."""
        return ThreadPoolExecutor(1)

    def keep(self, job: Callable[[], object], timetable: Timetable, *, grace: int) -> None:
        """Do the job when it is due, `grace` seconds late at most, until the watch says that it is enough.

        Returns when the job that is at work then has ended, or when the timetable gives no further moment.
        """
        self.add_job(
            job,
            TimetableTrigger(timetable),
            id=JOB,
            misfire_grace_time=grace,
            coalesce=True,
            max_instances=1,
        )
        self.start()

    def replan(self, due: datetime) -> None:
        """Let the job come due at another moment."""
        self.modify_job(JOB, next_run_time=due)

    def _process_jobs(self) -> float:
        if not self._watch.beat() or not self.get_jobs():
            self.shutdown(wait=True)
            return 0.0
        waiting: float | None = super()._process_jobs()
        return BEAT if waiting is None else waiting

    def _hear(self, event: _Ended) -> None:
        self._watch.ended(event.retval, event.exception)


class _Ended(Protocol):
    """Of APScheduler's event, what is used."""

    retval: object
    exception: BaseException | None
