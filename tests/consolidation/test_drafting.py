"""One session over a wiki: its windows find the pages of the windows before, and a failure leaves the index alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from pipeline.config import BudgetSettings
from pipeline.consolidation import Desk, consolidate_session, windows_of
from pipeline.errors import InvalidReply
from pipeline.memory.search import Index
from pipeline.models.extractive import ExtractiveModel
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.wiki.catalogue import read_catalogue

if TYPE_CHECKING:
    from pipeline.models.model import Reply
    from pipeline.prompt import Request

KEY = SessionKey("default", "acme", "s1")
AT = datetime(2026, 11, 30, 8, tzinfo=UTC)


class Failing:
    """The offline model, which fails from some call on."""

    name = "extractive"

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.model = ExtractiveModel()
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        if len(self.requests) > self.calls:
            raise InvalidReply("no")
        return self.model.complete(request)


def observations(count: int) -> tuple[Observation, ...]:
    text = "We decided to keep login state in signed cookies, because a JWT cannot be revoked before it expires. "
    return tuple(
        Observation(
            id=f"id{line}",
            digest=f"d{line}",
            ts=datetime(2026, 11, 29, 10, line, tzinfo=UTC),
            session=KEY,
            agent_kind="codex",
            author="dana",
            role="user",
            kind="decision",
            title=f"Cookies {line}",
            body=text + "filler word " * 400,
            importance=9,
            tags=(),
            files=(),
            place=Place("a.jsonl", line),
        )
        for line in range(1, count + 1)
    )


def desk(model: Failing) -> Desk:
    budget = BudgetSettings(total=12_000, response=2_000)
    return Desk(model, "System.", budget, lambda text: (text, {}), "observations", 1)


def test_the_index_follows_the_session_and_a_later_window_sees_its_pages() -> None:
    model, index = Failing(99), Index()
    windows = windows_of(desk(model), KEY, observations(8))
    assert len(windows) > 1

    done = consolidate_session(desk(model), windows, {}, {}, session_page="", at=AT, index=index)

    assert list(index) == sorted(done.pages)
    shown = {page.path for page in model.requests[1].context.pages}
    assert done.session_page in shown
    assert any("/decisions/" in path for path in shown)


def test_a_session_that_fails_leaves_the_index_as_it_was() -> None:
    first = consolidate_session(
        desk(Failing(99)), windows_of(desk(Failing(99)), KEY, observations(1)), {}, {}, session_page="", at=AT
    )
    wiki = dict(first.pages)
    catalogue, _ = read_catalogue(wiki)
    index = Index()
    for path, raw in wiki.items():
        index.put(path, raw)
    before = index.search("cookies login", wiki.__getitem__)
    model = Failing(1)
    windows = windows_of(desk(model), KEY, observations(8))

    with pytest.raises(InvalidReply):
        consolidate_session(desk(model), windows, wiki, catalogue, session_page=first.session_page, at=AT, index=index)

    assert list(index) == sorted(wiki)
    assert index.search("cookies login", wiki.__getitem__) == before
