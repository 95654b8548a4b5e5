"""Owns the second mechanic: a function of yours picks the documents that apply, and writes a brief.

Whatever goes wrong with it costs the choice and nothing else: the full grounded prompt comes back, with the reason.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from inspect import isawaitable
from typing import TYPE_CHECKING, Final, overload

from pipeline.memory.failure import Failure, raised, shown
from pipeline.text import fenced, one_line

if TYPE_CHECKING:
    from collections.abc import Generator

    from pipeline.memory.ground import Document, Grounded

MOST_BRIEF: Final = 2_000
"""Unicode characters of a brief."""
_REASON: Final = 300


@dataclass(frozen=True, slots=True)
class Decision:
    """What a decider answers: a brief in its own words, and the paths of the documents that apply."""

    brief: str
    paths: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Curated:
    """The documents that apply; `reason` tells why these are all of them, when no decision could be used.

    Awaiting it gives it: `await curate(...)` is right whatever the decider is.
    """

    prompt: str
    documents: tuple[Document, ...]
    brief: str = ""
    reason: Failure | None = None

    def __await__(self) -> Generator[None, None, Curated]:
        yield from ()
        return self


Decider = Callable[["Grounded", str], Decision]
AwaitableDecider = Callable[["Grounded", str], Awaitable[Decision]]


@overload
def curate(grounded: Grounded, intent: str, decide: AwaitableDecider, limit: int = ...) -> Awaitable[Curated]: ...


@overload
def curate(grounded: Grounded, intent: str, decide: Decider, limit: int = ...) -> Curated: ...


def curate(
    grounded: Grounded, intent: str, decide: Decider | AwaitableDecider, limit: int = MOST_BRIEF
) -> Curated | Awaitable[Curated]:
    """Let `decide` choose among the grounded documents; with a decider that must be awaited, await the result.

    `decide` gets the grounded documents and the intent. `callback_failed` is the reason when it raises, and
    `invalid_decision` when it answers no `Decision`, a brief that is empty or longer than `limit` Unicode
    characters, or a path that is not among the documents.
    """
    try:
        answer = decide(grounded, intent)
    except Exception as fault:  # noqa: BLE001  # whatever a function of somebody else raises
        return _full(grounded, _failed(fault))
    if isawaitable(answer):
        return _awaited(grounded, answer, limit)
    return _checked(grounded, answer, limit)


async def _awaited(grounded: Grounded, answer: Awaitable[Decision], limit: int) -> Curated:
    try:
        decision = await answer
    except Exception as fault:  # noqa: BLE001  # whatever a function of somebody else raises
        return _full(grounded, _failed(fault))
    return _checked(grounded, decision, limit)


def _checked(grounded: Grounded, decision: object, limit: int) -> Curated:
    problem = _problem(grounded, decision, limit)
    if problem or not isinstance(decision, Decision):
        return _full(grounded, Failure("invalid_decision", f"{problem}."))
    chosen = set(decision.paths)
    documents = tuple(document for document in grounded.documents if document.path in chosen)
    brief = f"## Brief, as data\n\n{fenced(decision.brief, 'brief')}"
    kept = replace(grounded, documents=documents, missing=(), left_out=())
    return Curated(f"{kept.prompt}\n\n{brief}", documents, decision.brief)


def _problem(grounded: Grounded, decision: object, limit: int) -> str:
    if not isinstance(decision, Decision):
        return f"the decider answered {type(decision).__name__}, not a Decision"
    brief: object = decision.brief
    paths: object = decision.paths
    if not isinstance(brief, str) or not isinstance(paths, tuple) or not all(isinstance(one, str) for one in paths):
        return "a brief must be a text, and paths a tuple of texts"
    if not decision.brief.strip():
        return "the brief is empty"
    if len(decision.brief) > limit:
        return f"the brief has {len(decision.brief):,} characters, more than {limit:,}"
    if any("\ud800" <= char <= "\udfff" for char in decision.brief):
        return "the brief holds half a character (a lone surrogate)"
    known = grounded.paths
    foreign = [path for path in decision.paths if path not in known]
    return f"{shown(foreign[0])} is not among the documents" if foreign else ""


def _full(grounded: Grounded, reason: Failure) -> Curated:
    return Curated(grounded.prompt, grounded.documents, "", reason)


def _failed(fault: Exception) -> Failure:
    return Failure("callback_failed", one_line(f"the decider {raised(fault)}", _REASON))
