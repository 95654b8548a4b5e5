"""Owns how a landing is opened: find the repository, take the lock, end an interrupted run, refuse a wiki in use."""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from pipeline.errors import Conflict
from pipeline.git import open_repository
from pipeline.landing.branch import BranchLanding, checked_out_elsewhere
from pipeline.landing.following import recover
from pipeline.landing.landing import Landing, unsaved
from pipeline.landing.lock import RunLock
from pipeline.landing.plain import PlainLanding
from pipeline.wiki.tree import Checkpoint, Tree, nothing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pipeline.git import Branch, Repository


def open_landing(  # noqa: PLR0913  # the settings that decide where pages go
    root: Path,
    *,
    pages_folder: str,
    branch: str = "",
    use_git: bool = True,
    read_only: bool = False,
    start: str = "",
    environment: Mapping[str, str] | None = None,
    checkpoint: Checkpoint = nothing,
) -> Landing:
    """Open the wiki below `root` for one run; the caller closes it.

    `branch` gets the commits; empty means the one that is checked out. Opened `read_only`, it takes no lock, ends
    nothing and refuses nothing that stands; `start` then names a commit to look at instead of the branch. `checkpoint`
    is told the name of each step before it is taken.
    """
    tree = Tree(root.absolute(), pages_folder, checkpoint=checkpoint)
    with ExitStack() as stack:
        if use_git:
            landing = _open_branch(
                stack, tree, branch, environment, read_only=read_only, start=start if read_only else ""
            )
        else:
            landing = _open_plain(stack, tree, read_only=read_only)
        stack.pop_all()
    return landing


@contextmanager
def alone(repository: Repository) -> Iterator[None]:
    """Hold the lock of runs over a repository; raises `Busy` when another run has it."""
    lock = _lock_of(repository)
    lock.take()
    try:
        yield
    finally:
        lock.free()


def _lock_of(repository: Repository) -> RunLock:
    return RunLock(repository.places.common_dir / "wikimill" / "run.lock", os.getpid())


def _open_plain(stack: ExitStack, tree: Tree, *, read_only: bool) -> Landing:
    said = []
    if not read_only:
        lock = RunLock(tree.make_state() / "run.lock", os.getpid())
        lock.take()
        stack.callback(lock.free)
        for journal in tree.pending():
            if journal.note.get("new"):
                raise Conflict(
                    "an interrupted run with git waits to be ended.",
                    where=str(tree.root),
                    next_step="Run once without --no-git.",
                )
            said.append(tree.roll_forward(journal))
            tree.finish(journal)
    landing = PlainLanding(tree, tree.read(), read_only=read_only, release=stack.pop_all().close)
    for kept in said:
        landing.tell_recovered("brought to its end: its files are written", kept)
    return landing


def _open_branch(  # noqa: PLR0913  # as above
    stack: ExitStack, tree: Tree, name: str, environment: Mapping[str, str] | None, *, read_only: bool, start: str
) -> Landing:
    repository = stack.enter_context(open_repository(tree.root, environment))
    name = repository.check_name(name) if name else repository.branch()
    said = []
    if not read_only:
        tree.make_state()
        lock = _lock_of(repository)
        lock.take()
        stack.callback(lock.free)
        for journal in tree.pending():
            if journal.note.get("new"):
                said.append(recover(repository, tree, journal))
            else:
                said.append(("brought to its end: its files are written", tree.roll_forward(journal)))
                tree.finish(journal)
    branch = repository.look_up(name)
    if not read_only:
        _refuse_what_is_in_use(repository, branch, repository.places.prefix + tree.folder)
    base = start or branch.tip or (None if branch.checked_out else repository.head().commit)
    landing = BranchLanding(
        repository,
        tree,
        branch,
        base=base,
        snapshot=repository.snapshot(base, repository.places.prefix + tree.folder),
        read_only=read_only,
        release=stack.pop_all().close,
        checkpoint=tree.checkpoint,
    )
    for what, kept in said:
        landing.tell_recovered(what, kept)
    return landing


def _refuse_what_is_in_use(repository: Repository, branch: Branch, folder: str) -> None:
    if branch.elsewhere:
        raise checked_out_elsewhere(branch)
    if not branch.checked_out:
        return
    what = repository.under_way()
    if what:
        raise Conflict(
            f"a {what} is under way in this work tree.",
            where=str(repository.places.top),
            next_step=f"Finish it, or give it up with `git {what} --abort`, then run again.",
        )
    changed = repository.changed_under(folder)
    if changed:
        raise unsaved(changed, folder)
