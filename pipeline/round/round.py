"""Owns the course of a round: sessions drafted some at a time, applied one by one, landed, told of.

A run is one round; when somebody else commits meanwhile, the story begins another. A round that can do nothing at all
says why, and records nothing.

The sessions of a wave are drafted on the same state of the wiki, are applied in the order of time, and land as one
step. So the result depends neither on how many are drafted at once nor on where an earlier run was cut off; only a cap,
or an endpoint that falls silent, strikes whoever asks when it does.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.report import SessionOutcome, fault_of
from pipeline.round.layout import pending_of, waves
from pipeline.round.telling import tell
from pipeline.round.wave import LEFT_CAPPED, LEFT_SILENT, REASON_LENGTH, Wave
from pipeline.text import one_line
from pipeline.wiki import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pipeline.errors import BranchMoved, CapReached, Unavailable, WikimillError
    from pipeline.observations.inbox import PendingSession
    from pipeline.observations.observation import SessionKey
    from pipeline.report import Report
    from pipeline.round.layout import Units
    from pipeline.round.opened import Opened

LEFT_ASKED = "the run was asked to end; the next run takes this session"
LEFT_MOVED = "others committed again and again; the next run takes this session"
LEDGER_MESSAGE = "ledger: record what was read\n"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: `done` of `total` sessions, and the one that was just ended."""

    done: int
    total: int
    session: str


def never() -> bool:
    """Stand in where nobody can ask a run to end."""
    return False


