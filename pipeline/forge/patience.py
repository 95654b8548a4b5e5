"""Owns how long to wait before a request is repeated: what a host asks for, else a back-off; knows no request.

The headers are those of GitHub and GitLab: `retry-after` (seconds or a date), `x-ratelimit-remaining` and
`x-ratelimit-reset` (seconds since 1970), at GitLab without the `x-`. Which limit was reached they do not tell.
"""

from __future__ import annotations

import math
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

MOST_REPEATS: Final = 4
"""Of one request, whatever the reasons."""
LONGEST_WAIT: Final = 60.0
"""Seconds that one request may wait in all because its host asks for it."""

_FIRST: Final = 1.0
"""Seconds before the first repetition; each further one waits twice as long."""
_UNNAMED: Final = 60.0
"""Seconds that GitHub's documentation asks for where no header does ("at least one minute")."""
_LIMITED: Final = frozenset((403, 429))
_SECONDARY: Final = ("secondary rate limit", "abuse detection")
"""How GitHub and its older servers call the limit that has no header."""


class Patience:
    """What one request may still wait and be repeated; who is `hurried` has none."""

    def __init__(self, sleep: Callable[[float], None], *, hurried: bool = False) -> None:
        self._sleep = sleep
        self._repeats = MOST_REPEATS if hurried else 0
        self._waited = 0.0

    def backs_off(self) -> bool:
        """Wait a little, longer each time; False, at once, when the request was repeated often enough."""
        if self._repeats >= MOST_REPEATS:
            return False
        self._sleep(_FIRST * 2.0**self._repeats)
        self._repeats += 1
        return True

    def waits(self, seconds: float) -> bool:
        """Wait as long as the host asks; False, at once, when that is longer than a run should."""
        if self._repeats >= MOST_REPEATS or self._waited + seconds > LONGEST_WAIT:
            return False
        self._sleep(seconds)
        self._repeats += 1
        self._waited += seconds
        return True


def asked_wait(status: int, headers: Mapping[str, str], said: str, now: datetime) -> float | None:
    """Give the seconds that a host asks to wait, at least 1; None when the answer is about no limit.

    `headers` has its names in lower case. What is told as a moment is compared with the host's own `date`, so that a
    wrong clock here costs nothing; `now` stands in where there is none. A 503 may name its wait, too.
    """
    here = _moment(headers.get("date", "")) or now
    named = _seconds(headers.get("retry-after", ""), here)
    if status not in _LIMITED:
        return named if status == 503 else None  # noqa: PLR2004
    if named is not None:
        return named
    if _header(headers, "remaining") == "0":
        reset = _number(_header(headers, "reset"))
        return _UNNAMED if reset is None else max(reset - here.timestamp(), 1.0)
    is_limit = status == 429 or any(text in said.lower() for text in _SECONDARY)  # noqa: PLR2004
    return _UNNAMED if is_limit else None


def _header(headers: Mapping[str, str], name: str) -> str:
    return headers.get(f"x-ratelimit-{name}", headers.get(f"ratelimit-{name}", "")).strip()


def _seconds(told: str, here: datetime) -> float | None:
    """Read `retry-after`: a number of seconds, or a date."""
    number = _number(told)
    if number is None and (moment := _moment(told)) is not None:
        number = (moment - here).total_seconds()
    return None if number is None else max(number, 1.0)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    return moment if moment.tzinfo else None
