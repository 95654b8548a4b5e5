"""When calls may begin: how many at once, how long all wait, and when nobody is let through any more."""

from __future__ import annotations

import pytest

from pipeline.errors import Unavailable
from pipeline.models.openai_compatible.traffic import Outcome, Traffic
from tests.models.openai_compatible.scripted import Time

WHY = Unavailable("it is gone.", where="there", next_step="Wait.")


def traffic(time: Time, workers: int = 8, limit: int = 100) -> Traffic:
    return Traffic(workers=workers, limit=limit, clock=time.clock, sleep=time.sleep)


def test_requests_refused_together_halve_once() -> None:
    lane = traffic(Time())
    tickets = [lane.enter() for _ in range(8)]
    for ticket in tickets:
        lane.leave(ticket, "busy")
    assert lane.allowed == 4
    lane.leave(lane.enter(), "busy")
    assert lane.allowed == 2
    for _ in range(5):
        lane.leave(lane.enter(), "busy")
    assert lane.allowed == 1


def test_eight_answers_let_one_more_through_up_to_the_workers() -> None:
    lane = traffic(Time(), workers=3)
    lane.leave(lane.enter(), "busy")
    allowed = []
    for _ in range(25):
        lane.leave(lane.enter(), "answered")
        allowed.append(lane.allowed)
    assert allowed == [1] * 7 + [2] * 8 + [3] * 10


def test_all_wait_until_the_longest_time_that_was_asked_for() -> None:
    time = Time()
    lane = traffic(time)
    lane.hold(5)
    lane.hold(20)
    lane.hold(1)
    lane.leave(lane.enter(), "answered")
    lane.leave(lane.enter(), "answered")
    assert time.slept == [20]


@pytest.mark.parametrize(
    ("outcomes", "given_up"),
    [
        (["busy", "busy"], False),
        (["busy", "fault", "busy"], True),
        (["fault", "busy", "fault"], False),
        (["fault"] * 4, False),
        (["fault"] * 5, True),
        (["fault", "fault", "declined", *["fault"] * 4], False),
        (["fault", "fault", "unknown", *["fault"] * 3], True),
        (["busy", "busy", "answered", "busy"], False),
    ],
)
def test_faults_in_a_row_give_up(outcomes: list[Outcome], *, given_up: bool) -> None:
    lane = traffic(Time(), limit=3)
    for outcome in outcomes:
        lane.leave(lane.enter(), outcome, WHY)
    assert lane.given_up == given_up
    if given_up:
        with pytest.raises(Unavailable, match=r"there: it is gone\. Wait\."):
            lane.enter()


def test_the_first_reason_stays() -> None:
    lane = traffic(Time())
    lane.give_up(WHY)
    lane.give_up(Unavailable("later."))
    with pytest.raises(Unavailable, match="it is gone"):
        lane.enter()


def test_two_requests_may_fail_by_themselves_and_a_third_ends_the_run() -> None:
    lane = traffic(Time())
    assert not lane.in_doubt
    assert [lane.fails_alone(WHY) for _ in range(3)] == [True, True, False]
    assert (lane.in_doubt, lane.given_up) == (True, True)


def test_an_answer_makes_up_for_requests_that_failed() -> None:
    lane = traffic(Time())
    for _ in range(3):
        assert [lane.fails_alone(WHY) for _ in range(2)] == [True, True]
        lane.leave(lane.enter(), "declined")
        assert lane.in_doubt
        lane.leave(lane.enter(), "answered")
        assert not lane.in_doubt
    assert not lane.given_up
