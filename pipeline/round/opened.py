"""Owns what a round works with, as one value; who opened it, and closes it again, stands above."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from datetime import datetime

    from pipeline.books import Books
    from pipeline.config import Settings
    from pipeline.consolidation.desk import Desk
    from pipeline.landing import Landing
    from pipeline.observations.inbox import News
    from pipeline.observations.observation import SessionKey


How = Literal["declined", "taken back", "open"]
"""What became of a proposal that held some evidence: a person closed it unmerged; it was merged, and then taken back
from the base; it is open, and is not the one that goes on."""


@dataclass(frozen=True, slots=True)
class Held:
    """Where some evidence was proposed before: the number of the proposal, and what became of it."""

    number: int
    how: How


class Declines(Protocol):
    """Knows what is not to be drafted again while its evidence is the same, and what is, because somebody asked."""

    @property
    def again(self) -> frozenset[SessionKey]:
        """Name the sessions that are taken whole once more: of their pages a person had left some out."""

    def held(self, evidence: str, newest: datetime | None = None) -> Held | None:
        """Give the proposal that held this evidence, if that forbids to draft it; the base does not have it on record.

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
