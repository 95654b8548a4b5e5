from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.observations.parsing.times import Moment, read_time

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

AT = datetime(2026, 1, 5, 12, 17, 31, tzinfo=UTC)


def at(**parts: int) -> datetime:
    return AT.replace(**parts)  # type: ignore[arg-type]  # datetime.replace takes a time zone too


AWARE: tuple[tuple[Json, datetime], ...] = (
    ("2026-01-05T12:17:31Z", AT),
    ("2026-01-05T12:17:31z", AT),
    ("2026-01-05t12:17:31Z", AT),
    ("2026-01-05 12:17:31Z", AT),
    ("  2026-01-05T12:17:31Z\n", AT),
    ("2026-01-05 12:17:31 UTC", AT),
    ("2026-01-05 12:17:31 +0000", AT),
    ("2026-01-05T12:17:31GMT", AT),
    ("2026-01-05T12:17Z", at(second=0)),
    ("2026-01-05T14:17:31+02:00", AT),
    ("2026-01-05T14:17:31+0200", AT),
    ("2026-01-05T14:17:31+02", AT),
    ("2026-01-05T03:47:31-08:30", AT),
    ("2026-01-05T03:47:31\u221208:30", AT),
    ("2026-01-06T01:17:31+13:00", AT),
    ("2026-01-05T12:17:31.4Z", at(microsecond=400_000)),
    ("2026-01-05T12:17:31,4Z", at(microsecond=400_000)),
    ("2026-01-05T12:17:31.459Z", at(microsecond=459_000)),
    ("2026-01-05T12:17:31.459123Z", at(microsecond=459_123)),
    ("2026-01-05T12:17:31.4591239Z", at(microsecond=459_123)),
    ("2026-01-05T12:17:31.459123999+00:00", at(microsecond=459_123)),
    ("2026-01-05T12:17:60Z", at(minute=18, second=0)),
    (1767615451, AT),
    (1767615451.5, at(microsecond=500_000)),
    (1767615451000, AT),
    (1767615451459, at(microsecond=459_000)),
    (1767615451459123, at(microsecond=459_123)),
    (1767615451459123999, at(microsecond=459_123)),
    ("1767615451", AT),
    ("1767615451.000012", at(microsecond=12)),
    ("1767615451459", at(microsecond=459_000)),
    ("1767615451459123999", at(microsecond=459_123)),
    (0, datetime(1970, 1, 1, tzinfo=UTC)),
    (-1.5, datetime(1969, 12, 31, 23, 59, 58, 500_000, tzinfo=UTC)),
)

NAIVE: tuple[tuple[Json, datetime], ...] = (
    ("2026-01-05T12:17:31", AT),
    ("2026-01-05 12:17:31.459", at(microsecond=459_000)),
    ("2026-01-05", datetime(2026, 1, 5, tzinfo=UTC)),
)

NO_TIME: tuple[Json, ...] = (
    None,
    True,
    "",
    "yesterday",
    "[trimmed]",
    "2026",
    "20260105",
    "2026-13-05T12:17:31Z",
    "2026-02-30",
    "2026-01-05T25:00:00Z",
    "2026-01-05T12:17:61Z",
    "2026-01-05T12:17:31+25:00",
    "2026-01-05T12:17:31Z and more",
    "٢٠٢٦-01-05",
    "0001-01-01T00:00:00+23:59",
    "9999-12-31T23:59:60Z",
    math.inf,
    -math.inf,
    math.nan,
    1e300,
    10**400,
    10**30,
    [],
    {"$date": "2026-01-05T12:17:31Z"},
)


@pytest.mark.parametrize(("value", "expected"), AWARE)
def test_a_time_with_a_zone_is_read(value: Json, expected: datetime) -> None:
    assert read_time(value) == Moment(expected, naive=False)


@pytest.mark.parametrize(("value", "expected"), NAIVE)
def test_a_time_without_a_zone_is_utc_and_says_so(value: Json, expected: datetime) -> None:
    assert read_time(value) == Moment(expected, naive=True)


@pytest.mark.parametrize("value", NO_TIME)
def test_what_is_no_time_is_none(value: Json) -> None:
    assert read_time(value) is None


@given(
    st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2200, 1, 1)),  # noqa: DTZ001  # zoned below
    st.integers(-14 * 60, 14 * 60),
)
def test_every_form_of_a_moment_is_the_same_moment(naive: datetime, minutes: int) -> None:
    moment = naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    microseconds = (moment - epoch) // timedelta(microseconds=1)
    forms: tuple[Json, ...] = (
        moment.isoformat(),
        moment.isoformat(" "),
        moment.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        f"{microseconds // 10**6}.{microseconds % 10**6:06}",
        microseconds * 1000,
        str(microseconds * 1000 + 999),
    )
    long_ago = moment < datetime(1975, 1, 1, tzinfo=UTC)
    for form in forms[:3] if long_ago else forms:
        assert read_time(form) == Moment(moment, naive=False), form
