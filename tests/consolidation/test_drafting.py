"""One session over a wiki: its windows find the pages of the windows before, and a failure leaves the index alone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.config import BudgetSettings
from pipeline.consolidation.applying import apply_all
from pipeline.consolidation.desk import Desk, Scene, windows_of
from pipeline.consolidation.drafting import Drafted, Sitting, converse
from pipeline.errors import InvalidReply
from pipeline.leading import lead
from pipeline.memory.search import Index
from pipeline.models.extractive import ExtractiveModel
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.wiki.catalogue import read_catalogue

if TYPE_CHECKING:
    from pipeline.models.model import Model, Reply
    from pipeline.prompt import Request

KEY = SessionKey("default", "acme", "s1")
AT = datetime(2026, 11, 30, 8, tzinfo=UTC)


class Failing(ExtractiveModel):
    """The offline model, which fails from some call on."""

    def __init__(self, calls: int) -> None:
        self.calls = calls
        self.requests: list[Request] = []

    def complete(self, request: Request) -> Reply:
        self.requests.append(request)
        if len(self.requests) > self.calls:
            raise InvalidReply("no")
        return super().complete(request)


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


def desk(model: Model) -> Desk:
    budget = BudgetSettings(total=12_000, response=2_000)
    return Desk(model, "System.", budget, lambda text: (text, {}), "observations", 1, AT)


def drafted(model: Model, scene: Scene, count: int, page: str = "") -> Drafted:
    at = desk(model)
    sitting = Sitting(KEY, windows_of(at, KEY, observations(count)), page)
    ((_, (found,)),) = lead([converse(at, [sitting], scene)], model.complete, 1)
    return found


def test_a_later_window_sees_the_pages_of_those_before_and_the_index_is_left_alone() -> None:
    model, scene = Failing(99), Scene({}, {}, Index())

    found = drafted(model, scene, 8)

    assert len(found.drafts) == len(model.requests) > 1
    shown = {page.path for page in model.requests[1].context.pages}
    assert any("/sessions/" in path for path in shown)
    assert any("/decisions/" in path for path in shown)
    assert list(scene.index) == []
    done = apply_all(desk(model), found.drafts, {}, {}, session_page="")
    assert done.session_page in shown


def test_a_session_that_fails_leaves_the_index_as_it_was() -> None:
    first = apply_all(
        desk(Failing(99)), drafted(Failing(99), Scene({}, {}, Index()), 1).drafts, {}, {}, session_page=""
    )
    wiki = dict(first.pages)
    catalogue, _ = read_catalogue(wiki)
    index = Index()
    for path, raw in wiki.items():
        index.put(path, raw)
    before = index.search("cookies login", wiki.__getitem__)

    found = drafted(Failing(1), Scene(wiki, catalogue, index), 8, first.session_page)

    assert isinstance(found.fault, InvalidReply)
    assert found.drafts == ()
    assert list(index) == sorted(wiki)
    assert index.search("cookies login", wiki.__getitem__) == before
