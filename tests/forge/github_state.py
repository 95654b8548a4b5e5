"""Owns what the double of GitHub knows: people and tokens, settings, pull requests; and how it shows them as JSON."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from datetime import datetime

    from tests.forge.hosting import HostedCommit

TokenKind = Literal["actions", "app", "classic", "fine-grained"]

PREFIXES: dict[TokenKind, str] = {"actions": "ghs_", "app": "ghs_", "classic": "ghp_", "fine-grained": "github_pat_"}
PROPOSES = {"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write"}
"""What the job that proposes has."""
BODY_LIMIT = 65_536
LISTED_COMMITS = 250


@dataclass(frozen=True)
class Account:
    login: str
    type: str = "User"

    def shown(self) -> dict[str, Any]:
        return {"login": self.login, "type": self.type, "id": 1}


@dataclass(frozen=True)
class Token:
    """A token: `permissions` by name, `read`, `write` or `admin`; with `sees` false, of some other repository."""

    text: str
    kind: TokenKind
    owner: Account
    permissions: dict[str, str]
    sees: bool = True
    scopes: str = "repo, workflow"
    expires: str = ""
    bypasses: bool = False

    def may(self, permission: str, wanted: str) -> bool:
        return self.permissions.get(permission) in ({"write", "admin"} if wanted == "write" else {*_LEVELS})

    def headers(self) -> dict[str, str]:
        told = {"x-oauth-scopes": self.scopes} if self.kind == "classic" else {}
        return {**told, **({"github-authentication-token-expiration": self.expires} if self.expires else {})}


_LEVELS = ("read", "write", "admin")


@dataclass
class Settings:
    """What people set on the pages of the repository."""

    private: bool = False
    archived: bool = False
    disabled: bool = False
    fork: bool = False
    actions_may_propose: bool = True
    drafts: bool = True
    collaborators: tuple[str, ...] = ("dana", "erin")
    rules: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """By branch, as `GET /rules/branches/{branch}` lists them."""
    protected: tuple[str, ...] = ()
    """Branches under the older kind of protection."""
    workflows: dict[str, str] = field(default_factory=lambda: {"consolidate.yml": "active"})
    """States, by file."""
    secrets: tuple[str, ...] = ()
    """Names of the repository's secrets of Actions."""
    runs: list[dict[str, Any]] = field(default_factory=list)
    pages: dict[str, Any] | None = None
    requests_left: int | None = None
    """Until the primary limit is reached; None: never."""
    limit_resets_in: int = 30
    """Seconds."""


@dataclass
class Looked:
    """One review."""

    user: Account | None
    state: str
    commit: str
    at: datetime | None

    def shown(self, number: int) -> dict[str, Any]:
        return {
            "id": number,
            "user": self.user.shown() if self.user else None,
            "state": self.state,
            "body": "",
            "commit_id": self.commit,
            **({"submitted_at": stamp(self.at)} if self.at else {}),
        }


@dataclass
class Pull:
    number: int
    title: str
    body: str
    branch: str
    base: str
    head: str
    base_head: str
    user: Account
    created_at: datetime
    owner: str
    """Of the repository that it comes from."""
    home: str | None
    """The repository that it comes from; None when that was deleted."""
    draft: bool = False
    state: str = "open"
    closed_at: datetime | None = None
    closed_by: str = ""
    merged_at: datetime | None = None
    merged_by: Account | None = None
    merge_commit: str = ""
    holds_branch: bool = False
    """Whether it was declined, and its branch has stood ever since: nobody may push to that."""
    labels: list[str] = field(default_factory=list)
    reviewers: list[str] = field(default_factory=list)
    comments: list[tuple[str, str]] = field(default_factory=list)
    """(by, text)."""
    reviews: list[Looked] = field(default_factory=list)
    events: list[str] = field(default_factory=list)

    @property
    def was_declined(self) -> bool:
        return self.state == "closed" and self.merged_at is None

    def shown(self, repository: str, url: str, web_url: str, *, commits: int | None = None) -> dict[str, Any]:
        """Show it as in a list, or, with the number of its commits, as it is shown alone."""
        merged_by = self.merged_by.shown() if self.merged_by else None
        alone = {} if commits is None else {"commits": commits, "merged_by": merged_by}
        trial = hashlib.sha1(f"{self.head}{self.base_head}".encode(), usedforsecurity=False).hexdigest()
        return {
            "number": self.number,
            "url": f"{url}/repos/{repository}/pulls/{self.number}",
            "html_url": f"{web_url}/{repository}/pull/{self.number}",
            "state": self.state,
            "draft": self.draft,
            "title": self.title,
            "body": self.body or None,
            "user": self.user.shown(),
            "labels": [{"name": name} for name in self.labels],
            "requested_reviewers": [{"login": name} for name in self.reviewers],
            "created_at": stamp(self.created_at),
            "closed_at": stamp(self.closed_at),
            "merged_at": stamp(self.merged_at),
            "merge_commit_sha": self.merge_commit or trial,
            "head": {
                "label": f"{self.owner}:{self.branch}",
                "ref": self.branch,
                "sha": self.head,
                "repo": None if self.home is None else {"full_name": self.home, "fork": self.home != repository},
            },
            "base": {
                "label": f"{repository.partition('/')[0]}:{self.base}",
                "ref": self.base,
                "sha": self.base_head,
                "repo": {"full_name": repository, "fork": False},
            },
            **alone,
        }


def show_commit(commit: HostedCommit) -> dict[str, Any]:
    parents = [{"sha": parent} for parent in commit.parents]
    return {"sha": commit.id, "commit": {"message": commit.message}, "parents": parents}


def stamp(moment: datetime | None) -> str | None:
    return None if moment is None else f"{moment:%Y-%m-%dT%H:%M:%SZ}"
