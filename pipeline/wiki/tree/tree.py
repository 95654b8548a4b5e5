"""Owns every change below the wiki's root on disk: a set of files changes whole, or not at all.

New bytes are staged beside the wiki first, in `.wikimill/journal/`; then a manifest appears there in one step,
and from then on the set is carried out, by whoever comes next if this process is killed. A file that a person
saved meanwhile is left alone and reported. What a change means, and what git says to it, is decided above.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from pipeline.errors import Rejected, StoreError
from pipeline.wiki.paths import check_path
from pipeline.wiki.tree.disk import cannot, remove, remove_folder, replace, sync_folder, write_durably
from pipeline.wiki.tree.files import Files
from pipeline.wiki.tree.journal import ABSENT, Journal, Step, digest, parse_journal, render_journal

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

Checkpoint: TypeAlias = Callable[[str], None]
"""Is told the name of each step before it is taken."""

STATE = ".wikimill"
MANIFEST = "manifest.json"


def nothing(_name: str) -> None:
    """Stand in for a checkpoint where nobody watches."""


class Tree:
    """The wiki's folder in one work tree."""

    def __init__(self, root: Path, folder: str, *, checkpoint: Checkpoint = nothing) -> None:
        self.root = root
        self.folder = folder
        self.home = root / folder
        self.checkpoint = checkpoint
        if not self.home.resolve().is_relative_to(root.resolve()):
            raise Rejected(
                "the wiki's folder is a symbolic link that leads outside.",
                where=str(self.home),
                next_step="Put a folder in its place, or name another one in wikimill.toml (wiki.pages).",
            )

    def read(self) -> Files:
        """Give the files as they stand."""
        return Files(self.home)

    def look(self, path: str) -> bytes | None:
        """Read the file that a change would replace; nothing if there is none. What is no plain file is refused."""
        target = self._target(path)
        try:
            mode = target.lstat().st_mode
        except FileNotFoundError:
            return None
        except OSError as fault:
            raise cannot("read", target, fault) from None
        if not stat.S_ISREG(mode):
            what = "a symbolic link" if stat.S_ISLNK(mode) else "a folder" if stat.S_ISDIR(mode) else "no plain file"
            raise Rejected(f"is {what}, not a page.", where=str(target), next_step="Move it away, then run again.")
        try:
            return target.read_bytes()
        except OSError as fault:
            raise cannot("read", target, fault) from None

    def make_state(self) -> Path:
        """Make the folder for what no commit is to hold, and give it."""
        state = self.root / STATE
        ignore = state / ".gitignore"
        try:
            state.mkdir(exist_ok=True)
            if not ignore.exists() or not ignore.stat().st_size:
                ignore.write_bytes(b"*\n")
        except OSError as fault:
            raise cannot("written", state, fault) from None
        return state

    # A set of changes, from staging to the end

    def stage(self, changes: Mapping[str, bytes | None], before: Mapping[str, str], note: Mapping[str, str]) -> Journal:
        """Write everything that is needed to carry out a set of changes, and the manifest last.

        `before` gives the digests of what stands on disk now. When this fails, everything is as it was.
        """
        name = secrets.token_hex(8)
        place = self._journals() / name
        try:
            self._probe(changes)
            self.make_state()
            place.mkdir(parents=True)
            steps = tuple(self._stage_all(place, changes, before))
            journal = Journal(name, self.folder, steps, note)
            self.checkpoint("manifest")
            write_durably(place / "new", render_journal(journal))
            sync_folder(place)
            self.checkpoint("promise")
            replace(place / "new", place / MANIFEST)
            sync_folder(place)
            sync_folder(place.parent)
        except OSError as fault:
            remove_folder(place)
            raise cannot("written", place, fault) from None
        except Exception:
            remove_folder(place)
            raise
        return journal

    def pending(self) -> tuple[Journal, ...]:
        """Give the sets of changes that were not brought to an end, and clear away what was never one.

        Whoever asks must hold the run's lock: what is being staged now looks like a leftover.
        """
        found = []
        for place in self._journal_folders():
            try:
                raw = (place / MANIFEST).read_bytes()
            except (FileNotFoundError, NotADirectoryError):
                remove_folder(place)
                continue
            except OSError as fault:
                raise cannot("read", place, fault) from None
            try:
                found.append(parse_journal(place.name, raw))
            except ValueError as fault:
                raise StoreError(
                    f"the journal of an interrupted run cannot be read: {fault}.",
                    where=str(place),
                    next_step="Compare the wiki with the last commit, then remove this folder.",
                ) from None
        return tuple(found)

    def interrupted(self) -> bool:
        """Whether a set of changes waits to be brought to an end; changes nothing."""
        return any((place / MANIFEST).exists() for place in self._journal_folders())

    def roll_forward(self, journal: Journal) -> tuple[str, ...]:
        """Carry out a set of changes, as far as it is not; give the files that a person saved meanwhile.

        Those stay as they are.
        """
        if journal.folder != self.folder:
            return Tree(self.root, journal.folder, checkpoint=self.checkpoint).roll_forward(journal)
        kept = []
        folders = set()
        for step in journal.steps:
            self.checkpoint(f"file {step.path}")
            target = self.home / step.path
            try:
                if not self._carry_out(journal, step):
                    kept.append(step.path)
            except OSError as fault:
                raise cannot("written", target, fault) from None
            folders.add(target.parent)
        for folder in sorted(folders, reverse=True):
            self._leave_no_empty(folder)
            sync_folder(folder)
        return tuple(kept)

    def finish(self, journal: Journal) -> None:
        """Forget a set of changes: it was carried out, or is not to be."""
        place = self._journals() / journal.id
        self.checkpoint("finish")
        try:
            # The manifest first: without it, what is left is swept away.
            remove(place / MANIFEST)
        except OSError as fault:
            raise cannot("removed", place, fault) from None
        self.checkpoint("sweep")
        remove_folder(place)

    # Parts

    def _stage_all(self, place: Path, changes: Mapping[str, bytes | None], before: Mapping[str, str]) -> Iterator[Step]:
        for number, (path, raw) in enumerate(sorted(changes.items())):
            self.checkpoint(f"stage {path}")
            staged = ""
            if raw is not None:
                staged = f"{number:04}"
                write_durably(place / staged, raw)
            yield Step(path, before.get(path, ABSENT), digest(raw), staged)

    def _carry_out(self, journal: Journal, step: Step) -> bool:
        try:
            now = digest(self.look(step.path))
        except Rejected:
            return False
        if now == step.after:
            return True
        if now != step.before:
            return False
        target = self.home / step.path
        if step.after == ABSENT:
            remove(target)
            return True
        staged = self._journals() / journal.id / step.staged
        if not staged.exists():
            # It was put in place already, and a person has put the old bytes back since.
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        replace(staged, target)
        return True

    def _target(self, path: str) -> Path:
        """Find a file's place, and make sure that every folder on the way is one, and lies inside."""
        check_path(path)
        place = self.home
        for name in path.split("/")[:-1]:
            place /= name
            try:
                mode = place.lstat().st_mode
            except FileNotFoundError:
                break
            except OSError as fault:
                raise cannot("read", place, fault) from None
            if stat.S_ISLNK(mode):
                raise Rejected(
                    "a folder of the wiki is a symbolic link.", where=str(place), next_step="Put a folder in its place."
                )
            if not stat.S_ISDIR(mode):
                raise StoreError(
                    "a file stands where a folder is needed.",
                    where=str(place),
                    next_step="Move it away, then run again.",
                )
        return self.home / path

    def _probe(self, paths: Mapping[str, bytes | None]) -> None:
        """Find out before anything happens whether the folders can be written."""
        for path in paths:
            folder = self._target(path).parent
            while not folder.exists():
                folder = folder.parent
            if not os.access(folder, os.W_OK):
                raise StoreError(
                    "the folder cannot be written.",
                    where=str(folder),
                    next_step="Give yourself the right to write there, then run again.",
                )

    def _journals(self) -> Path:
        return self.root / STATE / "journal"

    def _journal_folders(self) -> list[Path]:
        try:
            return sorted(self._journals().iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as fault:
            raise cannot("read", self._journals(), fault) from None

    def _leave_no_empty(self, folder: Path) -> None:
        with suppress(OSError):
            while folder != self.home and self.home in folder.parents:
                folder.rmdir()
                folder = folder.parent
