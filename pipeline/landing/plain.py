"""Owns landing without git: the files on disk are the wiki, and a journal makes a set of changes one step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import Conflict
from pipeline.landing.landing import ChangeSet, Landing, some_of
from pipeline.wiki.tree import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from pipeline.wiki.tree import Files, Tree


class PlainLanding(Landing):
    """Lands files on disk; a file that somebody else changed since it was read is never overwritten."""

    def __init__(self, tree: Tree, files: Files, *, read_only: bool, release: Callable[[], None]) -> None:
        super().__init__(files, read_only=read_only)
        self.folder = tree.folder
        self._tree = tree
        self._files = files
        self._ours: dict[str, str] = {}
        """Digests of what this run wrote."""
        self._release = release

    def close(self) -> None:
        """Give the lock back."""
        self._release()

    def _standing(self) -> Iterable[str]:
        return self.wiki

    def _holds(self, path: str, raw: bytes | None) -> bool:
        return self._tree.look(path) == raw

    def _carry(
        self,
        changes: Sequence[ChangeSet],
        at: datetime,  # noqa: ARG002  # a folder has no commit to put it in
    ) -> Sequence[str]:
        joined = {path: raw for one in changes for path, raw in one.files.items()}
        new = {path: raw for path, raw in joined.items() if not self._holds(path, raw)}
        if new:
            self._write(new)
        return [""] * len(changes)

    def _write(self, changes: Mapping[str, bytes | None]) -> None:
        before = {path: digest(self._tree.look(path)) for path in changes}
        changed = [
            path for path, now in before.items() if now not in {self._expected(path, now), digest(changes[path])}
        ]
        if changed:
            raise Conflict(
                f"somebody changed these pages during the run: {some_of(changed)}.",
                where=self.folder,
                next_step="They were left alone. Run again: it goes on from what stands now.",
            )
        journal = self._tree.stage(changes, before, {})
        kept = self._tree.roll_forward(journal)
        self._tree.finish(journal)
        self._tell_kept(kept)
        self._ours.update({path: digest(raw) for path, raw in changes.items()})

    def _expected(self, path: str, now: str) -> str:
        """Tell what should stand on disk: what this run wrote or read last; or anything, if it read nothing."""
        ours = self._ours.get(path)
        if ours is not None:
            return ours
        return self._files.seen.get(path, now) if path in self._files else digest(None)
