"""What is sent keeps to the budget, whatever a session and a wiki hold; and a prompt does not grow with the wiki."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.config import BudgetSettings
from pipeline.consolidation.desk import Desk, Scene, request_for, scrubbed, windows_of
from pipeline.consolidation.drafting import Sitting
from pipeline.consolidation.sharing import may_share
from pipeline.context import Context, ShownPage
from pipeline.errors import ConfigError
from pipeline.memory.search import Index
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.observations.observation import Observation, Place, SessionKey
from pipeline.prompt import messages, sent_tokens
from pipeline.wiki.catalogue import read_catalogue
from pipeline.wiki.entry import CatalogueEntry

if TYPE_CHECKING:
    from collections.abc import Mapping

AT = datetime(2026, 11, 30, 8, tzinfo=UTC)


@dataclass
class Paid(ExtractiveModel):
    """A model that something is sent to."""

    ratio: float = 1.0

    @property
    def quotes(self) -> bool:
        return False

    @property
    def tokens_ratio(self) -> float:
        return self.ratio


def desk(total: int = 10_000, response: int = 2_000, ratio: float = 1.0) -> Desk:
    budget = BudgetSettings(total=total, response=response)
    return Desk(
        Paid(ratio), "Keep a wiki.", budget, lambda text: (text, {}), "observations", 1, AT, sessions_per_request=8
    )


def observations(key: SessionKey, texts: list[str]) -> tuple[Observation, ...]:
    return tuple(
        Observation(
            id=f"{key}{number}",
            digest="d",
            ts=AT,
            session=key,
            agent_kind="codex",
            author="dana",
            role="user",
            kind="note",
            title="",
            body=text,
            importance=5,
            tags=(),
            files=(),
            place=Place("day.jsonl", number + 1),
        )
        for number, text in enumerate(texts)
    )


def scene(pages: Mapping[str, str]) -> Scene:
    wiki = {
        f"acme/{path}.md": f"---\ntype: Concept\ntitle: {path}\n---\n\n# {path}\n\n{text}\n".encode()
        for path, text in pages.items()
    }
    catalogue, _ = read_catalogue(wiki)
    index = Index()
    for path in catalogue:
        index.put(path, wiki[path])
    return Scene(wiki, catalogue, index)


WORDS = st.sampled_from(["login cookies ", "漢字の記録 ", "x=1;{}\n", "Überprüfung ", "🙂🙃 "])
TEXTS = st.builds(lambda word, times: word * times, WORDS, st.integers(1, 400))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(TEXTS, min_size=1, max_size=4), min_size=1, max_size=6),
    st.dictionaries(st.sampled_from([f"{kind}/{n}" for kind in ("slots", "concepts") for n in range(6)]), TEXTS),
    st.integers(6_500, 14_000),
    st.sampled_from([0.5, 1.0, 1.5]),
)
def test_a_request_keeps_to_its_budget(
    sessions: list[list[str]], pages: dict[str, str], total: int, ratio: float
) -> None:
    at = desk(total, 1_000, ratio)
    group: list[Sitting] = []
    for number, texts in enumerate(sessions):
        key = SessionKey("default", "acme", f"s{number}")
        windows = windows_of(at, key, observations(key, texts))
        sitting = Sitting(key, windows)
        if may_share(at, group, sitting):
            group.append(sitting)
        for window in windows:
            request = request_for(at, [window], scene(pages), session_pages=[""])
            assert sent_tokens(request) <= at.budgets.request
    if len(group) > 1:
        shared = [one.windows[0] for one in group]
        request = request_for(at, shared, scene(pages), session_pages=[""] * len(group))
        assert sent_tokens(request) <= at.budgets.request


def test_a_prompt_does_not_grow_with_the_wiki() -> None:
    key = SessionKey("default", "acme", "s")
    (window,) = windows_of(desk(100_000, 2_000), key, observations(key, ["login cookies are signed"]))
    sizes = []
    for pages in (20, 400):
        many = scene({f"concepts/{n}": "login cookies are kept here. " * 20 for n in range(pages)})
        request = request_for(desk(100_000, 2_000), [window], many, session_pages=[""])
        sizes.append(sum(len(message.text) for message in messages(request)))
    assert sizes[1] <= sizes[0] * 1.05


def test_a_template_that_leaves_no_room_is_the_operators_mistake() -> None:
    at = replace(desk(6_000, 1_000), system="word " * 5_000)
    with pytest.raises(ConfigError, match=r"Raise budget\.total"):
        _ = at.free


def test_secrets_are_taken_out_of_all_that_a_context_shows() -> None:
    page = ShownPage("acme/a.md", "the key is hunter2")
    entry = CatalogueEntry("acme/b.md", "Concept", "hunter2", "hunter2 it is", ("hunter2",))
    clean = scrubbed(
        Context("use hunter2", (page,), (entry,), 0, (page,)), lambda text: (text.replace("hunter2", "*"), {})
    )
    assert clean == Context(
        "use *",
        (ShownPage("acme/a.md", "the key is *"),),
        (CatalogueEntry("acme/b.md", "Concept", "*", "* it is", ("*",)),),
        0,
        (ShownPage("acme/a.md", "the key is *"),),
    )
