"""Owns how commits relate: those between two of them, what changed on the way, what git's own merge would give.

Everything is told by ids of objects; nothing is checked out, and no reference moves.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.git.branches import is_id, need_commit
from pipeline.git.history import moment
from pipeline.git.process import explain
from pipeline.git.snapshot import Entry
from pipeline.git.trailers import trailers_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pipeline.git.process import GitProcess

FIELDS = ("%H", "%P", "%an", "%ae", "%ct", "%B")

ABSENT = "000000"
"""The mode of what is not there."""

CONFLICT, USAGE = 1, 129
"""How `git merge-tree` ends when both sides changed one place, and when it is older than git 2.38."""


@dataclass(frozen=True, slots=True)
class Commit:
    """One commit as it stands; texts are whatever somebody wrote, where they are no UTF-8 with replacements."""

    id: str
    parents: tuple[str, ...]
    author: str
    author_email: str
    at: datetime
    """When it was committed, in UTC."""
    message: str
    trailers: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Changed:
    """One path that differs; nothing stands for a side on which it does not exist. Folders are not told.

    Symbolic links (mode 120000) and submodules (160000) are told like files. A path that is no UTF-8 is escaped by
    lone surrogates.
    """

    path: str
    before: Entry | None
    after: Entry | None


def commits_between(git: GitProcess, base: str | None, head: str) -> tuple[Commit, ...]:
    """Tell the commits that `head` rests on and `base` does not, parents before children; with no base, all."""
    bounds = [need_commit(git, head), *([f"^{need_commit(git, base)}"] if base else [])]
    form = f"--format={'%x00'.join(FIELDS)}"
    command = ("log", "-z", "--topo-order", "--reverse", "--no-show-signature", "--encoding=UTF-8", form)
    values = git.run(*command, *bounds, "--").decode("utf-8", "replace").split("\0")
    rows = (values[start : start + len(FIELDS)] for start in range(0, len(values) - 1, len(FIELDS)))
    return tuple(_commit(*row) for row in rows)


def _commit(  # noqa: PLR0913, PLR0917  # the fields of a row, in their order
    name: str, parents: str, author: str, address: str, seconds: str, message: str
) -> Commit:
    return Commit(name, tuple(parents.split()), author, address, moment(seconds), message, trailers_of(message))


def commit_message(git: GitProcess, commit: str) -> str:
    """Give the message of a commit."""
    command = ("log", "-1", "--no-show-signature", "--encoding=UTF-8", "--format=tformat:%B%x00")
    return git.run(*command, need_commit(git, commit), "--").decode("utf-8", "replace").partition("\0")[0]


def merge_base(git: GitProcess, one: str, other: str) -> str | None:
    """Give the best commit that both rest on; none when there is none, or a shallow clone does not reach it."""
    command = ("merge-base", need_commit(git, one), need_commit(git, other))
    answer = git.ask(*command)
    if answer.code > 1:
        raise explain(command, answer, git.folder)
    return answer.out.decode("ascii").split("\n")[0] or None


def changes(git: GitProcess, old: str | None, new: str) -> tuple[Changed, ...]:
    """Tell every path that differs between two commits, sorted; without an old one, everything that stands."""
    # The whole id of a commit needs no question of its own: a branch's commits are looked at one by one.
    target = new if is_id(new) else need_commit(git, new)
    start = old if old and is_id(old) else need_commit(git, old) if old else empty_tree(len(target))
    command = ("diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--ignore-submodules=none")
    answer = git.ask(*command, start, target)
    if answer.code:
        need_commit(git, target)
        raise explain(command, answer, git.folder)
    parts = answer.out.decode("utf-8", "surrogateescape").split("\0")
    pairs = zip(parts[::2], parts[1::2], strict=False)
    return tuple(sorted((_changed(told, path) for told, path in pairs), key=lambda one: one.path))


def _changed(told: str, path: str) -> Changed:
    old_mode, new_mode, old, new, _ = told.removeprefix(":").split(" ")
    before, after = (Entry(mode, name) if mode != ABSENT else None for mode, name in ((old_mode, old), (new_mode, new)))
    return Changed(path, before, after)


def empty_tree(digits: int) -> str:
    """Give the id of the tree without an entry, which git knows in every repository."""
    kind = "sha256" if digits == len(hashlib.sha256().hexdigest()) else "sha1"
    return hashlib.new(kind, b"tree 0\0", usedforsecurity=False).hexdigest()


def clean_merge(git: GitProcess, one: str, other: str) -> str | None:
    """Give the tree that git makes of two commits by itself; none on a conflict, or where git is older than 2.38."""
    command = ("merge-tree", "--write-tree", "--no-messages", need_commit(git, one), need_commit(git, other))
    answer = git.ask(*command)
    if answer.code in {CONFLICT, USAGE} or "refusing to merge unrelated histories" in answer.complaint:
        return None
    if answer.code:
        raise explain(command, answer, git.folder)
    return answer.out.decode("ascii").strip()


def tree_id(git: GitProcess, commit: str, folder: str) -> str:
    """Give the id of a folder (a path from the top) in a commit or a tree; empty when no such folder is there."""
    path = folder.strip("/")
    if not path:
        answer = git.ask("rev-parse", "-q", "--verify", "--end-of-options", f"{commit}^{{tree}}")
        return "" if answer.code else answer.out.decode("ascii").strip()
    listing = git.run("ls-tree", "-z", "-d", "--full-tree", "--end-of-options", commit, path)
    for record in listing.decode("utf-8", "surrogateescape").split("\0"):
        told, _, name = record.partition("\t")
        if name == path and told.split()[1] == "tree":
            return told.split()[2]
    return ""
