"""Owns spreading work over processors: copies of this process do shares of it. Knows no page.

Copies are made by forking, which costs next to nothing and needs nothing to be handed over but what comes back. Where
that is not safe (other systems than Linux, other threads under way), or not worth it, everything is done here.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
import threading
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from multiprocessing.pool import Pool

Item = TypeVar("Item")
Result = TypeVar("Result")

WORTH_IT: Final = 1_000
"""Items from which on copies of the process cost less than they save."""
_SHARES: Final = 8
"""Shares for each processor, so that none waits long for the last one."""

_SIGNALS: Final = frozenset({signal.SIGTERM, signal.SIGINT})

_under_way: list[Callable[[int, int], list[object]]] = []
"""What the copies do; they find it where it stood when they were made."""


class Spread:
    """Does work on so many processors. Tasks that are few are spread where there were many items before them."""

    def __init__(self, processors: int, *, worth_it: int = WORTH_IT) -> None:
        self._processors = processors
        self._worth_it = worth_it
        self._much = False

    def on(self, items: Sequence[Item], work: Callable[[Item], Result]) -> Iterator[Result]:
        """Do the same work on each item, and give the results in the order of the items."""
        self._much = len(items) >= self._worth_it
        if not self._much or not self._may_spread():
            return map(work, items)
        size = max(1, -(-len(items) // (self._processors * _SHARES)))
        return self._spread(lambda start, end: [work(item) for item in items[start:end]], len(items), size)

    def of(self, tasks: Sequence[Callable[[], Result]]) -> Iterator[Result]:
        """Do a few long tasks that do not need each other, and give their results in order."""
        if not self._much or not self._may_spread():
            return (task() for task in tasks)
        return self._spread(lambda start, end: [task() for task in tasks[start:end]], len(tasks), 1)

    def _may_spread(self) -> bool:
        """Whether copies are whole: a thread that is under way is not copied, but the locks that it holds are."""
        return self._processors > 1 and sys.platform == "linux" and threading.active_count() == 1

    def _spread(self, work: Callable[[int, int], list[Result]], count: int, size: int) -> Iterator[Result]:
        shares = [(start, min(start + size, count)) for start in range(0, count, size)]
        _under_way.append(work)  # type: ignore[arg-type]  # each copy gives back what this work gives
        pool = _copies(self._processors)
        try:
            for results in pool.imap(_do, shares):
                yield from results
            # They end by themselves. One that is told to by a signal may just be doing what swallows it, and stay.
            pool.close()
        except BaseException:
            pool.terminate()
            raise
        finally:
            pool.join()
            _under_way.pop()


def _copies(processors: int) -> Pool:
    """Make copies of this process, none of which does what a signal means to this one, not even while it begins."""
    held = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        return multiprocessing.get_context("fork").Pool(processors, _begin)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)


def _begin() -> None:
    """End at once when told so; an interruption from the keyboard is for the process that this is a copy of."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)


def _do(share: tuple[int, int]) -> list:  # type: ignore[type-arg]  # what the work gives
    return _under_way[-1](*share)
