"""Owns what the double knows of one project: settings, users, tokens, merge requests; and how the world moves them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.forge.hosting import HostedCommit, HostedRepository, MergeKind

State = Literal["opened", "closed", "locked", "merged"]

PROJECT = 7
FORK = 8
BOT = "project_7_bot_0a1b2c"
DEVELOPER, MAINTAINER = 30, 40
START = datetime(2026, 11, 30, 8, 0, tzinfo=UTC)


@dataclass
class Token:
    """A token and whose it is; `job` tokens are taken from the header `JOB-TOKEN` alone."""

    user: str = BOT
    scopes: tuple[str, ...] = ("api",)
    expires_at: str | None = "2027-06-30"
    active: bool = True
    job: bool = False
    deploy: bool = False


@dataclass
class Note:
    id: int
    author: str
    body: str
    at: datetime
    system: bool = False


@dataclass
class MergeRequest:
    number: int
    """The iid."""
    branch: str
    base: str
    title: str
    body: str
    author: str
    at: datetime
    source_project: int = PROJECT
    state: State = "opened"
    head: str = ""
    commits: list[HostedCommit] = field(default_factory=list)
    versions: list[tuple[datetime, str]] = field(default_factory=list)
    """When the branch got which tip, the oldest first."""
    notes: list[Note] = field(default_factory=list)
    approvals: list[tuple[str, datetime]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    reviewers: list[str] = field(default_factory=list)
    removes_branch: bool = False
    merge_user: str | None = None
    merged_at: datetime | None = None
    closed_at: datetime | None = None
    merge_commit: str | None = None
    squash_commit: str | None = None
    left: bool = False
    """Whether its branch was seen gone since it was closed."""


@dataclass
class Project:
    """A project with its users; `settings` are the fields of the project's answer that tests may change."""

    hosted: HostedRepository
    path: str = "acme/wiki"
    old_paths: list[str] = field(default_factory=list)
    clock: Callable[[], datetime] | None = None
    """The time that a test gives; else it goes on by a second with each thing that happens."""
    seconds: int = 0
    settings: dict[str, Any] = field(
        default_factory=lambda: {
            "visibility": "private",
            "archived": False,
            "merge_requests_enabled": True,
            "merge_requests_access_level": "enabled",
            "builds_access_level": "enabled",
            "jobs_enabled": True,
            "pages_access_level": "private",
            "only_allow_merge_if_pipeline_succeeds": False,
            "ci_push_repository_for_job_token_allowed": False,
        }
    )
    users: dict[str, int] = field(default_factory=lambda: {BOT: 70, "dana": 71, "kim": 72, "ghost": 73})
    machines: set[str] = field(default_factory=lambda: {BOT})
    """Of whom GitLab says `bot`, when asked for that one user."""
    roles: dict[str, int] = field(default_factory=lambda: {BOT: DEVELOPER, "dana": MAINTAINER, "kim": DEVELOPER})
    group_roles: dict[str, int] = field(default_factory=dict)
    shared_roles: dict[str, int] = field(default_factory=dict)
    """Roles by an invited group, which only the list of all members tells."""
    admins: set[str] = field(default_factory=set)
    user_states: dict[str, str] = field(default_factory=dict)
    protected: list[dict[str, Any]] = field(default_factory=list)
    push_rule: dict[str, Any] | Literal["unlicensed"] | None = "unlicensed"
    schedules: list[dict[str, Any]] = field(default_factory=list)
    variables: tuple[str, ...] = ()
    """Keys of the CI/CD variables."""
    approvals_tell_time: bool = True
    one_reviewer: bool = True
    requests: dict[int, MergeRequest] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    tips: dict[str, str] = field(default_factory=dict)
    """Of all branches, when it was last looked."""

    def now(self) -> datetime:
        return START + timedelta(seconds=self.seconds) if self.clock is None else self.clock()

    def moment(self) -> datetime:
        self.seconds += 1
        return self.now()

    def role(self, user: str) -> int:
        return max(self.roles.get(user, 0), self.group_roles.get(user, 0), self.shared_roles.get(user, 0))

    def identity(self, user: str) -> int:
        return self.users.setdefault(user, 70 + len(self.users))

    def open_ones(self, branch: str) -> list[MergeRequest]:
        return [one for one in self.requests.values() if one.branch == branch and one.state == "opened"]

    def comment(self, one: MergeRequest, by: str, body: str, *, system: bool = False) -> datetime:
        one.notes.append(Note(len(one.notes) + 1, by, body, self.moment(), system))
        return one.notes[-1].at

    def create(self, author: str, branch: str, base: str, title: str, body: str) -> MergeRequest:
        number = max(self.requests, default=0) + 1
        made = MergeRequest(number, branch, base, title, body, author, self.moment())
        if self.open_ones(branch):
            self.violations.append(f"!{number} is a second open merge request from {branch}")
        self.requests[number] = made
        self._reload(made)
        return made

    def refresh(self) -> None:
        """See what was pushed since: new tips, branches that are gone, merges by hand, pushes that must not be."""
        tips = self.hosted.branches()
        if tips == self.tips:
            return
        self.tips = tips
        for one in self.requests.values():
            if one.source_project != PROJECT:
                continue
            tip = tips.get(one.branch, "")
            if one.state == "opened":
                self._follow(one, tip)
            elif one.state == "closed":
                one.left = one.left or not tip
                if tip and tip != one.head and not one.left and not self.open_ones(one.branch):
                    told = f"pushed to {one.branch}, the branch of !{one.number}, which is closed"
                    if told not in self.violations:
                        self.violations.append(told)

    def _follow(self, one: MergeRequest, tip: str) -> None:
        if one.commits and one.head in {commit.id for commit in self.hosted.history(one.base, 500)}:
            one.state, one.merge_user, one.merged_at = "merged", "dana", self.moment()
        elif not tip:
            one.state, one.closed_at, one.left = "closed", self.moment(), True
        elif tip != one.head:
            self._reload(one)

    def _reload(self, one: MergeRequest) -> None:
        one.head = self.hosted.tip(one.branch)
        base = self.hosted.tip(one.base)
        start = self.hosted.fork_point(base, one.head) if base else ""
        one.commits = self.hosted.commits(start, one.head) if start else []
        one.versions.append((self.moment(), one.head))
        self.hosted.keep(f"refs/merge-requests/{one.number}/head", one.head)

    def merge(self, one: MergeRequest, how: MergeKind, by: str, *, delete_branch: bool) -> str:
        """Merge as the project's merge method does; raises `NotMergeable`."""
        self.refresh()
        assert one.state == "opened", f"!{one.number} is {one.state}"
        person = by.capitalize()
        if how == "rebase":
            self._fast_forward(one, person)
        else:
            made = self.hosted.merge(one.head, one.base, how=how, title=one.title, number=one.number, by=person)
            if how == "merge":
                one.merge_commit = made
            else:
                one.squash_commit = made
        one.state, one.merge_user, one.merged_at = "merged", by, self.moment()
        if one.removes_branch and delete_branch and self.hosted.tip(one.branch):
            self.hosted.delete_branch(one.branch)
        return self.hosted.tip(one.base)

    def _fast_forward(self, one: MergeRequest, person: str) -> None:
        """Rebase the branch itself where it is behind, which makes a version, and move the base up to it."""
        base = self.hosted.tip(one.base)
        if self.hosted.fork_point(base, one.head) == base:
            self.hosted.keep(f"refs/heads/{one.base}", one.head)
            return
        new = self.hosted.merge(one.head, one.base, how="rebase", title=one.title, number=one.number, by=person)
        self.hosted.keep(f"refs/heads/{one.branch}", new)
        one.head, one.commits = new, self.hosted.commits(base, new)
        one.versions.append((self.moment(), new))
