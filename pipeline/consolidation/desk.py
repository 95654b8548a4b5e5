"""Owns what every session of a run is consolidated with, and how a session is cut and a request put together for it.

Knows no reply and no page on disk.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.context import gather
from pipeline.errors import ConfigError
from pipeline.projection import Projection, project
from pipeline.prompt import (
    FURTHER_SESSION_TOKENS,
    PromptBudgets,
    build_batch_request_with_slots,
    build_request,
    fixed_tokens,
)
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.overlay import Overlay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from datetime import datetime

    from pipeline.config import BudgetSettings
    from pipeline.context import Context, ShownPage
    from pipeline.memory.search.index import Index
    from pipeline.models.model import Model
    from pipeline.observations.observation import Observation, SessionKey
    from pipeline.prompt import Mode, Request
    from pipeline.wiki.entry import CatalogueEntry

Scrub: TypeAlias = "Callable[[str], tuple[str, Mapping[str, int]]]"
"""Takes secrets out of a text; gives what is left, and counts of what was taken by kind."""

SHARE_OF_OBSERVATIONS: Final = 0.6
"""The part of the prompt's free budget that observations may take; the wiki's context takes what is left."""

LEAST_ROOM: Final = 1_000
"""Estimated tokens without which a prompt shows next to nothing."""

NEAR_BASE: Final = 1_500
"""Estimated tokens of related pages and catalogue in any paid prompt, beside the share in `budget.context`."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What every session of one run is consolidated with."""

    model: Model
    system: str
    budget: BudgetSettings
    scrub: Scrub
    observations_folder: str
    depth: int
    """How many folders the wiki's root lies below the folder that holds the observations folder."""
    at: datetime
    """The moment that stands in everything that is written."""
    with_instructions: bool = True
    """Whether a prompt carries the wishes of the project."""
    mode: Mode = "batch"
    sessions_per_request: int = 1
    """How many short sessions of one project may share a request."""

    @property
    def budgets(self) -> PromptBudgets:
        """The budgets in estimated tokens: they are set in the model's own, and it is known how that counts."""
        ratio = self.model.tokens_ratio
        return PromptBudgets(int(self.budget.total / ratio), int(self.budget.response / ratio))

    @property
    def free(self) -> int:
        """Estimated tokens that observations and context may take together.

        A system text that leaves less than `LEAST_ROOM` is the operator's mistake: `ConfigError`.
        """
        free = self.budgets.request - fixed_tokens(self.system, mode=self.mode)
        if free < LEAST_ROOM:
            message = f"leaves {max(free, 0):,} tokens for observations and pages, and they need {LEAST_ROOM:,}."
            step = "Raise budget.total, lower budget.response, or shorten the prompt template."
            raise ConfigError(message, where="budget.total", next_step=step)
        return free


@dataclass(frozen=True, slots=True)
class Scene:
    """The wiki that requests are made from: its files, its catalogue, and an index of the pages in it.

    The index is the one part that changes: whoever lays pages over a scene puts them in for as long as it lasts.
    """

    wiki: Mapping[str, bytes]
    catalogue: Mapping[str, CatalogueEntry]
    index: Index

    def over(self, pages: Mapping[str, bytes]) -> Scene:
        """Give the same wiki with some pages laid over it, for whoever does not search."""
        standing = Overlay(self.wiki)
        standing.put(pages)
        entries = {path: catalogue_entry(path, parse_page(path, raw)) for path, raw in pages.items()}
        return Scene(standing, {**self.catalogue, **entries}, self.index)

    @contextmanager
    def with_pages(self, pages: Mapping[str, bytes]) -> Iterator[Scene]:
        """Give the same wiki with some pages laid over it; the index goes back to what it was."""
        for path, raw in pages.items():
            self.index.put(path, raw)
        try:
            yield self.over(pages)
        finally:
            for path in pages:
                if path in self.wiki:
                    self.index.put(path, self.wiki[path])
                else:
                    self.index.drop(path)


def windows_of(desk: Desk, session: SessionKey, observations: Sequence[Observation]) -> tuple[Projection, ...]:
    """Cut a session into windows that fit the budget; every part of every observation stands in exactly one."""
    return project(
        session,
        observations,
        budget_tokens=int(desk.free * SHARE_OF_OBSERVATIONS),
        observation_characters=desk.budget.observation_characters,
    )


def request_for(desk: Desk, windows: Sequence[Projection], scene: Scene, *, session_pages: Sequence[str]) -> Request:
    """Put together what the model sees of one window, or of one window each of several short sessions."""
    pages = [page if page in scene.wiki else "" for page in session_pages]
    tokens = sum(window.tokens for window in windows)
    near = None if desk.model.quotes else NEAR_BASE + int(desk.budget.context * tokens)
    context = gather(
        windows[0] if len(windows) == 1 else _joined(windows),
        scene.wiki,
        tuple(scene.catalogue.values()),
        budget_tokens=desk.free - tokens - FURTHER_SESSION_TOKENS * (len(windows) - 1),
        near_tokens=near,
        session_pages=pages,
        index=scene.index,
    )
    if not desk.with_instructions:
        context = replace(context, instructions="")
    if not desk.model.quotes:
        context = scrubbed(context, desk.scrub)
    # The offline model reads values; nothing is sent to it.
    budgets = None if desk.model.quotes else desk.budgets
    if desk.mode == "single":
        return build_request(desk.system, windows[0], context, session_page=pages[0], budgets=budgets)
    return build_batch_request_with_slots(desk.system, windows, context, session_pages=pages, budgets=budgets)


def scrubbed(context: Context, scrub: Scrub) -> Context:
    """Take secrets out of what is to leave the machine: people write pages too."""

    def clean(text: str) -> str:
        return scrub(text)[0]

    def page(shown: ShownPage) -> ShownPage:
        return replace(shown, text=clean(shown.text))

    lines = (
        replace(one, title=clean(one.title), description=clean(one.description), aliases=tuple(map(clean, one.aliases)))
        for one in context.catalogue
    )
    return replace(
        context,
        instructions=clean(context.instructions),
        slots=tuple(map(page, context.slots)),
        catalogue=tuple(lines),
        pages=tuple(map(page, context.pages)),
    )


def _joined(windows: Sequence[Projection]) -> Projection:
    """Take the windows of several sessions for one, to find the pages that they are about."""
    shown = tuple(one for window in windows for one in window.shown)
    return Projection(windows[0].session, 1, 1, shown, sum(window.tokens for window in windows))
