"""Owns what wikimill knows of a proposal, a pull or merge request, whichever host it stands on; knows no host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from datetime import datetime

    from pipeline.finding import Finding

HostName = Literal["github", "gitlab"]
ProposalState = Literal["open", "merged", "closed"]
"""`closed` is one that was closed without being merged."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """One pull or merge request, as its host tells it. Texts are untrusted; times are aware, in UTC."""

    number: int
    """As people name it: the number of a pull request, the iid of a merge request."""
    state: ProposalState
    url: str
    branch: str
    base: str
    """The branch that it asks to be merged into."""
    head: str
    """The commit at the tip of its branch, as the host knows it."""
    title: str
    body: str
    author: str = ""
    """The login of whoever opened it."""
    author_is_machine: bool = False
    """Whether the author is an App, a bot or the token of a pipeline, and no person."""
    merged_by: str = ""
    """The login of whoever merged it; empty where the host does not tell."""
    merged_by_person: bool = False
    merged_at: datetime | None = None
    merge_commit: str = ""
    """The commit on the base that the merge made: merge commit, squashed commit, or the last rebased one."""
    closed_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ProposedCommit:
    """One commit of a proposal, as its host tells it."""

    id: str
    message: str


@dataclass(frozen=True, slots=True)
class Review:
    """The last look that a person took at a proposal."""

    by: str
    at: datetime
    head: str
    """The commit that was looked at; empty where the host does not tell."""


@dataclass(frozen=True, slots=True)
class NewProposal:
    """What a proposal is opened with."""

    branch: str
    base: str
    title: str
    body: str
    labels: tuple[str, ...] = ()
    reviewers: tuple[str, ...] = ()
    draft: bool = False


@dataclass(frozen=True, slots=True)
class Access:
    """What a token may do on a host, as far as it can see that; `findings` name each setting to change."""

    told: str
    """What was seen, in a line for people: the host, the repository, the kind of token, what it may do."""
    token_kind: str = ""
    """Such as `the token of GitHub Actions`, `a fine-grained personal access token`; empty when there is none."""
    findings: tuple[Finding, ...] = ()
