"""Owns what every landing promises: the wiki as it stands, and a way to change it whole; knows not where to."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Conflict
from pipeline.finding import Finding
from pipeline.wiki.overlay import Overlay
from pipeline.wiki.paths import Names, check_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime
    from types import TracebackType
    from typing import Self

NAMED = 5
"""Files that a message lists before it counts the rest."""


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """What one commit changes, by paths below the wiki's root, and its message; nothing stands for a file that goes."""

    files: Mapping[str, bytes | None]
    message: str


class Landing(ABC):
    """The wiki, open for one run: a context manager that holds the run's lock until it is closed.

    `wiki` maps paths below the wiki's root to bytes, as they stand after what was landed; `branch` is the one
    that gets the commits, `folder` the wiki's root from the top of the repository.
    """

    branch: str = ""
    folder: str = ""

    def __init__(self, base: Mapping[str, bytes], *, read_only: bool) -> None:
        self._overlay = Overlay(base)
        self._names: Names | None = None
        self._read_only = read_only
        self._findings: list[Finding] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def wiki(self) -> Mapping[str, bytes]:
        """The files below the wiki's root."""
        return self._overlay

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What a person may want to know: an interrupted run that was ended, a file that was saved meanwhile."""
        return tuple(self._findings)

    def land(self, changes: Mapping[str, bytes | None], message: str, at: datetime) -> str:
        """Write a set of files, all or none; nothing stands for a file that goes. Give the commit.

        What stands already is left out; without a change, or without git, the answer is empty. `BranchMoved`,
        `Conflict` and `Rejected` leave everything as it was: open again, and draft again from what stands then.
        """
        return self.land_all((ChangeSet(changes, message),), at)[0]

    def land_all(self, changes: Sequence[ChangeSet], at: datetime) -> tuple[str, ...]:
        """Write several sets of files as one step, one commit each, in their order: all of them or none.

        Each set is held against what stands after those before it. Give the commit of each; the answers are as
        those of `land`, and what it says about errors holds for all sets together. The branch never stands on a
        commit between the first and the last.
        """
        if self._read_only:
            raise Conflict("the wiki was opened for reading.", next_step="Open it for writing.")
        sifted = self._sift(changes)
        real = [one for one in sifted if one.files]
        if not real:
            return ("",) * len(sifted)
        if self._names is None:
            self._names = Names(self._standing())
        try:
            for one in real:
                _check(self._names, one.files)
            commits = iter(self._carry(real, at))
        except BaseException:
            self._names = None  # they know of files by now that do not stand
            raise
        for one in real:
            self._overlay.put(one.files)
        return tuple(next(commits) if one.files else "" for one in sifted)

    def _sift(self, changes: Iterable[ChangeSet]) -> list[ChangeSet]:
        """Leave out of each set what stands already when its turn comes."""
        now: dict[str, bytes | None] = {}
        sifted = []
        for one in changes:
            new = {
                path: raw
                for path, raw in one.files.items()
                if not (now[path] == raw if path in now else self._holds(path, raw))
            }
            now.update(new)
            sifted.append(ChangeSet(new, one.message))
        return sifted

    @abstractmethod
    def close(self) -> None:
        """Give the lock back."""

    @abstractmethod
    def _standing(self) -> Iterable[str]:
        """Name everything that has a name below the wiki's root."""

    @abstractmethod
    def _holds(self, path: str, raw: bytes | None) -> bool:
        """Whether a file holds these bytes already, or is gone already."""

    @abstractmethod
    def _carry(self, changes: Sequence[ChangeSet], at: datetime) -> Sequence[str]:
        """Carry out sets that are checked, and each file of which changes something; give a commit for each."""

    def _tell_kept(self, paths: Iterable[str]) -> None:
        self._findings.extend(
            Finding(
                path,
                "saved-meanwhile",
                "warning",
                "a person saved this file while the run wrote it; it stays as the person left it.",
                "Compare it with what the run wrote.",
            )
            for path in paths
        )

    def tell_recovered(self, what: str, kept: Iterable[str]) -> None:
        """Note what became of an interrupted run, and which files a person had saved since."""
        self._findings.append(Finding(self.folder, "interrupted-run", "note", f"an interrupted run was {what}."))
        self._tell_kept(kept)


def _check(names: Names, changes: Mapping[str, bytes | None]) -> None:
    """Hold new names against those that stand, and against each other; what goes makes room first."""
    for path, raw in changes.items():
        if raw is None:
            names.remove(path)
    for path, raw in sorted(changes.items()):
        if raw is not None:
            check_path(path)
            names.check(path)
            names.add(path)


def some_of(paths: Iterable[str]) -> str:
    """Name the first few of many."""
    every = sorted(paths)
    rest = f" and {len(every) - NAMED} more" if len(every) > NAMED else ""
    return ", ".join(every[:NAMED]) + rest


def unsaved(paths: Iterable[str], folder: str) -> Conflict:
    """Say that a person's uncommitted work is in the way."""
    return Conflict(
        f"there are uncommitted changes under {folder}/: {some_of(paths)}.",
        where=folder,
        next_step="Commit, stash or undo them, then run again; changes elsewhere may stay.",
    )