class Round:
    """All sessions that have news: what the round works with, and what it will have to tell."""

    def __init__(
        self,
        opened: Opened,
        *,
        dry_run: bool,
        resumed: bool = False,
        stopping: Callable[[], bool] = never,
    ) -> None:
        """Begin a round; `stopping` is asked between waves, and once it says so the rest waits for the next run."""
        self.opened = opened
        self.stopping = stopping
        self.stopped = False
        self.dry_run = dry_run
        self.resumed = resumed
        self.recorded = False
        self.outcomes: list[SessionOutcome] = []
        self.pending: tuple[PendingSession, ...] = ()
        self.waiting: list[SessionOutcome] = []
        """Of sessions that failed or were passed over, whose records no commit has carried yet."""
        self.passed_over: set[SessionKey] = set()
        """Parked and declined ones, of which nothing is recorded anew."""
        self.commits: list[str] = []
        self.fault: WikimillError | None = None
        """What ended the round although it had done nothing yet, or although it would have gone on."""
        self.silent: Unavailable | None = None
        self.capped: CapReached | None = None
        self.answers = 0
        self.others = 0
        """Sessions with news of projects that were not asked for."""
        self.spent_before = opened.desk.model.spent

    def go(self, progress: Callable[[Progress], None]) -> None:
        """Take every session that has news, wave after wave, and close the books."""
        pending, self.others = pending_of(self.opened)
        self.pending = tuple(pending)
        done = 0

        def told(session: PendingSession) -> None:
            nonlocal done
            done += 1
            progress(Progress(done, len(pending), str(session.key)))

        for units, last in waves(self.opened, pending, self._pass_over):
            if self.stopping():
                self.stopped = True
                break
            self._take(units, last=last, told=told)
            if self.fault is not None:
                return
            if self.capped or (self.silent is not None and self.opened.settings.model.on_unavailable == "stop"):
                break
            del units  # its observations are not held while those of the next wave are read
        self.close_books()
        self._told()
        self._leave_the_rest(LEFT_CAPPED if self.capped else LEFT_ASKED if self.stopped else LEFT_SILENT)

    def give_up(self, fault: BranchMoved) -> None:
        """End the round for good: others commit all the time. What has landed stays."""
        self._end_by(fault, LEFT_MOVED)

    def _take(self, units: Units, *, last: bool, told: Callable[[PendingSession], None]) -> None:
        """Draft a wave on one state of the wiki, apply it in the order of time, and land it as one step."""
        opened = self.opened
        wave = Wave(opened.settings, opened.desk, opened.books, opened.news)
        wave.answers = self.answers
        wave.draft(units, told)
        self.answers = wave.answers
        self.silent, self.capped = self.silent or wave.silent, self.capped or wave.capped
        if not self.dry_run:
            self._land(wave, last=last)
        if self.silent is not None and not self._has_done_something(wave):
            self._end_by(self.silent, LEFT_SILENT)
            return
        self.waiting += wave.outcomes
        if wave.has_changes:
            self._told()
        wave.close()

    def _land(self, wave: Wave, *, last: bool) -> None:
        """Land every session of a wave that was consolidated; the last one also carries what was read."""
        if last and wave.has_changes and self.silent is None and not self.capped:
            self._record_reading()
        # Nothing is told as done before it has landed: what follows may raise.
        commits = self.opened.landing.land_all(wave.change_sets(), self.opened.desk.at)
        wave.take_commits(commits)
        self.commits += filter(None, commits)

    def _has_done_something(self, wave: Wave) -> bool:
        """Whether something stands, so that a model that is silent by now is no reason to end with an error."""
        done = (*self.outcomes, *self.waiting, *wave.outcomes)
        return self.resumed or any(one.state == "consolidated" for one in done)

    def _pass_over(self, outcome: SessionOutcome) -> None:
        self.passed_over.add(outcome.session)
        self.waiting.append(outcome)

    def _told(self) -> None:
        """Count what was waiting for a commit as done."""
        self.outcomes += self.waiting
        self.waiting.clear()

    def _end_by(self, fault: WikimillError, reason: str) -> None:
        """End the round by an error: what no commit has carried did not happen, and is left for the next run."""
        self.fault = fault
        self.waiting = [one for one in self.waiting if one.session in self.passed_over]
        self._told()
        self._leave_the_rest(reason)

    def _leave_the_rest(self, reason: str) -> None:
        """Note the sessions that nothing was done about; the next run takes them."""
        told_of = {outcome.session for outcome in self.outcomes}
        self.outcomes += [
            SessionOutcome(one.key, "left", one.observations_count, 0, reason=reason)
            for one in self.pending
            if one.key not in told_of
        ]

    def close_books(self) -> None:
        """Commit what is left when the last session did not make a commit: failures, marks, lines set aside."""
        if self.dry_run or self.recorded:
            return
        self._record_reading()
        waiting = self.opened.books.take_waiting()
        if waiting:
            commit = self.opened.landing.land(waiting, LEDGER_MESSAGE, self.opened.desk.at)
            self.commits += [commit] if commit else []

    def _record_reading(self) -> None:
        self.recorded = True
        books, news = self.opened.books, self.opened.news
        books.record_reading(news.marks(), news.aside())
        # Not without news: a run that finds nothing new reads no page.
        if books.has_news:
            books.renew_indexes()

    def report(self) -> Report:
        """Tell what was done."""
        told = tell(
            self.opened,
            self.outcomes,
            since=self.spent_before,
            dry_run=self.dry_run,
            endings=self._endings(),
            commits=self.commits,
        )
        return told if self.fault is None else replace(told, fault=fault_of(self.fault))

    def _nothing_to_read(self) -> Iterator[Finding]:
        """Tell of a folder without observations: where some were read before, this is not the checkout it should be."""
        if self.opened.news.intake.files:
            return
        folder = self.opened.settings.wiki.observations
        read_before = ledger.read_marks(self.opened.books.wiki)
        told = "holds no observation file (*.jsonl, *.jsonl.gz)"
        if read_before:
            message = f"{told}, though the ledger knows {len(read_before)} that were read."
            step = "Look whether the clone is whole, and whether wiki.observations names the right folder."
            yield Finding(folder, "no-observations", "error", message, step)
        else:
            step = "`wikimill observe` writes a first one; wiki.observations names the folder."
            yield Finding(folder, "no-observations", "warning", f"{told}.", step)

    def _endings(self) -> Iterator[Finding]:
        """Tell why the round ended before its time."""
        if self.silent is not None and self.fault is None:
            yield Finding(
                "model",
                "model-unavailable",
                "error",
                one_line(self.silent.message, REASON_LENGTH),
                self.silent.next_step,
            )
        yield from self._nothing_to_read()
        if self.others:
            told = f"{self.others} sessions of other projects have news, and wait."
            yield Finding("--project", "other-projects", "note", told, "Run without --project to take them.")
        if self.capped is not None:
            where, told = self.capped.where or "model.caps", one_line(self.capped.message, REASON_LENGTH)
            yield Finding(where, "cap-reached", "warning", told, self.capped.next_step)
