"""Owns what a run spends on a model, as a value; knows no model, no price list and no cap."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint counted them; the offline model counts none."""

    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Spent:
    """What was asked of a model and what it cost, in the currency of the configured prices."""

    calls: int = 0
    """Requests that went to the endpoint, retries and refused ways of asking included."""
    retries: int = 0
    """Those among the calls that repeated one after a fault that may heal."""
    cache_hits: int = 0
    """Requests that were answered from the cache or a recording, without a call."""
    input_tokens: int = 0
    """Tokens that were sent, as the endpoint counted them."""
    output_tokens: int = 0
    """Tokens that came back, as the endpoint counted them."""
    known_cost: float = 0.0
    """What the calls cost for which a price is configured; the whole cost only if `unpriced_calls` is 0."""
    unpriced_calls: int = 0
    """Calls of which nobody here knows what they cost: the model has no price, or the answer was lost on its way."""
    rungs: tuple[str, ...] = ()
    """How replies were asked for, in the order of first use: `json_schema`, `json_object`, `text`."""

    @property
    def cost(self) -> float | None:
        """What all of it cost; None where that is unknown, and 0 only where nothing was asked or it was free."""
        return None if self.unpriced_calls else self.known_cost

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.retries + other.retries,
            self.cache_hits + other.cache_hits,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.known_cost + other.known_cost,
            self.unpriced_calls + other.unpriced_calls,
            tuple(dict.fromkeys((*self.rungs, *other.rungs))),
        )

    def since(self, earlier: Spent) -> Spent:
        """Give what was spent after `earlier` stood; the rungs stay."""
        return Spent(
            self.calls - earlier.calls,
            self.retries - earlier.retries,
            self.cache_hits - earlier.cache_hits,
            self.input_tokens - earlier.input_tokens,
            self.output_tokens - earlier.output_tokens,
            self.known_cost - earlier.known_cost,
            self.unpriced_calls - earlier.unpriced_calls,
            self.rungs,
        )
