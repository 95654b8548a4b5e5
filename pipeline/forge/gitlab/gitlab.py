"""Owns merge requests of one project on one GitLab, as the protocol `Forge` asks for them; knows no git and no state.

A merge request is named by its iid, the number that people see.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

from pipeline import __version__
from pipeline.errors import ConfigError, ForgeError, ForgeUnavailable
from pipeline.finding import Finding
from pipeline.forge.gitlab.addresses import file_page, new_request_page
from pipeline.forge.gitlab.answers import BEING_MERGED, commit, fields, is_from_here, proposal, text
from pipeline.forge.gitlab.examining import Examiner
from pipeline.forge.gitlab.opening import Opening
from pipeline.forge.gitlab.people import People
from pipeline.forge.gitlab.project import ProjectApi
from pipeline.forge.gitlab.reviewing import last_review
from pipeline.forge.gitlab.tokens import kind_of
from pipeline.forge.gitlab.watching import watch
from pipeline.forge.gitlab.wording import BODY_LIMIT, commanding_nothing, is_draft, titled
from pipeline.forge.http import ForgeClient, HostRefused, Interrupted

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from pipeline.observations.observation import Json
    from pipeline.proposal.proposal import Access, HostName, NewProposal, Proposal, ProposedCommit, Review

_PAUSE: Final = 3.0
"""Seconds before looking again at a merge request that is being merged."""
_LOOKS: Final = 5
_PATH: Final = re.compile(r"[A-Za-z0-9_.-]{1,255}(?:/[A-Za-z0-9_.-]{1,255}){1,21}")
"""Of a project with its groups, of which GitLab nests at most 20."""


class GitLab:
    """One project on a GitLab."""

    def __init__(
        self,
        project: ProjectApi,
        *,
        sleep: Callable[[float], None],
        now: Callable[[], datetime],
        author_email: str = "",
    ) -> None:
        self._project = project
        self._people = People(project)
        self._sleep, self._now = sleep, now
        self._email = author_email
        self._findings: list[Finding] = []

    def __repr__(self) -> str:
        return f"GitLab({self._project.client.base_url!r}, {self._project.path!r})"

    @property
    def host(self) -> HostName:
        """Which kind of host it is."""
        return "gitlab"

    @property
    def repository(self) -> str:
        """The path of the project with its groups, such as `acme/docs/wiki`."""
        return self._project.path

    @property
    def body_limit(self) -> int:
        """How many characters (UTF-16 code units) a description may have; `wording` says why so many."""
        return BODY_LIMIT

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What GitLab did not take of what was asked, such as a reviewer, and did without failing the whole."""
        return tuple(self._findings)

    def examine(self, *, base: str, branch: str, will_push: bool) -> Access:
        """Look what the token may do; 5 or 6 requests with `will_push`, 2 or 3 without."""
        return self._examiner().examine(base=base, branch=branch, will_push=will_push)

    def may_open(self, *, base: str) -> tuple[str, str]:
        """Tell what forbids opening a merge request, and the setting to change; empty when nothing is known to."""
        return self._examiner().may_open(base=base)

    def secret_names(self) -> frozenset[str] | None:
        """Name the CI/CD variables of the project, which a Maintainer's token sees; None for any other."""
        listed = self._project.listed("/variables")
        return None if listed is None else frozenset(text(fields(one), "key") for one in listed)

    def watch(self) -> tuple[str, tuple[Finding, ...]]:
        """Look at what runs by itself, schedules and pages: a line for people, and what to mend.

        What the token may not see is told as such and raises nothing.
        """
        return watch(self._project, self._now())

    def proposals(self, branch: str) -> tuple[Proposal, ...]:
        """Give every merge request from this branch of the project itself, the newest first.

        One that is being merged is waited for, for 12 seconds; then `ForgeUnavailable` is raised.
        """
        for look in range(_LOOKS):
            if look:
                self._sleep(_PAUSE)
            listed = self._project.pages(
                "/merge_requests",
                {"state": "all", "scope": "all", "source_branch": branch, "order_by": "created_at", "sort": "desc"},
            )
            ours = [one for one in listed if is_from_here(fields(one), branch)]
            if not any(text(fields(one), "state") == BEING_MERGED for one in ours):
                return tuple(proposal(one, self._people.is_machine) for one in ours)
        raise ForgeUnavailable(
            f"a merge request from {branch} is being merged right now.",
            where=f"GitLab {self._project.path}",
            next_step="Run again in a while; when it stays so, look at it on GitLab.",
        )

    def open_into(self, base: str) -> tuple[Proposal, ...]:
        """Give every open merge request of the project itself into a branch, the newest first."""
        listed = self._project.pages(
            "/merge_requests",
            {"state": "opened", "scope": "all", "target_branch": base, "order_by": "created_at", "sort": "desc"},
        )
        ours = [one for one in listed if is_from_here(fields(one)) and text(fields(one), "target_branch") == base]
        return tuple(proposal(one, self._people.is_machine) for one in ours)

    def commits(self, number: int) -> tuple[ProposedCommit, ...]:
        """Give all commits of a merge request, the oldest first; GitLab keeps them when the branch is gone."""
        newest_first = [commit(one) for one in self._project.pages(f"/merge_requests/{number}/commits")]
        return tuple(reversed(newest_first))

    def last_review(self, number: int) -> Review | None:
        """Give the last approval or comment of a person who is not the author, and what stood there then."""
        return last_review(self._project, self._people, number)

    def open(self, new: NewProposal) -> Proposal:
        """Open a merge request, or give the open one of this branch, whichever branch it asks to be merged into."""
        opening = Opening(self._project, self._people, standing=lambda: self._standing(new.branch), sleep=self._sleep)
        try:
            return opening.open(new)
        finally:
            self._findings += opening.findings

    def rewrite(self, number: int, *, title: str, body: str) -> Proposal:
        """Give an open merge request a new title and description; a draft, which is so by its title, stays one."""
        place = f"/merge_requests/{number}"
        before = proposal(self._project.get(place), self._people.is_machine)
        if before.state != "open":
            raise ForgeError(
                f"merge request !{number} is {before.state} and not rewritten.", where=f"GitLab {self._project.path}"
            )
        changed: dict[str, Json] = {
            "title": titled(title, draft=is_draft(before.title)),
            "description": commanding_nothing(body),
        }
        return proposal(self._project.put(place, changed), self._people.is_machine)

    def hang_up(self) -> None:
        """End the connections to the host."""
        self._project.client.close()

    def close(self, number: int, *, reason: str) -> None:
        """Close an open merge request, with a comment before; one that is closed stays as it is."""
        place = f"/merge_requests/{number}"
        if proposal(self._project.get(place), self._people.is_machine).state != "open":
            return
        try:
            self._project.post(f"{place}/notes", {"body": commanding_nothing(reason)})
        except (HostRefused, Interrupted) as fault:
            told = f"The comment on why !{number} is closed may be missing. {fault.message}"
            self._findings.append(Finding(f"GitLab {self._project.path}", "comment-refused", "warning", told))
        self._project.put(place, {"state_event": "close"})

    def file_url(self, *, branch: str, path: str, line: int) -> str:
        """Give the page of GitLab that shows a line of a file on a branch."""
        return file_page(self._project.client.base_url, self._project.path, branch=branch, file=path, line=line)

    def compare_url(self, *, base: str, branch: str) -> str:
        """Give the page on which a person can open the merge request by hand."""
        return new_request_page(self._project.client.base_url, self._project.path, base=base, branch=branch)

    def _standing(self, branch: str) -> Proposal | None:
        return next((one for one in self.proposals(branch) if one.state == "open"), None)

    def _examiner(self) -> Examiner:
        return Examiner(self._project, self._now(), self._email)


