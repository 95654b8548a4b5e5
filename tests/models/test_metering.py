"""What a run spends: exact sums, and caps that hold also for calls that are still under way."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from pipeline.config import CapSettings, ModelPrice
from pipeline.errors import CapReached
from pipeline.models.metering import Billing, Meter
from pipeline.spending import Spent, Usage

PRICE = ModelPrice(model="m", input=0.1, output=0.7)


def meter(price: ModelPrice | None = PRICE, /, **caps: float) -> Meter:
    return Meter(CapSettings.model_validate(caps), (price,) if price else (), model="m")


def one(counter: Meter, estimated: int = 10, *, used: Usage | None = None, retry: bool = False) -> None:
    counter.before_call(estimated, rung="text", retry=retry)
    counter.after_call(used, estimated_input_tokens=estimated, ended="answered" if used else "refused")


@pytest.mark.parametrize(
    ("price", "ended", "unknown"),
    [
        (PRICE, "answered", False),
        (PRICE, "refused", False),
        (PRICE, "lost", True),
        (PRICE, "unsent", False),
        (None, "answered", True),
        (None, "refused", True),
        (None, "lost", True),
        (None, "unsent", False),
    ],
)
def test_what_nobody_knows_the_cost_of_is_unknown_and_never_nothing(
    price: ModelPrice | None, ended: Billing, *, unknown: bool
) -> None:
    counter = meter(price)
    counter.before_call(10)
    counter.after_call(Usage(10, 1) if ended == "answered" else None, estimated_input_tokens=10, ended=ended)
    assert counter.spent.unpriced_calls == unknown
    assert (counter.spent.cost is None) == unknown


def test_calls_tokens_and_cost_add_up_exactly() -> None:
    counter = meter()
    for _ in range(10):
        one(counter, used=Usage(1_000_000, 100_000))
    one(counter, retry=True)

    assert counter.spent == Spent(11, 1, 0, 10_000_000, 1_000_000, 1.7, 0, ("text",))


def test_rungs_stand_in_the_order_of_first_use() -> None:
    counter = meter()
    for rung in ("json_schema", "json_object", "json_schema", "text"):
        counter.before_call(1, rung=rung)
    assert counter.spent.rungs == ("json_schema", "json_object", "text")


@pytest.mark.parametrize("price", [None, ModelPrice(model="other", input=1, output=1)])
def test_without_a_price_every_call_is_unpriced(price: ModelPrice | None) -> None:
    counter = meter(price)
    one(counter, used=Usage(5, 5))
    one(counter)
    assert (counter.spent.unpriced_calls, counter.spent.known_cost, counter.spent.cost) == (2, 0.0, None)


def test_a_cap_of_calls_lets_so_many_through_and_no_more_whatever_the_threads() -> None:
    counter = meter(calls=7)

    def attempt(_: int) -> bool:
        try:
            one(counter, used=Usage(1, 1))
        except CapReached:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(50))) == 7
    assert counter.spent.calls == 7


@pytest.mark.parametrize(
    ("caps", "where"),
    [
        ({"calls": 1}, "model.caps.calls"),
        ({"input_tokens": 25}, "model.caps.input_tokens"),
        ({"output_tokens": 15}, "model.caps.output_tokens"),
        ({"money": 0.00001}, "model.caps.money"),
    ],
)
def test_a_cap_names_its_setting(caps: dict[str, float], where: str) -> None:
    counter = meter(**caps)
    one(counter, used=Usage(20, 15))
    before = counter.spent
    for _ in range(3):
        with pytest.raises(CapReached, match=where):
            counter.before_call(10, rung="json_schema", retry=True)
        assert counter.spent == before == Spent(1, 0, 0, 20, 15, before.known_cost, 0, ("text",))


def test_tokens_under_way_count_against_a_cap() -> None:
    counter = meter(input_tokens=100)
    counter.before_call(60)
    with pytest.raises(CapReached):
        counter.before_call(60)


def test_what_was_settled_makes_room_and_what_got_no_answer_counts_nothing() -> None:
    counter = meter(input_tokens=100)
    counter.before_call(60)
    counter.after_call(Usage(40, 1), estimated_input_tokens=60, ended="answered")
    counter.before_call(60)
    assert counter.spent.input_tokens == 40
    counter.after_call(None, estimated_input_tokens=60, ended="unsent")
    counter.before_call(60)
    assert not counter.capped


def test_after_a_call_was_refused_no_smaller_one_slips_through() -> None:
    counter = meter(input_tokens=100)
    with pytest.raises(CapReached, match="smaller than the first request"):
        counter.before_call(101)
    with pytest.raises(CapReached):
        counter.before_call(1)
    assert counter.capped
    assert counter.spent.calls == 0


def test_the_cost_of_the_input_never_exceeds_a_cap_of_money() -> None:
    counter = meter(money=1)
    counter.before_call(10_000_000)
    with pytest.raises(CapReached, match="may cost 1"):
        counter.before_call(1)


def test_zero_means_without_limit() -> None:
    counter = meter()
    for _ in range(100):
        one(counter, 10**9, used=Usage(10**9, 10**9))
    assert counter.spent.calls == 100
