"""Owns how the same work is done on many items: one by one, unless somebody hands in another way.

Knows no process and no thread.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

Item = TypeVar("Item")
Result = TypeVar("Result")


class Each(Protocol):
    """A way to do work; whichever is taken, the results are the same."""

    def on(self, items: Sequence[Item], work: Callable[[Item], Result]) -> Iterable[Result]:
        """Do the same work on each item, and give the results in the order of the items."""
        ...

    def of(self, tasks: Sequence[Callable[[], Result]]) -> Iterable[Result]:
        """Do a few long tasks that do not need each other, and give their results in order."""
        ...


class OneByOne:
    """Does everything here, one after the other."""

    def on(self, items: Sequence[Item], work: Callable[[Item], Result]) -> Iterable[Result]:
        """Do the work item by item."""
        return map(work, items)

    def of(self, tasks: Sequence[Callable[[], Result]]) -> Iterable[Result]:
        """Do task by task."""
        return (task() for task in tasks)


ONE_BY_ONE: Final = OneByOne()
