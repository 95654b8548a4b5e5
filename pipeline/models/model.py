"""Owns the one Protocol that every model fulfils, and the values that go in and come out; knows no model."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from pipeline.finding import Finding  # noqa: TC001  # as below
from pipeline.prompt import Request  # noqa: TC001  # part of this module's face
from pipeline.spending import Spent, Usage

Ending = Literal["stop", "length", "refusal", "filter"]
"""How a reply ended: whole, cut off at a limit, declined by the model, taken away by a content filter."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered: the text (JSON of a draft, at best), how it ended, and what it took.

    For a refusal `text` is what the model gave as its reason. Whoever reads a reply decides whether it can be used.
    """

    text: str
    usage: Usage = field(default_factory=Usage)
    ending: Ending = "stop"


class Model(Protocol):
    """Drafts pages. `name` stands in pages (`generated.by: wikimill/<name>`), commits and the ledger.

    Several threads may call `complete` at once, up to `workers`.
    """

    @property
    def name(self) -> str:
        """The name that pages, commits and the ledger give."""
        ...

    @property
    def quotes(self) -> bool:
        """Whether it only quotes what it was shown, so that each word can be checked."""
        ...

    @property
    def workers(self) -> int:
        """How many requests may be under way at once."""
        ...

    @property
    def tokens_ratio(self) -> float:
        """How many tokens its endpoint counted for each that was estimated, learnt in earlier runs; 1.0 if unknown.

        It stays the same for the whole run, so that a run that is started again cuts the same windows; it is 1.0 where
        replies are recorded or replayed, for these are shared between machines.
        """
        ...

    @property
    def spent(self) -> Spent:
        """What was spent since this model was made."""
        ...

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What a person may want to know of it: a reply that could not be kept."""
        ...

    def complete(self, request: Request) -> Reply:
        """Answer one request.

        Raises `Unavailable`, `Unanswered`, `CapReached`, `Truncated` (request too long), `InvalidReply`.
        """
        ...

    def forget(self, request: Request) -> None:
        """Do not answer this request from memory again: what came of it could not be used."""
        ...
