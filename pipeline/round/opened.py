"""Owns what a round works with, as one value; who opened it, and closes it again, stands above."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from pipeline.books import Books
    from pipeline.config import Settings
    from pipeline.consolidation.desk import Desk
    from pipeline.landing import Landing
    from pipeline.observations.inbox import News


class Declines(Protocol):
    """Knows what people declined."""

    def number_of(self, evidence: str, newest: datetime | None = None) -> int | None:
        """Give the number of the proposal that held this evidence and was closed; nothing when none did.

        `newest` is the time of the newest observation of the evidence, where it is known.
        """


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which of the sessions with news a round takes; the others wait, and nothing of them is consumed."""

    project: str = ""
    """Take sessions of this project alone, in whatever workspace; empty: of every project."""
    declined: Declines | None = None
    """Tells by its evidence (`pipeline.observations.evidence`) what is not drafted again while that is the same."""
    asked_again: bool = False
    """Whether somebody asked for sessions to be taken again, so that they are, though they were declined."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The wiki's books and the branch where they land, the news, and the desk at which those are consolidated."""

    settings: Settings
    desk: Desk
    landing: Landing
    books: Books
    news: News
    chosen: Chosen = field(default_factory=Chosen)
