"""Owns the command `schedule`: options in, lines out; knows neither how time is kept nor how a run works."""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import click

from pipeline import __version__
from pipeline.choosing import open_model
from pipeline.cli.exits import ExitCode, code_of
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker, printable
from pipeline.cli.performing import Wanted, perform
from pipeline.cli.surroundings import read_clock
from pipeline.cli.telling import summary
from pipeline.config import FILE_NAME
from pipeline.delivering import check_way
from pipeline.errors import Busy, ConfigError, ForgeUnavailable, WikimillError
from pipeline.report.ending import exit_code
from pipeline.report.telling_proposal import proposal_lines
from pipeline.schedule.alone import alone
from pipeline.schedule.cron import parse_cron
from pipeline.schedule.health import health_endpoint
from pipeline.schedule.keeper import Clocks, Ended, Keeper
from pipeline.schedule.status import LOCK, Board, Status, as_plain, read_status, standing
from pipeline.schedule.stopping import Stop
from pipeline.schedule.timetable import Timetable
from pipeline.schedule.zones import find_zone, told
from pipeline.wiki.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from pipeline.cli.surroundings import Surroundings
    from pipeline.config import Settings
    from pipeline.schedule.keeper import Job

STATE: Final = ".wikimill"
MOST_TIMES: Final = 1_000

_STANDS: Final = {
    "killed": "The scheduler was killed and does not run; what follows is what it left.",
    "never started": "No scheduler was started here.",
    "silent": "The scheduler hangs, or cannot write its status: its time is past. What follows is what it last wrote.",
}


@click.command()
@click.option("--cron", metavar="EXPRESSION", help="Run at these times instead of those of the settings.")
@click.option("--timezone", metavar="ZONE", help="Take the clocks of this zone, such as Europe/Berlin.")
@click.option("--once", is_flag=True, help="Run at once, as a scheduled run would, and end with the run's code.")
@click.option(
    "--next", "times", type=click.IntRange(1, MOST_TIMES), metavar="N", help="Print the next N times, and end."
)
@click.option("--status", is_flag=True, help="Say how the scheduler of this wiki stands, and end.")
@click.option(
    "--health-port",
    type=click.IntRange(0, 65_535),
    metavar="PORT",
    help="Answer GET /healthz on this port of 127.0.0.1; 0 takes a free one.",
)
@json_option
@click.pass_obj
def schedule(
    surroundings: Surroundings,
    *,
    cron: str | None,
    timezone: str | None,
    once: bool,
    times: int | None,
    status: bool,
    health_port: int | None,
    as_json: bool,
) -> int:
    """Run whenever it is time, until a signal ends it.

    Writes what `wikimill run` writes, and how it stands into .wikimill/schedule.json. SIGTERM and Ctrl-C let the
    session at work be finished; a second one does not. Settings are read once, at the start.

    \b
    Examples:
      wikimill schedule
      wikimill schedule --cron "23 5 * * mon-fri" --timezone Europe/Berlin --next 5
    """
    if sum((once, times is not None, status)) > 1:
        raise click.UsageError("--once, --next and --status exclude each other")
    if as_json and times is None and not status:
        raise click.UsageError("--json goes with --next or --status")
    if health_port is not None and (once or status or times is not None):
        raise click.UsageError("--health-port goes with a scheduler that stays")
    root, settings = surroundings.open_wiki()
    if status:
        return _tell_status(Speaker(as_json=as_json), root, timezone)
    timetable = _timetable(settings, root, cron, timezone)
    if times is not None:
        return _tell_times(Speaker(as_json=as_json), timetable, surroundings.clock(), times)
    log = Log()
    job = job_of(surroundings, root, settings, tell=log.tell)
    if once:
        return _run_once(job, log)
    for remark in timetable.cron.remarks:
        log.tell(f"note: {remark}")
    with open_model(settings, root, surroundings.outside, tell=log.tell, learn=False):
        pass  # asks nobody; but what is missing now would be missing at every run
    for line in _checked(settings, root, surroundings):
        log.tell(line)
    state = Tree(root.absolute(), settings.wiki.pages).make_state()
    return _keep(job, timetable, state, log, grace=settings.schedule.misfire_grace_seconds, health_port=health_port)


def _checked(settings: Settings, root: Path, surroundings: Surroundings) -> Iterator[str]:
    """Ask whether commits could go where they are to go. A host that is silent may well answer when it is time."""
    then = settings.schedule.then
    try:
        access = check_way(then, settings, root, surroundings.outside)
    except ForgeUnavailable as fault:
        yield f"then {then}: not asked now, for the host does not answer: {fault.message}"
    else:
        yield f"then {then}: {access.told}"
        yield from map(str, access.findings)


def job_of(surroundings: Surroundings, root: Path, settings: Settings, *, tell: Callable[[str], None]) -> Job:
    """Give what a scheduled run does. It raises nothing but what nobody foresaw."""
    speaker = _Quiet(as_json=True, tell=tell)

    def run(stopping: Callable[[], bool]) -> Ended:
        wanted = Wanted(way=settings.schedule.then)
        report = perform(surroundings, root, settings, wanted, speaker, stopping=stopping)
        for outcome in report.sessions:
            if outcome.state in {"failed", "parked"}:
                tell(f"{outcome.state} {outcome.session}: {outcome.reason}")
        for line in proposal_lines(report.proposal):
            tell(", ".join(filter(None, (line.text, line.link))))
        if report.fault is not None:
            told = (report.fault.where, f"{report.fault.message} {report.fault.next_step}")
            tell(": ".join(filter(None, told)))
        return Ended(exit_code(report), summary(report), report.id)

    def guarded(stopping: Callable[[], bool]) -> Ended:
        try:
            return run(stopping)
        except Busy as fault:
            return Ended(code_of(fault), str(fault), skipped=True)
        except WikimillError as fault:
            return Ended(code_of(fault), str(fault))

    return guarded


