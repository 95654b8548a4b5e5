"""Owns leading several conversations with a model at once: threads wait for replies, one thread thinks.

Whatever is computed between two requests runs in the caller's thread, one conversation at a time, so that nothing
but a model's `complete` has to be safe for threads. Knows nothing of what is asked.
"""

from __future__ import annotations

import queue
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Sequence

    from pipeline.models.model import Reply
    from pipeline.prompt import Request

T = TypeVar("T")

_TURN = 1.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """What came of the request of one conversation."""

    number: int
    reply: Reply | None
    fault: Exception | None


def lead(
    conversations: Sequence[Generator[Request, Reply, T]], ask: Callable[[Request], Reply], workers: int
) -> Iterator[tuple[int, T]]:
    """Lead conversations, up to `workers` requests at once; give each one's number and result as it ends.

    Requests are asked in the order in which they arise, the first ones in the order of the conversations. An
    exception of `ask` is thrown into its conversation; one that a conversation raises ends all of them. The threads
    are daemons: whoever is interrupted does not wait for replies.
    """
    if workers <= 1 or len(conversations) <= 1:
        for number, conversation in enumerate(conversations):
            yield number, _lead_one(conversation, ask)
        return
    team = _Team(ask, min(workers, len(conversations)))
    try:
        yield from _lead_many(conversations, team)
    finally:
        team.dismiss()


def _lead_one(conversation: Generator[Request, Reply, T], ask: Callable[[Request], Reply]) -> T:
    answer = _Answer(0, None, None)
    while True:
        step = _go_on(conversation, answer)
        if isinstance(step, _Ended):
            return step.result
        answer = _asked(0, step, ask)


def _lead_many(conversations: Sequence[Generator[Request, Reply, T]], team: _Team) -> Iterator[tuple[int, T]]:
    left = len(conversations)
    for number, conversation in enumerate(conversations):
        step = _go_on(conversation, _Answer(number, None, None))
        if isinstance(step, _Ended):
            left -= 1
            yield number, step.result
        else:
            team.ask(number, step)
    while left:
        answer = team.next_answer()
        step = _go_on(conversations[answer.number], answer)
        if isinstance(step, _Ended):
            left -= 1
            yield answer.number, step.result
        else:
            team.ask(answer.number, step)


@dataclass(frozen=True, slots=True)
class _Ended(Generic[T]):
    result: T


def _go_on(conversation: Generator[Request, Reply, T], answer: _Answer) -> Request | _Ended[T]:
    """Begin a conversation, or give it what came of its last request; it asks something else, or ends."""
    try:
        if answer.fault is not None:
            return conversation.throw(answer.fault)
        return next(conversation) if answer.reply is None else conversation.send(answer.reply)
    except StopIteration as end:
        return _Ended(end.value)


def _asked(number: int, request: Request, ask: Callable[[Request], Reply]) -> _Answer:
    try:
        return _Answer(number, ask(request), None)
    except Exception as fault:  # noqa: BLE001  # the conversation decides what it means
        return _Answer(number, None, fault)


class _Team:
    """Threads that wait for replies."""

    def __init__(self, ask: Callable[[Request], Reply], size: int) -> None:
        self._ask = ask
        self._work: queue.SimpleQueue[tuple[int, Request] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        self._size = size
        for number in range(size):
            threading.Thread(target=self._serve, name=f"wikimill-model-{number}", daemon=True).start()

    def ask(self, number: int, request: Request) -> None:
        """Hand a request to whoever is free next."""
        self._work.put((number, request))

    def next_answer(self) -> _Answer:
        """Wait for any answer, in turns: a wait without an end cannot be interrupted on every system."""
        while True:
            with suppress(queue.Empty):
                return self._answers.get(timeout=_TURN)

    def dismiss(self) -> None:
        """Let the threads end when they are done with what they have."""
        while not self._work.empty():
            self._work.get()
        for _ in range(self._size):
            self._work.put(None)

    def _serve(self) -> None:
        while (task := self._work.get()) is not None:
            self._answers.put(_asked(*task, self._ask))
