"""Owns how one session becomes pages: window by window, each seeing the pages as the one before left them.

Everything comes in by argument, the model included, and the pages go out as a value; knows no file, no git,
and nothing of other sessions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.context import gather
from pipeline.draft import FOLDERS, parse_batch
from pipeline.finding import Finding
from pipeline.gates.all import run_gates
from pipeline.memory.search.index import Index
from pipeline.projection import project
from pipeline.prompt import build_request, fixed_tokens
from pipeline.report import PageOutcome
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.overlay import Overlay
from pipeline.wiki.revision.revise import Stamp, revise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from pipeline.config import BudgetSettings
    from pipeline.models.model import Model, Usage
    from pipeline.observations.observation import Observation, SessionKey
    from pipeline.projection import Projection
    from pipeline.prompt import Request
    from pipeline.wiki.entry import CatalogueEntry

SHARE_OF_OBSERVATIONS = 0.6
"""The part of the prompt's free budget that observations may take; the wiki's context takes what is left."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What every session of one run is consolidated with."""

    model: Model
    system: str
    budget: BudgetSettings
    scrub: Callable[[str], tuple[str, Mapping[str, int]]]
    observations_folder: str
    depth: int
    """How many folders the wiki's root lies below the folder that holds the observations folder."""
    with_instructions: bool = True
    """Whether a prompt carries the wishes of the project."""

    @property
    def free(self) -> int:
        """Estimated tokens that observations and context may take together."""
        return max(1_000, self.budget.total - self.budget.response - fixed_tokens(self.system))


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What one session left: the pages that changed, what there is to tell about them, and what it cost."""

    session_page: str
    """The path of the session's page, empty when it has none."""
    pages: Mapping[str, bytes]
    entries: Mapping[str, CatalogueEntry]
    """The catalogue's new entries for those pages."""
    outcomes: tuple[PageOutcome, ...]
    findings: tuple[Finding, ...]
    rationale: str
    windows: int
    tokens: int
    """Estimated, of all windows."""
    usages: tuple[Usage, ...]
    """One for each call of the model."""


def windows_of(desk: Desk, session: SessionKey, observations: Sequence[Observation]) -> tuple[Projection, ...]:
    """Cut a session into windows that fit the budget; each observation stands in exactly one."""
    return project(
        session,
        observations,
        budget_tokens=int(desk.free * SHARE_OF_OBSERVATIONS),
        observation_characters=desk.budget.observation_characters,
    )


def request_for(  # noqa: PLR0913  # the whole situation of a window
    desk: Desk,
    window: Projection,
    wiki: Mapping[str, bytes],
    catalogue: Mapping[str, CatalogueEntry],
    index: Index,
    *,
    session_page: str,
) -> Request:
    """Put together what the model sees of one window; `index` holds the pages of `wiki`."""
    context = gather(
        window,
        wiki,
        tuple(catalogue.values()),
        budget_tokens=desk.free - window.tokens,
        session_page=session_page,
        index=index,
    )
    if not desk.with_instructions:
        context = replace(context, instructions="")
    return build_request(desk.system, window, context, session_page=session_page)


def consolidate_session(  # noqa: PLR0913  # the whole situation of a session
    desk: Desk,
    windows: Sequence[Projection],
    wiki: Mapping[str, bytes],
    catalogue: Mapping[str, CatalogueEntry],
    *,
    session_page: str,
    at: datetime,
    index: Index | None = None,
) -> Consolidated:
    """Draft, check and apply one window after another over `wiki`, which itself stays as it is.

    `session_page` is the path of the session's page from an earlier run, or empty. `index` holds the pages of the
    wiki, and those of the session as well once it is done. Raises `ModelError` when the model does not do its work;
    nothing is half done then: nothing was written, and the index is as it was.
    """
    if index is None:
        index = Index()
        for path in catalogue:
            index.put(path, wiki[path])
    pages: dict[str, bytes] = {}
    try:
        return _consolidate(desk, windows, wiki, catalogue, pages, index, session_page=session_page, at=at)
    except BaseException:
        for path in pages:
            if path in wiki:
                index.put(path, wiki[path])
            else:
                index.drop(path)
        raise


def _consolidate(  # noqa: PLR0913, PLR0917  # the whole situation of a session
    desk: Desk,
    windows: Sequence[Projection],
    wiki: Mapping[str, bytes],
    catalogue: Mapping[str, CatalogueEntry],
    pages: dict[str, bytes],
    index: Index,
    *,
    session_page: str,
    at: datetime,
) -> Consolidated:
    stamp = Stamp(desk.model.name, at, desk.observations_folder, desk.depth)
    entries: dict[str, CatalogueEntry] = {}
    outcomes: dict[str, PageOutcome] = {}
    findings: list[Finding] = []
    usages: list[Usage] = []
    rationales: list[str] = []
    standing = Overlay(wiki)
    for window in windows:
        page = session_page if session_page in standing else ""
        known = {**catalogue, **entries}
        request = request_for(desk, window, standing, known, index, session_page=page)
        context = request.context
        reply = desk.model.complete(request)
        usages.append(reply.usage)
        gated = run_gates(
            parse_batch(reply.text), window, context, scrub=desk.scrub, quotes=desk.model.name == "extractive"
        )
        shown = {shown.path for shown in (*context.slots, *context.pages)}
        revision = revise(gated.batch, window=window, wiki=standing, shown_paths=shown, stamp=stamp, catalogue=known)
        findings += (*map(_slot_left_out, context.slots_left_out), *gated.findings, *revision.findings)
        rationales.append(gated.batch.rationale)
        pages.update(revision.pages)
        standing.put(revision.pages)
        for path, raw in revision.pages.items():
            index.put(path, raw)
        entries.update({path: catalogue_entry(path, parse_page(path, raw)) for path, raw in revision.pages.items()})
        outcomes.update(_joined(outcomes, revision.outcomes))
        session_page = next(filter(_is_session_page, revision.pages), page)
    return Consolidated(
        session_page=session_page,
        pages=pages,
        entries=entries,
        outcomes=tuple(outcomes[path] for path in sorted(outcomes)),
        findings=tuple(dict.fromkeys(findings)),
        rationale=next(filter(None, rationales), ""),
        windows=len(windows),
        tokens=sum(window.tokens for window in windows),
        usages=tuple(usages),
    )


def _slot_left_out(path: str) -> Finding:
    return Finding(
        path,
        "slot-left-out",
        "warning",
        "the slot has no room in the prompt, so that the model did not see it.",
        "Shorten it, or raise budget.total.",
    )


def _joined(before: Mapping[str, PageOutcome], news: Iterable[PageOutcome]) -> dict[str, PageOutcome]:
    """Take over the outcomes of a window; a page that an earlier one created stays created."""
    return {
        one.path: PageOutcome(one.path, one.title, before[one.path].change, one.statements)
        if one.path in before and one.change == "updated"
        else one
        for one in news
    }


def _is_session_page(path: str) -> bool:
    return path.split("/")[-2:-1] == [FOLDERS["session"]]
