"""Owns what happens between two runs: when one is due, how it ended, what is told of it, and when it is enough.

It knows neither what a run does nor where lines are shown: both come as values.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from pipeline.schedule.clockwork import BEAT, Alarm, Clockwork
from pipeline.schedule.status import MOST_TOLD, LastRun, as_plain
from pipeline.schedule.stopping import Stop, reap
from pipeline.schedule.zones import told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.schedule.clockwork import Watch
    from pipeline.schedule.status import Board, Outcome
    from pipeline.schedule.timetable import Timetable

FINE: Final = frozenset((0, 3))
"""Codes of a run that did its work: 3 says that some sessions are left, parked or failed, which the run tells."""
FAULT: Final = 1
"""The code of a run that raised what nobody foresaw."""
IN_A_ROW: Final = 3
"""So many failures in a row are told as such, once."""
SET_BACK: Final = timedelta(days=1)
"""A clock that goes back further was wrong before: what was planned by it is planned anew."""
SILENT: Final = 6 * BEAT
"""Seconds without a beat after which the scheduler does not live."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a run ended: the code as that of the command `run`, one line for people, the id of its report.

    One that was `skipped` did not begin, because another run is at work.
    """

    code: int
    told: str
    report_id: str = ""
    skipped: bool = False


Job = Callable[[Callable[[], bool]], Ended]
"""A run. It is given a question, whether to end early, and asks it between sessions."""


@dataclass(frozen=True, slots=True)
class Clocks:
    """What time it is: aware moments in UTC, and seconds that are never set back."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]


