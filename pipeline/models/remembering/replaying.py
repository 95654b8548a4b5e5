"""Owns the model that answers from recordings alone; knows no endpoint and no cache."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from pipeline.errors import Unavailable
from pipeline.prompt import fingerprint
from pipeline.spending import Spent

if TYPE_CHECKING:
    from pipeline.finding import Finding
    from pipeline.models.model import Reply
    from pipeline.models.remembering.recordings import Recordings
    from pipeline.prompt import Request


class ReplayingModel:
    """Gives recorded replies, and asks nobody. `name` and `identity` are those of the model that was recorded."""

    def __init__(self, name: str, recordings: Recordings, *, identity: str, workers: int = 1) -> None:
        self._name = name
        self._recordings = recordings
        self._identity = identity
        self._workers = workers
        self._lock = Lock()
        self._hits = 0

    @property
    def name(self) -> str:
        """The name of the model that was recorded."""
        return self._name

    @property
    def quotes(self) -> bool:
        """A model that is worth recording writes words of its own."""
        return False

    @property
    def workers(self) -> int:
        """How many requests may be under way at once; it waits for nothing."""
        return self._workers

    @property
    def tokens_ratio(self) -> float:
        """As it was when the replies were recorded."""
        return 1.0

    @property
    def spent(self) -> Spent:
        """Nothing but answers from memory."""
        return Spent(cache_hits=self._hits)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is wrong with the recordings, as far as they were read."""
        return self._recordings.findings

    def complete(self, request: Request) -> Reply:
        """Give the recorded reply; without one `Unavailable` names the session, and what could not be read."""
        reply = self._recordings.find(fingerprint(request, model=self._identity))
        if reply is None:
            raise Unavailable(
                self._recordings.missing(request),
                where=self._recordings.where,
                next_step='Record it with `replies = "record"` under `[model]`, and commit the recordings.',
            )
        with self._lock:
            self._hits += 1
        return reply

    def forget(self, request: Request) -> None:
        """Do nothing: the same request gets the same reply."""
