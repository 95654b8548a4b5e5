"""Work that is spread over processors gives what it gives one by one, in order, and a fault comes back."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import threading

import pytest

from pipeline.publishing.spreading import Spread
from pipeline.site.each import ONE_BY_ONE
from tests.reading.sample import CHECKOUT

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


@linux
def test_copies_end_though_this_process_means_something_else_by_their_signal() -> None:
    program = """
import signal, sys
from pipeline.publishing.spreading import Spread
def leave(number, frame):
    sys.exit(7)
signal.signal(signal.SIGTERM, leave)
spread = Spread(2, worth_it=1)
for _ in range(150):
    assert list(spread.on(range(50), str)) == list(map(str, range(50)))
assert signal.getsignal(signal.SIGTERM) is leave
assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())
signal.raise_signal(signal.SIGTERM)
"""
    process = subprocess.run([sys.executable, "-c", program], timeout=60, check=False, cwd=CHECKOUT)
    assert process.returncode == 7


@linux
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_no_copy_outlives_a_process_that_is_told_to_end(number: signal.Signals) -> None:
    program = """
import os, signal, sys, time
from pipeline.publishing.spreading import Spread
signal.signal(signal.SIGTERM, lambda *_: sys.exit(7))
def work(item):
    os.write(1, b"%d\\n" % os.getpid())
    time.sleep(60)
list(Spread(2, worth_it=1).on(range(50), work))
"""
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=CHECKOUT
    )
    with process:
        assert process.stdout is not None
        copies = {int(process.stdout.readline()) for _ in range(2)}
        process.send_signal(number)
        assert process.wait(timeout=20) in {7, -signal.SIGINT, 130, 1}
    assert len(copies) == 2
    for copy in copies:
        with pytest.raises(ProcessLookupError):
            os.kill(copy, 0)


@linux
def test_work_that_nobody_waits_for_any_more_is_given_up() -> None:
    results = Spread(2, worth_it=1).on(range(1_000), lambda item: item)
    assert next(iter(results)) == 0
    del results
    assert not multiprocessing.active_children()


def test_one_by_one_does_the_same() -> None:
    assert list(ONE_BY_ONE.on([1, 2], lambda item: item + 1)) == [2, 3]
    assert list(ONE_BY_ONE.of([lambda: 1, lambda: 2])) == [1, 2]
