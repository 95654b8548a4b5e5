"""Owns a double of GitHub: a real bare repository, pull requests over it, and the REST API over loopback HTTP.

It keeps state and refuses what GitHub refuses. Pull requests follow their branches, however these are pushed. What a
person does on GitHub's pages are methods. `violations` tells what no client should have done.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Self

from tests.forge.github_routes import respond
from tests.forge.github_state import PREFIXES, PROPOSES, Account, Looked, Pull, Settings, Token
from tests.forge.hosting import HostedRepository, MergeKind
from tests.forge.served import Answer, Asked, Fault, Served

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from types import TracebackType

    from tests.forge.github_state import TokenKind
    from tests.forge.hosting import HostedCommit

OWNERS: dict[TokenKind, Account] = {
    "actions": Account("github-actions[bot]", "Bot"),
    "app": Account("wikimill-acme[bot]", "Bot"),
    "classic": Account("dana"),
    "fine-grained": Account("dana"),
}


class GitHubDouble:
    """GitHub with one repository; a context manager. `url` is the address of the API."""

    def __init__(
        self, place: Path, *, name: str = "acme/wiki", now: Callable[[], datetime] | None = None, main: str = "main"
    ) -> None:
        self.repository = HostedRepository(place, main=main)
        self.name = name
        self.old_names: list[str] = []
        self.settings = Settings()
        self.tokens: dict[str, Token] = {}
        self.pulls: dict[int, Pull] = {}
        self._seconds = 0
        self._given_now = now
        self._violations: list[str] = []
        self._served = Served(self._respond, self.now)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._served.__exit__(kind, error, at)

    @property
    def url(self) -> str:
        return self._served.url

    @property
    def web_url(self) -> str:
        return "https://github.test"

    @property
    def owner(self) -> str:
        return self.name.partition("/")[0]

    @property
    def requests(self) -> list[Asked]:
        """All requests, in the order in which they came."""
        return self._served.requests

    @property
    def faults(self) -> list[Fault]:
        """What goes wrong next; append to it."""
        return self._served.faults

    def asked(self) -> list[str]:
        """List the requests as `METHOD path-within-the-repository`."""
        home = f"/repos/{self.name}"
        return [f"{asked.method} {asked.path.removeprefix(home) or '/'}" for asked in self.requests]

    def now(self) -> datetime:
        """Give the time that was given, else one that goes on by a second with each thing that happens."""
        if self._given_now is not None:
            return self._given_now()
        return datetime(2026, 11, 30, 8, 0, tzinfo=UTC) + timedelta(seconds=self._seconds)

    def token(
        self,
        kind: TokenKind = "actions",
        *,
        login: str = "",
        permissions: dict[str, str] = PROPOSES,
        sees: bool = True,
        scopes: str = "repo, workflow",
        expires: str = "",
        bypasses: bool = False,
    ) -> str:
        """Make a token of the kind; `permissions` are what the job that proposes has, unless they are named."""
        text = f"{PREFIXES[kind]}{len(self.tokens):04d}SECRETsecretSECRETsecret"
        owner = OWNERS[kind] if not login else Account(login)
        self.tokens[text] = Token(text, kind, owner, dict(permissions), sees, scopes, expires, bypasses)
        return text

    def pull(self, number: int) -> Pull:
        with self._served.lock:
            self._follow()
            return self.pulls[number]

    def open_pulls(self) -> list[Pull]:
        with self._served.lock:
            self._follow()
            return [pull for pull in self.ours() if pull.state == "open"]

    def ours(self) -> list[Pull]:
        return [pull for pull in self.pulls.values() if pull.home == self.name]

    def commits(self, pull: Pull) -> list[HostedCommit]:
        """List what a pull request adds to its base, as that stood when it was open."""
        return self.repository.commits(pull.base_head, pull.head)

    def violations(self) -> list[str]:
        """Tell what no client should have done: pushes to the branch of a declined one, two open at a time."""
        with self._served.lock:
            self._follow()
            return list(self._violations)

    def merge(self, number: int, how: MergeKind = "merge", *, by: str = "dana", delete_branch: bool = False) -> str:
        """Press the button, and give the commit that the base has then; raises `NotMergeable`."""
        pull = self.pull(number)
        assert pull.state == "open", f"pull request {number} is closed"
        with self._served.lock:
            title, who = pull.title, by.capitalize()
            made = self.repository.merge(pull.head, pull.base, how=how, title=title, number=number, by=who)
            self._merged(pull, made, Account(by, "Bot" if by.endswith("[bot]") else "User"))
        if delete_branch:
            self.delete_branch(pull.branch)
        return made

    def close(self, number: int, *, by: str = "dana") -> None:
        pull = self.pull(number)
        assert pull.state == "open", f"pull request {number} is closed"
        self.shut(pull, by)

    def reopen(self, number: int) -> None:
        pull = self.pull(number)
        assert pull.was_declined, "a merged or open pull request is not reopened"
        assert self.repository.tip(pull.branch) == pull.head, "GitHub reopens none whose branch was forced or deleted"
        pull.state, pull.closed_at = "open", None

    def tick(self, number: int, text: str) -> None:
        """Tick a box in the text, as a person does: `- [ ] text` becomes `- [x] text`."""
        pull = self.pull(number)
        assert f"- [ ] {text}" in pull.body, f"no box for {text!r}"
        pull.body = pull.body.replace(f"- [ ] {text}", f"- [x] {text}", 1)

    def edit_body(self, number: int, body: str) -> None:
        """Give it another text on GitHub's page, which sends lines that end with CR LF."""
        self.pull(number).body = body.replace("\r\n", "\n").replace("\n", "\r\n")

    def comment(self, number: int, text: str, *, by: str = "dana") -> None:
        self.pull(number).comments.append((by, text))

    def review(
        self, number: int, *, by: str = "dana", state: str = "APPROVED", kind: str = "User", commit: str = ""
    ) -> None:
        """Review what the head is now, or an earlier `commit`."""
        pull, at = self.pull(number), None if state == "PENDING" else self._happens()
        pull.reviews.append(Looked(Account(by, kind), state, commit or pull.head, at))

    def delete_branch(self, branch: str) -> None:
        with self._served.lock:
            self._follow()
            self.repository.delete_branch(branch)
            self._follow()

    def rename(self, name: str) -> None:
        """Give the repository another name; the old one sends there."""
        self.old_names.append(self.name)
        for pull in self.ours():
            pull.home = name
        self.name = name

    def add_from_fork(self, branch: str, *, by: str = "mallory", deleted: bool = False, owner: str = "") -> Pull:
        """Open one from a fork whose branch is called alike; a fork that was deleted has no repository any more."""
        pull = self.add(branch, self.repository.main, "From a fork", "", Account(by), at=self.repository.tip("main"))
        pull.owner = owner or by
        pull.home = None if deleted else f"{by}/{self.name.partition('/')[2]}"
        return pull

    def add(self, branch: str, base: str, title: str, body: str, user: Account, *, at: str = "") -> Pull:
        number, head = len(self.pulls) + 1, at or self.repository.tip(branch)
        base_head = self.repository.tip(base)
        pull = Pull(number, title, body, branch, base, head, base_head, user, self._happens(), self.owner, self.name)
        if not at and (others := [other.number for other in self.ours() if other.state == "open"]):
            self._violations.append(f"{number} was opened while {others} stood open")
        self.pulls[number] = pull
        self.repository.keep(f"refs/pull/{number}/head", head)
        return pull

    def shut(self, pull: Pull, by: str) -> None:
        pull.state, pull.closed_at, pull.closed_by = "closed", self._happens(), by
        pull.holds_branch = True
        pull.events.append(f"closed by {by}")

    def _respond(self, asked: Asked) -> Answer:
        self._follow()
        told = respond(self, asked)
        self._follow()
        return told

    def _happens(self) -> datetime:
        self._seconds += 1
        return self.now()

    def _follow(self) -> None:
        """Let pull requests follow what was pushed: to their branches, and to their bases."""
        branches = self.repository.branches()
        for pull in self.ours():
            tip = branches.get(pull.branch, "")
            if pull.state == "open":
                self._follow_open(pull, tip, branches.get(pull.base, ""))
            elif pull.was_declined and pull.holds_branch and tip != pull.head:
                # A branch that was deleted is anybody's again.
                pull.holds_branch = False
                if tip:
                    self._violations.append(f"the branch of {pull.number}, which was declined, was pushed to")

    def _follow_open(self, pull: Pull, tip: str, base: str) -> None:
        if not tip:
            pull.events.append("its branch was deleted")
            self.shut(pull, "")
            pull.holds_branch = False
            return
        if tip != pull.head:
            pull.events.append(f"pushed {tip}")
            pull.head, pull.base_head = tip, base
            self.repository.keep(f"refs/pull/{pull.number}/head", tip)
            if not self.repository.commits(base, tip):
                pull.events.append("its branch was pushed to hold nothing")
                self.shut(pull, "")
        elif base != pull.base_head and not self.repository.commits(base, tip):
            # Its commits came into the base by a push: GitHub takes that for a merge.
            pull.base_head = self.repository.fork_point(pull.base_head, tip)
            self._merged(pull, tip, None)

    def _merged(self, pull: Pull, commit: str, by: Account | None) -> None:
        pull.state, pull.merge_commit, pull.merged_by = "closed", commit, by
        pull.merged_at = pull.closed_at = self._happens()
        pull.events.append(f"merged by {by.login if by else 'a push'}")
