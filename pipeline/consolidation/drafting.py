"""Owns the conversation with a model about one session, or about several short ones that share a request.

Each conversation is a generator: it gives a request and is sent a reply, or has an error thrown at it. So it knows no
thread and no endpoint, and whoever leads it decides how many are led at once. Nothing here loops: a reply is mended
once, a window is halved a few times, and then the outcome is settled.
"""

from __future__ import annotations

import sys
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from pipeline.consolidation.applying import Draft, apply, hold
from pipeline.consolidation.desk import request_for
from pipeline.consolidation.replies import Answer, read_reply
from pipeline.draft import MOST_UPDATES, is_session_page
from pipeline.errors import CapReached, InvalidReply, ModelError, Refused, Truncated, Unavailable
from pipeline.projection import halve
from pipeline.prompt import sent_tokens

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from pipeline.consolidation.desk import Desk, Scene
    from pipeline.draft import ConsolidatedPageUpdate
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
        *("path-unsafe", "path-reserved", "path-outside-project", "path-unknown", "path-other-session"),
    )
)
"""Rules whose findings a model is asked to mend; all others have an outcome that no second answer betters."""

_MOST_TOLD: Final = 12
"""Faults that a model is told at once."""
_SMALLER: Final = "It is asked again for smaller parts; if that is no help, lower budget.total."
_LOOK: Final = "Look at the session, then use --retry-parked."


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
    """What was asked for it, alone or together with others; with a fault, what was asked last, about the window or
    half of one that failed. What was asked together and brought it no draft is not among them."""
    usages: tuple[Usage, ...] = ()
    repairs: int = 0
    fault: Exception | None = None


Conversation: TypeAlias = "Generator[Request, Reply, tuple[Drafted, ...]]"


@dataclass(slots=True)
class _Log:
    """What was asked, answered and paid in a conversation so far."""

    requests: list[Request]
    usages: list[Usage]
    repairs: int = 0
    piece: int = 0
    """How many requests had been made when the window at hand, or the half of one, was begun."""


def converse(desk: Desk, sittings: Sequence[Sitting], scene: Scene) -> Conversation:
    """Draft one session, or several that share a request; give what came of each, in their order.

    Several are asked for together, and once more if the reply has faults; whoever gets no draft by that is asked
    about alone. `Unavailable` and `CapReached` are the fault of every session that is asked for together; what
    strikes a session that is asked about alone is the fault of that one.
    """
    done: dict[SessionKey, Drafted] = {}
    log = _Log([], [])
    if len(sittings) > 1:
        try:
            done = yield from _together(desk, sittings, scene, log)
        except (Unavailable, CapReached) as fault:
            return tuple(Drafted(one.session, fault=fault) for one in sittings)
        except Exception:  # noqa: BLE001  # what is wrong with all together may be right with each
            done = {}
    for sitting in sittings:
        if sitting.session not in done:
            done[sitting.session] = yield from _alone(desk, sitting, scene)
    # What was paid for together is told once.
    first = done[sittings[0].session]
    done[first.session] = replace(first, usages=(*log.usages, *first.usages), repairs=log.repairs + first.repairs)
    return tuple(done[sitting.session] for sitting in sittings)


def _together(
    desk: Desk, sittings: Sequence[Sitting], scene: Scene, log: _Log
) -> Generator[Request, Reply, dict[SessionKey, Drafted]]:
    windows = [sitting.windows[0] for sitting in sittings]
    request = request_for(desk, windows, scene, session_pages=[sitting.session_page for sitting in sittings])
    drafts = yield from _drafts(desk, request, scene, log)
    requests = tuple(log.requests)
    return {
        sitting.session: Drafted(sitting.session, (draft,), requests)
        for sitting, draft in zip(sittings, drafts, strict=True)
        if draft is not None
    }


