"""A scheduler in a process of its own whose runs are due at once; started by the tests that send it signals.

`python -m tests.schedule.at_work FOLDER KIND`: the run of kind `second` takes a second, asks whether to end, and
writes what it did into FOLDER; `stubborn` never asks; `wiki` is what `wikimill schedule` does in that folder. The
process ends as the command would.
"""

from __future__ import annotations

import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pipeline.cli import scheduling
from pipeline.cli.surroundings import read_surroundings
from pipeline.schedule.cron import parse_cron
from pipeline.schedule.keeper import Ended
from pipeline.schedule.timetable import Timetable

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.schedule.keeper import Job

APART = timedelta(seconds=0.25)


class Soon(Timetable):
    """Comes due every quarter of a second."""

    def after(self, moment: datetime) -> datetime:
        whole = moment.replace(microsecond=0)
        return whole + ((moment - whole) // APART + 1) * APART

    def latest(self, moment: datetime, since: datetime) -> datetime | None:
        last = self.after(moment) - APART
        return last if last > since else None


def second(folder: Path, *, stubborn: bool) -> Job:
    def run(stopping: Callable[[], bool]) -> Ended:
        (folder / "begun").touch()
        until = time.monotonic() + 1
        while time.monotonic() < until:
            time.sleep(0.02)
        with (folder / "done").open("a", encoding="utf-8") as done:
            done.write(f"{stopping()}\n")
        while stubborn:
            time.sleep(0.02)
        return Ended(0, "done.")

    return run


def main() -> None:
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    log = scheduling.Log()
    surroundings = read_surroundings(folder)
    if kind == "wiki":
        root, settings = surroundings.open_wiki()
        job = scheduling.job_of(surroundings, root, settings, tell=log.tell)
    else:
        job = second(folder, stubborn=kind == "stubborn")
    state = folder / scheduling.STATE
    state.mkdir(exist_ok=True)
    timetable = Soon(parse_cron("* * * * *"), ZoneInfo("Etc/UTC"))
    sys.exit(scheduling._keep(job, timetable, state, log, grace=3600, health_port=0))


if __name__ == "__main__":
    main()
