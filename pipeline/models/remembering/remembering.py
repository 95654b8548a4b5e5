"""Owns how a model is asked only for what no memory holds; knows neither how memory keeps it nor whom it asks."""

from __future__ import annotations

from concurrent.futures import CancelledError, Future
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from pipeline.models.remembering.entry import Entry
from pipeline.prompt import fingerprint
from pipeline.spending import Spent

if TYPE_CHECKING:
    from pipeline.finding import Finding
    from pipeline.models.model import Model, Reply
    from pipeline.models.remembering.recordings import Recordings
    from pipeline.models.remembering.reply_store import ReplyStore
    from pipeline.prompt import Request


class Memory(Protocol):
    """Keeps replies by the key of what was asked; several threads may use it at once, and none of it raises."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What a person may want to know of it."""
        ...

    def find(self, key: str) -> Reply | None:
        """Give what is kept under a key."""
        ...

    def keep(self, entry: Entry, request: Request, /) -> Reply:
        """Keep a reply, and give it as it will be found again."""
        ...

    def remove(self, key: str) -> None:
        """Forget what is kept under a key."""
        ...


class RememberingModel:
    """Asks `inner` what `memory` does not hold, and keeps every reply, however it ended; faults are not kept.

    `identity` says who is asked, and how: with another one, nothing is found. A request that is under way already
    is not asked a second time: whoever comes later gets what becomes of it, a fault included.
    """

    def __init__(self, inner: Model, memory: Memory, *, identity: str) -> None:
        self._inner = inner
        self._memory = memory
        self._identity = identity
        self._lock = Lock()
        self._under_way: dict[str, Future[Reply]] = {}
        self._hits = 0

    @property
    def name(self) -> str:
        """The name of who is asked."""
        return self._inner.name

    @property
    def quotes(self) -> bool:
        """Whether who is asked only quotes."""
        return self._inner.quotes

    @property
    def workers(self) -> int:
        """As many as who is asked can take."""
        return self._inner.workers

    @property
    def tokens_ratio(self) -> float:
        """What was learnt of who is asked."""
        return self._inner.tokens_ratio

    @property
    def spent(self) -> Spent:
        """What was spent on who is asked, and the answers from memory."""
        return self._inner.spent + Spent(cache_hits=self._hits)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What there is to tell of this memory, and of the one behind it."""
        return (*self._memory.findings, *self._inner.findings)

    def complete(self, request: Request) -> Reply:
        """Answer from memory, or ask; raises what the inner model raises."""
        key = fingerprint(request, model=self._identity)
        while True:
            mine: Future[Reply] = Future()
            with self._lock:
                theirs = self._under_way.setdefault(key, mine)
            if theirs is mine:
                return self._lead(key, request, mine)
            try:
                reply = theirs.result()
            except CancelledError:
                continue
            self._count()
            return reply

    def forget(self, request: Request) -> None:
        """Remove the reply from this memory and from the one behind it: the next attempt asks anew."""
        self._memory.remove(fingerprint(request, model=self._identity))
        self._inner.forget(request)

    def _lead(self, key: str, request: Request, mine: Future[Reply]) -> Reply:
        """Find or ask, and tell those that wait.

        What is under way ends before they are told: who forgets the reply at once and asks again must not get it.
        """
        try:
            reply = self._memory.find(key)
            if reply is None:
                entry = Entry(key, self._inner.name, self._inner.complete(request))
                reply = self._memory.keep(entry, request)
            else:
                self._count()
        except Exception as fault:
            self._end(key)
            mine.set_exception(fault)
            raise
        except BaseException:
            # An interrupt is for this thread alone: one of those that wait asks in its place.
            self._end(key)
            mine.cancel()
            raise
        self._end(key)
        mine.set_result(reply)
        return reply

    def _end(self, key: str) -> None:
        with self._lock:
            del self._under_way[key]

    def _count(self) -> None:
        with self._lock:
            self._hits += 1


class CachingModel(RememberingModel):
    """Asks a model once for each request, over all runs, as long as the cache holds."""

    def __init__(self, inner: Model, store: ReplyStore, *, identity: str) -> None:
        super().__init__(inner, store, identity=identity)


class RecordingModel(RememberingModel):
    """Asks a model for what is not recorded yet, and records it; around a `CachingModel`, cached replies as well.

    `identity` holds nothing that differs from machine to machine, such as the endpoint's address.
    """

    def __init__(self, inner: Model, recordings: Recordings, *, identity: str) -> None:
        super().__init__(inner, recordings, identity=identity)

    @property
    def tokens_ratio(self) -> float:
        """Nothing learnt counts, so that windows are cut here as they will be where the recordings are replayed."""
        return 1.0
