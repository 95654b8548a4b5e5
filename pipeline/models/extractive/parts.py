"""Owns the values that a page is made of before it is Markdown: bullets, sections, and a topic that deserves a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.draft import Kind
    from pipeline.models.extractive.statements import Piece
    from pipeline.models.extractive.strength import Group


@dataclass(frozen=True, slots=True, eq=False)
class Bullet:
    """One quotation, as it stands and as it reads, and the observations that say it, the quoted one first."""

    raw: str
    plain: str
    handles: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its bullets; `numbered` for steps."""

    heading: str
    bullets: tuple[Bullet, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Topic:
    """A subject that may get a page of its own, with everything that is to stand on it; it has a statement."""

    kind: Kind
    title: str
    sections: tuple[Section, ...]
    strength: float
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    explicit: bool = False

    @property
    def lead(self) -> str:
        """Its first statement, as it reads."""
        return self.sections[0].bullets[0].plain

    @property
    def plains(self) -> tuple[str, ...]:
        """All its statements, as they read."""
        return tuple(bullet.plain for section in self.sections for bullet in section.bullets)


def bullets(groups: Iterable[Group]) -> tuple[Bullet, ...]:
    """Make a bullet of each group; it cites each observation once."""
    found = []
    for first, *others in groups:
        cited = (first, *sorted(others, key=lambda one: one.place))
        handles = tuple(dict.fromkeys(one.voice.handle for one in cited))
        found.append(Bullet(first.piece.raw, first.plain, handles))
    return tuple(found)


def piece_bullet(piece: Piece, handle: str) -> Bullet:
    """Make a bullet of one piece."""
    return Bullet(piece.raw, piece.plain, (handle,))


def sections_of(parts: Iterable[tuple[str, Iterable[Group]]]) -> tuple[Section, ...]:
    """Make sections of headings and groups; one without a statement is left out."""
    made = (Section(heading, bullets(groups)) for heading, groups in parts)
    return tuple(section for section in made if section.bullets)
