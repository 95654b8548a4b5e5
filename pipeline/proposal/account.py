"""Owns all that the text of a proposal tells, as one value; knows neither host nor Markdown.

Whoever has run and proposed fills it. Every text in it may come from an observation, a model or a person, and is
made harmless where it is rendered. Times are aware, in UTC.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pipeline.finding import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from pipeline.proposal.comparing.values import PageChange
    from pipeline.spending import Spent

Status = Literal["complete", "partial", "blocked"]

_FINDING = re.compile(r"- \[(?P<rule>[a-z][a-z0-9-]{0,60})\] (?P<where>.{0,400}?): (?P<message>.+)")


@dataclass(frozen=True, slots=True)
class Quotation:
    """An observation's own words."""

    text: str
    who: str
    when: str
    """To the minute, in UTC: `2026-11-29 14:03`."""
    place: str
    """File and line: `acme/2026-11-29.jsonl:12`."""
    address: str = ""
    """The page of the host that shows that line; made by wikimill, and trusted."""


@dataclass(frozen=True, slots=True)
class SessionCommit:
    """A commit of the proposal that consolidates one session, as its message tells it."""

    session: str
    subject: str
    model: str
    tokens: int
    pages: int
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, slots=True)
class Undone:
    """A session that is not in the proposal, although it was its turn."""

    session: str
    state: Literal["failed", "parked", "left"]
    reason: str


@dataclass(frozen=True, slots=True)
class ForeignCommit:
    """A commit of a person on the proposal's branch."""

    id: str
    author: str
    subject: str


@dataclass(frozen=True, slots=True)
class Verified:
    """A page that was marked as reviewed, because a person merged it."""

    path: str
    by: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is new and waits, because a person has committed to the branch."""

    sessions: int = 0
    observations: int = 0


@dataclass(frozen=True, slots=True)
class LookedAt:
    """The last look that a person took at the proposal."""

    by: str
    at: datetime
    changed: tuple[str, ...] | None
    """Pages that changed since; None when it cannot be told."""


@dataclass(frozen=True, slots=True)
class Suppressed:
    """Sessions that were declined before, whose evidence is the same, and that were not proposed again."""

    sessions: int = 0
    proposals: tuple[int, ...] = ()
    """The numbers of the closed proposals that held them."""


@dataclass(frozen=True, slots=True)
class Account:
    """What is to be told of a proposal, as it is at `head`."""

    status: Status
    reason: str
    """Why it is partial or blocked, in a sentence; empty when it is complete."""
    base: str
    branch: str
    head: str
    """The commit at the tip of the branch, in hex."""
    pages: tuple[PageChange, ...] = ()
    quotations: Mapping[str, Quotation] = field(default_factory=dict)
    """By the id of the source, as the pages cite it."""
    commits: tuple[SessionCommit, ...] = ()
    findings: tuple[Finding, ...] = ()
    """Of the last run. Those of earlier ones stand with their commits."""
    undone: tuple[Undone, ...] = ()
    set_aside: tuple[Finding, ...] = ()
    """Lines of observations that could not be read."""
    conflicts: tuple[Finding, ...] = ()
    """Where a person's edit on the base and a session's change meet; both stand."""
    suppressed: Suppressed = Suppressed()
    declined: tuple[str, ...] = ()
    """Pages that a reviewer took out of this proposal."""
    verified: tuple[Verified, ...] = ()
    spent: Spent | None = None
    """What the last run spent; None when it is unknown."""
    run: tuple[str, ...] = ()
    """What the report of the last run tells of what was read, of its sessions and of the model, a line each."""
    foreign: tuple[ForeignCommit, ...] = ()
    waiting: Waiting = Waiting()
    review: LookedAt | None = None
    run_report_url: str = ""
    """The address of the full report of the last run; made by wikimill, and trusted."""
    ci_note: str = ""
    """What a reviewer must know about checks, such as the click that starts them; wikimill's own words."""
    previous: int = 0
    """The number of the closed proposal that this one follows; 0 for none."""

    @property
    def tokens(self) -> int:
        """The tokens of all its commits, as the endpoint counted them."""
        return sum(commit.tokens for commit in self.commits)

    @property
    def models(self) -> tuple[str, ...]:
        """The models that drafted its pages, in the order of its commits."""
        return tuple(dict.fromkeys(commit.model for commit in self.commits if commit.model))

    @property
    def every_finding(self) -> tuple[Finding, ...]:
        """The findings of its commits and of the last run, each once, though a commit tells them shortened."""
        found: dict[tuple[str, str], Finding] = {}
        for one in (*self.findings, *(told for commit in self.commits for told in commit.findings)):
            found.setdefault((one.rule, _letters(f"{one.where}{one.message}")), one)
        return tuple(found.values())


_COMPARED = 120
"""Letters and digits by which two tellings of a finding are known to be one."""


_QUIETED = re.compile(r"https?:/*|www\. ?|\bno\. ?(?=\d)", re.IGNORECASE)
"""What the message of a commit leaves out, or writes otherwise, so that a host does not act on it."""


def _letters(text: str) -> str:
    said = _QUIETED.sub("", text[: 4 * _COMPARED])
    return "".join(filter(str.isalnum, said)).casefold()[:_COMPARED]


def read_findings(message: str) -> tuple[Finding, ...]:
    """Read the findings that a commit message tells, a line each: `- [rule] where: message`."""
    return tuple(_findings(message.splitlines()))


def _findings(lines: Iterable[str]) -> Iterable[Finding]:
    for line in lines:
        found = _FINDING.fullmatch(line.strip()[:2_000])
        if found:
            yield Finding(found["where"], found["rule"], "warning", found["message"])
