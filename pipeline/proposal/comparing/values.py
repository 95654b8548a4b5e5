"""Owns what is known of a page that a proposal changes, as values; knows neither how it is found out nor how told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pipeline.wiki.format.page import TrustTier

HowChanged = Literal["new", "changed", "superseded", "removed"]


@dataclass(frozen=True, slots=True)
class CitedSource:
    """A source that a claim cites, as the page's front matter lists it; what that does not tell is empty."""

    id: str
    title: str = ""
    resource: str = ""
    author: str = ""


@dataclass(frozen=True, slots=True)
class ClaimChange:
    """A claim that is new, says something else, rests on other sources, or is gone.

    `before` and `after` are the claim in one line of Markdown without its footnotes; the same text twice means that
    the sources alone changed. `sources` are those after the change, of a removed claim those that it had.
    """

    kind: Literal["added", "changed", "removed"]
    section: str
    """The words of the heading above it; empty below the page's title."""
    before: str
    after: str
    sources: tuple[CitedSource, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """Lines that differ between two states of a page; a line that was replaced counts once for each state."""

    body: int = 0
    """Of the body, blank ones left out."""
    carrying: int = 0
    """Those of `body` that carry a new, changed or removed claim, or what such a claim needs."""
    sources: int = 0
    """Of the entry `sources` in the front matter."""
    front: int = 0
    """Of the rest of the front matter."""


@dataclass(frozen=True, slots=True)
class PageChange:
    """What a proposal does to one page. Every text is untrusted."""

    path: str
    """Below the wiki's root."""
    title: str
    type: str
    """Such as `Decision`; empty when the page tells none."""
    change: HowChanged
    added: int = 0
    """Claims; and so on below."""
    changed: int = 0
    removed: int = 0
    sources: int = 0
    """Distinct sources that the page cites afterwards."""
    claims: tuple[ClaimChange, ...] = ()
    unsourced: tuple[str, ...] = ()
    """Claims that newly stand there without a source, each in one line of Markdown."""
    contradictions: tuple[str, ...] = ()
    """Remarks on open contradictions that newly stand there, each in one line of Markdown."""
    trust_before: TrustTier | None = None
    """None for a page that was not there."""
    trust_after: TrustTier | None = None
    """None for a page that is gone."""
    lines_added: int = 0
    """Lines of the file, front matter included, as a diff counts them; and so on below."""
    lines_removed: int = 0
    lines: ChangedLines = ChangedLines()


@dataclass(frozen=True, slots=True)
class LineStats:
    """How large a proposal is, in lines added and removed, over all its pages."""

    pages: int = 0
    median: float = 0.0
    """Changed lines of the page in the middle."""
    most: int = 0
    body: int = 0
    carrying: int = 0
    sources: int = 0
    front: int = 0

    @property
    def share(self) -> float:
        """The part of the changed lines of bodies that carry a new or changed claim; 1 when no line changed."""
        return self.carrying / self.body if self.body else 1.0
