"""How long is waited: numbers, dates, and the back-off."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.models.openai_compatible.waiting import asked_wait, back_off

NOW = "Tue, 01 Dec 2026 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": " 2.5 "}, 2.5),
        ({"retry-after": "0"}, None),
        ({"retry-after": "-1"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "9" * 400}, None),
        ({"retry-after-ms": "250", "retry-after": "3"}, 0.25),
        ({"retry-after-ms": "x", "retry-after": "3"}, 3.0),
        ({"retry-after": "Tue, 01 Dec 2026 10:01:30 GMT", "date": NOW}, 90.0),
        ({"retry-after": "Tue, 01 Dec 2026 09:00:00 GMT", "date": NOW}, None),
        ({"retry-after": "Tue, 01 Dec 2026 10:01:30 GMT"}, None),
        ({"retry-after": "Tue, 01 Dec 2026 10:01:30 -0000", "date": NOW}, None),
        ({"retry-after": "tomorrow", "date": NOW}, None),
        ({"retry-after": "Tue, 99 Dec 2026 10:01:30 GMT", "date": NOW}, None),
    ],
)
def test_what_an_endpoint_asks_for(headers: dict[str, str], seconds: float | None) -> None:
    assert asked_wait(headers) == seconds


@given(st.text(max_size=40), st.text(max_size=40))
def test_no_header_breaks_it(told: str, now: str) -> None:
    seconds = asked_wait({"retry-after": told, "date": now})
    assert seconds is None or seconds > 0


def test_the_back_off_doubles_up_to_half_a_minute() -> None:
    assert [back_off(times, 1.0) for times in range(8)] == [0.5, 1, 2, 4, 8, 16, 30, 30]
    assert [back_off(times, 0.0) for times in (0, 1, 1_000)] == [0.25, 0.5, 15.0]
