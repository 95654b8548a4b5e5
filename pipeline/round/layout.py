"""Owns how the sessions that have news are laid out: in waves of units, each one session or several that share.

Sessions are read when their wave is laid out, so that no more of them are held than a wave and the one that is next.
Knows no reply and no commit.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pipeline.consolidation.desk import windows_of
from pipeline.consolidation.drafting import Sitting
from pipeline.consolidation.sharing import may_share
from pipeline.observations.evidence import evidence_of
from pipeline.report import SessionOutcome
from pipeline.wiki import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from pipeline.observations.inbox import PendingSession
    from pipeline.observations.observation import Observation
    from pipeline.report import State
    from pipeline.round.opened import How, Opened


_WHY: dict[How, str] = {
    "declined": "declined in proposal {number}, and nothing new was observed since",
    "taken back": "taken back after proposal {number} was merged, and nothing new was observed since",
    "open": "it stands in proposal {number}, which is open as well",
}
_NUMBER = re.compile(r"proposal (\d+)")


@dataclass(frozen=True, slots=True)
class Taken:
    """A session at work: what is new of it, and how it is asked about."""

    pending: PendingSession
    observations: tuple[Observation, ...]
    sitting: Sitting

    @property
    def files(self) -> list[str]:
        """The observation files that hold it."""
        return _files_of(self.observations)


Units: TypeAlias = "list[list[Taken]]"
"""The sessions of a wave; those that stand in one list share a request."""


def pending_of(opened: Opened) -> tuple[tuple[PendingSession, ...], int]:
    """Give the sessions with news that a round may take, and how many it leaves alone: those of other projects."""
    every = tuple(opened.news.sessions())
    taken = tuple(one for one in every if opened.chosen.project in {"", one.key.project})
    return taken, len(every) - len(taken)


def waves(
    opened: Opened, pending: Sequence[PendingSession], pass_over: Callable[[SessionOutcome], None]
) -> Iterator[tuple[Units, bool]]:
    """Give wave after wave, and whether it is the last one; parked and declined sessions stand in none: they are told.

    Nothing is drafted of a declined session, and nothing of it is consumed: with one more observation it is new.
    """
    desk = opened.desk
    size = 1 if desk.model.quotes else opened.settings.run.drafted_together
    units: Units = []
    open_units: dict[tuple[str, str], list[Taken]] = {}
    for session in pending:
        taken = _take(opened, session)
        if isinstance(taken, SessionOutcome):
            pass_over(taken)
            continue
        project = (session.key.workspace, session.key.project)
        group = open_units.get(project, [])
        if group and may_share(desk, [one.sitting for one in group], taken.sitting):
            group.append(taken)
            continue
        if len(units) == size:
            yield units, False
            units, open_units = [], {}
        units.append([taken])
        if may_share(desk, [], taken.sitting):
            open_units[project] = units[-1]
    if units:
        yield units, True


def page_of(record: ledger.SessionRecord | None, wiki: Mapping[str, bytes]) -> str:
    """Give the path of a session's page; empty for one that has none, or has it no more."""
    return record.page if record is not None and record.page in wiki else ""


def _take(opened: Opened, session: PendingSession) -> Taken | SessionOutcome:
    """Read a session and cut it into windows; a parked one is passed over, and its outcome told."""
    books, news, desk = opened.books, opened.news, opened.desk
    observations = news.observations(session.key)
    record = ledger.read_session(books.wiki, session.key)
    if record is not None and record.state == "parked":
        books.hold_parked(session.key, _files_of(observations))
        news.settle(session.key)
        reason = record.attempts[-1].reason if record.attempts else ""
        return SessionOutcome(session.key, "parked", len(observations), 0, reason=reason)
    declined = None if session.again and opened.chosen.asked_again else opened.chosen.declined
    if declined is not None:
        known = {one.id for one in record.observations} if record is not None else set()
        evidence = evidence_of(session.key, known | {one.id for one in observations})
        newest = max(one.ts for one in observations)
        # A time that is still to come tells nothing of when the observation was there.
        held = declined.held(evidence, newest if newest <= desk.at else None)
        if held is not None:
            state: State = "waiting" if held.how == "open" else "suppressed"
            reason = _WHY[held.how].format(number=held.number)
            return SessionOutcome(session.key, state, len(observations), 0, reason=reason)
    windows = windows_of(desk, session.key, observations)
    return Taken(session, observations, Sitting(session.key, windows, page_of(record, books.wiki)))


def proposal_in(reason: str) -> int:
    """Read out of the reason why a session is suppressed which proposal held it; 0 for a reason that names none."""
    found = _NUMBER.search(reason)
    return int(found[1]) if found else 0


def _files_of(observations: Sequence[Observation]) -> list[str]:
    return sorted({observation.place.file for observation in observations})
