"""Owns a repository on GitHub as a host of proposals: each method is one errand; how it is done stands beside it."""

from __future__ import annotations

import re
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from pipeline import __version__
from pipeline.errors import ConfigError, ForgeError
from pipeline.finding import Finding
from pipeline.forge.github.answers import Pull, read_answer
from pipeline.forge.github.examining import Examiner
from pipeline.forge.github.opening import BODY_LIMIT, check_texts, dress, open_pull, probe, pulls_into, pulls_of
from pipeline.forge.github.reading import as_proposal, read_commits, read_last_review, read_pull
from pipeline.forge.github.refusing import ACTIONS_MAY_NOT, READ_PULLS, WRITE_PULLS, Need, explained
from pipeline.forge.github.watching import names_of_secrets, watch_over
from pipeline.forge.http import ForgeClient, HostRefused, Interrupted, Moved

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from pipeline.proposal.proposal import Access, HostName, NewProposal, Proposal, ProposedCommit, Review

API_VERSION: Final = "2022-11-28"
"""Enterprise servers know it too, and the one after it, 2026-03-10, no longer names the commit that a merge made."""
MERGERS_READ: Final = 3
"""Merged pull requests, the newest, of which is read who merged them: that takes a request for each."""

_REPOSITORY: Final = re.compile(r"[A-Za-z0-9_.-]{1,100}/[A-Za-z0-9_.-]{1,100}")
_REFUSED: Final = 422


def open_github(  # noqa: PLR0913  # what a repository on a host consists of, and what the world gives
    *,
    api_url: str,
    web_url: str,
    repository: str,
    token: str,
    sleep: Callable[[float], None],
    now: Callable[[], datetime],
    ticks: Callable[[], float] = time.monotonic,
    hurried: bool = False,
) -> GitHub:
    """Make the client of a repository; `api_url` is GITHUB_API_URL, `web_url` GITHUB_SERVER_URL.

    Raises `ConfigError` for an address, a name or a token that cannot be used.
    """
    headers = {
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": API_VERSION,
        "User-Agent": f"wikimill/{__version__}",
    }
    client = ForgeClient(api_url, headers, token, sleep=sleep, now=now, ticks=ticks, hurried=hurried)
    return GitHub(client, repository, web_url)