@dataclass(frozen=True, slots=True)
class _Quiet(Speaker):
    """Says what a run says about itself where the other lines are."""

    tell: Callable[[str], None] = print

    def whisper(self, text: str) -> None:
        """Say one line about the work itself."""
        self.tell(text)


class Log:
    """Lines on standard output, one an event, each at once: what reads them may be a pipe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def tell(self, line: str) -> None:
        """Show a line. Where nobody reads any more, work goes on."""
        with self._lock, suppress(OSError, ValueError):
            sys.stdout.write(printable(line) + "\n")
            sys.stdout.flush()


def _timetable(settings: Settings, root: Path, cron: str | None, timezone: str | None) -> Timetable:
    """Take the options, and the settings where there are none."""
    planned = settings.schedule
    try:
        expression = parse_cron(planned.cron if cron is None else cron)
    except ValueError as fault:
        raise ConfigError(f"{fault}.", where="--cron") from None
    where = f"{FILE_NAME}: 'schedule.timezone'" if timezone is None else "--timezone"
    zone = find_zone(planned.timezone if timezone is None else timezone, where=where)
    # The folder's own name differs between wikis, and stays the same from start to start.
    return Timetable(expression, zone, jitter=planned.jitter_seconds, salt=root.resolve().name)


def _run_once(job: Job, log: Log) -> int:
    stop = Stop()
    with stop.heeding_signals():
        ended = job(stop.asked)
    log.tell(f"run skipped: {ended.told}" if ended.skipped else ended.told)
    return ended.code


def _keep(job: Job, timetable: Timetable, state: Path, log: Log, *, grace: int, health_port: int | None) -> int:
    """Keep a scheduler at work; `state` is the folder for its status and its lock."""
    # Not the clock of the surroundings: that one may be fixed, for the sake of pages.
    clocks = Clocks(read_clock({}), time.monotonic)
    begun = Status(os.getpid(), __version__, timetable.cron.text, timetable.zone.key, clocks.now())
    with ExitStack() as stack:
        stack.enter_context(alone(state / LOCK))
        keeper = Keeper(job, timetable, Board(state, begun, log.tell), clocks=clocks, tell=log.tell)
        stack.enter_context(keeper.stop.heeding_signals())
        address = ""
        if health_port is not None:
            address = stack.enter_context(health_endpoint(health_port, keeper.health))
            log.tell(f"health at {address}")
        asked = keeper.keep(grace=grace, health=address)
    if not asked:
        log.tell("no further run will ever be due.")
    return ExitCode.DONE if asked else ExitCode.OTHER


def _tell_times(speaker: Speaker, timetable: Timetable, now: datetime, number: int) -> int:
    due = [(one.astimezone(timetable.zone), one) for one in islice(timetable.upcoming(now), number)]
    if speaker.as_json:
        rows = [{"local": local.isoformat(), "utc": one.isoformat()} for local, one in due]
        remarks = list(timetable.cron.remarks)
        speaker.give({"cron": timetable.cron.text, "timezone": timetable.zone.key, "next": rows, "remarks": remarks})
        return ExitCode.DONE
    for local, one in due:
        offset = local.isoformat(sep=" ", timespec="seconds")
        speaker.say(f"{local:%a} {offset} {local:%Z} = {one:%Y-%m-%d %H:%M:%S} UTC")
    for remark in timetable.cron.remarks:
        speaker.whisper(f"note: {remark}")
    return ExitCode.DONE


def _tell_status(speaker: Speaker, root: Path, zone_name: str | None) -> int:
    """Tell how the scheduler stands; the code is that of a health check."""
    status = read_status(root / STATE)
    stands = standing(root / STATE, status, read_clock({})())
    well = stands in {"waiting", "running"} and not (status and status.failures)
    if speaker.as_json:
        plain = as_plain(status) if status is not None else {}
        speaker.give({"standing": stands, "well": well, **plain})
        return ExitCode.DONE if well else ExitCode.OTHER
    speaker.say(_STANDS.get(stands, f"The scheduler is {stands}."))
    if status is not None:
        _tell_details(speaker, status, _zone_to_tell_in(zone_name, status))
    return ExitCode.DONE if well else ExitCode.OTHER


def _zone_to_tell_in(named: str | None, status: Status) -> ZoneInfo:
    """Find the zone that was asked for; else that of the scheduler, if this machine knows it."""
    if named is not None:
        return find_zone(named, where="--timezone")
    try:
        return find_zone(status.timezone, where=STATE)
    except ConfigError:
        return ZoneInfo("UTC")


def _tell_details(speaker: Speaker, status: Status, zone: ZoneInfo) -> None:
    speaker.say(f"Process {status.pid}, wikimill {status.version}, since {told(status.started, zone)}.")
    speaker.say(f"Times: {status.cron} in {status.timezone}.")
    if status.next_run is not None:
        speaker.say(f"Next run: {told(status.next_run, zone)}.")
    if status.running_since is not None:
        speaker.say(f"A run is at work since {told(status.running_since, zone)}.")
    if status.last_run is not None:
        last = status.last_run
        report = f" Report: {last.report_id}." if last.report_id else ""
        speaker.say(f"Last run: {last.outcome} with code {last.code} at {told(last.ended, zone)}: {last.told}{report}")
    if status.failing_since is not None:
        speaker.say(f"Failing since {told(status.failing_since, zone)}: {status.failures} in a row.")
    if status.health:
        speaker.say(f"Health: {status.health}")
