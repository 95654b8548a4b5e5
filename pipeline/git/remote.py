"""Owns one remote repository: its branches, fetching from it, and pushing to it without overwriting anybody.

What the remote says is untrusted. It reaches a person as one short line, and names of references are checked before
they are used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import BranchMoved, GitError, PushRefused
from pipeline.git.addresses import without_credentials
from pipeline.git.branches import HEADS, find_commit, is_id, is_reference, need_commit, short_name
from pipeline.git.network import PATIENCE, Credentials, Network
from pipeline.git.refusals import is_about_access, may_have_arrived, read_pushed, said_by_remote, step_for_push

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipeline.git.process import Answer, GitProcess
    from pipeline.git.refusals import Pushed

__all__ = ["Credentials", "Remote", "open_remote"]

FETCH = (
    *("fetch", "--no-tags", "--force", "--no-prune", "--no-write-fetch-head", "--refmap="),
    *("--no-recurse-submodules", "--no-show-forced-updates"),
)
PUSH = ("push", "--porcelain", "--atomic", "--no-follow-tags", "--recurse-submodules=no")

WHOLE = "--depth=2147483647"
"""What git itself means by `--unshallow`, which is an error where there is nothing left to complete."""

ATTEMPTS = 3
"""How often a fetch looks anew when a branch disappears between looking and fetching."""

NOT_GIVEN = ("not our ref", "unadvertised object", "couldn't find remote ref", "no such remote ref")

MOVED = frozenset({"stale info", "fetch first", "non-fast-forward", "needs force", "already exists"})
"""Why git itself does not even ask the remote."""


def open_remote(
    git: GitProcess, name: str, credentials: Credentials | None = None, *, limit: float = PATIENCE
) -> Remote:
    """Find a remote by its name in the configuration of the repository; nobody is called yet."""
    usable = bool(name) and not name.startswith("-") and is_reference(git, f"refs/remotes/{name}/x")
    answer = git.ask("config", "--get", f"remote.{name}.url") if usable else None
    url = answer.out.decode("utf-8", "replace").strip() if answer and not answer.code else ""
    if not url:
        raise GitError(
            f"there is no remote {name!r} in the repository.",
            where=str(git.folder),
            next_step="Add it with `git remote add NAME ADDRESS`, or set proposal.remote in wikimill.toml.",
        )
    used = [_used_addresses(git, name, *kind) for kind in ((), ("--push",))]
    addresses = list(dict.fromkeys(address for some in used for address in some)) or [url]
    network = Network(git, name, addresses, credentials=credentials, limit=limit)
    return Remote(git, network, name, without_credentials(url))


def _used_addresses(git: GitProcess, name: str, *kind: str) -> list[str]:
    """Give the addresses of a remote after git's own rewriting (`insteadOf`)."""
    return git.ask("remote", "get-url", "--all", *kind, name).out.decode("utf-8", "replace").split("\n")[:-1]


