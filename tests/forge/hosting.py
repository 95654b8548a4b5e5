"""Owns what a host of repositories keeps on its disk, for the doubles of hosts: a real bare repository.

It also does with it what people do with the buttons of a host's pages; what a host tells about that, the doubles know.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tests.repositories import Ground, quiet_environment

if TYPE_CHECKING:
    from collections.abc import Mapping

MergeKind = Literal["merge", "squash", "rebase"]

GONE = "0" * 40
SETTINGS = {
    "uploadpack.allowAnySHA1InWant": "true",
    "core.logAllRefUpdates": "true",
    "gc.auto": "0",
    "user.name": "Dana",
    "user.email": "dana@example.org",
}


class NotMergeable(Exception):
    """The branches conflict, so that no button of a host merges them."""


@dataclass(frozen=True, slots=True)
class HostedCommit:
    id: str
    parents: tuple[str, ...]
    message: str


@dataclass
class HostedRepository:
    """A bare repository at `place`, with one commit on `main`; `url` is what a git remote is set to."""

    place: Path
    main: str = "main"
    host: str = "GitHub"
    """Who commits what a button of the host makes."""
    ground: Ground = field(init=False)

    def __post_init__(self) -> None:
        if not (self.place / "HEAD").exists():
            shutil.copytree(_new_repository(self.main), self.place)
        self.ground = Ground(self.place, quiet_environment(self.place.parent / f"{self.place.name}-home"))

    @property
    def url(self) -> str:
        return self.place.as_uri()

    def git(self, *arguments: str, stdin: bytes = b"", fails: bool = False) -> str:
        return self.ground.git(*arguments, stdin=stdin, fails=fails)

    def tip(self, branch: str) -> str:
        """Give the commit of a branch, empty when there is no such branch."""
        return self.branches().get(branch, "")

    def branches(self) -> dict[str, str]:
        """Read where branches stand, from the files: a double looks with every request."""
        found: dict[str, str] = {}
        packed = self.place / "packed-refs"
        for line in packed.read_text(encoding="utf-8").splitlines() if packed.exists() else ():
            commit, _, name = line.partition(" ")
            if name.startswith("refs/heads/"):
                found[name.removeprefix("refs/heads/")] = commit
        home = self.place / "refs" / "heads"
        for path in home.rglob("*"):
            if path.is_file() and path.suffix != ".lock" and (commit := path.read_text(encoding="utf-8").strip()):
                found[path.relative_to(home).as_posix()] = commit
        return found

    def fork_point(self, one: str, other: str) -> str:
        """Give the best common ancestor of two commits, empty when there is none."""
        try:
            return self.git("merge-base", one, other).strip()
        except AssertionError:
            return ""

    def commits(self, base: str, head: str) -> list[HostedCommit]:
        """List what `head` has and `base` has not, the oldest first."""
        told = self.git("log", "--topo-order", "--reverse", "--format=%H%x00%P%x00%B%x01", f"{base}..{head}")
        rows = [row.lstrip("\n").split("\0") for row in told.split("\x01") if row.strip()]
        return [HostedCommit(row[0], tuple(row[1].split()), row[2].rstrip("\n")) for row in rows]

    def history(self, start: str, most: int) -> list[HostedCommit]:
        """List a commit and what lies before it, the newest first."""
        told = self.git("log", f"--max-count={most}", "--format=%H%x00%P%x00%B%x01", start)
        rows = [row.lstrip("\n").split("\0") for row in told.split("\x01") if row.strip()]
        return [HostedCommit(row[0], tuple(row[1].split()), row[2].rstrip("\n")) for row in rows]

    def knows(self, commit: str) -> bool:
        return self.git("cat-file", "--batch-check", stdin=f"{commit}\n".encode()).split()[1:2] == ["commit"]

    def changed(self, base: str, head: str) -> list[str]:
        """List the paths that differ between two commits."""
        return [path for path in self.git("diff", "--name-only", "-z", base, head).split("\0") if path]

    def keep(self, reference: str, commit: str) -> None:
        """Point a reference at a commit, as hosts do with `refs/pull/1/head`, which outlives the branch."""
        self.git("update-ref", reference, commit)

    def commit(
        self, branch: str, files: Mapping[str, str | None], message: str = "by a person", *, by: str = "Dana"
    ) -> str:
        """Commit files on a branch, which begins at `main` when it is new; None takes a file away."""
        tip, who = self.tip(branch) or self.tip(self.main), f"{by} <{by.lower()}@example.org> {_AT} +0000"
        lines = [f"commit refs/heads/{branch}", f"author {who}", f"committer {who}", _data(message)]
        lines += [f"from {tip}"] * bool(tip)
        for path, text in files.items():
            lines += [f"D {_quoted(path)}"] if text is None else [f"M 100644 inline {_quoted(path)}", _data(text)]
        self.git("fast-import", "--quiet", stdin="\n".join([*lines, ""]).encode())
        return self.tip(branch)

    def merge(self, head: str, branch: str, *, how: MergeKind, title: str, number: int, by: str = "Dana") -> str:
        """Merge a commit into a branch, and give the commit that is its tip then; raises `NotMergeable`."""
        tip = self.tip(branch)
        if how == "rebase":
            return self._land(branch, tip, self._rebased(head, tip))
        tree = self._merged_tree(tip, head)
        if how == "merge":
            message = f"Merge pull request #{number}\n\n{title}"
            return self._land(branch, tip, self._seal(tree, (tip, head), message, by))
        listed = "\n\n".join(f"* {commit.message}" for commit in self.commits(tip, head) if len(commit.parents) < 2)
        return self._land(branch, tip, self._seal(tree, (tip,), f"{title} (#{number})\n\n{listed}", by))

    def update_branch(self, branch: str, base: str, *, by: str = "Dana") -> str:
        """Merge `base` into a branch, as the button `Update branch` does."""
        tip, new = self.tip(branch), self.tip(base)
        tree = self._merged_tree(tip, new)
        return self._land(branch, tip, self._seal(tree, (tip, new), f"Merge branch '{base}' into {branch}", by))

    def can_merge(self, head: str, branch: str) -> bool:
        try:
            self._merged_tree(self.tip(branch), head)
        except NotMergeable:
            return False
        return True

    def delete_branch(self, branch: str) -> None:
        self.git("update-ref", "-d", f"refs/heads/{branch}")

    def refuse_pushes(self, branch: str, message: str = "protected branch hook declined") -> None:
        """Refuse every push to a branch from now on, as a rule of the host does."""
        hook = self.place / "hooks" / "update"
        hook.parent.mkdir(exist_ok=True)
        lines = [] if not hook.exists() else hook.read_text(encoding="utf-8").splitlines()[1:]
        rule = f'if [ "$1" = "refs/heads/{branch}" ]; then echo "{message}" >&2; exit 1; fi'
        hook.write_text("\n".join(["#!/bin/sh", *lines, rule]) + "\n", encoding="utf-8")
        hook.chmod(0o755)

    def _merged_tree(self, ours: str, theirs: str) -> str:
        try:
            return self.git("merge-tree", "--write-tree", ours, theirs).strip()
        except AssertionError:
            raise NotMergeable from None

    def _seal(self, tree: str, parents: tuple[str, ...], message: str, by: str) -> str:
        person = {"GIT_AUTHOR_NAME": by, "GIT_AUTHOR_EMAIL": f"{by.lower()}@example.org"}
        button = {"GIT_COMMITTER_NAME": self.host, "GIT_COMMITTER_EMAIL": "noreply@example.com"}
        ground = Ground(self.place, {**self.ground.environment, **person, **button})
        given = [word for parent in parents for word in ("-p", parent)]
        return ground.git("commit-tree", tree, *given, stdin=message.encode()).strip()

    def _land(self, branch: str, old: str, new: str) -> str:
        self.git("update-ref", f"refs/heads/{branch}", new, old or GONE)
        return new

    def _rebased(self, head: str, onto: str) -> str:
        """Make every commit anew on top of another, in a clone, which has the files that this takes."""
        place = self.place.parent / f"{self.place.name}-rebasing"
        button = {"GIT_COMMITTER_NAME": self.host, "GIT_COMMITTER_EMAIL": "noreply@example.com"}
        if not place.exists():
            self.git("clone", "-q", "--shared", str(self.place), str(place))
        ground = Ground(place, {**self.ground.environment, **button})
        ground.git("checkout", "-q", "--force", "--detach", head)
        try:
            ground.git("rebase", "-q", "--force-rebase", onto)
        except AssertionError:
            ground.git("rebase", "--abort")
            raise NotMergeable from None
        new = ground.tip()
        self.git("fetch", "-q", str(place), "HEAD")
        return new


_AT = 1_767_225_600
"""Seconds since 1970 at which everything is committed: the beginning of 2026."""


@cache
def _new_repository(main: str) -> Path:
    """Make the repository that all others are copies of: that is faster than to make each."""
    home = Path(tempfile.mkdtemp(prefix="hosted-"))
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    ground = Ground(home / "new.git", quiet_environment(home / "home"))
    ground.root.mkdir()
    ground.git("init", "-q", "--bare", "--template=", "-b", main)
    for name, value in SETTINGS.items():
        ground.git("config", name, value)
    HostedRepository(ground.root, main).commit(main, {"README.md": "A wiki.\n"}, "the beginning")
    return ground.root


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}"


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
