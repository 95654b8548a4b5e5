"""Many calls of one run: what the breaker, the workers, the deadline and the caps let through, exactly."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from pipeline.config import CapSettings
from pipeline.errors import CapReached, InvalidReply, Unanswered, Unavailable
from pipeline.spending import Spent
from tests.models.openai_compatible.scripted import HEAD, Answer, Asked, a_model, a_request, error, said, serving

if TYPE_CHECKING:
    from pathlib import Path


def test_one_worker_makes_as_many_calls_as_retries_and_one(tmp_path: Path) -> None:
    with serving(lambda *_: error(429)) as endpoint:
        bench = a_model(endpoint.address, tmp_path, retries=3)
        for _ in range(5):
            with pytest.raises(Unavailable, match="answered 429"):
                bench.model.complete(a_request())

    assert len(endpoint.asked) == 4
    assert bench.model.spent.retries == 3
    assert bench.time.slept == [0.5, 1.0, 2.0]


def test_four_workers_make_at_most_workers_and_retries_calls(tmp_path: Path) -> None:
    def script(_: int, __: Asked) -> Answer:
        time.sleep(0.01)
        return error(429)

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path, retries=3, workers=4)
        with ThreadPoolExecutor(4) as pool:
            faults = [job.exception() for job in [pool.submit(bench.model.complete, a_request()) for _ in range(20)]]

    assert all(isinstance(fault, Unavailable) for fault in faults)
    assert 4 <= len(endpoint.asked) <= 7


def test_requests_under_way_shrink_to_what_the_endpoint_takes(tmp_path: Path) -> None:
    def script(_: int, __: Asked) -> Answer:
        with endpoint.lock:
            too_many = endpoint.at_once > 2
        time.sleep(0.01)
        return error(429) if too_many else said()

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path, workers=8, retries=10)
        with ThreadPoolExecutor(8) as pool:
            replies = list(pool.map(bench.model.complete, [a_request()] * 40))

    assert len(replies) == 40
    refused = len(endpoint.asked) - 40
    assert 0 < refused <= 30
    assert bench.model.spent.calls == len(endpoint.asked)


def test_an_endpoint_that_needs_nothing_is_asked_by_all_workers_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(6)

    def script(_: int, __: Asked) -> Answer:
        together.wait(10)
        return said()

    with serving(script) as endpoint:
        bench = a_model(endpoint.address, tmp_path, workers=6)
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(bench.model.complete, [a_request()] * 12))

    assert endpoint.most_at_once == 6
    assert len(endpoint.asked) == 12


@pytest.mark.parametrize(
    "raw",
    [
        (b"HTTP/1.1 200 OK\r\nX-A: ", *[b"a"] * 100),
        (HEAD + b"Content-Length: 500\r\n\r\n", *[b" "] * 100),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *[b"1\r\n \r\n"] * 100),
        (HEAD + b"Content-Length: 500\r\n\r\n{", b""),
    ],
)
def test_the_deadline_holds_for_headers_and_bodies_that_drip(tmp_path: Path, raw: tuple[bytes, ...]) -> None:
    pause = 0.05 if len(raw) > 2 else 2.0
    with serving(lambda *_: Answer(raw=raw, pause=pause)) as endpoint:
        bench = a_model(endpoint.address, tmp_path, clock=time.monotonic, timeout_seconds=1, retries=0)
        began = time.monotonic()
        with pytest.raises(Unanswered, match="no whole answer in time"):
            bench.model.complete(a_request())
        took = time.monotonic() - began

    assert 0.9 < took < 1.9
    assert len(endpoint.asked) == 1


def test_a_huge_answer_is_refused(tmp_path: Path) -> None:
    raw = (HEAD + b"Connection: close\r\n\r\n", *[b" " * 1_000_000] * 25)
    with serving(lambda *_: Answer(raw=raw)) as endpoint:
        bench = a_model(endpoint.address, tmp_path)
        with pytest.raises(InvalidReply, match="over 20 MB"):
            bench.model.complete(a_request())

    assert len(endpoint.asked) == 1


def test_a_cap_ends_the_calls_between_two_tries(tmp_path: Path) -> None:
    with serving(lambda *_: error(503)) as endpoint:
        bench = a_model(endpoint.address, tmp_path, caps=CapSettings(calls=2))
        with pytest.raises(CapReached, match=r"made 2 calls"):
            bench.model.complete(a_request())

    assert len(endpoint.asked) == 2
    assert bench.model.spent == Spent(calls=2, retries=1, unpriced_calls=2, rungs=("json_schema",))


def test_a_cap_between_two_rungs_counts_neither_the_call_nor_the_rung(tmp_path: Path) -> None:
    with serving(lambda *_: error(400, "no json_schema here")) as endpoint:
        bench = a_model(endpoint.address, tmp_path, caps=CapSettings(calls=1))
        for _ in range(3):
            with pytest.raises(CapReached, match=r"made 1 call, as many"):
                bench.model.complete(a_request())

    assert len(endpoint.asked) == 1
    assert bench.model.spent == Spent(calls=1, unpriced_calls=1, rungs=("json_schema",))
    assert not (tmp_path / "endpoints.json").exists()
