"""Owns how long to wait before a request is repeated: what the endpoint asks for, else a back-off; pure."""

from __future__ import annotations

import math
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

LONGEST_WAIT: Final = 120.0
"""Seconds; an endpoint that asks for more is left alone until the next run."""

_FIRST, _LAST = 0.5, 30.0
"""Seconds: the back-off begins with the one and doubles up to the other."""


def asked_wait(headers: Mapping[str, str]) -> float | None:
    """Read the seconds that an endpoint asks for, from `retry-after-ms` or `retry-after`; None if it asks for none.

    `headers` has its names in lower case. A date is compared with the endpoint's own `date`, so that no clock of
    this machine matters; one that cannot be compared, is past, or makes no sense counts as none.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds:
        return milliseconds / 1_000
    told = headers.get("retry-after", "")
    return _number(told) or _until(told, headers.get("date", ""))


def back_off(repeated: int, jitter: float) -> float:
    """Give the seconds before a request is repeated that was repeated so often; `jitter` is from 0 to 1.

    It lies between half of the doubled time and the whole of it.
    """
    whole: float = min(_FIRST * 2.0 ** min(repeated, 16), _LAST)
    return whole * (0.5 + 0.5 * jitter)


def _number(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds > 0 else None


def _until(then: str, now: str) -> float | None:
    try:
        seconds = (parsedate_to_datetime(then) - parsedate_to_datetime(now)).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None
    return seconds if seconds > 0 else None
