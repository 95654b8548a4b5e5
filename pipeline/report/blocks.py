"""Owns the blocks that a telling consists of, as values; knows no report and no rendering.

Texts may hold what observations, pages and hosts say: who renders a block makes it harmless for its own medium.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from pipeline.finding import Finding

Tone = Literal["", "strong", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of words, with what belongs `under` it, a line each, and the address of what it is about."""

    text: str
    tone: Tone = ""
    under: tuple[str, ...] = ()
    link: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells below their heads; the columns in `numbers` hold numbers."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Findings:
    """Findings, in the order in which a person should read them."""

    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Diff:
    """A unified diff, with its line breaks."""

    text: str


@dataclass(frozen=True, slots=True)
class Prose:
    """Markdown that is harmless already; where it cannot be shown, `instead` says what it is and where it can."""

    text: str
    instead: str


Block: TypeAlias = Line | Table | Findings | Diff | Prose


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks of one subject; never empty."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Telling:
    """All that people are told: `status` is the one line for those in a hurry, `about` says which run it was."""

    title: str
    status: Line
    sections: tuple[Section, ...]
    about: Line
