"""A scheduler's life on a clock of the tests, with APScheduler itself: what runs when, and what is told of it."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from pipeline.schedule.keeper import Ended
from pipeline.schedule.status import read_status
from tests.schedule.clocked import World, fine, live
from tests.schedule.reference import utc

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

DAY = timedelta(days=1)


def test_a_week_of_days(tmp_path: Path) -> None:
    life = live(tmp_path, "23 5 * * 1-5", utc(2026, 11, 27, 12), utc(2026, 12, 2, 12))
    assert life.begun == [utc(2026, 11, 30, 5, 23), utc(2026, 12, 1, 5, 23), utc(2026, 12, 2, 5, 23)]
    assert life.asked
    assert life.lines == [
        "11-27 12:00:00 UTC: scheduler started, process 1: 23 5 * * 1-5 in Etc/UTC.",
        "11-27 12:00:00 UTC: next run at 11-30 05:23:00 UTC.",
        "11-30 05:23:00 UTC: run begins.",
        "11-30 05:23:00 UTC: run ended with code 0 after less than a second: Done: Nothing new.",
        "11-30 05:23:00 UTC: next run at 12-01 05:23:00 UTC.",
        "12-01 05:23:00 UTC: run begins.",
        "12-01 05:23:00 UTC: run ended with code 0 after less than a second: Done: Nothing new.",
        "12-01 05:23:00 UTC: next run at 12-02 05:23:00 UTC.",
        "12-02 05:23:00 UTC: run begins.",
        "12-02 05:23:00 UTC: run ended with code 0 after less than a second: Done: Nothing new.",
        "12-02 05:23:00 UTC: next run at 12-03 05:23:00 UTC.",
        "12-02 12:00:00 UTC: stopping.",
        "12-02 12:00:00 UTC: stopped.",
    ]


@pytest.mark.parametrize(
    ("zone", "cron", "begin", "runs"),
    [
        ("Europe/Berlin", "30 2 * * *", utc(2026, 3, 28), ["28 01:30", "29 01:00", "30 00:30"]),
        ("Europe/Berlin", "30 2 * * *", utc(2026, 10, 24), ["24 00:30", "25 00:30", "26 01:30"]),
        ("America/New_York", "30 2 * * *", utc(2026, 3, 7), ["07 07:30", "08 07:00", "09 06:30"]),
        ("America/New_York", "30 1 * * *", utc(2026, 10, 31), ["31 05:30", "01 05:30", "02 06:30"]),
        ("Australia/Lord_Howe", "15 2 * * *", utc(2026, 10, 2), ["02 15:45", "03 15:30", "04 15:15"]),
        ("Australia/Lord_Howe", "45 1 * * *", utc(2026, 4, 3), ["03 14:45", "04 14:45", "05 15:15"]),
        ("Asia/Kathmandu", "0 6 * * *", utc(2026, 3, 28), ["28 00:15", "29 00:15", "30 00:15"]),
    ],
)
def test_three_days_around_a_change_of_the_clocks(
    tmp_path: Path, zone: str, cron: str, begin: datetime, runs: list[str]
) -> None:
    life = live(tmp_path, cron, begin, begin + 3 * DAY, zone=zone)
    assert [f"{one:%d %H:%M}" for one in life.begun] == runs


def test_ends_of_months_over_a_year(tmp_path: Path) -> None:
    life = live(tmp_path, "0 0 31 * *", utc(2026, 1, 1), utc(2027, 1, 1))
    assert [one.month for one in life.begun] == [1, 3, 5, 7, 8, 10, 12]
    leap = live(tmp_path, "0 0 29 2 *", utc(2026, 1, 1), utc(2029, 1, 1))
    assert leap.begun == [utc(2028, 2, 29)]


def test_an_hour_of_every_hour_where_the_clocks_are_put_back(tmp_path: Path) -> None:
    life = live(tmp_path, "30 * * * *", utc(2026, 10, 24, 23), utc(2026, 10, 25, 3), zone="Europe/Berlin")
    assert life.begun == [utc(2026, 10, 24, 23, 30), *(utc(2026, 10, 25, hour, 30) for hour in (0, 1, 2))]
    assert "2026-10-25 02:30:00 CEST" in "".join(life.lines).replace("10-25", "2026-10-25")


def slow(seconds: float) -> Callable[[World, int, Callable[[], bool]], Ended]:
    def job(world: World, number: int, stopping: Callable[[], bool]) -> Ended:
        world.sleep(seconds if number == 1 else 1)
        return Ended(0, "stopped early." if stopping() else "Done: Nothing new.")

    return job


def test_a_run_that_takes_longer_than_the_time_between_two_is_not_done_twice_at_once(tmp_path: Path) -> None:
    life = live(tmp_path, "0 * * * *", utc(2026, 1, 1, 0, 30), utc(2026, 1, 1, 4, 30), job=slow(7500))
    assert life.begun == [utc(2026, 1, 1, 1), utc(2026, 1, 1, 4)]
    assert life.lines[3:7] == [
        "01-01 02:00:00 UTC: run of 01-01 02:00:00 UTC skipped: the one before it is still at work.",
        "01-01 03:00:00 UTC: run of 01-01 03:00:00 UTC skipped: the one before it is still at work.",
        "01-01 03:05:00 UTC: run ended with code 0 after 2 h 5 min: Done: Nothing new.",
        "01-01 03:05:00 UTC: next run at 01-01 04:00:00 UTC.",
    ]


@pytest.mark.parametrize(
    ("cron", "woken", "begun", "told"),
    [
        # within the grace: made up for, once, however many were slept through
        ("0 5 * * *", utc(2026, 1, 2, 5, 40), [utc(2026, 1, 2, 5, 40)], None),
        ("*/10 * * * *", utc(2026, 1, 2, 5, 44), [utc(2026, 1, 2, 5, 44), utc(2026, 1, 2, 5, 50)], None),
        # every hour: the last that was missed is within it
        ("0 * * * *", utc(2026, 1, 2, 5, 50), [utc(2026, 1, 2, 5, 50)], None),
        # beyond it
        ("0 5 * * *", utc(2026, 1, 2, 6, 1), [], "01-02 06:01:00 UTC: run of 01-02 05:00:00 UTC missed: "),
        ("0 5 * * *", utc(2026, 1, 2, 5, 50), [utc(2026, 1, 2, 5, 50)], None),
    ],
)
def test_a_machine_that_slept(
    tmp_path: Path, cron: str, woken: datetime, begun: list[datetime], told: str | None
) -> None:
    begin = utc(2026, 1, 1, 22, 59)
    sleep = (begin + timedelta(seconds=1), lambda world: world.set_clock(woken))
    end = utc(2026, 1, 2, 5, 55) if woken < utc(2026, 1, 2, 5, 55) else utc(2026, 1, 2, 6, 30)
    life = live(tmp_path, cron, begin, end, events=[sleep])
    assert life.begun == begun
    missed = [line for line in life.lines if " missed: " in line]
    assert len(missed) == (told is not None)
    assert told is None or missed[0].startswith(told)


def test_a_clock_that_is_put_back_a_little_runs_nothing_twice(tmp_path: Path) -> None:
    back = (utc(2026, 1, 1, 5, 1), lambda world: world.set_clock(utc(2026, 1, 1, 4, 30)))
    life = live(tmp_path, "0 5 * * *", utc(2026, 1, 1), utc(2026, 1, 2, 6), events=[back])
    assert life.begun == [utc(2026, 1, 1, 5), utc(2026, 1, 2, 5)]


def test_a_clock_that_was_years_ahead_keeps_nobody_waiting_for_years(tmp_path: Path) -> None:
    back = (utc(2036, 1, 1, 5, 1), lambda world: world.set_clock(utc(2026, 6, 1, 4, 30)))
    life = live(tmp_path, "0 5 * * *", utc(2036, 1, 1), utc(2026, 6, 2, 6), events=[back])
    assert life.begun == [utc(2036, 1, 1, 5), utc(2026, 6, 1, 5), utc(2026, 6, 2, 5)]
    assert "2026-06-01 04:30:00 UTC: the clock was set back from 01-01 05:00:00 UTC." in life.lines
    assert "2026-06-01 04:30:00 UTC: next run at 2026-06-01 05:00:00 UTC." in life.lines


def test_a_clock_that_begins_in_1970_is_set_right_without_a_million_runs(tmp_path: Path) -> None:
    right = (utc(1970, 1, 1, 0, 5), lambda world: world.set_clock(utc(2026, 6, 1, 4, 30, 10)))
    life = live(tmp_path, "*/30 * * * *", utc(1970, 1, 1), utc(2026, 6, 1, 5, 1), events=[right])
    assert life.begun == [utc(2026, 6, 1, 4, 30, 10), utc(2026, 6, 1, 5)]


def test_jitter_puts_runs_off(tmp_path: Path) -> None:
    life = live(tmp_path, "0 5 * * *", utc(2026, 1, 1), utc(2026, 1, 31), jitter=600)
    late = [one - one.replace(hour=5, minute=0, second=0) for one in life.begun]
    assert len(late) == 30
    assert len(set(late)) > 20
    assert all(timedelta() <= one <= timedelta(minutes=10) for one in late)


def test_a_fault_in_one_run_ends_nothing_and_is_told_without_its_words(tmp_path: Path) -> None:
    def job(world: World, number: int, stopping: Callable[[], bool]) -> Ended:
        if number == 1:
            raise RuntimeError("what an observation says")
        if number == 2:
            raise SystemExit(9)
        return fine(world, number, stopping)

    life = live(tmp_path, "0 5 * * *", utc(2026, 1, 1), utc(2026, 1, 4), job=job)
    assert len(life.begun) == 3
    told = [line.partition("UTC: ")[2] for line in life.lines if "failed" in line]
    assert [re.sub(r"\.py:\d+", ".py:1", line) for line in told] == [
        "run failed with code 1 after less than a second: a mistake in wikimill itself: RuntimeError in keeper.py:1.",
        "run failed with code 1 after less than a second: a mistake in wikimill itself: SystemExit in keeper.py:1.",
    ]
    assert "what an observation says" not in "".join(life.lines)


def test_failures_in_a_row_are_told_once_and_so_is_their_end(tmp_path: Path) -> None:
    codes = [0, 4, 4, 4, 5, 3, 4, 0, 0]

    def job(world: World, number: int, stopping: Callable[[], bool]) -> Ended:
        if number == 4:
            return Ended(5, "another run is at work.", skipped=True)
        code = codes[number - 1 if number < 4 else number - 2]
        return Ended(code, f"code {code}.", f"r{number}")

    life = live(tmp_path, "0 0 * * *", utc(2026, 1, 1, 1), utc(2026, 1, 11, 1), job=job)
    said = [line.partition("UTC: ")[2] for line in life.lines if re.search(r"run (ended|failed|skipped)|row", line)]
    after = "after less than a second"
    assert said == [
        f"run ended with code 0 {after}: code 0. Report: r1.",
        f"run failed with code 4 {after}: code 4. Report: r2.",
        f"run failed with code 4 {after}: code 4. Report: r3.",
        "run skipped: another run is at work.",
        f"run failed with code 4 {after}: code 4. Report: r5.",
        "failing since 01-03 00:00:00 UTC: 3 runs in a row. This is said once, until one succeeds.",
        f"run failed with code 5 {after}: code 5. Report: r6.",
        f"run ended with code 3 {after}: code 3. Report: r7.",
        "runs succeed again; since 01-03 00:00:00 UTC, 4 in a row had failed.",
        f"run failed with code 4 {after}: code 4. Report: r8.",
        f"run ended with code 0 {after}: code 0. Report: r9.",
        f"run ended with code 0 {after}: code 0. Report: r10.",
    ]


def test_the_wish_to_end_lets_the_run_at_work_be_finished(tmp_path: Path) -> None:
    life = live(tmp_path, "0 5 * * *", utc(2026, 1, 1), utc(2026, 1, 1, 5, 30), job=slow(7200))
    assert life.lines[-1] == "01-01 05:30:00 UTC: stopped."
    two = sorted(
        line.partition("UTC: ")[2].partition(";")[0] for line in life.lines[-3:-1]
    )  # two threads speak at once
    assert two[0] == "run ended with code 0 after 30 min: stopped early."
    assert two[1].startswith("stopping")
    assert life.asked
    assert life.status is not None
    assert (life.status.state, life.status.running_since) == ("stopped", None)


def test_the_status_on_the_disk_tells_the_whole_life(tmp_path: Path) -> None:
    seen = []

    def job(world: World, number: int, stopping: Callable[[], bool]) -> Ended:
        seen.append(read_status(tmp_path))
        world.sleep(90)
        return Ended(4 if number > 1 else 0, "told", f"run-{number}")

    waiting = (utc(2026, 1, 1, 6), lambda _: seen.append(read_status(tmp_path)))
    life = live(tmp_path, "0 5 * * *", utc(2026, 1, 1), utc(2026, 1, 2, 6), job=job, events=[waiting])
    first, between, second = seen
    assert first is not None
    assert between is not None
    assert second is not None
    assert (first.state, first.running_since, first.last_run) == ("running", utc(2026, 1, 1, 5), None)
    assert (between.state, between.running_since, between.next_run) == ("waiting", None, utc(2026, 1, 2, 5))
    assert between.last_run is not None
    assert (between.last_run.started, between.last_run.ended) == (utc(2026, 1, 1, 5), utc(2026, 1, 1, 5, 1, 30))
    assert (between.last_run.code, between.last_run.outcome, between.last_run.report_id) == (0, "fine", "run-1")
    last = read_status(tmp_path)
    assert last is not None
    assert last == life.status
    assert (last.state, last.next_run, last.failures, last.failing_since) == ("stopped", None, 1, utc(2026, 1, 2, 5))
    assert (last.pid, last.version, last.cron, last.timezone) == (1, "0", "0 5 * * *", "Etc/UTC")


def test_a_disk_that_takes_no_status_stops_nothing_and_is_told_once(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way", encoding="utf-8")
    life = live(place, "0 5 * * *", utc(2026, 1, 1), utc(2026, 1, 3))
    assert len(life.begun) == 2
    assert sum("the status cannot be written" in line for line in life.lines) == 1
