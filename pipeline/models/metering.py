"""Owns what a run has spent on a model, and the caps on it; knows no endpoint. Safe for several threads.

A call is asked for before it is made and settled after it, so that calls under way count against a cap at once. Caps
of calls, of input tokens, and of the money that input costs are never exceeded, as far as the estimate of a request
is on the high side; what the answers under way add to output tokens and money is known only when they are there.
"""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal

from pipeline.errors import CapReached
from pipeline.spending import Spent, Usage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.config import CapSettings, ModelPrice

Billing = Literal["answered", "refused", "lost", "unsent"]
"""How a call ended for whoever charges for it."""

_MILLION: Final = Decimal(1_000_000)
_NEXT_STEP: Final = "What is done stays; raise the cap, or let the next run go on."
_TOO_SMALL: Final = "The cap is smaller than the first request: raise it, or lower model.sessions_per_request."


class Meter:
    """Counts the calls of one run to one model, and refuses the call that would exceed a cap.

    `prices` are for each million tokens. A call counts as unpriced when nobody here knows what it cost: without a price
    for `model`, and when it was sent and its answer never came.
    """

    def __init__(self, caps: CapSettings, prices: Iterable[ModelPrice] = (), *, model: str) -> None:
        self._caps = caps
        price = next((price for price in prices if price.model == model), None)
        self._priced = price is not None
        self._input_price = Decimal(str(price.input)) / _MILLION if price else Decimal(0)
        self._output_price = Decimal(str(price.output)) / _MILLION if price else Decimal(0)
        self._lock = Lock()
        self._spent = Spent()
        self._cost = Decimal(0)
        self._refused: tuple[str, str] | None = None
        self._under_way = 0
        """Estimated input tokens of the calls that are not settled yet."""

    @property
    def spent(self) -> Spent:
        """What was spent so far; calls under way count as calls, their tokens do not count yet."""
        with self._lock:
            return replace(self._spent, known_cost=float(self._cost))

    @property
    def capped(self) -> bool:
        """Whether a call was refused."""
        with self._lock:
            return self._refused is not None

    def before_call(self, estimated_input_tokens: int, *, rung: str = "", retry: bool = False) -> None:
        """Count a call that is about to be made; raises `CapReached`, and counts nothing, when it may not be.

        Each call that was let through is settled by `after_call` with the same estimate.
        """
        with self._lock:
            # Once a call was refused, a smaller one is refused too: it would be about a later session.
            self._refused = self._refused or self._reached(estimated_input_tokens)
            if self._refused:
                step = _NEXT_STEP if self._spent.calls else _TOO_SMALL
                raise CapReached(f"{self._refused[0]}.", where=self._refused[1], next_step=step)
            self._under_way += estimated_input_tokens
            spent = self._spent
            rungs = spent.rungs if not rung or rung in spent.rungs else (*spent.rungs, rung)
            self._spent = replace(spent, calls=spent.calls + 1, retries=spent.retries + retry, rungs=rungs)

    def after_call(self, usage: Usage | None, *, estimated_input_tokens: int, ended: Billing) -> None:
        """Settle a call with what it took; None counts no tokens.

        `ended` tells whether the endpoint `answered`, `refused` it with an error, for which nobody charges at a known
        price, whether its answer was `lost` on the way, which may be charged for, or whether it was never sent.
        """
        with self._lock:
            self._under_way -= estimated_input_tokens
            unknown = ended == "lost" or (not self._priced and ended != "unsent")
            if usage is None:
                self._spent = replace(self._spent, unpriced_calls=self._spent.unpriced_calls + unknown)
                return
            spent = self._spent
            self._spent = replace(
                spent,
                input_tokens=spent.input_tokens + usage.input_tokens,
                output_tokens=spent.output_tokens + usage.output_tokens,
                unpriced_calls=spent.unpriced_calls + unknown,
            )
            self._cost += usage.input_tokens * self._input_price + usage.output_tokens * self._output_price

    def _reached(self, estimated: int) -> tuple[str, str] | None:
        """Say which cap another call would exceed, and the name of its setting."""
        caps, spent = self._caps, self._spent
        if caps.calls and spent.calls >= caps.calls:
            made = "1 call" if spent.calls == 1 else f"{spent.calls:,} calls"
            return f"the run has made {made}, as many as it may", "model.caps.calls"
        if caps.input_tokens and spent.input_tokens + self._under_way + estimated > caps.input_tokens:
            sent = f"{spent.input_tokens:,} input tokens used, about {self._under_way + estimated:,} more asked for"
            return f"the run may use {caps.input_tokens:,} input tokens ({sent})", "model.caps.input_tokens"
        if caps.output_tokens and spent.output_tokens >= caps.output_tokens:
            told = f"the run has used {spent.output_tokens:,} output tokens, and may use {caps.output_tokens:,}"
            return told, "model.caps.output_tokens"
        if caps.money:
            money = Decimal(str(caps.money))
            asked = (self._under_way + estimated) * self._input_price
            if self._cost >= money or self._cost + asked > money:
                told = f"the run has cost {self._cost:.4f}, about {asked:.4f} more asked for, and may cost {money}"
                return told, "model.caps.money"
        return None
