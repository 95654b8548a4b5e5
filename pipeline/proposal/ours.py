"""Owns which commits on the proposal's branch are wikimill's own, and what a person's commits there mean; pure.

A commit is ours when its seal fits what it changes: by that alone, for names and addresses can be set by anybody, and
a person who amends a commit keeps its message. A person's commit counts as work that must not be touched, except
one that brings nothing of its own: a merge of the base that git would have made by itself, or the plain revert of a
session's commit, which declines that session's pages.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime

REVERTS = re.compile(r"^This reverts commit ([0-9a-f]{40,64})\b", re.MULTILINE)
"""What `git revert` writes."""

EVIDENCE = "Evidence"
SESSION = "Session"
DECLINED = "Declined"
PAGE = "Page"
VERIFIED = "Verified"


@dataclass(frozen=True, slots=True)
class Step:
    """One commit of a branch, as far as it matters here; paths are those from the top of the repository."""

    id: str
    parents: tuple[str, ...]
    author: str
    at: datetime
    subject: str
    message: str
    trailers: Mapping[str, tuple[str, ...]]
    before: Mapping[str, str]
    """Object ids of what it changes, as they were in the first parent; a file that is new is left out."""
    after: Mapping[str, str]
    """The same as they are now; a file that is gone is left out."""
    sealed: bool = False
    """Whether the seal in its message fits what it changes."""
    plain_merge: bool = False
    """Whether it merges the base, and holds what git makes of that without anybody's help."""

    @property
    def key(self) -> str:
        """Name what the commit brings, so that the same work is known again after it was rebased."""
        if not self.evidence:
            return f"Content {self.trailers.get('Content', ('',))[-1]}"
        by = (self.trailers.get(name, ("",))[-1] for name in ("Model", "Prompt"))
        return " ".join((EVIDENCE, self.evidence, *by))

    @property
    def evidence(self) -> str:
        """The digest of what its pages rest on; empty for a commit that consolidates no session."""
        return self.trailers.get(EVIDENCE, ("",))[-1]


@dataclass(frozen=True, slots=True)
class Sorted:
    """The commits of a branch, told apart."""

    ours: tuple[Step, ...] = ()
    foreign: tuple[Step, ...] = ()
    """What a person has done there and must not lose."""
    reverted: Mapping[str, str] | None = None
    """Our commits that a person has reverted, by id, and who did."""


def sort_out(steps: Sequence[Step], read: Callable[[Sequence[str]], Sequence[bytes]]) -> Sorted:
    """Tell the commits of a branch apart; the order stays. `read` gives the bytes of objects by their ids.

    Whoever reverts such a revert takes the decline back.
    """
    ours = {step.id: step for step in steps if step.sealed}
    foreign: list[Step] = []
    reverted: dict[str, str] = {}
    known = {step.id: _Revertible(step, step) for step in ours.values() if SESSION in step.trailers}
    for step in steps:
        if step.sealed or step.plain_merge:
            continue
        named = REVERTS.search(step.message)
        undone = known.get(named.group(1)) if named else None
        if undone is None or not _undoes(step, undone, read):
            foreign.append(step)
            continue
        known[step.id] = _Revertible(step, undone.session, declines=not undone.declines)
        if undone.declines:
            reverted.pop(undone.session.id, None)
        else:
            reverted[undone.session.id] = step.author
    return Sorted(tuple(ours.values()), tuple(foreign), reverted)


@dataclass(frozen=True, slots=True)
class _Revertible:
    """A session's commit, or a plain revert that has to do with it."""

    step: Step
    session: Step
    declines: bool = False
    """Whether the pages of the session are gone after it."""


def _undoes(step: Step, undone: _Revertible, read: Callable[[Sequence[str]], Sequence[bytes]]) -> bool:
    """Whether a commit reverts another one and does nothing else.

    Every page of the session must be again what it was before: whoever keeps one of them has done work of their own. Of
    indexes, log and ledger, in which later commits have written too, no line may come or go that the commit did not.
    """
    before, touched = undone.step.before, {*step.before, *step.after}
    if not touched <= {*before, *undone.step.after}:
        return False
    session = undone.session
    pages = {path for path in {*session.before, *session.after} if _is_written(session, path)}
    if not pages or not pages <= touched or any(step.after.get(path) != before.get(path) for path in pages):
        return False
    return all(_brings_back(step, undone.step, path, read) for path in sorted(touched - pages))


def _brings_back(step: Step, undone: Step, path: str, read: Callable[[Sequence[str]], Sequence[bytes]]) -> bool:
    """Whether a commit changes one file by lines alone that another one had changed, the other way round."""
    sides = (step.before.get(path), step.after.get(path), undone.before.get(path), undone.after.get(path))
    ids = [one for one in sides if one is not None]
    raw = dict(zip(ids, read(ids), strict=True))
    now, then, earlier, later = (Counter((raw[one] if one else b"").splitlines()) for one in sides)
    return then - now <= earlier - later and now - then <= later - earlier


def _is_written(step: Step, path: str) -> bool:
    """Whether a path is that of a page which a commit of ours wrote."""
    return any(path.endswith("/" + told.rpartition(" ")[0]) for told in step.trailers.get(PAGE, ()))
