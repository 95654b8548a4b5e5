"""Owns the conversation with a model about one session, or about several short ones that share a request.

Each conversation is a generator: it gives a request and is sent a reply, or has an error thrown at it. So it knows no
thread and no endpoint, and whoever leads it decides how many are led at once. Nothing here loops: a reply is mended
once, a window is halved a few times, and then the outcome is settled.
"""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pipeline.consolidation.applying import Draft, apply, hold
from pipeline.consolidation.desk import request_for
from pipeline.consolidation.replies import Answer, read_reply
from pipeline.draft import FOLDERS
from pipeline.errors import CapReached, InvalidReply, Refused, Truncated, Unavailable
from pipeline.projection import halve

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from pipeline.consolidation.desk import Desk, Scene
    from pipeline.models.model import Reply
    from pipeline.observations.observation import SessionKey
    from pipeline.projection import Projection
    from pipeline.prompt import Request
    from pipeline.spending import Usage

MOST_HALVINGS: Final = 4
"""How often a window is halved before a reply that is too long is taken for the model's fault."""

REPAIRED: Final = frozenset(
    (
        *("citation-unknown", "claim-unsourced", "detail-ungrounded", "statement-lost"),
        *("path-unsafe", "path-reserved", "path-outside-project", "path-unknown"),
    )
)
"""Rules whose findings a model is asked to mend; all others have an outcome that no second answer betters."""

_MOST_TOLD: Final = 12


