"""Small invented sessions for the tests, and reading what the offline model makes of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from pipeline.context import Context, ShownPage
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.projection import project
from pipeline.prompt import Request
from pipeline.wiki.entry import CatalogueEntry
from tests.drafts_read import read_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.observations.observation import Role
    from pipeline.projection import Projection

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
BULLET = re.compile(r"^(?:-|\d+\.) (?P<text>.*?)(?P<marks>(?:\[\^[^\]]+\])+)$")


@dataclass(frozen=True)
class Said:
    """What a test writes of an observation."""

    role: Role
    body: str
    kind: str = "note"
    title: str = ""
    importance: int = 5
    tags: tuple[str, ...] = ()
    author: str = "dana"


def person(body: str, kind: str = "user_prompt", **more: str) -> Said:
    return Said("user", body, kind, author=more.get("author", "dana"))


def agent(body: str) -> Said:
    return Said("assistant", body, "assistant_text", author="")


def noted(kind: str, body: str, title: str = "", *, importance: int = 5, tags: tuple[str, ...] = ()) -> Said:
    return Said("user", body, kind, title, importance, tags)


def windows(said: Sequence[Said], session: str = "s-1", budget: int = 60_000) -> tuple[Projection, ...]:
    key = SessionKey("default", "acme", session)
    observations = [
        Observation(
            id=f"{session}-{number}",
            digest=f"{session}-{number}",
            ts=START + timedelta(minutes=number),
            session=key,
            agent_kind="agent",
            author=one.author,
            role=one.role,
            kind=one.kind,
            title=one.title,
            body=one.body,
            importance=one.importance,
            tags=one.tags,
            files=(),
            place=Place("a.jsonl", number),
        )
        for number, one in enumerate(said, start=1)
    ]
    return project(key, observations, budget_tokens=budget, observation_characters=6_000)


def request(
    said: Sequence[Said], *, pages: Sequence[StandingText] = (), session_page: str = "", session: str = "s-1"
) -> Request:
    return Request("", (windows(said, session)[0],), context(pages), (session_page,))


@dataclass(frozen=True)
class StandingText:
    """A page of the wiki as a test writes it."""

    path: str
    type: str
    title: str
    body: str
    description: str = ""
    locked: bool = False
    shown: bool = True
    aliases: tuple[str, ...] = ()
    status: str = "stable"


def context(pages: Sequence[StandingText]) -> Context:
    return Context(
        catalogue=tuple(
            CatalogueEntry(one.path, one.type, one.title, one.description, one.aliases, status=one.status)
            for one in pages
        ),
        pages=tuple(ShownPage(one.path, text_of(one), one.locked) for one in pages if one.shown),
    )


def text_of(page: StandingText) -> str:
    return f"---\ntype: {page.type}\ntitle: {page.title}\n---\n\n# {page.title}\n\n{page.body}"


def draft(said: Sequence[Said], **more: object) -> ConsolidatedBatch:
    asked = request(said, **more)  # type: ignore[arg-type]  # the names are those of request
    return read_batch(ExtractiveModel().complete(asked).text)


def session_page(batch: ConsolidatedBatch) -> ConsolidatedPageUpdate:
    (page,) = [update for update in batch.updates if update.kind == "session"]
    return page


def page_of(batch: ConsolidatedBatch, kind: str) -> ConsolidatedPageUpdate:
    (page,) = [update for update in batch.updates if update.kind == kind]
    return page


def bullets(body: str, heading: str) -> list[str]:
    """What stands under a heading, without marks and footnotes."""
    section = re.search(rf"^## {re.escape(heading)}\n\n(.*?)(?=^## |\Z)", body, re.DOTALL | re.MULTILINE)
    found = [BULLET.match(line) for line in section[1].splitlines()] if section else []
    return [match["text"] for match in found if match]


def all_bullets(body: str) -> list[tuple[str, list[str]]]:
    """Each bullet with the handles that it cites."""
    found = [match for line in body.splitlines() if (match := BULLET.match(line))]
    return [(match["text"], re.findall(r"\[\^([^\]]+)\]", match["marks"])) for match in found]
