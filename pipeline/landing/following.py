"""Owns how files and index follow a branch that is checked out, also after a kill; makes no commit.

A journal names the old and the new commit; others may lie between them. Whoever opens the wiki next and finds
one asks the branch: did it move? Then the files follow; else nothing had happened.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.errors import GitError, StoreError
from pipeline.landing.landing import unsaved
from pipeline.wiki.tree import Journal, digest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.git import Entry, Repository, Staged
    from pipeline.wiki.tree import Tree


@dataclass(frozen=True, slots=True)
class Change:
    """One file: its new bytes, its entries in the old and in the new commit; nothing where no file is."""

    raw: bytes | None
    before: Entry | None
    after: Entry | None


def look(repository: Repository, tree: Tree, folder: str, changes: Mapping[str, Change]) -> dict[str, str]:
    """Make sure that index and work tree hold what the branch holds, and give the digests of the files."""
    staged = repository.staged([f"{folder}/{path}" for path in changes], folder)
    before, theirs = {}, []
    for path, change in changes.items():
        index, disk = staged.get(f"{folder}/{path}"), tree.look(path)
        if index is not None and index.absent and disk is None:
            raise GitError(
                "the wiki is left out of this work tree by a sparse checkout.",
                where=folder,
                next_step=f"Run `git sparse-checkout add {folder}`, then run again.",
            )
        before[path] = digest(disk)
        if not _stands(index, change.before) or not _is(repository, f"{folder}/{path}", disk, change):
            theirs.append(path)
    if theirs:
        raise unsaved(theirs, folder)
    return before


def _stands(index: Staged | None, entry: Entry | None) -> bool:
    """Whether the index holds exactly this entry; in the middle of a merge it holds none that could be meant."""
    return entry is None if index is None else index.entry is not None and index.entry == entry


def _is(repository: Repository, full: str, disk: bytes | None, change: Change) -> bool:
    """Whether a file holds what was committed, or already what is to come.

    A file that differs may still be what git made of it (line ends, filters): git is asked then.
    """
    if change.before is None:
        return disk is None or disk == change.raw
    if disk is None:
        return False
    return repository.blob_id(disk) == change.before.id or repository.digest_as_added(full) == change.before.id


def follow(
    repository: Repository, tree: Tree, journal: Journal, folder: str, changes: Mapping[str, Change]
) -> tuple[str, ...]:
    """Let files and index follow the branch, and forget the journal; give the files that a person saved meanwhile.

    An index entry that is neither the old nor the new one is a person's work, and stays.
    """
    try:
        kept = tree.roll_forward(journal)
        tree.checkpoint("index")
        full = {f"{folder}/{path}": change for path, change in changes.items()}
        staged = repository.staged(full, folder)
        stale = {path: one.after for path, one in full.items() if _stands(staged.get(path), one.before)}
        if stale:
            repository.stage(stale)
        tree.finish(journal)
    except (GitError, StoreError) as fault:
        fault.next_step += f" The commit {journal.note['new'][:12]} is made; the files follow with the next run."
        raise
    return kept


def recover(repository: Repository, tree: Tree, journal: Journal) -> tuple[str, tuple[str, ...]]:
    """Bring an interrupted landing to an end: tell what became of it, and which files a person saved meanwhile.

    When the branch moved on since, a file follows only if the branch still holds what was landed.
    """
    new, branch = journal.note["new"], repository.look_up(journal.note.get("branch", ""))
    tip = branch.tip if branch.checked_out else None
    if tip is None or (tip != new and not repository.is_ancestor(new, tip)):
        tree.finish(journal)
        return "undone: it had not reached the branch", ()
    folder = repository.places.prefix + journal.folder
    before = repository.snapshot(journal.note.get("old") or None, folder).entries
    landed = repository.snapshot(new, folder).entries
    now = landed if tip == new else repository.snapshot(tip, folder).entries
    steps = tuple(step for step in journal.steps if now.get(step.path) == landed.get(step.path))
    changes = {step.path: Change(None, before.get(step.path), landed.get(step.path)) for step in steps}
    repository.wait_for_index()
    kept = follow(repository, tree, replace(journal, steps=steps), folder, changes)
    repository.refresh()
    return "brought to its end: the files follow its commit", kept
