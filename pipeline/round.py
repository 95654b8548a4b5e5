"""Owns one round over the sessions that have news: drafted some at a time, applied one by one, landed, told of.

A run is one round; when somebody else commits meanwhile, the story begins another. Knows nothing of how the wiki,
the observations or the model were opened.

The sessions of a wave are drafted on the same state of the wiki, are applied in the order of time, and land as one
step. So the result depends neither on how many are drafted at once nor on where an earlier run was cut off; only a cap,
or an endpoint that falls silent, strikes whoever asks when it does.
"""

from __future__ import annotations

import difflib
from collections import deque
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.consolidation.desk import request_for, windows_of
from pipeline.consolidation.drafting import Sitting, converse
from pipeline.consolidation.sharing import may_share
from pipeline.finding import Finding
from pipeline.leading import lead
from pipeline.prompt import prompt_version
from pipeline.report import Report, SessionOutcome
from pipeline.text import one_line
from pipeline.wave import LEFT_CAPPED, LEFT_SILENT, REASON_LENGTH, Taken, Wave
from pipeline.wiki.ledger import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pipeline.books import Books
    from pipeline.config import Settings
    from pipeline.consolidation.desk import Desk
    from pipeline.consolidation.drafting import Drafted
    from pipeline.errors import Unavailable
    from pipeline.landing import Landing
    from pipeline.observations.inbox import News, PendingSession
    from pipeline.prompt import Request