class GitHub:
    """One repository, `owner/name`, on github.com or on an Enterprise server."""

    def __init__(self, client: ForgeClient, repository: str, web_url: str = "https://github.com") -> None:
        if not _REPOSITORY.fullmatch(repository) or {".", ".."} & set(repository.split("/")):
            raise ConfigError(
                "is not a repository on GitHub.",
                where="proposal.repository",
                next_step="It is such as 'acme/wiki'.",
            )
        self._client = client
        self._repository = repository
        self._web_url = web_url.rstrip("/")
        self._home = f"/repos/{repository}"
        self._findings: list[Finding] = []

    def __repr__(self) -> str:
        return f"GitHub({self._repository!r}, {self._client!r})"

    @property
    def host(self) -> HostName:
        """Which kind of host it is."""
        return "github"

    @property
    def repository(self) -> str:
        """The repository, `owner/name`."""
        return self._repository

    @property
    def body_limit(self) -> int:
        """How many UTF-16 code units the text of a proposal may have."""
        return BODY_LIMIT

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What GitHub did not take of what was asked, such as a label, and did without failing the whole."""
        return tuple(self._findings)

    def examine(self, *, base: str, branch: str, will_push: bool) -> Access:
        """Look what the token may do, by reading alone; see `Forge`."""
        return Examiner(self._client, self._repository, self._web_url).examine(base, branch, will_push=will_push)

    def secret_names(self) -> frozenset[str] | None:
        """Name the secrets of Actions that the repository has, of its own or of its organisation; None if unseen."""
        return names_of_secrets(self._client, self._repository)

    def watch(self, workflow: str = "consolidate.yml") -> tuple[str, tuple[Finding, ...]]:
        """Look whether the schedule is awake and the site is published, as far as the token may see it."""
        return watch_over(self._client, self._repository, self._web_url, workflow)

    def may_open(self, *, base: str) -> tuple[str, str]:
        """Ask, without opening anything, whether a proposal could be opened; see `Forge` and `probe`."""
        answer = probe(self._client, self._home, base)
        if isinstance(answer, int):
            told = f"asking whether proposals may be opened opened number {answer}, which was closed at once."
            self._findings.append(Finding("github", "probe-opened", "warning", told))
            return "", ""
        if answer.status == _REFUSED and not answer.says(ACTIONS_MAY_NOT):
            return "", ""
        meant = self._meant(answer, WRITE_PULLS)
        return meant.message, meant.next_step

    def proposals(self, branch: str) -> tuple[Proposal, ...]:
        """Give every proposal from exactly this branch of this repository, the newest first.

        Who merged it is known of the 20 newest merged ones.
        """
        with self._explaining(READ_PULLS):
            found = {pull.number: pull for pull in pulls_of(self._client, self._home, branch)}
            merged = sorted((number for number in found if found[number].merged_at), reverse=True)
            for number in merged[:MERGERS_READ]:
                found[number] = read_pull(self._client, self._home, number)
            return tuple(as_proposal(found[number]) for number in sorted(found, reverse=True))

    def open_into(self, base: str) -> tuple[Proposal, ...]:
        """Give every open proposal of this repository into a branch, the newest first."""
        with self._explaining(READ_PULLS):
            return tuple(map(as_proposal, pulls_into(self._client, self._home, base)))

    def commits(self, number: int) -> tuple[ProposedCommit, ...]:
        """Give all commits of a proposal, the oldest first, however many; also of one whose branch is gone."""
        with self._explaining(READ_PULLS):
            return read_commits(self._client, self._home, number)

    def last_review(self, number: int) -> Review | None:
        """Give the last look that a person (no machine, not the author) took at a proposal."""
        with self._explaining(READ_PULLS):
            return read_last_review(self._client, self._home, number)

    def open(self, new: NewProposal) -> Proposal:
        """Open a proposal, or give the open one that there is for this branch, unchanged; see `Forge`."""
        check_texts(new.title, new.body)
        with self._explaining(WRITE_PULLS, by_hand=self.compare_url(base=new.base, branch=new.branch)):
            opened = open_pull(self._client, self._home, new)
            self._findings.extend(opened.findings)
            if opened.is_new:
                self._findings.extend(dress(self._client, self._home, opened.pull.number, new))
            return as_proposal(opened.pull)

    def rewrite(self, number: int, *, title: str, body: str) -> Proposal:
        """Give an open proposal a new title and text; one that was closed meanwhile keeps its own."""
        check_texts(title, body)
        with self._explaining(WRITE_PULLS):
            self._require_open(read_pull(self._client, self._home, number))
            pull = read_answer(Pull, self._client.patch(f"{self._home}/pulls/{number}", {"title": title, "body": body}))
            self._require_open(pull)
            return as_proposal(pull)

    def hang_up(self) -> None:
        """End the connections to the host."""
        self._client.close()

    def close(self, number: int, *, reason: str) -> None:
        """Close a proposal without merging it, and say why in a comment; one that was merged stays as it is.

        GitHub closes by itself a pull request whose branch is deleted: that gets its comment as well.
        """
        with self._explaining(WRITE_PULLS):
            pull = read_pull(self._client, self._home, number)
            if pull.merged_at:
                return
            try:
                self._client.post(f"{self._home}/issues/{number}/comments", {"body": reason})
            except (HostRefused, Interrupted) as fault:
                # Two comments, or none, are better than a proposal that stays open without reason.
                told = f"the comment on why {number} is closed may be missing. {fault.message}"
                self._findings.append(Finding("github", "comment-refused", "warning", told))
            if pull.state == "open":
                self._client.patch(f"{self._home}/pulls/{number}", {"state": "closed"})

    def file_url(self, *, branch: str, path: str, line: int) -> str:
        """Give the page of GitHub that shows a line of a file on a branch."""
        return f"{self._web_url}/{self._repository}/blob/{quote(branch, safe='/')}/{quote(path, safe='/')}#L{line}"

    def compare_url(self, *, base: str, branch: str) -> str:
        """Give the page of GitHub on which a person can open the proposal by hand."""
        ends = f"{quote(base, safe='/')}...{quote(branch, safe='/')}"
        return f"{self._web_url}/{self._repository}/compare/{ends}?expand=1"

    def _require_open(self, pull: Pull) -> None:
        if pull.state != "open":
            how = "merged" if pull.merged_at else "closed"
            raise ForgeError(
                f"Pull request {pull.number} was {how} meanwhile.", next_step="Run again: what is new gets a new one."
            )

    @contextmanager
    def _explaining(self, need: Need, *, by_hand: str = "") -> Iterator[None]:
        """Tell a refusal as what it means."""
        try:
            yield
        except HostRefused as fault:
            raise self._meant(fault, need, by_hand) from None

    def _meant(self, fault: HostRefused, need: Need, by_hand: str = "") -> ForgeError:
        meant = explained(fault, need, web_url=self._web_url, repository=self._repository, by_hand=by_hand)
        if isinstance(fault, Moved) and (name := self._name_now()):
            meant = ForgeError(f"{self._repository} is called {name} now. {fault.message}", next_step=meant.next_step)
        return meant

    def _name_now(self) -> str:
        """Ask how the repository is called, which a GET tells also under its old name."""
        try:
            return Examiner(self._client, self._repository, self._web_url).repository().full_name
        except ForgeError:
            return ""
