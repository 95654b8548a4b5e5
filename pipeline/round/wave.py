"""Owns the sessions of a run that are drafted on one state of the wiki, while they are applied to what stands by now.

Each is settled in the order of time: applied, drafted again where an earlier one has changed what it rewrites,
recorded as failed, or left for the next run. Knows nothing of branches, and of the waves before and after.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from pipeline.consolidation.applying import Stale, apply_all
from pipeline.consolidation.desk import windows_of
from pipeline.consolidation.drafting import Drafted, converse
from pipeline.errors import CapReached, InvalidReply, OddAnswer, Refused, Unanswered, Unavailable, WikimillError
from pipeline.git import Consolidation, render_message
from pipeline.landing import ChangeSet
from pipeline.leading import lead
from pipeline.models.extractive.model import ExtractiveModel
from pipeline.observations.consumed import KnownObservation
from pipeline.observations.evidence import digest_of, evidence_of
from pipeline.prompt import prompt_version
from pipeline.report import SessionOutcome
from pipeline.text import one_line
from pipeline.wiki import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pipeline.books import Books
    from pipeline.config import Settings
    from pipeline.consolidation.applying import Consolidated
    from pipeline.consolidation.desk import Desk
    from pipeline.consolidation.drafting import Sitting
    from pipeline.finding import Finding
    from pipeline.observations.inbox import News, PendingSession
    from pipeline.observations.observation import SessionKey
    from pipeline.prompt import Request
    from pipeline.round.layout import Taken, Units

REASON_LENGTH = 500
"""Unicode characters of the reason why a session failed."""
_COMES_BACK = "Nothing was consumed; the next run tries again."
_TOLD = 3
"""Findings that such a reason names."""
LEFT_SILENT = "the model did not answer; the next run takes this session"
LEFT_CAPPED = "the run has spent what it may; the next run takes this session"


class Wave:
    """Sessions that were drafted on one state of the wiki, while they are applied to what stands by now."""

    def __init__(self, settings: Settings, desk: Desk, books: Books, news: News) -> None:
        self.settings = settings
        self.desk = desk
        self.books = books
        self.news = news
        self.scene = books.scene()
        self.outcomes: list[SessionOutcome] = []
        """What became of each session, in the order of time."""
        self.silent: Unavailable | None = None
        """Why the model did not answer, if it did not."""
        self.capped: CapReached | None = None
        """Which cap was reached, if one was."""
        self.answers = 0
        """How often sessions were answered in this run."""
        self._pages: dict[str, bytes] = {}
        """What the wave has changed so far."""
        self._changes: list[ChangeSet] = []
        """What is to be committed, one set a session, in the order of time."""
        self._left = ""
        """Why a session was left; those after it are left as well, so that the order of time holds."""
        self._useless: list[Request] = []
        self._unanswered: list[tuple[Taken, Drafted, int]] = []
        """Sessions whose requests failed, until it is known whether the endpoint answers others; with the answers so
        far."""

    def draft(self, units: Units, told: Callable[[PendingSession], None]) -> None:
        """Draft sessions, and settle each as soon as it and all those before it are drafted; `told` hears of each."""
        everyone = (one for unit in units for one in unit)
        order = deque(sorted(everyone, key=lambda one: (one.pending.first_ts, one.pending.key)))
        places = {one.sitting.session: place for place, one in enumerate(order)}
        drafted: dict[SessionKey, Drafted] = {}
        conversations = [converse(self.desk, [one.sitting for one in unit], self.scene) for unit in units]
        for _, ended in lead(conversations, self.desk.model.complete, self.desk.model.workers):
            drafted |= {one.session: one for one in ended}
            self.answers += sum(bool(one.usages) or one.fault is None for one in ended)
            while order and order[0].sitting.session in drafted:
                taken = order.popleft()
                self._settle(taken, drafted[taken.sitting.session])
                told(taken.pending)
        self._judge_unanswered()
        self.outcomes.sort(key=lambda one: places[one.session])
        self.books.renew_index(self._pages)

    @property
    def has_changes(self) -> bool:
        """Whether a session was consolidated."""
        return bool(self._changes)

    def change_sets(self) -> list[ChangeSet]:
        """Give what is to be committed, one set a session; records of sessions that failed ride along with the last."""
        if not self._changes:
            return []
        *others, last = self._changes
        return [*others, replace(last, files={**last.files, **self.books.take_waiting()})]

    def take_commits(self, commits: Sequence[str]) -> None:
        """Note with which commits the change sets have landed."""
        hashes = iter(commits)
        self.outcomes = [one.with_commit(next(hashes)) if one.state == "consolidated" else one for one in self.outcomes]

    def close(self) -> None:
        """Let the model forget what could not be used, once everything has landed: until then a run may start again."""
        for request in self._useless:
            self.desk.model.forget(request)

    def _settle(self, taken: Taken, drafted: Drafted) -> None:
        """Apply what came of a session, or record why nothing did."""
        fault = drafted.fault
        if isinstance(fault, (Unanswered, OddAnswer)):
            self._unanswered.append((taken, drafted, self.answers))
            return
        if isinstance(fault, Unavailable):
            self.silent = self.silent or fault
            if self.settings.model.on_unavailable == "extractive" and not self._left:
                self._stand_in(taken)
                return
            self._left = self._left or LEFT_SILENT
        if isinstance(fault, CapReached):
            self.capped = self.capped or fault
            self._left = self._left or LEFT_CAPPED
        if self._left:
            self._tell(taken, "left", reason=self._left)
            return
        if fault is not None:
            self._fail(taken, fault, drafted.requests)
            return
        try:
            done, drafted = self._applied(self.desk, taken, drafted)
        except (Unavailable, CapReached) as late:
            self._settle(taken, Drafted(taken.sitting.session, fault=late))
        except Exception as wrong:  # noqa: BLE001  # whatever is wrong with one session must not cost the others
            self._fail(taken, wrong, drafted.requests)
        else:
            self._record(self.desk, taken, done, drafted)

    def _judge_unanswered(self) -> None:
        """Hold a request that failed against its session, if the endpoint answered others; else it was an outage."""
        waiting, self._unanswered = self._unanswered, []
        for taken, drafted, before in waiting:
            fault = drafted.fault
            answered = self.answers > before or (self.answers and self.silent is None)
            if answered and fault is not None:
                self._fail(taken, fault, drafted.requests)
            elif isinstance(fault, (Unanswered, OddAnswer)):
                gone = Unavailable(fault.message, where=fault.where, next_step=_COMES_BACK)
                self._settle(taken, Drafted(taken.sitting.session, fault=gone))

    def _applied(self, desk: Desk, taken: Taken, drafted: Drafted) -> tuple[Consolidated, Drafted]:
        """Apply a draft to the wiki as it stands, and draft again what somebody else's change has made stale."""
        books, sitting = self.books, taken.sitting
        try:
            done = apply_all(desk, drafted.drafts, books.wiki, books.catalogue, session_page=sitting.session_page)
        except Stale:
            again = self._draft_now(desk, sitting)
            done = apply_all(desk, again.drafts, books.wiki, books.catalogue, session_page=sitting.session_page)
            usages = (*drafted.usages, *again.usages)
            drafted = replace(again, usages=usages, repairs=drafted.repairs + again.repairs)
        if not done.pages and not done.session_page:
            told = "; ".join(finding.message for finding in done.findings[:_TOLD])
            raise InvalidReply(f"nothing of the reply is left once it was held to its sources: {told}")
        return done, drafted

    def _draft_now(self, desk: Desk, sitting: Sitting) -> Drafted:
        """Draft a session on the wiki as the wave has left it by now."""
        with self.scene.with_pages(self._pages) as now:
            ((_, (drafted,)),) = lead([converse(desk, [sitting], now)], desk.model.complete, 1)
        if drafted.fault is not None:
            if not isinstance(drafted.fault, (Unavailable, CapReached)):
                self._useless += drafted.requests
            raise drafted.fault
        return drafted

    def _stand_in(self, taken: Taken) -> None:
        """Let the offline model do the work, unless it has; the session is taken again when the other one is back."""
        if taken.pending.again:
            self._tell(taken, "left", reason=LEFT_SILENT)
            return
        desk = replace(self.desk, model=ExtractiveModel(), mode="batch")
        windows = windows_of(desk, taken.sitting.session, taken.observations)
        sitting = replace(taken.sitting, windows=windows)
        try:
            drafted = self._draft_now(desk, sitting)
            done, drafted = self._applied(desk, replace(taken, sitting=sitting), drafted)
        except Exception as wrong:  # noqa: BLE001  # as in `_settle`
            self._fail(taken, wrong, ())
        else:
            self._record(desk, taken, done, drafted, provisional=True)

    def _record(
        self, desk: Desk, taken: Taken, done: Consolidated, drafted: Drafted, *, provisional: bool = False
    ) -> None:
        key, prompt = taken.sitting.session, prompt_version(self.desk.system)
        known = [KnownObservation(one.id, one.digest, one.place) for one in taken.observations]
        self.books.record_success(
            key,
            done,
            known,
            prompt=prompt,
            model=desk.model.name,
            at=desk.at,
            provisional=provisional,
        )
        self.news.settle(key)
        self._pages.update(done.pages)
        windows = [draft.window for draft in drafted.drafts]
        paid = sum(usage.input_tokens + usage.output_tokens for usage in drafted.usages)
        tokens = sum(window.tokens for window in windows) if desk.model.quotes else paid
        outcome = SessionOutcome(
            session=key,
            state="consolidated",
            observations=len(taken.observations),
            windows=len(windows),
            tokens=tokens,
            pages=done.outcomes,
            reason=done.rationale,
            findings=done.findings,
            model=desk.model.name,
            repairs=drafted.repairs,
            provisional=provisional,
        )
        self.outcomes.append(outcome)
        message = render_message(
            Consolidation(
                session=key,
                rationale=done.rationale,
                observations=len(taken.observations),
                pages=len(done.outcomes),
                model=desk.model.name,
                prompt=prompt,
                tokens=tokens,
                evidence=evidence_of(key, (one.id for one in ledger.known_of(self.books.wiki, key))),
                written={path: digest_of(raw) for path, raw in sorted(done.pages.items())},
                remarks=tuple(map(_remark, done.findings)),
            )
        )
        self._changes.append(ChangeSet(self.books.take_waiting(), message))

    def _fail(self, taken: Taken, fault: Exception, requests: Iterable[Request]) -> None:
        self._useless += requests
        key = taken.sitting.session
        told = str(fault) if isinstance(fault, WikimillError) else f"{type(fault).__name__}: {fault}"
        reason = one_line(self.desk.scrub(told)[0], REASON_LENGTH)
        most = 1 if isinstance(fault, Refused) else self.settings.run.attempts
        attempt = ledger.Attempt(self.desk.at, reason)
        record = self.books.record_failure(key, attempt, most=most, files=taken.files)
        if record.state == "parked":
            self.news.settle(key)
        self._tell(taken, "parked" if record.state == "parked" else "failed", reason=reason)

    def _tell(self, taken: Taken, state: Literal["left", "failed", "parked"], *, reason: str) -> None:
        count, windows = taken.pending.observations_count, len(taken.sitting.windows)
        self.outcomes.append(SessionOutcome(taken.sitting.session, state, count, windows, reason=reason))


def _remark(finding: Finding) -> str:
    """Say a finding as the message of a commit does; whoever reads the commit later has no report of this run."""
    return f"[{finding.rule}] {finding.where}: {finding.message}"
