"""Owns what git knows under a name: branches, the commits that names stand for, and references of wikimill's own."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import GitError
from pipeline.git.process import explain

if TYPE_CHECKING:
    from pipeline.git.process import GitProcess

HEADS = "refs/heads/"

OURS = "refs/wikimill/"
"""References that no other tool looks at; they keep commits from being cleaned up."""

_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Head:
    """What is checked out: a branch by its short name, or none when detached; a commit, or none before the first."""

    branch: str
    commit: str | None


@dataclass(frozen=True, slots=True)
class Branch:
    """One branch: its commit, or none when it does not exist yet, and the work tree in which it is checked out."""

    name: str
    tip: str | None
    checked_out: bool
    elsewhere: str
    """Another work tree of this repository that has the branch checked out; empty if none has."""


def read_head(git: GitProcess) -> Head:
    """Tell what is checked out in this work tree."""
    answer = git.ask("symbolic-ref", "-q", "HEAD")
    branch = answer.out.decode("utf-8", "replace").strip().removeprefix(HEADS) if not answer.code else ""
    return Head(branch, find_commit(git, "HEAD"))


def look_up(git: GitProcess, branch: str) -> Branch:
    """Tell where a branch stands, and whether a work tree follows it."""
    form = "--format=%(refname)%00%(objectname)%00%(HEAD)%00%(worktreepath)"
    rows = git.run("for-each-ref", form, HEADS + branch).decode("utf-8", "surrogateescape").split("\n")
    for row in rows:
        name, _, rest = row.partition("\0")
        if name == HEADS + branch:
            tip, mark, tree = rest.split("\0")
            here = mark == "*"
            return Branch(branch, tip, checked_out=here, elsewhere="" if here else tree)
    return Branch(branch, None, checked_out=read_head(git).branch == branch, elsewhere="")


def short_name(git: GitProcess, branch: str) -> str:
    """Give the short name of a branch, or an empty text for what can be none."""
    name = branch.removeprefix(HEADS)
    if name in {"", "@", "HEAD"} or name.startswith("-") or not is_reference(git, HEADS + name):
        return ""
    return name


def is_reference(git: GitProcess, name: str) -> bool:
    """Whether git allows a reference of this full name."""
    return name.startswith("refs/") and "\0" not in name and not git.ask("check-ref-format", name).code


def is_id(text: str) -> bool:
    """Whether a text is the whole id of an object."""
    return _ID.fullmatch(text) is not None


def find_commit(git: GitProcess, name: str) -> str | None:
    """Give the id of the commit that a name stands for, or none."""
    if "\0" in name:
        return None
    answer = git.ask("rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{commit}}")
    return None if answer.code else answer.out.decode("ascii").strip()


def need_commit(git: GitProcess, name: str) -> str:
    """Give the id of the commit that a name stands for, or say that it is not here."""
    found = find_commit(git, name)
    if found is None:
        raise GitError(
            f"there is no commit {ascii(name)[1:-1][:100]!r} in the repository.",
            where=str(git.folder),
            next_step="Fetch it; a shallow clone needs its history (`git fetch --unshallow`).",
        )
    return found


def set_reference(git: GitProcess, name: str, new: str | None) -> None:
    """Let a reference below `refs/wikimill/` name a commit, or drop it, whatever it named before."""
    if not name.startswith(OURS) or not is_reference(git, name):
        raise GitError(f"{name!r} is no reference of wikimill's.", where=str(git.folder))
    command = ("update-ref", "-d", name) if new is None else ("update-ref", name, need_commit(git, new))
    answer = git.ask(*command)
    if answer.code:
        raise explain(command, answer, git.folder)
