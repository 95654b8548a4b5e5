"""Owns what a run has to tell, as one value; rendered elsewhere for people and machines; knows no effect.

Every number and finding that is told anywhere stands here, so that no rendering can know more than another.
"""

from __future__ import annotations

# The format in which reports are kept is read off these classes at run time, types and docstrings.
from collections.abc import Mapping  # noqa: TC003
from dataclasses import dataclass, field, replace
from datetime import datetime  # noqa: TC003
from typing import Literal

from pipeline.finding import Finding  # noqa: TC001
from pipeline.observations.observation import SessionKey  # noqa: TC001
from pipeline.spending import Spent

State = Literal["consolidated", "failed", "parked", "left", "planned", "suppressed", "waiting"]
"""What became of a session. `suppressed`: a reviewer declined what it would say, and its evidence is the same, so that
nobody was asked; or it was merged, and a person took it back from the base. `waiting`: it is new, and waits because a
person has committed to the open proposal, or it stands in another proposal that is open."""

Action = Literal["none", "prepared", "opened", "updated", "unchanged", "waiting", "closed", "pushed"]
"""What was done about the proposal; `pushed` went to the branch without a proposal."""


@dataclass(frozen=True, slots=True)
class Intake:
    """What was read: counts of this run, findings of every line that was set aside or in conflict."""

    files: int = 0
    """Observation files that were found."""
    files_with_news: int = 0
    """Those that hold something that no run consumed before."""
    lines: int = 0
    """New lines that were looked at, blank ones not counted."""
    observations: int = 0
    """New observations, and those that are read again."""
    reread: int = 0
    """Observations that were consumed before, and are given once more with a session that is taken again."""
    duplicates: int = 0
    """Observations that were left out because an equal one was read before."""
    naive_times: int = 0
    """Times without a zone; they were read as UTC."""
    unfinished: int = 0
    """Last lines that are still being written; they wait for the next run."""
    redactions: Mapping[str, int] = field(default_factory=dict)
    """Secrets that were scrubbed, counted by kind."""
    set_aside: tuple[Finding, ...] = ()
    """Lines that cannot be read, each with its reason."""
    conflicts: tuple[Finding, ...] = ()
    """Observations with the id of another one, and other content."""
    broken_promises: tuple[Finding, ...] = ()
    """Consumed bytes that were changed or cut off afterwards."""


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """One page that a session wrote: `path` below the wiki's root; lines as a diff counts them."""

    path: str
    """The page, below the wiki's root."""
    title: str
    """The title of the page after the change."""
    change: Literal["created", "updated", "superseded"]
    """What happened to the page."""
    statements: int = 0
    """Cited statements on the page after the change."""


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """What became of one session."""

    session: SessionKey
    """Which session."""
    state: State
    """How it ended."""
    observations: int
    """How many of its observations were at hand."""
    windows: int
    """Into how many parts it was cut for the model."""
    tokens: int = 0
    """As the endpoint counted them, both ways; estimated for all windows where none did. What several sessions paid
    for together stands with the first of them, and the others say 0 unless they were asked about alone as well."""
    commit: str = ""
    """The commit with its pages, in hex; empty while there is none."""
    pages: tuple[PageOutcome, ...] = ()
    """The pages that it wrote."""
    reason: str = ""
    """Why it failed, or what its pages are about."""
    findings: tuple[Finding, ...] = ()
    """What checks said about its pages."""
    model: str = ""
    """Who drafted its pages."""
    repairs: int = 0
    """How often the model was asked to mend its reply."""
    provisional: bool = False
    """Whether the offline model stood in, so that a later run takes the session again."""

    def with_commit(self, commit: str) -> SessionOutcome:
        """Give the same outcome, now that it is committed."""
        return replace(self, commit=commit)