def _alone(desk: Desk, sitting: Sitting, scene: Scene) -> Generator[Request, Reply, Drafted]:
    log = _Log([], [])
    try:
        drafts = yield from _windows(desk, sitting, scene, log)
    except Exception as fault:  # noqa: BLE001  # whatever is wrong with one session must not cost the others
        failed = tuple(log.requests[log.piece :])
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
        log.piece = len(log.requests)
        with scene.with_pages(pages) as below:
            request = request_for(desk, [window], below, session_pages=[session_page])
        try:
            (draft,) = yield from _drafts(desk, request, below, log)
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
            applied = apply(desk, draft, below.wiki, below.catalogue)
            pages |= applied.pages
            session_page = next((path for path in applied.pages if is_session_page(path)), session_page)
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
    first = _all_tried(desk, request, answers, scene)
    faults = list(dict.fromkeys(fault for one in first for fault in one.faults))
    if not faults or desk.model.quotes:
        return _settled(first)
    repaired = request.mended(text, faults[:_MOST_TOLD])
    if sent_tokens(repaired) > desk.budgets.request:
        return _settled(first)
    log.repairs += 1
    try:
        answers = read_reply(repaired, (yield from _ask(repaired, log)))
    except (CapReached, Unavailable):
        # What was paid for is not thrown away because the better of it cannot be had.
        if all(one.draft is None for one in first):
            raise
        return _settled(first)
    except ModelError:
        return _settled(first)
    second = _all_tried(desk, request, answers, scene)
    return _settled(
        [_better(desk, request, number, pair, scene) for number, pair in enumerate(zip(first, second, strict=True))]
    )


def _ask(request: Request, log: _Log) -> Generator[Request, Reply, str]:
    log.requests.append(request)
    reply = yield request
    log.usages.append(reply.usage)
    match reply.ending:
        case "length":
            raise Truncated("the reply was cut off at the model's limit.", next_step=_SMALLER)
        case "refusal":
            raise Refused("the model declines to answer.", next_step=_LOOK)
        case "filter":
            raise Refused("a content filter took the reply away.", next_step=_LOOK)
        case "stop":
            return reply.text


@dataclass(frozen=True, slots=True)
class _Tried:
    """One session's part of a reply: the draft, if it holds one, and in words that quote it what is wrong with it."""

    draft: Draft | None
    faults: tuple[str, ...]
    answer_faults: tuple[str, ...] = ()
    """Those among the faults that are of the reply's form."""

    @property
    def cost(self) -> int:
        """How bad it is: one without a draft is worse than any with one."""
        return len(self.faults) if self.draft is not None else sys.maxsize


def _all_tried(desk: Desk, request: Request, answers: Sequence[Answer], scene: Scene) -> list[_Tried]:
    return [_tried(desk, request, number, answer, scene) for number, answer in enumerate(answers)]


def _tried(desk: Desk, request: Request, number: int, answer: Answer, scene: Scene) -> _Tried:
    """Hold an answer to what was shown; for a model that only quotes, its gates have the only word on it."""
    if answer.batch is None:
        return _Tried(None, answer.faults, answer.faults)
    window = request.windows[number]
    draft = Draft(window, request.context, answer.batch, answer.findings(str(window.session)))
    draft = replace(draft, gated=hold(desk, draft, draft.context))
    if desk.model.quotes:
        return _Tried(draft, answer.faults, answer.faults)
    found = apply(desk, draft, scene.wiki, scene.catalogue).findings
    told = (f"{one.where}: {one.message}" for one in found if one.rule in REPAIRED)
    return _Tried(draft, (*answer.faults, *told), answer.faults)


def _better(desk: Desk, request: Request, number: int, pair: tuple[_Tried, _Tried], scene: Scene) -> _Tried:
    """Take the mended answer when it has fewer faults, with the updates that it left out though nothing was wrong."""
    first, second = pair
    if second.cost >= first.cost or second.draft is None:
        return first
    if first.draft is None:
        return second
    has = {_subject(update) for update in second.draft.batch.updates}
    lost = [update for update in first.draft.batch.updates if _subject(update) not in has]
    if not lost:
        return second
    updates = (*second.draft.batch.updates, *lost)[:MOST_UPDATES]
    whole = second.draft.batch.model_copy(update={"updates": updates})
    joined = _tried(desk, request, number, Answer(whole, second.answer_faults), scene)
    return joined if joined.cost <= second.cost else second


def _subject(update: ConsolidatedPageUpdate) -> tuple[str, str]:
    """Say what an update is about: the session, the page that it names, or the subject of a new one."""
    if update.kind == "session":
        return "session", ""
    return ("page", update.path) if update.path else (update.kind, " ".join(update.title.casefold().split()))


def _settled(tried: Sequence[_Tried]) -> tuple[Draft | None, ...]:
    """Give the draft for each window, none where the reply holds nothing that can be used."""
    if all(one.draft is None for one in tried):
        told = " ".join(dict.fromkeys(fault for one in tried for fault in one.faults))
        raise InvalidReply(f"the reply cannot be used: {told}")
    return tuple(one.draft for one in tried)
