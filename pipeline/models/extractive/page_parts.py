"""Owns the values that a page is made of before it is Markdown: bullets, sections, and a topic that deserves a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.draft import Kind
    from pipeline.models.extractive.session import Statement


@dataclass(frozen=True, slots=True, eq=False)
class Bullet:
    """One quotation and the observations that say it, the one that is quoted first."""

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
    """A subject that may get a page of its own, with everything that is to stand on it."""

    kind: Kind
    title: str
    sections: tuple[Section, ...]
    strength: float
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    explicit: bool = False
    supersedes: str = ""
    """Words that name what this replaces, where the wording says so."""

    @property
    def lead(self) -> str:
        """The strongest statement, plain."""
        return self.sections[0].bullets[0].plain

    @property
    def plains(self) -> tuple[str, ...]:
        """All statements, plain."""
        return tuple(bullet.plain for section in self.sections for bullet in section.bullets)


def bullets(groups: Iterable[list[Statement]]) -> tuple[Bullet, ...]:
    """One bullet a group, citing each observation once."""
    return tuple(
        Bullet(
            group[0].piece.raw,
            group[0].plain,
            tuple(dict.fromkeys(one.voice.handle for one in (group[0], *sorted(group[1:], key=lambda one: one.place)))),
        )
        for group in groups
    )