@dataclass(frozen=True, slots=True)
class ProposalOutcome:
    """What became of the pull or merge request of a run."""

    action: Action
    """What was done."""
    branch: str
    """The branch that carries it."""
    base: str
    """The branch that it asks to be merged into."""
    number: int = 0
    """As the host counts them; 0 while there is none."""
    url: str = ""
    """The address under which people see it."""
    head: str = ""
    """The commit at the tip of the branch, in hex."""
    state: str = ""
    """Its state in words, such as `open, with a person's commits`."""
    suppressed: int = 0
    """Sessions whose content was declined before, and which were not proposed again."""
    suppressed_by: tuple[int, ...] = ()
    """The numbers of the proposals that were declined."""
    foreign: tuple[str, ...] = ()
    """Commits of people on the branch, in hex."""
    declined_pages: tuple[str, ...] = ()
    """Pages that a reviewer took out of the proposal, as paths below the wiki's root."""
    verified_pages: tuple[str, ...] = ()
    """Pages that a person has verified by merging, as paths below the wiki's root."""
    reason: str = ""
    """Why nothing more was done, in a sentence."""
    text: str = ""
    """All that the text of the proposal had to tell, in harmless Markdown, where the host did not allow so much."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The error that ended a run before its time; free of secrets."""

    kind: str
    """The name of the error's class."""
    message: str
    """What happened."""
    where: str = ""
    """The file, page, setting or address that it is about."""
    next_step: str = ""
    """What to do about it."""


@dataclass(frozen=True, slots=True)
class Report:
    """One run, whole."""

    model: str
    """The model that drafts pages."""
    prompt_version: str
    """The version of the prompt that pages were asked for with."""
    intake: Intake = Intake()
    """What was read."""
    sessions: tuple[SessionOutcome, ...] = ()
    """What became of each session with news."""
    findings: tuple[Finding, ...] = ()
    """What is told of the run as a whole."""
    spent: Spent = field(default_factory=Spent)
    """What was asked of the model."""
    planned_calls: int = 0
    """Of a plan: how often a model would be asked, if no reply has to be mended or drafted again."""
    commits: tuple[str, ...] = ()
    """All commits of the run, in hex, the oldest first."""
    branch: str = ""
    """The branch that got the commits; empty without git."""
    dry_run: bool = False
    """Whether nothing was written."""
    diff: str = ""
    """Of a dry run: the unified diff of every page that would change."""
    id: str = ""
    """The name under which the report is kept, as `20261130T080000Z`; empty while it is not."""
    command: str = "run"
    """The command that was given."""
    started_at: datetime | None = None
    """When the run began; aware."""
    ended_at: datetime | None = None
    """When it ended; aware."""
    wikimill: str = ""
    """The version of the program."""
    fault: Fault | None = None
    """The error that ended the run before its time."""
    proposal: ProposalOutcome | None = None
    """What became of the pull or merge request; absent where none was asked for."""

    @property
    def incomplete(self) -> bool:
        """Whether some units failed, were parked or held, or the input broke a promise: exit code 3."""
        held = any(finding.severity == "error" for finding in self.every_finding())
        return held or any(outcome.state in {"failed", "parked", "left"} for outcome in self.sessions)

    @property
    def changed(self) -> bool:
        """Whether a page was written."""
        return any(outcome.pages for outcome in self.sessions)

    def every_finding(self) -> tuple[Finding, ...]:
        """All findings, in the order in which a person should read them."""
        intake = self.intake
        from_sessions = tuple(finding for outcome in self.sessions for finding in outcome.findings)
        return (*intake.broken_promises, *intake.conflicts, *intake.set_aside, *self.findings, *from_sessions)

    def after(self, earlier: Report | None) -> Report:
        """Join this report to that of the run's beginning; what was read was read then."""
        if earlier is None:
            return self
        return replace(
            self,
            intake=earlier.intake,
            sessions=(*earlier.sessions, *self.sessions),
            findings=tuple(dict.fromkeys((*earlier.findings, *self.findings))),
            spent=earlier.spent + self.spent,
            commits=(*earlier.commits, *self.commits),
            id=self.id or earlier.id,
            started_at=earlier.started_at or self.started_at,
            ended_at=self.ended_at or earlier.ended_at,
            wikimill=self.wikimill or earlier.wikimill,
            fault=self.fault or earlier.fault,
            proposal=self.proposal or earlier.proposal,
        )
