"""Cron expressions: what they mean on GitHub Actions, and what is said of those that mean nothing there."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.schedule.cron import LONGEST, NAMED, Cron, parse_cron
from tests.schedule.reference import Written, expressions

EVERY_DAY = frozenset(range(1, 32))
EVERY_MONTH = frozenset(range(1, 13))
EVERY_WEEKDAY = frozenset(range(7))
WORKDAYS = frozenset({1, 2, 3, 4, 5})


def times(cron: Cron) -> list[str]:
    return [f"{hour}:{minute:02}" for hour in cron.hours for minute in cron.minutes]


def test_the_examples_of_githubs_documentation() -> None:
    assert parse_cron("15 * * * *").minutes == (15,)
    assert parse_cron("15 * * * *").every_hour
    assert times(parse_cron("2,10 4,5 * * *")) == ["4:02", "4:10", "5:02", "5:10"]
    assert times(parse_cron("30 4-6 * * *")) == ["4:30", "5:30", "6:30"]
    assert parse_cron("20/15 * * * *").minutes == (20, 35, 50)
    assert times(parse_cron("15 4,5 * * *")) == ["4:15", "5:15"]
    assert parse_cron("30 5 * * 1-5").weekdays == WORKDAYS
    assert parse_cron("30 5 * * 1,3").weekdays == {1, 3}
    assert times(parse_cron("30 5,17 * * 2,4")) == ["5:30", "17:30"]
    assert parse_cron("0 0 1 JAN *").months == {1}
    assert parse_cron("0 0 * * SUN-SAT").weekdays == EVERY_WEEKDAY


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("0 000 001 * *", (0,)),
        ("0 4-4 * * *", (4,)),
        ("28 */4 * * *", (0, 4, 8, 12, 16, 20)),
        ("28 5,*/4,6-8 * * *", (0, 4, 5, 6, 7, 8, 12, 16, 20)),
        ("0 2-4/5 * * *", (2,)),
        ("  0\t3   *  *               * ", (3,)),
        ("0 23/2 * * *", (23,)),
    ],
)
def test_forms_that_github_takes(text: str, hours: tuple[int, ...]) -> None:
    assert parse_cron(text).hours == hours


def test_weekdays_begin_with_sunday_and_mix_with_names() -> None:
    sunday, monday = date(2026, 11, 29), date(2026, 11, 30)
    assert parse_cron("0 0 * * 0").fits(sunday)
    assert not parse_cron("0 0 * * 0").fits(monday)
    assert parse_cron("0 9 * * 1-5").fits(monday)
    assert parse_cron("0 0 * * SUN-2").weekdays == {0, 1, 2}
    assert parse_cron("0 0 * * mon-fri/2").weekdays == {1, 3, 5}


@pytest.mark.parametrize(
    ("text", "weekdays"), [("7", {0}), ("5-7", {5, 6, 0}), ("0-7", EVERY_WEEKDAY), ("1,7", {1, 0}), ("1/2", {1, 3, 5})]
)
def test_7_is_sunday_too_but_no_open_step_reaches_it(text: str, weekdays: set[int]) -> None:
    cron = parse_cron(f"0 0 * * {text}")
    assert cron.weekdays == weekdays
    assert cron.remarks == (("GitHub Actions does not take 7 for Sunday: there, write 0.",) if "7" in text else ())


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("0 0 13 * 5", [4, 11, 13, 18, 25]),  # the 13th, and Fridays: one is enough
        ("0 0 1-31 * 5", list(range(1, 32))),  # restricted to every day, so every day
        ("0 0 * * 5", [4, 11, 18, 25]),
        ("0 0 13 * *", [13]),
        ("0 0 */2 * 5", [11, 25]),  # it begins with a star: both must fit, as in Vixie cron
        ("0 0 1-31/2 * 5", sorted({*range(1, 32, 2), 4, 11, 18, 25})),
        ("0 0 13 * */6", [13]),  # the 13th is a Sunday
        ("0 0 14 * */6", []),
        ("0 0 *,13 * 5", [4, 11, 18, 25]),
        ("0 0 13,* * 5", list(range(1, 32))),
    ],
)
def test_both_day_fields(text: str, days: list[int]) -> None:
    december = [date(2026, 12, day) for day in range(1, 32)]
    assert [day.day for day in december if parse_cron(text).fits(day)] == days


@pytest.mark.parametrize(("name", "text"), NAMED.items())
def test_names_of_times(name: str, text: str) -> None:
    cron = parse_cron(name)
    plain = parse_cron(text)
    assert (cron.text, cron.minutes, cron.hours, cron.days) == (text, plain.minutes, plain.hours, plain.days)
    assert (cron.months, cron.weekdays, cron.either) == (plain.months, plain.weekdays, plain.either)
    assert cron.remarks == (f"GitHub Actions does not know {name}: there, write '{text}'.",)
    assert plain.remarks == ()


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("* * * * *", 1),
        ("*/3 * * * *", 3),
        ("0,58 * * * *", 2),
        ("0,58 1,2 * * *", 2),
        ("0,58 1,3 * * *", None),
        ("58,0 23,0 * * *", 2),
        ("*/5 * * * *", None),
        ("3,8 * * * *", None),
    ],
)
def test_what_comes_due_too_often_for_github_gets_a_remark(text: str, apart: int | None) -> None:
    told = f"Some times are {apart} min apart; GitHub Actions keeps 5 min between two runs."
    assert parse_cron(text).remarks == (() if apart is None else (told,))


FIVE = "; it needs five fields, such as '23 5 * * 1': minute, hour, day of the month, month, day of the week"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "is empty" + FIVE),
        ("5", "has 1 field" + FIVE),
        ("0 0 * *", "has 4 fields" + FIVE),
        (
            "0 23 5 * * 1",
            f"has 6 fields{FIVE}. Seconds cannot be given: without the first field, it is '23 5 * * 1'",
        ),
        ("23 5 * * 1 2027", "has 6 fields" + FIVE),
        ("0 0 * * * * *", "has 7 fields" + FIVE),
        ("@dayly", "has '@dayly', which is no name of a time here; the nearest is '@daily'"),
        ("@reboot", f"has '@reboot', which is no name of a time here; known are {', '.join(NAMED)}"),
        ("1" * (LONGEST + 1), "may have at most 200 characters"),
    ],
)
def test_what_is_no_expression_at_all(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_cron(text)
    assert str(caught.value) == told


@pytest.mark.parametrize(
    ("text", "field", "told"),
    [
        ("60 * * * *", "minute", "has '60', but goes from 0 to 59; the nearest is '59'"),
        ("0 24 * * *", "hour", "has '24', but goes from 0 to 23; the nearest is '23'"),
        ("0 0 0 * *", "day of the month", "has '0', but goes from 1 to 31; the nearest is '1'"),
        ("0 0 1 13 *", "month", "has '13', but goes from 1 to 12; the nearest is '12'"),
        ("0 0 * * 8", "day of the week", "has '8', but goes from 0 to 6; the nearest is '6'"),
        ("0 22-2 * * *", "hour", "has '22-2', which goes backwards; the nearest is '22-23,0-2'"),
        ("0 0 * * FRI-TUE", "day of the week", "has 'FRI-TUE', which goes backwards; the nearest is 'FRI-6,0-TUE'"),
        ("0 0 * * sat-sun", "day of the week", "has 'sat-sun', which goes backwards; the nearest is 'sat,sun'"),
        ("0 0 * nov-feb *", "month", "has 'nov-feb', which goes backwards; the nearest is 'nov-12,1-feb'"),
        ("*/0 * * * *", "minute", "has '*/0', whose step must be a number from 1 to 59; the nearest is '*'"),
        ("*/60 * * * *", "minute", "has '*/60', whose step must be a number from 1 to 59; the nearest is '0'"),
        (
            "0 0 */45 * *",
            "day of the month",
            "has '*/45', whose step must be a number from 1 to 31; the nearest is '1'",
        ),
        ("5/* * * * *", "minute", "has '5/*', whose step must be a number from 1 to 59; the nearest is '5'"),
        ("0 2/4/6 * * *", "hour", "has '2/4/6', whose step must be a number from 1 to 23; the nearest is '2'"),
        ("0 1-5/ * * *", "hour", "has '1-5/', whose step must be a number from 1 to 23; the nearest is '1-5'"),
        ("0 /1 * * *", "hour", "has '/1', where a value is missing; the nearest is '*'"),
        ("0 -1 * * *", "hour", "has '-1', where a value is missing; the nearest is '1'"),
        ("0 1- * * *", "hour", "has '1-', where a value is missing; the nearest is '1'"),
        ("0 1,,2 * * *", "hour", "has a comma with nothing beside it; the nearest is '1,2'"),
        ("0 ,, * * *", "hour", "has a comma with nothing beside it; the nearest is '*'"),
        ("0 2-4-6 * * *", "hour", "has '2-4-6', which is no value; the nearest is '*'"),
        ("0 ** * * *", "hour", "has '**', which is no value; the nearest is '*'"),
        ("0 *-4 * * *", "hour", "has '*-4', which is no value; the nearest is '*'"),
        ("0 0 * * BUN", "day of the week", "has 'BUN', which is no value; the nearest is 'sun'"),
        ("0 0 * SUN *", "month", "has 'SUN', which is no value; the nearest is 'jun'"),
        ("0 0 * */FEB *", "month", "has '*/FEB', whose step must be a number from 1 to 12; the nearest is '*'"),
        ("0 0 ? * *", "day of the month", "has '?', which other kinds of cron know; the nearest is '*'"),
        (
            "0 0 L * *",
            "day of the month",
            "has 'L' (the last one), which other kinds of cron know; the nearest is '28'",
        ),
        (
            "0 0 L-3 * *",
            "day of the month",
            "has 'L-3' (the last one), which other kinds of cron know; the nearest is '28'",
        ),
        (
            "0 0 * * 5L",
            "day of the week",
            "has '5L' (the last one), which other kinds of cron know; the nearest is '5'",
        ),
        ("0 0 * * L", "day of the week", "has 'L' (the last one), which other kinds of cron know; the nearest is '6'"),
        (
            "0 0 15W * *",
            "day of the month",
            "has '15W' (the weekday nearest to a day), which other kinds of cron know; the nearest is '15'",
        ),
        (
            "0 0 * * MON#1",
            "day of the week",
            "has 'MON#1' (the weekday of one week), which other kinds of cron know; the nearest is 'MON'",
        ),
        ("H * * * *", "minute", "has 'H', which is no value; the nearest is '*'"),
        ("٣ * * * *", "minute", "has something that cron does not know, which is no value; the nearest is '*'"),
        (
            "sk-live-0123456789abcdefghij * * * *",
            "minute",
            "has something that cron does not know, which is no value; the nearest is '*'",
        ),
    ],
)
def test_a_mistake_names_the_field_and_the_nearest_form(text: str, field: str, told: str) -> None:
    with pytest.raises(ValueError, match=r".") as caught:
        parse_cron(text)
    assert str(caught.value) == f"in its field '{field}' {told}"


@pytest.mark.parametrize(
    ("text", "nearest"), [("0 0 30 2 *", 29), ("0 0 31 2,4,6 *", 30), ("0 0 30,31 feb */2", 29), ("0 0 31 4 *", 30)]
)
def test_a_day_that_never_comes_is_refused(text: str, nearest: int) -> None:
    with pytest.raises(ValueError, match=rf"^never comes due: .*; the nearest is '{nearest}'$"):
        parse_cron(text)


def test_a_day_that_seldom_comes_is_waited_for() -> None:
    leap = parse_cron("0 0 29 2 *").days_from(date(2096, 3, 1))
    assert list(islice(leap, 2)) == [date(2104, 2, 29), date(2108, 2, 29)]
    assert next(parse_cron("0 0 30 2 0").days_from(date(2027, 1, 1))) == date(2027, 2, 7)  # a Sunday is enough
    both = parse_cron("0 0 */31 2 1").days_from(date(2027, 2, 2))
    assert list(islice(both, 2)) == [date(2038, 2, 1), date(2044, 2, 1)]


def test_the_calendar_ends() -> None:
    assert list(parse_cron("0 0 1 1 *").days_from(date(9998, 1, 2))) == [date(9999, 1, 1)]
    assert list(parse_cron("0 0 1 1 *").days_back(date(2, 12, 31), date.min)) == [date(2, 1, 1), date(1, 1, 1)]


@settings(deadline=None)
@given(expressions(), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_days_and_times_are_those_of_the_reference(written: Written, first: date) -> None:
    try:
        cron = parse_cron(written.text)
    except ValueError as fault:
        assert str(fault).startswith("never comes due")  # noqa: PT017  # the other way is asserted below
        days = [date(2000, 1, 1) + timedelta(number) for number in range(1462)]
        noon = [datetime(day.year, day.month, day.day) for day in days]  # noqa: DTZ001  # what a clock shows
        minute, hour = min(written.fields[0]), min(written.fields[1])
        assert not any(written.shows(one.replace(minute=minute, hour=hour)) for one in noon)
        return
    assert (frozenset(cron.minutes), frozenset(cron.hours)) == written.fields[:2]
    window = [first + timedelta(number) for number in range(70)]
    at = datetime(2000, 1, 1, cron.hours[0], cron.minutes[0])  # noqa: DTZ001  # what a clock shows
    expected = [day for day in window if written.shows(at.replace(year=day.year, month=day.month, day=day.day))]
    assert [day for day in window if cron.fits(day)] == expected
    found = []
    for day in cron.days_from(first):
        if day > window[-1]:
            break
        found.append(day)
    assert found == expected
    assert list(cron.days_back(window[-1], first)) == expected[::-1]


@settings(deadline=None)
@given(st.text(alphabet="0123456789*/,-?LW#@ jansu\t", max_size=40))
def test_whatever_is_written_is_understood_or_refused_in_words(text: str) -> None:
    try:
        parse_cron(text)
    except ValueError as fault:
        assert "invalid literal" not in str(fault)  # noqa: PT017  # a text of our own
