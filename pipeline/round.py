"""Owns one round over the sessions that have news: each is consolidated, told of, and landed.

A run is one round; when somebody else commits meanwhile, the story begins another. Knows nothing of how the wiki,
the observations or the model were opened.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pipeline.consolidation import consolidate_session, request_for, windows_of
from pipeline.errors import Unavailable, WikimillError
from pipeline.git import Consolidation, render_message
from pipeline.observations.consumed import KnownObservation
from pipeline.prompt import prompt_version
from pipeline.report import Report, SessionOutcome
from pipeline.text import one_line
from pipeline.wiki.ledger import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from pipeline.books import Books
    from pipeline.config import Settings
    from pipeline.consolidation import Desk
    from pipeline.finding import Finding
    from pipeline.landing import Landing
    from pipeline.models.model import Usage
    from pipeline.observations.inbox import News, PendingSession
    from pipeline.prompt import Request

LEDGER_MESSAGE = "ledger: record what was read\n"
REASON_LENGTH = 500
"""Unicode characters of the reason why a session failed."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: `done` of `total` sessions, and the one that was just ended."""

    done: int
    total: int
    session: str


class Round:
    """All sessions that have news, one after the other: what it works with, and what it will have to tell."""

    def __init__(  # noqa: PLR0913, PLR0917  # what the story above has opened
        self,
        settings: Settings,
        desk: Desk,
        landing: Landing,
        books: Books,
        news: News,
        at: datetime,
        *,
        dry_run: bool,
        resumed: bool = False,
    ) -> None:
        self.settings = settings
        self.desk = desk
        self.landing = landing
        self.books = books
        self.news = news
        self.at = at
        self.dry_run = dry_run
        self.resumed = resumed
        self.recorded = False
        self.prompt = prompt_version(desk.system)
        self.outcomes: list[SessionOutcome] = []
        self.usages: list[Usage] = []
        self.commits: list[str] = []

    def go(self, progress: Callable[[Progress], None]) -> None:
        """Take every session that has news, one after the other, and close the books."""
        pending = tuple(self.news.sessions())
        for number, session in enumerate(pending, 1):
            try:
                self.take(session)
            except Unavailable:
                if not self.resumed and not any(one.state == "consolidated" for one in self.outcomes):
                    raise
                self.leave(pending[number - 1 :])
                break
            self.land(session, last=number == len(pending))
            progress(Progress(number, len(pending), str(session.key)))
        self.close_books()

    def take(self, session: PendingSession) -> None:
        """Consolidate one session, or record that it failed; `Unavailable` alone passes through."""
        key = session.key
        observations = self.news.observations(key)
        files = sorted({observation.place.file for observation in observations})
        record = ledger.read_session(self.books.wiki, key)
        if record is not None and record.state == "parked":
            self.books.hold_parked(key, files)
            self.news.settle(key)
            self.outcomes.append(SessionOutcome(key, "parked", len(observations), 0, reason=_last_reason(record)))
            return
        windows = windows_of(self.desk, key, observations)
        try:
            done = consolidate_session(
                self.desk,
                windows,
                self.books.wiki,
                self.books.catalogue,
                session_page=record.page if record else "",
                at=self.at,
                index=self.books.index,
            )
        except Unavailable:
            raise
        except Exception as fault:  # noqa: BLE001  # whatever is wrong with one session must not cost the others
            self._fail(session, len(windows), files, fault)
            return
        known = [KnownObservation(one.id, one.digest, one.place) for one in observations]
        self.books.record_success(key, done, known, prompt=self.prompt, model=self.desk.model.name, at=self.at)
        self.news.settle(key)
        self.usages += done.usages
        self.outcomes.append(
            SessionOutcome(
                session=key,
                state="consolidated",
                observations=len(observations),
                windows=done.windows,
                tokens=done.tokens,
                pages=done.outcomes,
                reason=done.rationale,
                findings=done.findings,
            )
        )

    def _fail(self, session: PendingSession, windows: int, files: Sequence[str], fault: Exception) -> None:
        told = str(fault) if isinstance(fault, WikimillError) else f"{type(fault).__name__}: {fault}"
        reason = one_line(self.desk.scrub(told)[0], REASON_LENGTH)
        attempt = ledger.Attempt(self.at, reason)
        record = self.books.record_failure(session.key, attempt, most=self.settings.run.attempts, files=files)
        if record.state == "parked":
            self.news.settle(session.key)
        state: Literal["parked", "failed"] = "parked" if record.state == "parked" else "failed"
        self.outcomes.append(SessionOutcome(session.key, state, session.observations_count, windows, reason=reason))

    def foresee(self, session: PendingSession) -> None:
        """Tell what a session would take."""
        record = ledger.read_session(self.books.wiki, session.key)
        parked = record is not None and record.state == "parked"
        windows = windows_of(self.desk, session.key, self.news.observations(session.key))
        self.outcomes.append(
            SessionOutcome(
                session=session.key,
                state="parked" if parked else "planned",
                observations=session.observations_count,
                windows=len(windows),
                tokens=sum(window.tokens for window in windows),
                reason=_last_reason(record) if record is not None and parked else "",
            )
        )

    def show(self, session: PendingSession) -> tuple[Request, ...]:
        """Give what the model would see of each window of a session, if the ones before changed nothing."""
        record = ledger.read_session(self.books.wiki, session.key)
        page = record.page if record and record.page in self.books.wiki else ""
        return tuple(
            request_for(self.desk, window, self.books.wiki, self.books.catalogue, self.books.index, session_page=page)
            for window in windows_of(self.desk, session.key, self.news.observations(session.key))
        )

    def leave(self, sessions: Sequence[PendingSession]) -> None:
        """Note the sessions that the model did not answer for; the next run takes them."""
        reason = "the model did not answer; the next run takes this session"
        self.outcomes += [
            SessionOutcome(one.key, "failed", one.observations_count, 0, reason=reason) for one in sessions
        ]

    def land(self, session: PendingSession, *, last: bool) -> None:
        """Make one commit of a session that was consolidated; the last one also carries what was read."""
        outcome = self.outcomes[-1]
        if outcome.state != "consolidated" or self.dry_run:
            return
        if last:
            self._record_reading()
        message = render_message(
            Consolidation(
                session=session.key,
                rationale=outcome.reason,
                observations=outcome.observations,
                pages=len(outcome.pages),
                model=self.desk.model.name,
                tokens=outcome.tokens,
            )
        )
        self.outcomes.pop()  # what is not landed was not done
        commit = self.landing.land(self.books.take_waiting(), message, self.at)
        self.outcomes.append(outcome.with_commit(commit))
        self.commits += [commit] if commit else []

    def close_books(self) -> None:
        """Commit what is left when the last session did not make a commit: failures, marks, lines set aside."""
        if self.dry_run or self.recorded:
            return
        self._record_reading()
        waiting = self.books.take_waiting()
        if waiting:
            commit = self.landing.land(waiting, LEDGER_MESSAGE, self.at)
            self.commits += [commit] if commit else []

    def _record_reading(self) -> None:
        self.recorded = True
        self.books.record_reading(self.news.marks(), self.news.aside())
        # Not without news: a run that finds nothing new reads no page.
        if self.books.has_news:
            self.books.renew_indexes()

    def report(self) -> Report:
        """Tell what was done."""
        return Report(
            model=self.desk.model.name,
            prompt_version=self.prompt,
            intake=self.news.intake,
            sessions=tuple(self.outcomes),
            findings=(*self.landing.findings, *self.books.findings, *self._still_parked()),
            model_calls=len(self.usages),
            input_tokens=sum(usage.input_tokens for usage in self.usages),
            output_tokens=sum(usage.output_tokens for usage in self.usages),
            commits=tuple(self.commits),
            branch=self.landing.branch,
            dry_run=self.dry_run,
            diff=self._diff() if self.dry_run else "",
        )

    def _still_parked(self) -> tuple[Finding, ...]:
        """Give the parked sessions that no outcome tells of."""
        told = {str(outcome.session) for outcome in self.outcomes}
        return tuple(finding for finding in self.books.parked if finding.where not in told)

    def _diff(self) -> str:
        folder = self.settings.wiki.pages
        return "".join(_diff_page(f"{folder}/{path}", *both) for path, *both in self.books.changed_pages())


def _diff_page(path: str, before: bytes, after: bytes) -> str:
    old, new = (raw.decode("utf-8", "replace").splitlines(keepends=True) for raw in (before, after))
    lines = difflib.unified_diff(old, new, f"a/{path}" if before else "/dev/null", f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _last_reason(record: ledger.SessionRecord) -> str:
    return record.attempts[-1].reason if record.attempts else ""
