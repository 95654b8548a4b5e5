"""Owns what the site is made from: pages, quotations, revisions, the ledger, and what is known of the site itself.

All of it is handed in. Knows no file, no git and no generator.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date, datetime

    from pipeline.site.hosting import Host
    from pipeline.wiki.ledger import SessionRecord


@dataclass(frozen=True, slots=True)
class Quoted:
    """An observation's own words, scrubbed of secrets: what stands behind a footnote.

    `when` is aware and in UTC; `file` is a path from the top of the repository, `line` counts from 1.
    """

    words: str
    who: str
    agent_kind: str
    when: datetime
    session_id: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Revision:
    """A page as one commit left it: `raw` is the whole file; `author` is a person's name or that of a bot.

    `model` and `session` are empty for a person's commit; `at` is aware and in UTC.
    """

    commit: str
    at: datetime
    author: str
    model: str
    session: str
    subject: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Site:
    """What is known of the published site.

    `url` is where it is served, with a slash at its end, or empty when unknown. `today` is the day of the build, or
    None where no clock is at hand: nothing is then told to be due. `host` is where the repository is hosted.
    """

    name: str = "Wiki"
    description: str = ""
    url: str = ""
    folder: str = "wiki"
    """The folder of the pages, from the top of the wiki repository."""
    language: str = "en"
    directory_urls: bool = True
    today: date | None = None
    host: Host | None = None
    quotations: bool = True
    """Whether footnotes show the observations' own words, beyond the beginning that the page's sources quote."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the site is derived from.

    `files` are the published Markdown files by path below the wiki's root, indexes and logs included; `others` the
    paths of published files that are no Markdown. `quoted` goes by page and footnote label; `revisions` by page,
    the newest first; `moved` leads from a former path to the one that took its place.
    """

    site: Site
    files: Mapping[str, bytes]
    others: frozenset[str] = frozenset()
    quoted: Mapping[tuple[str, str], Quoted] = field(default_factory=dict)
    revisions: Mapping[str, tuple[Revision, ...]] = field(default_factory=dict)
    moved: Mapping[str, str] = field(default_factory=dict)
    sessions: tuple[SessionRecord, ...] = ()
