"""Work that is spread over processors gives what it gives one by one, in order, and a fault comes back."""

from __future__ import annotations

import os
import sys
import threading

import pytest

from pipeline.publishing.spreading import Spread
from pipeline.site.each import ONE_BY_ONE

linux = pytest.mark.skipif(sys.platform != "linux", reason="copies of the process are made on Linux alone")


@pytest.mark.parametrize("count", [0, 1, 7, 100])
@pytest.mark.parametrize("processors", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(count: int, processors: int) -> None:
    items = list(range(count))
    spread = Spread(processors, worth_it=5)
    assert list(spread.on(items, lambda item: item * item)) == [item * item for item in items]
    assert list(spread.of([lambda: "a", lambda: "b", lambda: "c"])) == ["a", "b", "c"]


@linux
def test_much_work_is_done_by_copies_and_little_here() -> None:
    spread = Spread(2, worth_it=5)
    assert set(spread.on(range(4), lambda _: os.getpid())) == {os.getpid()}
    assert set(spread.of([os.getpid, os.getpid])) == {os.getpid()}
    assert os.getpid() not in set(spread.on(range(5), lambda _: os.getpid()))
    assert os.getpid() not in set(spread.of([os.getpid, os.getpid]))


def test_with_another_thread_under_way_everything_is_done_here() -> None:
    over = threading.Event()
    thread = threading.Thread(target=over.wait)
    thread.start()
    try:
        assert set(Spread(2, worth_it=1).on(range(9), lambda _: os.getpid())) == {os.getpid()}
    finally:
        over.set()
        thread.join()


def test_a_fault_comes_back_and_the_next_work_goes_on() -> None:
    spread = Spread(2, worth_it=1)
    with pytest.raises(ZeroDivisionError):
        list(spread.on([1, 0, 2], lambda item: 1 // item))
    assert list(spread.on([1, 2], lambda item: item + 1)) == [2, 3]


def test_one_by_one_does_the_same() -> None:
    assert list(ONE_BY_ONE.on([1, 2], lambda item: item + 1)) == [2, 3]
    assert list(ONE_BY_ONE.of([lambda: 1, lambda: 2])) == [1, 2]
