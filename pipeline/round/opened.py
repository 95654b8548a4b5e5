"""Owns what a round works with, as one value; who opened it, and closes it again, stands above."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.books import Books
    from pipeline.config import Settings
    from pipeline.consolidation.desk import Desk
    from pipeline.landing import Landing
    from pipeline.observations.inbox import News


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which of the sessions with news a round takes; the others wait, and nothing of them is consumed."""

    project: str = ""
    """Take sessions of this project alone, in whatever workspace; empty: of every project."""
    declined: Mapping[str, int] = field(default_factory=dict)
    """Evidence (`pipeline.observations.evidence`) of what people declined, and in which proposal: not drafted again
    while it is the same."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The wiki's books and the branch where they land, the news, and the desk at which those are consolidated."""

    settings: Settings
    desk: Desk
    landing: Landing
    books: Books
    news: News
    chosen: Chosen = field(default_factory=Chosen)
