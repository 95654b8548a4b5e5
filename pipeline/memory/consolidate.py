"""Owns the third mechanic: sources and an earlier target are folded into one text, which is written once.

A target is locked while its fold is at work, by a file that only one process can make; knows no clock, the time
comes in by argument.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from pipeline.memory.failure import Failure, conflicting, raised, shown, unreadable, unwritable
from pipeline.memory.ground import Limits, ground
from pipeline.memory.paths import ROOT, normalise
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pipeline.memory.ground import Document, Grounded, Source
    from pipeline.memory.port import Memory

MOST_OUTPUT: Final = 16_000
"""Unicode characters of what a fold may give."""
LEASE: Final = timedelta(hours=1)
"""After this time a lock counts as left behind by a process that died, if the caller tells the time."""
_REASON: Final = 300


@dataclass(frozen=True, slots=True)
class Fold:
    """What a fold works with: the target as it stood, None when there was none, and what was read of the sources."""

    prior: str | None
    grounded: Grounded

    @property
    def documents(self) -> tuple[Document, ...]:
        """The documents of the sources."""
        return self.grounded.documents


@dataclass(frozen=True, slots=True)
class Folded:
    """The target as it stands now; `written` is False when it stood like that before."""

    path: str
    text: str
    written: bool
    grounded: Grounded
    """What was read, cut and left out of the sources."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lock, and since when, so that one left behind by a process that died can be told and taken."""

    name: str = "wikimill"
    now: datetime | None = None


def consolidate(  # noqa: PLR0913  # the mechanic's contract
    memory: Memory,
    target: str,
    sources: Iterable[Source | str],
    fold: Callable[[Fold], str],
    limit: int = MOST_OUTPUT,
    *,
    limits: Limits | None = None,
    holder: Holder | None = None,
) -> Folded | Failure:
    """Fold the sources and the earlier target into a new target, and write it unless it stands already.

    `fold` is called under a lock on the target. When somebody else holds it, the answer is `conflict` and `fold` is
    not called; when somebody who does not respect the lock writes the target meanwhile, the answer is `conflict` and
    that stays. `callback_failed` when the fold raises; `invalid_output` when it gives no text, nothing but
    whitespace, or more than `limit` Unicode characters; `read_failed` and `write_failed` as the memory tells them,
    and `write_failed` for a target that is among its own sources. Nothing is written in all these cases.
    """
    place = normalise(target)
    if place.problem or place.path == ROOT:
        return unwritable(target, place.problem or "a folder stands there")
    declared = tuple(sources)
    if any(_holds(source, place.path) for source in declared):
        return unwritable(place.path, "it is among its own sources")
    lock = _lock_of(place.path)
    held = _take(memory, lock, place.path, holder or Holder())
    if isinstance(held, Failure):
        return held
    try:
        done = _fold(memory, place.path, declared, fold, limit, limits)
    finally:
        left = memory.write_if(lock, None, held)
    # A lock that cannot be taken away is told only where nothing else is: the next caller meets it.
    return left if left is not None and left.code == "write_failed" and not isinstance(done, Failure) else done


def _fold(  # noqa: PLR0911, PLR0913, PLR0917  # one step of the mechanic, one return a failure
    memory: Memory,
    target: str,
    sources: tuple[Source | str, ...],
    fold: Callable[[Fold], str],
    limit: int,
    limits: Limits | None,
) -> Folded | Failure:
    prior = memory.read(target)
    if prior is None and memory.list(target) is not None:
        return unwritable(target, "a folder stands there")
    grounded = ground(memory, sources, limits)
    if isinstance(prior, Failure):
        return prior
    if isinstance(grounded, Failure):
        return grounded
    try:
        text: object = fold(Fold(prior, grounded))
    except Exception as fault:  # noqa: BLE001  # whatever a function of somebody else raises
        message = one_line(f"the fold for {shown(target)} {raised(fault)}", _REASON)
        return Failure("callback_failed", message, target)
    problem = _problem(text, limit)
    if problem or not isinstance(text, str):
        return Failure("invalid_output", f"the fold for {shown(target)} gave {problem}.", target)
    if text == prior:
        return Folded(target, text, written=False, grounded=grounded)
    failure = memory.write_if(target, text, prior)
    return failure or Folded(target, text, written=True, grounded=grounded)


def _problem(text: object, limit: int) -> str:
    if not isinstance(text, str):
        return f"{type(text).__name__}, not a text"
    if not text.strip():
        return "an empty text"
    return f"{len(text):,} characters, more than {limit:,}" if len(text) > limit else ""


def _holds(source: Source | str, target: str) -> bool:
    """Whether a source is the target, or a folder that the target stands in, be it read this time or not."""
    path = _one_name(normalise(source if isinstance(source, str) else source.path).path)
    return f"{_one_name(target)}/".startswith(f"{path}/")


def _one_name(path: str) -> str:
    """Bring together the spellings of a path that some file systems take for one: by case and by normal form."""
    return unicodedata.normalize("NFC", path.casefold())


def _lock_of(target: str) -> str:
    """Name the lock of a target; a hash, so that no target's name is too long for it."""
    return f"{ROOT}/.locks/{blake2b(_one_name(target).encode('utf-8', 'surrogatepass'), digest_size=16).hexdigest()}"


def _take(memory: Memory, lock: str, target: str, holder: Holder) -> str | Failure:
    """Make the lock and give its text; take over one that was left behind."""
    since = holder.now.astimezone(UTC).isoformat() if holder.now else ""
    text = json.dumps({"target": target, "by": holder.name, "since": since}, ensure_ascii=False)
    failure = memory.write_if(lock, text, None)
    if failure is None:
        return text
    if failure.code != "conflict":
        return Failure(failure.code, f"{shown(target)} cannot be locked: {failure.message}", target)
    standing = memory.read(lock)
    if isinstance(standing, Failure):
        return unreadable(target, f"its lock cannot be read ({standing.message})")
    if standing is not None and _is_left_behind(standing, holder.now):
        taken = memory.write_if(lock, text, standing)
        if taken is None:
            return text
    return conflicting(
        target, f"{_holder(standing)} holds it; try again later, or remove {lock} if no such process is at work"
    )


def _is_left_behind(standing: str, now: datetime | None) -> bool:
    since = _told(standing, "since")
    try:
        return now is not None and bool(since) and now - datetime.fromisoformat(since) > LEASE
    except (ValueError, TypeError):
        return False


def _holder(standing: str | None) -> str:
    since = _told(standing or "", "since")
    return (
        f"{one_line(_told(standing or '', 'by'), 80) or 'another process'}{f' (since {since[:19]})' if since else ''}"
    )


def _told(standing: str, key: str) -> str:
    try:
        told: object = json.loads(standing)
    except (ValueError, RecursionError):
        return ""
    return str(told.get(key, "")) if isinstance(told, dict) else ""