LEDGER_MESSAGE = "ledger: record what was read\n"


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: `done` of `total` sessions, and the one that was just ended."""

    done: int
    total: int
    session: str


class Round:
    """All sessions that have news: what the round works with, and what it will have to tell."""

    def __init__(  # noqa: PLR0913  # what the story above has opened
        self,
        settings: Settings,
        desk: Desk,
        landing: Landing,
        books: Books,
        news: News,
        *,
        dry_run: bool,
        resumed: bool = False,
    ) -> None:
        self.settings = settings
        self.desk = desk
        self.landing = landing
        self.books = books
        self.news = news
        self.dry_run = dry_run
        self.resumed = resumed
        self.recorded = False
        self.prompt = prompt_version(desk.system)
        self.outcomes: list[SessionOutcome] = []
        self.waiting: list[SessionOutcome] = []
        """Of sessions that failed or were passed over, whose records no commit has carried yet."""
        self.commits: list[str] = []
        self.silent: Unavailable | None = None
        self.capped = False
        self.planned_calls = 0
        self.spent_before = desk.model.spent

    def go(self, progress: Callable[[Progress], None]) -> None:
        """Take every session that has news, wave after wave, and close the books."""
        pending = tuple(self.news.sessions())
        done = 0

        def told(session: PendingSession) -> None:
            nonlocal done
            done += 1
            progress(Progress(done, len(pending), str(session.key)))

        for wave, last in _with_last(self._waves(pending)):
            self._take(wave, last=last, told=told)
            if self.silent is not None and not self._has_done_something():
                raise self.silent
            if self.capped or (self.silent is not None and self.settings.model.on_unavailable == "stop"):
                break
        told_of = {outcome.session for outcome in (*self.outcomes, *self.waiting)}
        self.close_books()
        self._told()
        self.outcomes += [self._left(one) for one in pending if one.key not in told_of]

    def _has_done_something(self) -> bool:
        """Whether something stands, so that a model that is silent by now is no reason to end with an error."""
        return self.resumed or any(one.state == "consolidated" for one in (*self.outcomes, *self.waiting))

    def _waves(self, pending: Sequence[PendingSession]) -> Iterator[list[list[Taken]]]:
        """Lay sessions out in waves of units, each of which is one session or several that share a request."""
        size = 1 if self.desk.model.quotes else self.settings.run.drafted_together
        units: list[list[Taken]] = []
        open_units: dict[tuple[str, str], list[Taken]] = {}
        for session in pending:
            taken = self._prepare(session)
            if taken is None:
                continue
            project = (session.key.workspace, session.key.project)
            group = open_units.get(project, [])
            if group and may_share(self.desk, [one.sitting for one in group], taken.sitting):
                group.append(taken)
                continue
            if len(units) == size:
                yield units
                units, open_units = [], {}
            units.append([taken])
            if may_share(self.desk, [], taken.sitting):
                open_units[project] = units[-1]
        if units:
            yield units

    def _prepare(self, session: PendingSession) -> Taken | None:
        """Read a session and cut it into windows; a parked one is passed over and told of."""
        observations = self.news.observations(session.key)
        record = ledger.read_session(self.books.wiki, session.key)
        if record is not None and record.state == "parked":
            taken = Taken(session, observations, Sitting(session.key, ()))
            self.books.hold_parked(session.key, taken.files)
            self.news.settle(session.key)
            reason = _last_reason(record)
            self.waiting.append(SessionOutcome(session.key, "parked", len(observations), 0, reason=reason))
            return None
        page = record.page if record is not None and record.page in self.books.wiki else ""
        return Taken(
            session, observations, Sitting(session.key, windows_of(self.desk, session.key, observations), page)
        )

    def _take(self, wave: Sequence[Sequence[Taken]], *, last: bool, told: Callable[[PendingSession], None]) -> None:
        """Draft a wave on one state of the wiki, apply it in the order of time, and land it as one step."""
        work = Wave(self.settings, self.desk, self.books, self.news)
        order = deque(
            sorted((one for unit in wave for one in unit), key=lambda one: (one.pending.first_ts, one.pending.key))
        )
        drafted: dict[str, Drafted] = {}
        conversations = [converse(self.desk, [one.sitting for one in unit], work.scene) for unit in wave]
        for _, ended in lead(conversations, self.desk.model.complete, self.desk.model.workers):
            drafted |= {str(one.session): one for one in ended}
            while order and str(order[0].sitting.session) in drafted:
                taken = order.popleft()
                work.settle(taken, drafted[str(taken.sitting.session)])
                told(taken.pending)
        self.books.renew_index(work.pages)
        self.silent, self.capped = self.silent or work.silent, self.capped or work.capped
        self._land(work, last=last)
        if self.silent is None or self._has_done_something():
            work.close()

    def _land(self, work: Wave, *, last: bool) -> None:
        """Land every session of a wave that was consolidated; the last one also carries what was read."""
        if not self.dry_run:
            if last and work.landed and self.silent is None and not self.capped:
                self._record_reading()
            if work.landed:
                # The records of sessions that failed ride along.
                final = work.landed[-1]
                work.landed[-1] = replace(final, files={**final.files, **self.books.take_waiting()})
            # Nothing is told as done before it has landed: what follows may raise.
            commits = self.landing.land_all(work.landed, self.desk.at)
            hashes = iter(commits)
            work.outcomes = [
                one.with_commit(next(hashes)) if one.state == "consolidated" else one for one in work.outcomes
            ]
            self.commits += filter(None, commits)
        self.waiting += work.outcomes
        if work.landed:
            self._told()

    def _told(self) -> None:
        """Count what was waiting for a commit as done."""
        self.outcomes += self.waiting
        self.waiting = []

    def foresee(self) -> None:
        """Tell what a run would take on: every session, and how often a model would be asked if all goes well."""
        for wave in self._waves(tuple(self.news.sessions())):
            for unit in wave:
                self.planned_calls += 1 if len(unit) > 1 else len(unit[0].sitting.windows)
                for taken in unit:
                    windows = taken.sitting.windows
                    self.outcomes.append(
                        SessionOutcome(
                            session=taken.sitting.session,
                            state="planned",
                            observations=taken.pending.observations_count,
                            windows=len(windows),
                            tokens=sum(window.tokens for window in windows),
                        )
                    )
        self._told()
        order = {session.key: number for number, session in enumerate(self.news.sessions())}
        self.outcomes.sort(key=lambda outcome: order[outcome.session])

    def show(self, session: PendingSession) -> tuple[Request, ...]:
        """Give what the model would see of each window of a session alone, if the ones before changed nothing."""
        record = ledger.read_session(self.books.wiki, session.key)
        page = record.page if record and record.page in self.books.wiki else ""
        scene = self.books.scene()
        return tuple(
            request_for(self.desk, [window], scene, session_pages=[page])
            for window in windows_of(self.desk, session.key, self.news.observations(session.key))
        )

    def _left(self, session: PendingSession) -> SessionOutcome:
        """Note a session that nobody asked about; the next run takes it."""
        reason = LEFT_CAPPED if self.capped else LEFT_SILENT
        return SessionOutcome(session.key, "left", session.observations_count, 0, reason=reason)

    def close_books(self) -> None:
        """Commit what is left when the last session did not make a commit: failures, marks, lines set aside."""
        if self.dry_run or self.recorded:
            return
        self._record_reading()
        waiting = self.books.take_waiting()
        if waiting:
            commit = self.landing.land(waiting, LEDGER_MESSAGE, self.desk.at)
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
            findings=(
                *self.landing.findings,
                *self.books.findings,
                *self._still_parked(),
                *self._endings(),
                *self.desk.model.findings,
            ),
            spent=self.desk.model.spent.since(self.spent_before),
            planned_calls=self.planned_calls,
            commits=tuple(self.commits),
            branch=self.landing.branch,
            dry_run=self.dry_run,
            diff=self._diff() if self.dry_run else "",
        )

    def _endings(self) -> Iterator[Finding]:
        """Tell why the round ended before its time."""
        if self.silent is not None:
            yield Finding(
                "model",
                "model-unavailable",
                "error",
                one_line(self.silent.message, REASON_LENGTH),
                self.silent.next_step,
            )
        if self.capped:
            step = "Run again, or raise the cap under [model.caps]."
            yield Finding("model.caps", "cap-reached", "warning", "the run has spent what it may.", step)

    def _still_parked(self) -> tuple[Finding, ...]:
        """Give the parked sessions that no outcome tells of."""
        told = {str(outcome.session) for outcome in self.outcomes}
        return tuple(finding for finding in self.books.parked if finding.where not in told)

    def _diff(self) -> str:
        folder = self.settings.wiki.pages
        return "".join(_diff_page(f"{folder}/{path}", *both) for path, *both in self.books.changed_pages())


def _with_last(waves: Iterator[list[list[Taken]]]) -> Iterator[tuple[list[list[Taken]], bool]]:
    """Say of each wave whether it is the last one."""
    before = next(waves, None)
    while before is not None:
        after = next(waves, None)
        yield before, after is None
        before = after


def _diff_page(path: str, before: bytes, after: bytes) -> str:
    old, new = (raw.decode("utf-8", "replace").splitlines(keepends=True) for raw in (before, after))
    lines = difflib.unified_diff(old, new, f"a/{path}" if before else "/dev/null", f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _last_reason(record: ledger.SessionRecord) -> str:
    return record.attempts[-1].reason if record.attempts else ""
