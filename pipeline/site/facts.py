"""Owns what the site knows of one page, as values; knows no other page and no HTML."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from pipeline.wiki.format.page import Page, Source, TrustTier

Status = Literal["stable", "draft", "deprecated", "other"]
Origin = Literal["model", "extractive", "hand"]
"""How a page came to be: drafted by a language model, collected without one, or written by a person."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A link of a page to a file of the wiki: `sentence` is the plain text around it, at most 160 characters."""

    target: str
    anchor: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page with the plain text below it, up to the next heading; the text before the first has none.

    `anchor` is the id that the heading gets on the site.
    """

    title: str
    anchor: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Verified:
    """Who confirmed a page, and on which day (ISO, or empty)."""

    by: str
    on: str

    @property
    def person(self) -> str:
        """The name of the person, or nothing where a process confirmed it."""
        return self.by.removeprefix("human:") if self.by.startswith("human:") else ""


@dataclass(frozen=True, slots=True)
class Facts:
    """One page. Texts are plain and untrusted; days are ISO or empty.

    `project` is the folder of its project, such as `acme/gateway` or `wikimill`; empty for a page that stands at the
    wiki's top. `folder` is the folder that it stands in. `kind` is the folder of its kind (`decisions`), or empty.
    """

    path: str
    page: Page
    title: str
    type: str
    description: str
    tags: tuple[str, ...]
    aliases: tuple[str, ...]
    status: Status
    tier: TrustTier
    origin: Origin
    model: str
    """Who generated it (`generated.by` without `wikimill/`), or nothing."""
    generated_on: str
    changed_on: str
    """The day of its last change: that of a person's later edit, else `generated.at`, else the day of its newest
    source, else nothing."""
    verified: tuple[Verified, ...]
    stale_after: str
    sources: tuple[Source, ...]
    session_ids: tuple[str, ...]
    agent_kind: str
    project: str
    folder: str
    kind: str
    superseded_by: str
    """The path of its successor, or nothing."""
    links: tuple[Outgoing, ...]
    sections: tuple[Section, ...]
    cited: tuple[str, ...]
    """The labels of the footnotes that the text cites, each once."""
    claims: int
    unsourced: int
    contradicted: int
    supported: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By the label of a footnote, the first statements that cite it, as Markdown."""
    language: str = ""
    direction: str = ""
    edited_at: str = ""
    """The moment (ISO, in UTC) of a person's edit after the day that the page names, or nothing; git knows it."""

    @property
    def authors(self) -> tuple[str, ...]:
        """The people and agents whose observations it rests on, each once, by name."""
        return tuple(dict.fromkeys(source.author for source in self.sources if source.author))

    def is_due(self, today: date | None) -> bool:
        """Whether its review is due on a day: from `stale_after` on."""
        return bool(today and self.stale_after and self.stale_after <= today.isoformat())
