"""Owns what can be said of a round before it is gone: what it would take on, and what a model would see. Asks none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.consolidation.desk import request_for, windows_of
from pipeline.report import SessionOutcome
from pipeline.round.layout import page_of, pending_of, waves
from pipeline.round.telling import tell
from pipeline.wiki import ledger

if TYPE_CHECKING:
    from pipeline.observations.inbox import PendingSession
    from pipeline.prompt import Request
    from pipeline.report import Report
    from pipeline.round.layout import Taken
    from pipeline.round.opened import Opened


def foresee(opened: Opened) -> Report:
    """Tell what a run would take on: every session, and how often a model would be asked if all goes well."""
    pending, _ = pending_of(opened)
    outcomes: list[SessionOutcome] = []
    planned_calls = 0
    for units, _ in waves(opened, pending, outcomes.append):
        for unit in units:
            planned_calls += 1 if len(unit) > 1 else len(unit[0].sitting.windows)
            outcomes += map(_planned, unit)
    order = {session.key: number for number, session in enumerate(pending)}
    outcomes.sort(key=lambda outcome: order[outcome.session])
    return tell(opened, outcomes, since=opened.desk.model.spent, planned_calls=planned_calls, dry_run=True)


def show(opened: Opened, session: PendingSession) -> tuple[Request, ...]:
    """Give what the model would see of each window of a session alone, if the ones before changed nothing."""
    desk, books = opened.desk, opened.books
    page = page_of(ledger.read_session(books.wiki, session.key), books.wiki)
    scene = books.scene()
    return tuple(
        request_for(desk, [window], scene, session_pages=[page])
        for window in windows_of(desk, session.key, opened.news.observations(session.key))
    )


def _planned(taken: Taken) -> SessionOutcome:
    windows = taken.sitting.windows
    return SessionOutcome(
        session=taken.sitting.session,
        state="planned",
        observations=taken.pending.observations_count,
        windows=len(windows),
        tokens=sum(window.tokens for window in windows),
    )
