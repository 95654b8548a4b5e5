"""Several conversations at once: who is asked what and when, and what becomes of faults."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

import pytest

from pipeline.context import Context
from pipeline.errors import Unavailable
from pipeline.leading import lead
from pipeline.models.model import Reply
from pipeline.observations.observation import SessionKey
from pipeline.projection import Projection
from pipeline.prompt import Request

if TYPE_CHECKING:
    from collections.abc import Generator


def request(name: str) -> Request:
    return Request(name, (Projection(SessionKey("default", "acme", "s"), 1, 1, (), 0),), Context())


def talk(name: str, turns: int) -> Generator[Request, Reply, str]:
    heard = []
    for turn in range(turns):
        try:
            reply = yield request(f"{name}{turn}")
            heard.append(reply.text)
        except Unavailable as fault:
            heard.append(f"({fault})")
    return " ".join(heard)


@pytest.mark.parametrize("workers", [1, 3, 8])
def test_each_conversation_hears_its_own_answers(workers: int) -> None:
    def ask(asked: Request) -> Reply:
        time.sleep(0.001 * (len(asked.system) % 3))
        if asked.system == "b1":
            raise Unavailable("gone")
        return Reply(asked.system.upper())

    ended = dict(lead([talk("a", 2), talk("b", 3), talk("c", 0), talk("d", 1)], ask, workers))

    assert ended == {0: "A0 A1", 1: "B0 (gone) B2", 2: "", 3: "D0"}


def test_so_many_are_asked_at_once_and_no_more() -> None:
    at_once, most, lock = 0, 0, threading.Lock()

    def ask(asked: Request) -> Reply:
        nonlocal at_once, most
        with lock:
            at_once += 1
            most = max(most, at_once)
        time.sleep(0.02)
        with lock:
            at_once -= 1
        return Reply(asked.system)

    ended = dict(lead([talk(str(n), 2) for n in range(9)], ask, 3))

    assert len(ended) == 9
    assert most == 3


def test_what_is_thought_is_thought_in_one_thread() -> None:
    threads = set()

    def thinking() -> Generator[Request, Reply, None]:
        threads.add(threading.get_ident())
        yield request("x")
        threads.add(threading.get_ident())

    list(lead([thinking() for _ in range(6)], lambda asked: Reply(asked.system), 4))

    assert threads == {threading.get_ident()}


def test_an_error_of_a_conversation_ends_all_and_leaves_no_thread_waiting() -> None:
    before = threading.active_count()

    def broken() -> Generator[Request, Reply, str]:
        yield request("x")
        raise RuntimeError("a mistake in the code")

    with pytest.raises(RuntimeError, match="a mistake"):
        list(lead([talk("a", 3), broken()], lambda asked: Reply(asked.system), 2))

    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before
