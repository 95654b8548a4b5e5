"""Owns when a call may be made: how many at once, how long all wait, and when the run gives up; knows no network.

The circuit breaker counts faults in a row over all threads. A call that could become one too many waits until those
under way have ended, so that the calls in a row that fail never exceed the limit, however many threads there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Condition
from typing import TYPE_CHECKING, Final, Literal

from pipeline.errors import Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

Outcome = Literal["answered", "declined", "fault", "busy", "unknown"]
"""How a call ended: a reply, another answer than that, a fault, too many requests; or nothing was learnt."""

_TRIED: Final = 2
"""Requests that may be given up in a row before the third ends the run."""
_GROWS_AFTER: Final = 8
"""Answers without a 429, after which one more request may be under way."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """Leave to make one call. `era` counts how often the number of requests under way had been halved by then."""

    era: int


class Traffic:
    """Lets calls through, up to `workers` at once, until `limit` faults came in a row or `give_up` was called.

    A request that is given up may fail by itself: two others are tried, once each, before nobody is asked any more.
    Refusals for too many requests tell of all requests.
    """

    def __init__(self, *, workers: int, limit: int, clock: Callable[[], float], sleep: Callable[[float], None]) -> None:
        self._workers = self._allowed = workers
        self._limit = limit
        self._clock, self._sleep = clock, sleep
        self._changed = Condition()
        self._under_way = self._faults = self._answers = self._era = 0
        self._not_before = self._slept_until = clock()
        self._given_up = 0
        """Requests that were given up since the last answer."""
        self._why: Unavailable | None = None

    @property
    def given_up(self) -> bool:
        """Whether no call is let through any more."""
        return self._why is not None

    @property
    def allowed(self) -> int:
        """How many calls may be under way at present."""
        return self._allowed

    def enter(self) -> Ticket:
        """Wait until a call may be made; raises `Unavailable` when the run has given up. `leave` must follow."""
        while True:
            with self._changed:
                while not self._why and not self._has_room():
                    self._changed.wait()
                if self._why:
                    raise Unavailable(self._why.message, where=self._why.where, next_step=self._why.next_step)
                until = self._not_before
                pause = until - self._clock() if until > self._slept_until else 0.0
                if pause <= 0:
                    self._under_way += 1
                    return Ticket(self._era)
            self._sleep(pause)
            with self._changed:
                self._slept_until = max(self._slept_until, until)

    def leave(self, ticket: Ticket, outcome: Outcome, why: Unavailable | None = None) -> None:
        """End a call; `why` is what later calls are told when this fault was one too many."""
        with self._changed:
            self._under_way -= 1
            if outcome in {"answered", "declined"}:
                self._faults = 0
                self._grow()
                if outcome == "answered":
                    self._given_up = 0
            elif outcome in {"fault", "busy"}:
                self._faults += 1
                self._answers = 0
                if outcome == "busy" and ticket.era == self._era:
                    # Requests that were refused together are one sign, not several.
                    self._allowed = max(1, self._allowed // 2)
                    self._era += 1
                # A request that fails by itself must not stop the others: some of these may still be tried.
                spared = _TRIED if outcome == "fault" else 0
                if self._faults >= self._limit + spared and why is not None:
                    self._why = self._why or why
            self._changed.notify_all()

    @property
    def in_doubt(self) -> bool:
        """Whether a request was given up and none answered since: then each is tried once and not repeated."""
        return self._given_up > 0

    def fails_alone(self, why: Unavailable) -> bool:
        """Tell whether a request that is given up may fail by itself; if not, nobody asks any more.

        It may, until two others have failed in a row with it. `why` is what later calls are told.
        """
        with self._changed:
            self._given_up += 1
            alone = not self._why and self._given_up <= _TRIED
            if not alone:
                self._why = self._why or why
            self._changed.notify_all()
            return alone

    def hold(self, seconds: float) -> None:
        """Let no call begin for so many seconds."""
        with self._changed:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def give_up(self, why: Unavailable) -> None:
        """Let no call through any more, and tell everybody why."""
        with self._changed:
            self._why = self._why or why
            self._changed.notify_all()

    def _has_room(self) -> bool:
        return self._under_way < self._allowed and (
            not self._faults or not self._under_way or self._faults + self._under_way < self._limit
        )

    def _grow(self) -> None:
        self._answers += 1
        if self._answers >= _GROWS_AFTER and self._allowed < self._workers:
            self._allowed += 1
            self._answers = 0
