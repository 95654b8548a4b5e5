"""What was spent: sums, differences, and what nobody knows."""

from __future__ import annotations

from pipeline.spending import Spent


def test_a_cost_is_known_only_where_every_call_has_a_price() -> None:
    assert Spent().cost == 0
    assert Spent(calls=1, known_cost=0.5).cost == 0.5
    assert Spent(calls=1, unpriced_calls=1).cost is None


def test_one_unpriced_call_makes_the_sum_unknown_and_keeps_what_is_known() -> None:
    both = Spent(calls=1, known_cost=0.5, rungs=("text",)) + Spent(calls=1, unpriced_calls=1, rungs=("text", "json"))
    assert (both.cost, both.known_cost, both.calls, both.rungs) == (None, 0.5, 2, ("text", "json"))
    assert both.since(Spent(calls=1, unpriced_calls=1)).cost == 0.5
