"""Owns how a process is asked to end: the first signal lets the session at work be finished, a second one does not.

As the first process of a container it hears them too, for which a handler must stand: the system gives the first
process no default. Whoever is orphaned there becomes its child, and is let go by `reap`.
"""

from __future__ import annotations

import os
import signal
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)
TOGETHER: Final = 0.3
"""Seconds: a second signal within them is the same wish, sent to the group of processes and passed on as well."""
BY_SIGNAL: Final = 128
"""Added to a signal's number, it is the code of a process that a signal has ended."""


class Stop:
    """Whether somebody has asked to end; `wake` is called when it happens, by the handler of a signal."""

    def __init__(self, wake: Callable[[], None] = lambda: None) -> None:
        self._wake = wake
        self._asked_at: float | None = None

    def asked(self) -> bool:
        """Whether it is time to end."""
        return self._asked_at is not None

    def ask(self) -> None:
        """Ask for the end."""
        self._asked_at = time.monotonic()
        self._wake()

    @contextmanager
    def heeding_signals(self) -> Iterator[None]:
        """Take SIGTERM and SIGINT as the wish to end, until the block is left; on the main thread alone."""
        before = [(one, signal.signal(one, self._heed)) for one in SIGNALS]
        try:
            yield
        finally:
            for one, handler in before:
                signal.signal(one, handler)

    def _heed(self, number: int, _frame: FrameType | None) -> None:
        if self._asked_at is None:
            self.ask()
        elif time.monotonic() - self._asked_at > TOGETHER:
            # A thread is at work and cannot be stopped; what it leaves behind, the next run brings to its end.
            os._exit(BY_SIGNAL + number)


def reap() -> None:
    """Let go of children that have ended and were somebody else's; only where no child of one's own is at work."""
    with suppress(ChildProcessError, OSError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
