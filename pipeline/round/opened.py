"""Owns what a round works with, as one value; who opened it, and closes it again, stands above."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.books import Books
    from pipeline.config import Settings
    from pipeline.consolidation.desk import Desk
    from pipeline.landing import Landing
    from pipeline.observations.inbox import News


@dataclass(frozen=True, slots=True)
class Opened:
    """The wiki's books and the branch where they land, the news, and the desk at which those are consolidated."""

    settings: Settings
    desk: Desk
    landing: Landing
    books: Books
    news: News