@dataclass(frozen=True, slots=True)
class Sitting:
    """One session as it is taken: its windows, and the path of its page when that stands, else empty."""

    session: SessionKey
    windows: tuple[Projection, ...]
    session_page: str = ""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a model made of one session; or why it made nothing, when `fault` stands."""

    session: SessionKey
    drafts: tuple[Draft, ...] = ()
    requests: tuple[Request, ...] = ()
    """What was asked for it; with a fault, what was asked about the window that failed, to be forgotten."""
    usages: tuple[Usage, ...] = ()
    repairs: int = 0
    fault: Exception | None = None


if TYPE_CHECKING:
    Conversation = Generator[Request, Reply, tuple[Drafted, ...]]


@dataclass(slots=True)
class _Log:
    """What was asked, answered and paid in a conversation so far."""

    requests: list[Request]
    usages: list[Usage]
    repairs: int = 0
    window: int = 0
    """How many requests had been made when the window at hand was begun; what came before has its replies."""


def converse(desk: Desk, sittings: Sequence[Sitting], scene: Scene) -> Conversation:
    """Draft one session, or several that share a request; give what came of each, in their order.

    Several are asked for together once; whoever gets no draft by that is drafted alone. `Unavailable` and
    `CapReached` end the conversation as the fault of every session that has no draft.
    """
    done: dict[SessionKey, Drafted] = {}
    if len(sittings) > 1:
        try:
            done = yield from _together(desk, sittings, scene)
        except (Unavailable, CapReached) as fault:
            return tuple(Drafted(one.session, fault=fault) for one in sittings)
    for sitting in sittings:
        if sitting.session not in done:
            done[sitting.session] = yield from _alone(desk, sitting, scene)
    return tuple(done[sitting.session] for sitting in sittings)


def _together(
    desk: Desk, sittings: Sequence[Sitting], scene: Scene
) -> Generator[Request, Reply, dict[SessionKey, Drafted]]:
    log = _Log([], [])
    windows = [sitting.windows[0] for sitting in sittings]
    request = request_for(desk, windows, scene, session_pages=[sitting.session_page for sitting in sittings])
    try:
        drafts = yield from _drafts(desk, request, scene, log)
    except (Truncated, Refused, InvalidReply):
        return {}
    share = tuple(log.usages)
    told: dict[SessionKey, Drafted] = {}
    for sitting, draft in zip(sittings, drafts, strict=True):
        if draft is not None:
            told[sitting.session] = Drafted(sitting.session, (draft,), tuple(log.requests), share, log.repairs)
            share = ()  # paid once, told once
    return told


def _alone(desk: Desk, sitting: Sitting, scene: Scene) -> Generator[Request, Reply, Drafted]:
    log = _Log([], [])
    try:
        drafts = yield from _windows(desk, sitting, scene, log)
    except Exception as fault:  # noqa: BLE001  # whatever is wrong with one session must not cost the others
        failed = tuple(log.requests[log.window :])
        return Drafted(sitting.session, (), failed, tuple(log.usages), log.repairs, fault)
    return Drafted(sitting.session, tuple(drafts), tuple(log.requests), tuple(log.usages), log.repairs)


def _windows(desk: Desk, sitting: Sitting, scene: Scene, log: _Log) -> Generator[Request, Reply, list[Draft]]:
    """Draft one window after another, each seeing the pages as the one before leaves them."""
    waiting = deque((window, 0) for window in sitting.windows)
    drafts: list[Draft] = []
    pages: dict[str, bytes] = {}
    session_page = sitting.session_page
    while waiting:
        window, halvings = waiting.popleft()
        log.window = log.window if halvings else len(log.requests)
        with scene.with_pages(pages) as now:
            request = request_for(desk, [window], now, session_pages=[session_page])
        try:
            (draft,) = yield from _drafts(desk, request, scene.over(pages), log)
        except Truncated:
            halves = halve(window) if halvings < MOST_HALVINGS else ()
            if not halves:
                raise
            waiting.extendleft((half, halvings + 1) for half in reversed(halves))
            continue
        if draft is None:
            raise InvalidReply("the reply holds no draft that can be used.")
        drafts.append(draft)
        if waiting:
            below = scene.over(pages)
            applied = apply(desk, draft, below.wiki, below.catalogue)
            pages |= applied.pages
            session_page = next((path for path in applied.pages if _is_session_page(path)), session_page)
    return drafts


def _drafts(
    desk: Desk, request: Request, scene: Scene, log: _Log
) -> Generator[Request, Reply, tuple[Draft | None, ...]]:
    """Ask, and ask once more when the reply has faults; then settle for the better of the two."""
    text = yield from _ask(request, log)
    try:
        answers = read_reply(request, text)
    except InvalidReply as fault:
        answers = tuple(Answer(None, (str(fault),)) for _ in request.windows)
    first = [_tried(desk, request, number, answer, scene) for number, answer in enumerate(answers)]
    faults = list(dict.fromkeys(fault for one in first for fault in one.faults))
    if not faults or desk.model.quotes:
        return _settled(first)
    repaired = request.mended(text, faults[:_MOST_TOLD])
    log.repairs += 1
    try:
        answers = read_reply(repaired, (yield from _ask(repaired, log)))
    except (InvalidReply, Truncated, Refused):
        return _settled(first)
    second = [_tried(desk, request, number, answer, scene) for number, answer in enumerate(answers)]
    return _settled([new if new.cost <= old.cost else old for old, new in zip(first, second, strict=True)])


def _ask(request: Request, log: _Log) -> Generator[Request, Reply, str]:
    log.requests.append(request)
    reply = yield request
    log.usages.append(reply.usage)
    step = "It is asked again for smaller parts; if that is no help, lower budget.total."
    match reply.ending:
        case "length":
            raise Truncated("the reply was cut off at the model's limit.", next_step=step)
        case "refusal":
            raise Refused("the model declines to answer.", next_step="Look at the session, then use --retry-parked.")
        case "filter":
            raise Refused(
                "a content filter took the reply away.", next_step="Look at the session, then use --retry-parked."
            )
        case "stop":
            return reply.text


@dataclass(frozen=True, slots=True)
class _Tried:
    """One session's part of a reply: the draft, if it holds one, and in words that quote it what is wrong with it."""

    draft: Draft | None
    faults: tuple[str, ...]

    @property
    def cost(self) -> int:
        """How bad it is: one without a draft is worse than any with one."""
        return len(self.faults) if self.draft is not None else sys.maxsize


def _tried(desk: Desk, request: Request, number: int, answer: Answer, scene: Scene) -> _Tried:
    """Hold an answer to what was shown; for a model that only quotes, its gates have the only word on it."""
    if answer.batch is None:
        return _Tried(None, answer.faults)
    window = request.windows[number]
    draft = Draft(window, request.context, answer.batch, answer.findings(str(window.session)))
    draft = replace(draft, gated=hold(desk, draft, draft.context))
    if desk.model.quotes:
        return _Tried(draft, answer.faults)
    found = apply(desk, draft, scene.wiki, scene.catalogue).findings
    told = (f"{one.where}: {one.message}" for one in found if one.rule in REPAIRED)
    return _Tried(draft, (*answer.faults, *told))


def _settled(tried: Sequence[_Tried]) -> tuple[Draft | None, ...]:
    """Give the draft for each window, none where the reply holds nothing that can be used."""
    if all(one.draft is None for one in tried):
        told = " ".join(dict.fromkeys(fault for one in tried for fault in one.faults))
        raise InvalidReply(f"the reply cannot be used: {told}")
    return tuple(one.draft for one in tried)


def _is_session_page(path: str) -> bool:
    return path.split("/")[-2:-1] == [FOLDERS["session"]]
