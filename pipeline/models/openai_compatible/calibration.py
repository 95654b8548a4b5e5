"""Owns how many tokens an endpoint counts for each that was estimated; pure, knows no endpoint and no file."""

from __future__ import annotations

import math
from threading import Lock
from typing import Final

UNKNOWN: Final = 1.0
_LEAST, _MOST = 0.3, 1.5
_STEP: Final = 20
"""Steps in 1.0: a ratio is rounded up to 0.05."""
_ENOUGH_REPLIES, _ENOUGH_TOKENS = 5, 20_000


def believed(ratio: float | None) -> float:
    """Give the ratio that a run works with: what is remembered, within 0.3 and 1.5; 1.0 when nothing is."""
    return UNKNOWN if ratio is None or not math.isfinite(ratio) else min(max(ratio, _LEAST), _MOST)


class Calibration:
    """Adds up what was estimated and what was counted during one run; safe for several threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._replies = self._counted = self._estimated = 0

    def add(self, *, counted: int, estimated: int) -> None:
        """Take in one reply whose prompt the endpoint counted."""
        with self._lock:
            self._replies += 1
            self._counted += counted
            self._estimated += estimated

    def ratio(self, before: float | None) -> float | None:
        """Give the ratio for the next runs, rounded up to 0.05; None when too little was seen, or nothing changed.

        It stays at `before` as long as it lies within 0.1 below it: a ratio that goes up and down between two steps
        would cut other windows in each run.
        """
        with self._lock:
            enough = self._replies >= _ENOUGH_REPLIES or self._counted >= _ENOUGH_TOKENS
            if not enough or not self._estimated or not self._counted:
                return None
            exact = self._counted / self._estimated
        if before is not None and before - 0.1 < exact <= before:
            return None
        return believed(math.ceil(exact * _STEP - 1e-9) / _STEP)
