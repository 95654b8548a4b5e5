"""Owns what a run has to tell, as one value; rendered elsewhere for people and machines; knows no effect.

Every number and finding that is told anywhere stands here, so that no rendering can know more than another.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from pipeline.spending import Spent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.finding import Finding
    from pipeline.observations.observation import Json, SessionKey

State = Literal["consolidated", "failed", "parked", "left", "planned"]


@dataclass(frozen=True, slots=True)
class Intake:
    """What was read: counts of this run, findings of every line that was set aside or in conflict."""

    files: int = 0
    files_with_news: int = 0
    lines: int = 0
    """New lines that were looked at, blank ones not counted."""
    observations: int = 0
    reread: int = 0
    """Observations that were consumed before, and are given once more with a session that is taken again."""
    duplicates: int = 0
    naive_times: int = 0
    unfinished: int = 0
    """Last lines that are still being written; they wait for the next run."""
    redactions: Mapping[str, int] = field(default_factory=dict)
    """Secrets that were scrubbed, counted by kind."""
    set_aside: tuple[Finding, ...] = ()
    conflicts: tuple[Finding, ...] = ()
    broken_promises: tuple[Finding, ...] = ()
    """Consumed bytes that were changed or cut off afterwards."""


@dataclass(frozen=True, slots=True)
class PageOutcome:
    """One page that a session wrote: `path` below the wiki's root; lines as a diff counts them."""

    path: str
    title: str
    change: Literal["created", "updated", "superseded"]
    statements: int = 0
    """Cited statements on the page after the change."""


@dataclass(frozen=True, slots=True)
class SessionOutcome:
    """What became of one session."""

    session: SessionKey
    state: State
    observations: int
    windows: int
    tokens: int = 0
    """As the endpoint counted them, both ways; estimated for all windows where none did. What several sessions paid
    for together stands with the first of them, and the others say 0 unless they were asked about alone as well."""
    commit: str = ""
    pages: tuple[PageOutcome, ...] = ()
    reason: str = ""
    """Why it failed, or what its pages are about."""
    findings: tuple[Finding, ...] = ()
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
class Report:
    """One run, whole. `diff` is filled by a dry run only: a unified diff of every page that would change."""

    model: str
    prompt_version: str
    intake: Intake = Intake()
    sessions: tuple[SessionOutcome, ...] = ()
    findings: tuple[Finding, ...] = ()
    spent: Spent = field(default_factory=Spent)
    planned_calls: int = 0
    """Of a plan: how often a model would be asked, if no reply has to be mended or drafted again."""
    commits: tuple[str, ...] = ()
    branch: str = ""
    dry_run: bool = False
    diff: str = ""

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
        )

    def as_json(self) -> dict[str, Json]:
        """Give the report as plain data for `--json`: every field of this value, plus `incomplete` and `changed`."""
        plain: dict[str, Json] = asdict(self)
        return {**plain, "incomplete": self.incomplete, "changed": self.changed}