class Remote:
    """One remote of a repository. Every method may raise `GitError` when it cannot be reached."""

    def __init__(self, git: GitProcess, network: Network, name: str, url: str) -> None:
        self.name = name
        self.url = url
        """The address as it is configured, without a password."""
        self._git = git
        self._network = network

    def __repr__(self) -> str:
        return f"Remote({self.name!r}, {self.url!r})"

    # What stands there

    def heads(self, prefix: str = "") -> dict[str, str]:
        """Give the branches whose short name starts with a prefix, and their commits."""
        rows = self._network.run("ls-remote", "--heads", "--", self.name).decode("utf-8", "replace").split("\n")
        pairs = (row.partition("\t") for row in rows)
        return {
            name.removeprefix(HEADS): commit
            for commit, _, name in pairs
            if name.startswith(HEADS + prefix) and name.isprintable() and is_id(commit)
        }

    # Fetching

    def fetch(self, branches: Sequence[str]) -> dict[str, str | None]:
        """Bring branches up to date below `refs/remotes/`, and give their commits; none for one that is gone there."""
        names = [self._branch(branch) for branch in branches]
        for _ in range(ATTEMPTS):
            standing = self.heads()
            there = [name for name in names if name in standing]
            self._clear_way(names, standing)
            if not there:
                break
            command = (*FETCH, self.name, *(f"+{HEADS}{name}:{self._tracking(name)}" for name in there))
            answer = self._network.ask(*command)
            if not answer.code:
                break
            if not _is_not_given(answer):
                raise self._network.explain(command, answer)
        else:
            raise GitError(
                "its branches change faster than they can be fetched.",
                where=self._network.where,
                next_step="Run again.",
            )
        return {
            branch: find_commit(self._git, self._tracking(name)) if name in there else None
            for branch, name in zip(branches, names, strict=True)
        }

    def fetch_commit(self, commit_or_ref: str) -> bool:
        """Make a commit present here, by its id or by the full name of a reference; tell whether the remote gave it.

        It is kept by no reference: `Repository.set_reference` does that.
        """
        if is_id(commit_or_ref):
            if find_commit(self._git, commit_or_ref):
                return True
        elif not is_reference(self._git, commit_or_ref):
            raise GitError(f"{commit_or_ref!r} is neither an id nor a reference.", where=self._network.where)
        command = (*FETCH, self.name, commit_or_ref)
        answer = self._network.ask(*command)
        if answer.code and not _is_not_given(answer):
            raise self._network.explain(command, answer)
        return not answer.code and (not is_id(commit_or_ref) or find_commit(self._git, commit_or_ref) is not None)

    def unshallow(self) -> None:
        """Complete the history of a shallow clone; does nothing in any other."""
        if not self._is_shallow():
            return
        # The branches that are followed already come first: others may be many, and large.
        known = self._git.run("for-each-ref", "--format=%(refname)", f"refs/remotes/{self.name}").decode("utf-8")
        followed = {self._name_of(row) for row in known.split("\n") if row}
        for wanted in (followed & self.heads().keys(), {"*"}):
            if wanted and self._is_shallow():
                self._network.run(FETCH[0], WHOLE, *FETCH[1:], self.name, *map(self._refspec, sorted(wanted)))
        if self._is_shallow():
            raise GitError(
                "the clone is shallow, and its branches on the remote do not lead to all that it holds.",
                where=str(self._git.folder),
                next_step="Clone with the whole history (in a workflow: `fetch-depth: 0` for actions/checkout).",
            )

    # Pushing

    def push(self, branch: str, new: str | None, *, expected: str | None) -> None:
        """Let a branch there name a commit of this repository, if it still stands where it is expected to stand.

        With `new` nothing it is deleted; with `expected` nothing it must not exist yet. That it stands at `new`
        already is as good. Raises `BranchMoved` when somebody else was there, and `PushRefused` when the remote
        does not want it.
        """
        name = self._branch(branch)
        reference = HEADS + name
        if expected is not None and not is_id(expected):
            raise GitError(f"{expected!r} is not the id of a commit.", where=self._network.where)
        target = need_commit(self._git, new) if new is not None else ""
        command = (*PUSH, f"--force-with-lease={reference}:{expected or ''}", self.name, f"{target}:{reference}")
        answer = self._network.ask(*command)
        if answer.code:
            self._judge(command, answer, name, new=target or None, expected=expected)

    def try_push(self, branch: str, commit: str) -> None:
        """Ask whether a branch there could be pushed, without pushing anything (git's own dry run).

        The remote tells at the beginning whether it lets this token write at all; what its rules and hooks say of a
        branch, it tells only when something comes. Raises `PushRefused` for want of the right, and nothing else: what
        cannot be found out now will be later.
        """
        name = self._branch(branch)
        target = need_commit(self._git, commit)
        command = (*PUSH, "--dry-run", "--no-verify", "--force", self.name, f"{target}:{HEADS}{name}")
        answer = self._network.ask(*command)
        if answer.code and not answer.out and is_about_access(answer.complaint):
            raise self._refused(name, answer, None)

    def push_forward(self, branch: str, new: str, *, expected: str | None) -> None:
        """Push as `push` does, and never take a commit away: `new` must go on from where the branch is expected."""
        older = [] if expected is None else [expected]
        if any(self._git.ask("merge-base", "--is-ancestor", one, need_commit(self._git, new)).code for one in older):
            raise GitError(
                f"{new[:12]} does not go on from {(expected or '')[:12]}, so it would take commits away.",
                where=self._network.where,
                next_step="Fetch the branch, and run again.",
            )
        self.push(branch, new, expected=expected)

    def _judge(
        self, command: Sequence[str], answer: Answer, name: str, *, new: str | None, expected: str | None
    ) -> None:
        """Tell what became of a push that git calls failed; return if it arrived all the same."""
        pushed = read_pushed(answer.out.decode("utf-8", "replace"), HEADS + name)
        failed = pushed is not None and pushed.failed
        if failed or may_have_arrived(answer.complaint):
            stands = self.heads(name).get(name)
            if stands == new:
                return
            if stands != expected or (pushed and pushed.kind == "rejected" and pushed.reason in MOVED):
                raise self._moved(name, expected, stands)
        if failed or is_about_access(answer.complaint):
            raise self._refused(name, answer, pushed)
        if not answer.out and "fatal:" not in answer.complaint and "failed to push some refs" in answer.complaint:
            raise PushRefused(
                f"a hook of this repository (pre-push) does not let it go: {self._network.clean(answer.complaint)}",
                where=name,
                next_step="See what that hook asks for, then run again.",
            )
        raise self._network.explain(command, answer)

    def _refused(self, name: str, answer: Answer, pushed: Pushed | None) -> PushRefused:
        reason = pushed.reason or pushed.kind if pushed else ""
        said = said_by_remote(answer.complaint) or ("" if pushed else answer.complaint)
        words = self._network.clean(": ".join(part for part in (reason, said) if part))
        return PushRefused(
            f"{self._network.host} does not take the push: {words}", where=name, next_step=step_for_push(words)
        )

    def _moved(self, name: str, expected: str | None, stands: str | None) -> BranchMoved:
        was = f"was expected at {expected[:12]}" if expected else "was not expected to exist"
        now = f"stands at {stands[:12]}" if stands else "does not exist"
        return BranchMoved(
            f"the branch {name!r} of {self.name} moved: it {was}, and {now}; nothing was overwritten.",
            where=self._network.where,
            next_step="Run again: it goes on from where the branch stands now.",
        )

    # Names

    def _branch(self, branch: str) -> str:
        name = short_name(self._git, branch)
        if not name:
            raise GitError(f"{branch!r} cannot be the name of a branch.", where=self._network.where)
        return name

    def _tracking(self, name: str) -> str:
        return f"refs/remotes/{self.name}/{name}"

    def _name_of(self, tracking: str) -> str:
        return tracking.removeprefix(f"refs/remotes/{self.name}/")

    def _refspec(self, name: str) -> str:
        return f"+{HEADS}{name}:{self._tracking(name)}"

    def _clear_way(self, names: Iterable[str], standing: Iterable[str]) -> None:
        """Drop what is followed here and gone there, where it is asked for or in the way of what is."""
        wanted = {*names}
        there = {*standing}
        above = {name[:at] for name in wanted for at, char in enumerate(name) if char == "/"}
        rows = self._git.run("for-each-ref", "--format=%(refname)", f"refs/remotes/{self.name}/").decode("utf-8")
        for row in rows.split("\n"):
            name = self._name_of(row)
            in_the_way = name in above or any(name.startswith(f"{one}/") for one in wanted)
            if row and name != "HEAD" and name not in there and (name in wanted or in_the_way):
                self._git.run("update-ref", "--no-deref", "-d", row)

    def _is_shallow(self) -> bool:
        return self._git.run("rev-parse", "--is-shallow-repository").strip() == b"true"


def _is_not_given(answer: Answer) -> bool:
    """Whether the remote was reached, and does not have or give what was asked for."""
    return any(sign in answer.complaint for sign in NOT_GIVEN)