class Keeper:
    """One scheduler at work. `tell` shows one line; it may be called from any thread, and must not raise."""

    def __init__(  # noqa: PLR0913  # what a scheduler needs of the world
        self,
        job: Job,
        timetable: Timetable,
        board: Board,
        *,
        clocks: Clocks,
        tell: Callable[[str], None],
        alarm: Alarm | None = None,
    ) -> None:
        self._job = job
        self._timetable = timetable
        self._board = board
        self._clocks = clocks
        self._tell = tell
        self._seen = clocks.now()
        self._beaten = clocks.monotonic()
        self._alarm = alarm or Alarm()
        self._clockwork: Clockwork | None = None
        self.stop = Stop(wake=self._alarm.set)

    def keep(self, *, grace: int, health: str = "", clockwork: Callable[[Watch, Alarm], Clockwork] = Clockwork) -> bool:
        """Work until somebody asks to stop, and say whether somebody has; else no further run will ever be due.

        A run that is due is begun `grace` seconds late at most. `health` is the address of the health endpoint.
        """
        self._clockwork = clockwork(self, self._alarm)
        self._board.change(health=health)
        zone = self._timetable.zone
        self._say(f"scheduler started, process {self._board.status.pid}: {self._timetable.cron.text} in {zone.key}.")
        self._plan_and_say()
        try:
            self._clockwork.keep(self._perform, self._timetable, grace=grace)
        finally:
            self._board.change(state="stopped", running_since=None, next_run=None, health="")
            self._say("stopped.")
        return self.stop.asked()

    def health(self) -> tuple[bool, Mapping[str, object]]:
        """Say whether all is well, and what a health check may know: that it lives, the last run, the next."""
        shown = as_plain(self._board.status)
        last = shown["last_run"]
        if isinstance(last, dict):
            last = {name: last[name] for name in ("started", "ended", "code", "outcome")}
        ok = not self._board.status.failures
        return self.lives and ok, {
            "alive": self.lives,
            "last_run_ok": ok,
            **{name: shown[name] for name in ("state", "next_run", "running_since", "failing_since")},
            "last_run": last,
        }

    @property
    def lives(self) -> bool:
        """Whether the scheduler still looks at the clock, or waits for the last run to end."""
        return self.stop.asked() or self._clocks.monotonic() - self._beaten < SILENT

    # What APScheduler tells

    def beat(self) -> bool:
        """Look at the clock, and say whether to go on."""
        now, self._beaten = self._clocks.now(), self._clocks.monotonic()
        if self.stop.asked():
            running = self._board.change(state="stopping", next_run=None).running_since is not None
            self._say("stopping; the session at work is finished first." if running else "stopping.")
            return False
        if now < self._seen - SET_BACK:
            due = self._timetable.after(now)
            self._say(f"the clock was set back from {told(self._seen, self._timetable.zone)}.")
            if due is not None and self._clockwork is not None:
                self._clockwork.replan(due)
            self._plan_and_say()
            self._seen = now
        self._seen = max(now, self._seen)
        return True

    def ended(self, given: object, fault: BaseException | None) -> None:
        """Take down how a run ended, and tell it."""
        if given is None and fault is None:
            return
        # What is raised here has no words for people, and its own may hold what an observation says.
        ended = given if isinstance(given, Ended) else Ended(FAULT, f"a mistake in wikimill itself: {_kind(fault)}.")
        status, now = self._board.status, self._clocks.now()
        started = status.running_since or now
        outcome: Outcome = "skipped" if ended.skipped else "fine" if ended.code in FINE else "failed"
        last = LastRun(started, now, ended.code, outcome, ended.told[:MOST_TOLD], ended.report_id)
        self._board.change(last_run=last, running_since=None, state="stopping" if self.stop.asked() else "waiting")
        report = f" Report: {ended.report_id}." if ended.report_id else ""
        if outcome == "skipped":
            self._say(f"run skipped: {ended.told}")
        else:
            word = "ended" if outcome == "fine" else "failed"
            self._say(f"run {word} with code {ended.code} after {_length(now - started)}: {ended.told}{report}")
            self._count(failed=outcome == "failed", started=started)
        if os.getpid() == 1:
            reap()
        if not self.stop.asked():
            self._plan_and_say()

    def missed(self, due: datetime) -> None:
        """Tell that a run was noticed too late to be made up for."""
        self._say(f"run of {told(due, self._timetable.zone)} missed: the machine slept, or its clock was set.")
        self._plan_and_say()

    def overlapped(self, due: datetime) -> None:
        """Tell that a run is left out because the one before it is still at work."""
        self._say(f"run of {told(due, self._timetable.zone)} skipped: the one before it is still at work.")
        self._board.change(next_run=self._plan())

    # The run

    def _perform(self) -> Ended | None:
        if self.stop.asked():
            return None
        self._board.change(state="running", running_since=self._clocks.now())
        self._say("run begins.")
        return self._job(self.stop.asked)

    def _count(self, *, failed: bool, started: datetime) -> None:
        """Tell when it has begun to fail for good, and when that is over; each once."""
        status = self._board.status
        if not failed:
            if status.failures >= IN_A_ROW and status.failing_since is not None:
                since = told(status.failing_since, self._timetable.zone)
                self._say(f"runs succeed again; since {since}, {status.failures} in a row had failed.")
            self._board.change(failures=0, failing_since=None)
            return
        status = self._board.change(failures=status.failures + 1, failing_since=status.failing_since or started)
        if status.failures == IN_A_ROW and status.failing_since is not None:
            since = told(status.failing_since, self._timetable.zone)
            self._say(f"failing since {since}: {IN_A_ROW} runs in a row. This is said once, until one succeeds.")

    def _plan(self) -> datetime | None:
        return self._timetable.after(self._clocks.now())

    def _plan_and_say(self) -> None:
        due = self._plan()
        self._board.change(next_run=due)
        if due is not None:
            self._say(f"next run at {told(due, self._timetable.zone)}.")

    def _say(self, line: str) -> None:
        self._tell(f"{told(self._clocks.now(), self._timetable.zone)}: {line}")


def _kind(fault: BaseException | None) -> str:
    if fault is None:
        return "it gave no answer"
    frames = traceback.extract_tb(fault.__traceback__)
    own = [frame for frame in frames if f"{os.sep}pipeline{os.sep}" in frame.filename] or frames
    place = f" in {os.path.basename(own[-1].filename)}:{own[-1].lineno}" if own else ""  # noqa: PTH119  # a name
    return type(fault).__name__ + place


def _length(time: timedelta) -> str:
    seconds = max(round(time.total_seconds()), 0)
    hours, rest = divmod(seconds, 3600)
    minutes, seconds = divmod(rest, 60)
    parts = ((hours, "h"), (minutes, "min"), (seconds, "s"))
    return " ".join(f"{number} {unit}" for number, unit in parts if number) or "less than a second"
