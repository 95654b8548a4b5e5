"""APScheduler itself on a clock of the tests: its own code, bound to another `datetime`, and waits that take no time.

A run is a thread, as it is in earnest. Time passes only while every thread waits for it, so that whatever happens,
happens in the same order each time.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo
from types import FunctionType
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from apscheduler.executors import base as executing  # type: ignore[import-untyped]  # it has no types
from apscheduler.executors.pool import (  # type: ignore[import-untyped]  # as above
    BasePoolExecutor,
    ThreadPoolExecutor,
)
from apscheduler.schedulers.base import BaseScheduler  # type: ignore[import-untyped]  # as above
from apscheduler.schedulers.blocking import BlockingScheduler  # type: ignore[import-untyped]  # as above

from pipeline.schedule.clockwork import Alarm, Clockwork, Watch
from pipeline.schedule.cron import parse_cron
from pipeline.schedule.keeper import Clocks, Ended, Job, Keeper
from pipeline.schedule.status import Board, Status
from pipeline.schedule.timetable import Timetable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

Event = tuple[datetime, "Callable[[World], None]"]


class World:
    """The clock, who waits for it, and what will happen."""

    def __init__(self, now: datetime, events: list[Event]) -> None:
        self.now = now
        self.seconds = 0.0
        self.events = events
        self.changed = threading.Condition()
        self.at_work = 0
        self.sleepers: list[datetime] = []
        self.keeper: Keeper | None = None

    def sleep(self, seconds: float) -> None:
        """Wait, in a run, until so much time has passed, or until somebody asks to end."""
        with self.changed:
            until = self.now + timedelta(seconds=seconds)
            self.sleepers.append(until)
            self.changed.notify_all()
            self.changed.wait_for(lambda: until not in self.sleepers)

    def ask_to_end(self) -> None:
        assert self.keeper is not None
        self.keeper.stop.ask()
        with self.changed:
            self.sleepers.clear()
            self.changed.notify_all()

    def set_clock(self, now: datetime) -> None:
        self.now = now

    def count(self, number: int) -> None:
        with self.changed:
            self.at_work += number
            self.changed.notify_all()

    def pass_on(self, seconds: float) -> None:
        """Let time pass until something happens, or so many seconds."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.at_work == len(self.sleepers), timeout=20)
            coming = [self.now + timedelta(seconds=min(seconds, 1e9)), *self.sleepers]
            event = self.events[0] if self.events and self.events[0][0] <= min(coming) else None
            then = max(self.now, event[0] if event else min(coming))
            self.seconds += (then - self.now).total_seconds()
            self.now = then
            self.sleepers = [one for one in self.sleepers if one > then]
            self.changed.notify_all()
        if event:
            self.events.pop(0)[1](self)


class WorldAlarm(Alarm):
    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world

    def wait(self, seconds: float) -> bool:
        if not self.is_set():
            self.world.pass_on(seconds)
        return True


def bound(function: FunctionType, world: World, **others: object) -> Callable[..., float]:
    """Give a function of APScheduler whose `datetime` tells the world's time."""

    class WorldTime(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # it gives plain ones
            return world.now.astimezone(tz)

    names = {**function.__globals__, "datetime": WorldTime, **others}
    return FunctionType(function.__code__, names, function.__name__, function.__defaults__, function.__closure__)


class InWorld(BlockingScheduler):  # type: ignore[misc, no-any-unimported]  # as above
    world: World

    def _process_jobs(self) -> float:
        return bound(BaseScheduler._process_jobs, self.world)(self)

    def _real_add_job(self, *given: object) -> None:
        bound(BaseScheduler._real_add_job, self.world)(self, *given)


class WorldExecutor(ThreadPoolExecutor):  # type: ignore[misc, no-any-unimported]  # as above
    def __init__(self, world: World) -> None:
        super().__init__(1)
        self.world = world

    def _do_submit_job(self, *given: object) -> None:
        self.world.count(1)
        run_job = bound(executing.run_job, self.world)
        bound(BasePoolExecutor._do_submit_job, self.world, run_job=run_job)(self, *given)

    def _run_job_success(self, *given: object) -> None:
        super()._run_job_success(*given)
        self.world.count(-1)


class WorldClockwork(Clockwork, InWorld):
    def __init__(self, world: World, watch: Watch, alarm: Alarm) -> None:
        self.world = world
        super().__init__(watch, alarm)

    def executor(self) -> object:
        return WorldExecutor(self.world)


@dataclass
class Life:
    """What came of a scheduler: its lines without the years, when runs began, and its last status."""

    lines: list[str] = field(default_factory=list)
    begun: list[datetime] = field(default_factory=list)
    status: Status | None = None
    asked: bool = False


def fine(_world: World, _number: int, _stopping: Callable[[], bool]) -> Ended:
    return Ended(0, "Done: Nothing new.")


def live(
    place: Path,
    cron: str,
    begin: datetime,
    end: datetime,
    *,
    zone: str = "Etc/UTC",
    job: Callable[[World, int, Callable[[], bool]], Ended] = fine,
    events: list[Event] | None = None,
    grace: int = 3600,
    jitter: int = 0,
) -> Life:
    """Let a scheduler live from one moment to another, when it is asked to end."""
    life = Life()
    world = World(begin, [*(events or []), (end, World.ask_to_end)])

    def run(stopping: Callable[[], bool]) -> Ended:
        life.begun.append(world.now)
        return job(world, len(life.begun), stopping)

    perform: Job = run
    board = Board(place, Status(1, "0", cron, zone, begin), life.lines.append)
    timetable = Timetable(parse_cron(cron), ZoneInfo(zone), jitter=jitter, salt="acme")
    clocks = Clocks(lambda: world.now, lambda: world.seconds)
    keeper = Keeper(perform, timetable, board, clocks=clocks, tell=life.lines.append, alarm=WorldAlarm(world))
    world.keeper = keeper
    life.asked = keeper.keep(grace=grace, clockwork=lambda watch, alarm: WorldClockwork(world, watch, alarm))
    life.lines = [line.replace(f"{begin:%Y}-", "") for line in life.lines]
    life.status = board.status
    return life
