"""When expressions come due where clocks are changed: the tables by hand, and a look at the clock each minute."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.schedule.cron import parse_cron
from pipeline.schedule.timetable import Timetable
from tests.schedule.reference import Written, due, expressions, utc

CHANGES = {
    "Europe/Berlin": (utc(2026, 3, 29, 1), utc(2026, 10, 25, 1)),
    "America/New_York": (utc(2026, 3, 8, 7), utc(2026, 11, 1, 6)),
    "Australia/Lord_Howe": (utc(2026, 4, 4, 15), utc(2026, 10, 3, 15, 30)),  # by half an hour
    "America/Santiago": (utc(2026, 4, 5, 3), utc(2026, 9, 6, 4)),  # at midnight
    "Asia/Kathmandu": (utc(2026, 3, 1, 18, 15), utc(2026, 6, 1)),  # none: 5:45 before UTC all the year
    "Africa/Casablanca": (utc(2026, 2, 15, 2), utc(2026, 3, 22, 2)),
}


def table(text: str, zone: str) -> Timetable:
    return Timetable(parse_cron(text), ZoneInfo(zone))


def shown(text: str, zone: str, begin: datetime, number: int) -> list[str]:
    """Give the next moments as the clocks of the zone show them, without the year."""
    upcoming = islice(table(text, zone).upcoming(begin), number)
    return [one.astimezone(ZoneInfo(zone)).isoformat(" ", "minutes")[5:] for one in upcoming]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 02:30 does not exist on the 29th: it comes due at 03:00, as GitHub's documentation says
        ("30 2 * * *", ["03-28 02:30+01:00", "03-29 03:00+02:00", "03-30 02:30+02:00"]),
        ("0,15,30 2 29 3 *", ["03-29 03:00+02:00"]),
        ("0 2,3 29 3 *", ["03-29 03:00+02:00"]),  # both at one moment: once
        ("30 2,3 29 3 *", ["03-29 03:00+02:00", "03-29 03:30+02:00"]),
        ("0 */2 29 3 *", ["03-29 00:00+01:00", "03-29 03:00+02:00", "03-29 04:00+02:00"]),
        # every hour: what the clock does not show does not come due
        ("30 * 29 3 *", ["03-29 00:30+01:00", "03-29 01:30+01:00", "03-29 03:30+02:00"]),
        ("0 4 * * *", ["03-28 04:00+01:00", "03-29 04:00+02:00", "03-30 04:00+02:00"]),
    ],
)
def test_clocks_put_forward_in_berlin(text: str, expected: list[str]) -> None:
    found = shown(text, "Europe/Berlin", utc(2026, 3, 27, 23), len(expected))
    assert found == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 2 * * *", ["10-24 02:30+02:00", "10-25 02:30+02:00", "10-26 02:30+01:00"]),
        ("0 2,3 25 10 *", ["10-25 02:00+02:00", "10-25 03:00+01:00"]),
        ("*/30 2 25 10 *", ["10-25 02:00+02:00", "10-25 02:30+02:00"]),
        # every hour: both hours that the clock calls two
        ("30 * 25 10 *", ["10-25 00:30+02:00", "10-25 01:30+02:00", "10-25 02:30+02:00", "10-25 02:30+01:00"]),
        ("30 0-23 25 10 *", ["10-25 00:30+02:00", "10-25 01:30+02:00", "10-25 02:30+02:00", "10-25 02:30+01:00"]),
    ],
)
def test_clocks_put_back_in_berlin(text: str, expected: list[str]) -> None:
    assert shown(text, "Europe/Berlin", utc(2026, 10, 23, 22), len(expected)) == expected


@pytest.mark.parametrize(
    ("text", "zone", "begin", "expected"),
    [
        (
            "30 2 * * *",
            "America/New_York",
            utc(2026, 3, 7, 12),
            ["03-08 03:00-04:00", "03-09 02:30-04:00"],
        ),
        (
            "30 1 * * *",
            "America/New_York",
            utc(2026, 10, 31, 12),
            ["11-01 01:30-04:00", "11-02 01:30-05:00"],
        ),
        # half an hour is skipped at 02:00 in October, and repeated at 02:00 in April
        (
            "15 2 * * *",
            "Australia/Lord_Howe",
            utc(2026, 10, 3, 0),
            ["10-04 02:30+11:00", "10-05 02:15+11:00"],
        ),
        (
            "45 1 * * *",
            "Australia/Lord_Howe",
            utc(2026, 4, 4, 0),
            ["04-05 01:45+11:00", "04-06 01:45+10:30"],
        ),
        (
            "45 * * * *",
            "Australia/Lord_Howe",
            utc(2026, 4, 4, 14),
            ["04-05 01:45+11:00", "04-05 01:45+10:30", "04-05 02:45+10:30"],
        ),
        ("0 6 * * 1", "Asia/Kathmandu", utc(2026, 11, 28), ["11-30 06:00+05:45", "12-07 06:00+05:45"]),
        # midnight itself is skipped
        ("0 0 * * *", "America/Santiago", utc(2026, 9, 5, 12), ["09-06 01:00-03:00", "09-07 00:00-03:00"]),
        ("30 0 * * 0", "America/Santiago", utc(2026, 9, 5, 12), ["09-06 01:00-03:00", "09-13 00:30-03:00"]),
        ("30 23 * * *", "America/Santiago", utc(2026, 4, 4, 12), ["04-04 23:30-03:00", "04-05 23:30-04:00"]),
        # a whole day was skipped: 2011-12-30
        ("0 5 30 12 *", "Pacific/Apia", utc(2011, 12, 29), ["12-31 00:00+14:00", "12-30 05:00+14:00"]),
    ],
)
def test_clocks_changed_elsewhere(text: str, zone: str, begin: datetime, expected: list[str]) -> None:
    assert shown(text, zone, begin, len(expected)) == expected


@pytest.mark.parametrize(
    ("text", "begin", "expected"),
    [
        ("0 0 31 * *", utc(2026, 11, 1), ["2026-12-31", "2027-01-31", "2027-03-31", "2027-05-31"]),
        ("0 0 29 2 *", utc(2026, 1, 1), ["2028-02-29", "2032-02-29"]),
        ("0 0 29 2 *", utc(2096, 3, 1), ["2104-02-29"]),  # 2100 has none
        ("0 0 28-31 2 *", utc(2027, 2, 1), ["2027-02-28", "2028-02-28", "2028-02-29"]),
        ("0 0 1 * *", utc(2026, 12, 1), ["2027-01-01", "2027-02-01"]),
        ("59 23 31 12 *", utc(2026, 12, 31, 23, 59), ["2027-12-31"]),
    ],
)
def test_ends_of_months_and_leap_years(text: str, begin: datetime, expected: list[str]) -> None:
    upcoming = islice(table(text, "Etc/UTC").upcoming(begin), len(expected))
    assert [f"{one:%Y-%m-%d}" for one in upcoming] == expected


@pytest.mark.parametrize("zone", CHANGES)
@settings(max_examples=40, deadline=None)
@given(written=expressions(), data=st.data())
def test_moments_are_those_of_a_look_at_the_clock_each_minute(zone: str, written: Written, data: st.DataObject) -> None:
    try:
        cron = parse_cron(written.text)
    except ValueError:
        return
    change = data.draw(st.sampled_from(CHANGES[zone]))
    begin = change - timedelta(minutes=data.draw(st.integers(0, 1500)))
    end = begin + timedelta(minutes=data.draw(st.integers(1, 2200)))
    expected = due(written, ZoneInfo(zone), begin, end)
    timetable = Timetable(cron, ZoneInfo(zone))
    found = []
    for one in timetable.upcoming(begin):
        if one > end:
            break
        found.append(one)
    assert found == expected
    assert timetable.latest(end, since=begin) == (expected[-1] if expected else None)


@settings(max_examples=40, deadline=None)
@given(
    expressions(),
    st.integers(0, 3600),
    st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1)),  # noqa: DTZ001  # hypothesis adds the zone
)
def test_jitter_puts_each_moment_off_by_its_own_time(written: Written, jitter: int, begin: datetime) -> None:
    try:
        cron = parse_cron(written.text)
    except ValueError:
        return
    zone, moment = ZoneInfo("Europe/Berlin"), begin.replace(tzinfo=UTC)
    exact = Timetable(cron, zone)
    put_off = Timetable(cron, zone, jitter=jitter, salt="acme")
    found = list(islice(put_off.upcoming(moment), 4))
    assert all(before < after for before, after in pairwise(found))
    for one in found:
        earlier = exact.latest(one, since=one - timedelta(seconds=jitter, minutes=1))
        assert earlier is not None
        assert put_off.latest(one, since=one - timedelta(seconds=1)) == one
    for before, after in pairwise([moment, *found]):
        assert put_off.latest(after - timedelta(microseconds=1), since=before) is None
    assert found == list(islice(Timetable(cron, zone, jitter=jitter, salt="acme").upcoming(moment), 4))


def test_wikis_with_one_expression_are_put_off_by_different_times() -> None:
    cron, zone = parse_cron("0 5 * * *"), ZoneInfo("Etc/UTC")
    first = {Timetable(cron, zone, jitter=600, salt=f"wiki {number}").after(utc(2026, 1, 1)) for number in range(40)}
    assert len(first) > 30
    assert all(one is not None and utc(2026, 1, 1, 5) <= one <= utc(2026, 1, 1, 5, 10) for one in first)


def test_all_moments_are_in_utc_so_that_they_compare_by_what_they_are() -> None:
    moment = table("30 2 * * *", "Europe/Berlin").after(utc(2026, 10, 25))
    assert moment is not None
    assert moment.tzinfo is UTC


def test_far_moments_are_found_at_once() -> None:
    begun = time.process_time()
    assert table("0 0 29 2 */6", "Etc/UTC").after(utc(2093, 1, 1)) == utc(2116, 2, 29)
    assert table("* * * * *", "Europe/Berlin").latest(utc(2026, 1, 1), since=utc(1970, 1, 1)) == utc(2026, 1, 1)
    assert table("0 5 1 1 *", "Europe/Berlin").latest(utc(2026, 7, 1), since=utc(1970, 1, 1)) == utc(2026, 1, 1, 4)
    assert table("0 5 1 1 *", "Europe/Berlin").latest(utc(2026, 7, 1), since=utc(2026, 2, 1)) is None
    assert time.process_time() - begun < 20