def open_gitlab(  # noqa: PLR0913  # what a project on a host consists of, and what the world gives
    api_url: str,
    repository: str,
    token: str,
    *,
    variable: str,
    sleep: Callable[[float], None],
    now: Callable[[], datetime],
    ticks: Callable[[], float] = time.monotonic,
    author_email: str = "",
    hurried: bool = False,
) -> GitLab:
    """Make the client of a project; `api_url` is CI_API_V4_URL, such as `https://git.example.org/gitlab/api/v4`.

    `variable` is the environment variable that held the token, to be named where it is wrong; `author_email` that of
    the commits to be pushed, which rules for pushes may ask about. Raises `ConfigError` for an address, a path or a
    token that cannot be used.
    """
    if not _PATH.fullmatch(repository) or {".", ".."} & set(repository.split("/")):
        raise ConfigError(
            "is not a project on GitLab.",
            where="proposal.repository",
            next_step="It is such as 'acme/wiki', with all its groups.",
        )
    kind = kind_of(token.strip(), variable)
    headers = {"Accept": "application/json", "User-Agent": f"wikimill/{__version__}"}
    sent = {"token_header": kind.header, "token_scheme": kind.scheme}
    client = ForgeClient(api_url, headers, token, sleep=sleep, now=now, ticks=ticks, hurried=hurried, **sent)
    project = ProjectApi(client, repository, kind=kind, variable=variable)
    return GitLab(project, sleep=sleep, now=now, author_email=author_email)
