"""Small values that the site is made from, for tests: a page's facts, its library, quotations, revisions."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from pipeline.site.facts import Facts, Outgoing, Section
from pipeline.site.library import Backlink, Library
from pipeline.site.values import Quoted, Revision
from pipeline.wiki.format.page import Page, Source

PATH = "harbour/decisions/session-cookies.md"


def facts(path: str = PATH, **told: Any) -> Facts:  # noqa: ANN401 - fields by name
    """Facts of a page; what is not told is as for a page that a run drafted, without sources, tags and links."""
    parts = path.split("/")
    kind = parts[-2] if len(parts) > 2 else ""
    name = parts[-1].removesuffix(".md").replace("-", " ")
    usual: dict[str, Any] = {
        "path": path,
        "title": name.capitalize(),
        "type": {"decisions": "Decision", "gotchas": "Gotcha", "sessions": "Session"}.get(kind, "Concept"),
        "description": "",
        "tags": (),
        "aliases": (),
        "status": "stable",
        "tier": "unverified",
        "origin": "model",
        "model": "gpt-6-luna",
        "generated_on": "2026-11-29",
        "changed_on": "2026-11-29",
        "verified": (),
        "stale_after": "",
        "sources": (),
        "session_ids": (),
        "agent_kind": "claude-code",
        "project": "/".join(parts[:-2]),
        "folder": "/".join(parts[:-1]),
        "kind": kind,
        "superseded_by": "",
        "links": (),
        "sections": (),
        "cited": (),
        "claims": 1,
        "unsourced": 0,
        "contradicted": 0,
    }
    whole = {**usual, **told}
    page = whole.pop("page", None) or page_of(whole)
    known = {field.name for field in fields(Facts)}
    assert set(whole) < known, set(whole) - known
    return Facts(page=page, **whole)


def page_of(told: dict[str, Any], body: str = "") -> Page:
    """The page behind some facts: its title and type, and a body of one heading unless another is given."""
    front = {"type": told["type"], "title": told["title"]}
    return Page(front, body or f"# {told['title']}\n\nIts text.\n")


def library(*pages: Facts, **told: Any) -> Library:  # noqa: ANN401 - fields by name
    """A library; backlinks and what was replaced come from the facts unless they are told."""
    by_path = {one.path: one for one in sorted(pages, key=lambda page: page.path)}
    backlinks: dict[str, list[Backlink]] = {}
    replaced: dict[str, list[str]] = {}
    for one in by_path.values():
        for link in one.links:
            backlinks.setdefault(link.target, []).append(Backlink(one.path, link.sentence))
        if one.superseded_by:
            replaced.setdefault(one.superseded_by, []).append(one.path)
    usual: dict[str, Any] = {
        "backlinks": {path: tuple(found) for path, found in backlinks.items()},
        "replaced": {path: tuple(found) for path, found in replaced.items()},
    }
    return Library(by_path, **{**usual, **told})


def link_to(target: str, sentence: str = "See there.", anchor: str = "") -> Outgoing:
    return Outgoing(target, anchor, sentence)


def section(title: str, text: str = "", anchor: str = "", level: int = 2) -> Section:
    return Section(title, anchor or title.casefold().replace(" ", "-"), level, text)


def source(
    label: str = "o-3f2a9c1e55",
    title: str = "2026-11-12 09:14 dana: we decided on signed cookies",
    author: str = "human:dana",
    resource: str = "../../../observations/harbour/2026-11.jsonl#L12",
) -> Source:
    return Source(label, resource, title, author)


def quoted(words: str = "We decided on signed cookies.", **told: Any) -> Quoted:  # noqa: ANN401 - fields by name
    usual: dict[str, Any] = {
        "who": "dana",
        "agent_kind": "claude-code",
        "when": datetime(2026, 11, 12, 9, 14, tzinfo=UTC),
        "session_id": "7f4c21d8",
        "file": "observations/harbour/2026-11.jsonl",
        "line": 12,
    }
    return Quoted(words=words, **{**usual, **told})


def revision(raw: str | bytes = "# Page\n", **told: Any) -> Revision:  # noqa: ANN401 - fields by name
    usual: dict[str, Any] = {
        "commit": "0123456789abcdef0123456789abcdef01234567",
        "at": datetime(2026, 11, 29, 14, 3, tzinfo=UTC),
        "author": "wikimill",
        "model": "gpt-6-luna",
        "session": "7f4c21d8",
        "subject": "consolidate(harbour/7f4c21d8): Session cookies",
    }
    return Revision(raw=raw.encode() if isinstance(raw, str) else raw, **{**usual, **told})
