"""Owns the story of one run, top to bottom: the only place where reading, drafting and landing meet.

It knows no format and no rule of its own: what a line, a draft, a page or a commit is stands elsewhere.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.books import Books
from pipeline.consolidation.desk import Desk
from pipeline.errors import BranchMoved
from pipeline.landing import open_landing
from pipeline.memory.stored_index import load_whole, save_whole
from pipeline.observations.consumed import Consumed
from pipeline.observations.inbox import read_news
from pipeline.observations.redaction.redact import make_redactor
from pipeline.prompt import prompt_version
from pipeline.round import Chosen, Opened, Progress, Round, foresee, show
from pipeline.round.round import never
from pipeline.searching import STORED
from pipeline.templates import BATCH, SINGLE, read_prompt
from pipeline.wiki import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from pipeline.config import Settings
    from pipeline.models.model import Model
    from pipeline.observations.inbox import News
    from pipeline.observations.observation import SessionKey
    from pipeline.observations.redaction.redact import Redactor
    from pipeline.prompt import Request
    from pipeline.report import Report
    from pipeline.round.opened import Declines

SPOOL = ".wikimill/spool.sqlite"
"""Where a run lays out what is new, already scrubbed; it goes when the run ends."""

MOST_ROUNDS = 5
"""How often a run starts again because somebody else committed to the branch; after that it gives way."""


def _tell_nobody(_: Progress) -> None:
    """For callers that do not watch."""


def consolidate(  # noqa: PLR0913  # what a door may ask of a run
    settings: Settings,
    root: Path,
    *,
    clock: Callable[[], datetime],
    model: Model,
    use_git: bool = True,
    dry_run: bool = False,
    strict: bool = False,
    retry_parked: bool = False,
    reconsolidate: bool = False,
    project: str = "",
    declined: Declines | None = None,
    start: str = "",
    environment: Mapping[str, str] | None = None,
    progress: Callable[[Progress], None] = _tell_nobody,
    stopping: Callable[[], bool] = never,
) -> Report:
    """Turn all new observations below `root` into pages, one commit for each session.

    A dry run does the same work, writes nothing, and gives the difference of every page. Raises what stops the
    whole run before its work begins: `ConfigError`, `StoreError`, `GitError`, `Conflict`. What costs one line or one
    session stands in the report; so do, as its `fault`, `Unavailable` when the model does not answer before anything
    was done, and `BranchMoved` when others commit again and again.

    With `reconsolidate`, sessions that another prompt or another model consolidated are taken again, whole. Those that
    the offline model did while the language model was silent are taken again without that.

    `project` leaves the sessions of all others alone; `declined` knows what is not drafted again; `start` is a commit
    that a dry run looks at instead of the branch. Once `stopping` says so, the sessions at hand are finished and
    committed, and the rest is left for the next run.

    When somebody else commits to the branch meanwhile, nothing of the wave at hand lands: its sessions are drafted
    again, on what stands then.
    """

    def go_round(earlier: Report | None, *, is_last: bool) -> Report:
        with ExitStack() as stack:
            opened = _open(
                stack,
                settings,
                root,
                clock,
                model,
                environment,
                use_git=use_git,
                read_only=dry_run,
                strict=strict,
                # Not again once a commit has carried it; a round that landed nothing has freed nobody.
                retry_parked=retry_parked and not (earlier and earlier.commits),
                reconsolidate=reconsolidate,
                # As with the parked: what a commit has carried is not taken a second time.
                again=declined.again if declined and not (earlier and earlier.commits) else frozenset(),
                chosen=Chosen(project, declined, reconsolidate),
                start=start,
            )
            run = Round(opened, dry_run=dry_run, resumed=earlier is not None, stopping=stopping)
            try:
                run.go(progress)
            except BranchMoved as fault:
                if not is_last:
                    raise _Interrupted(run.report()) from fault
                run.give_up(fault)
            if opened.books.made_index is not None and not dry_run and run.fault is None:
                save_whole(root / STORED, opened.books.made_index)
            return run.report()

    earlier: Report | None = None
    for rounds_left in reversed(range(MOST_ROUNDS)):
        try:
            report = go_round(earlier, is_last=not rounds_left)
        except _Interrupted as stop:
            earlier = stop.report.after(earlier)
        else:
            return report.after(earlier)
    raise AssertionError  # the last round returns


class _Interrupted(Exception):
    """Somebody else committed, and the story starts again; `report` tells what was done until then."""

    def __init__(self, report: Report) -> None:
        super().__init__("somebody else committed")
        self.report = report


def plan(  # noqa: PLR0913  # what a door may ask of a plan
    settings: Settings,
    root: Path,
    *,
    clock: Callable[[], datetime],
    model: Model,
    use_git: bool = True,
    project: str = "",
    declined: Declines | None = None,
    start: str = "",
    environment: Mapping[str, str] | None = None,
) -> Report:
    """Tell what a run would take on: what is new, sessions, windows, estimated tokens; asks no model.

    `project`, `declined` and `start` are those of a run; here `start` is looked at in any case.
    """
    with ExitStack() as stack:
        opened = _open(
            stack,
            settings,
            root,
            clock,
            model,
            environment,
            use_git=use_git,
            read_only=True,
            chosen=Chosen(project, declined),
            start=start,
        )
        return foresee(opened)


def show_context(  # noqa: PLR0913  # what a door may ask of a plan
    settings: Settings,
    root: Path,
    session: str,
    *,
    clock: Callable[[], datetime],
    model: Model,
    use_git: bool = True,
    environment: Mapping[str, str] | None = None,
) -> Mapping[str, tuple[Request, ...]]:
    """Give what a model would see of a session with news, window by window; asks none.

    `session` is a session id, or as the report names it: `project/session`. The answer is by the sessions' names,
    for an id may stand in several projects; it is empty when there is no such session with news.
    """
    with ExitStack() as stack:
        opened = _open(stack, settings, root, clock, model, environment, use_git=use_git, read_only=True)
        pending = [one for one in opened.news.sessions() if session in {one.key.session_id, str(one.key)}]
        return {str(one.key): show(opened, one) for one in pending}


def _open(  # noqa: PLR0913, PLR0917  # what a door may ask of a run
    stack: ExitStack,
    settings: Settings,
    root: Path,
    clock: Callable[[], datetime],
    model: Model,
    environment: Mapping[str, str] | None,
    *,
    use_git: bool,
    read_only: bool,
    strict: bool = False,
    retry_parked: bool = False,
    reconsolidate: bool = False,
    again: frozenset[SessionKey] = frozenset(),
    chosen: Chosen | None = None,
    start: str = "",
) -> Opened:
    """Open everything for a round, until `stack` closes; with `read_only`, for one that writes nothing here."""
    redactor = make_redactor(settings.redaction)
    desk = _desk(settings, root, model, redactor, clock())
    landing = open_landing(
        root,
        pages_folder=settings.wiki.pages,
        branch=settings.wiki.branch,
        use_git=use_git,
        read_only=read_only,
        start=start,
        environment=environment,
    )
    books = Books(stack.enter_context(landing).wiki, lambda: load_whole(root / STORED))
    if retry_parked:
        books.free_parked()
    spool = _scratch(stack) if read_only else root / SPOOL
    every = again | _to_take_again(books, desk, reconsolidate=reconsolidate)
    news = stack.enter_context(_read(settings, root, books, redactor, spool, every, strict=strict))
    return Opened(settings, desk, landing, books, news, chosen or Chosen())


def _desk(settings: Settings, root: Path, model: Model, redactor: Redactor, at: datetime) -> Desk:
    mode = "batch" if model.quotes else settings.model.mode
    return Desk(
        model=model,
        system=read_prompt(root / settings.wiki.prompts, SINGLE if mode == "single" else BATCH),
        budget=settings.budget,
        scrub=redactor.scrub,
        observations_folder=settings.wiki.observations,
        depth=len(settings.wiki.pages.split("/")),
        at=at,
        with_instructions=settings.run.project_instructions,
        mode=mode,
        sessions_per_request=settings.model.sessions_per_request,
    )


def _scratch(stack: ExitStack) -> Path:
    """Give a spool outside the wiki's folder, for a run that must not write there."""
    return Path(stack.enter_context(tempfile.TemporaryDirectory())) / Path(SPOOL).name


def _to_take_again(books: Books, desk: Desk, *, reconsolidate: bool) -> frozenset[SessionKey]:
    """Name the sessions that are consolidated once more; the offline model replaces nobody's work but its own."""
    if reconsolidate:
        return ledger.outdated(books.wiki, prompt=prompt_version(desk.system), model=desk.model.name)
    return frozenset() if desk.model.quotes else ledger.provisional(books.wiki)


def _read(  # noqa: PLR0913, PLR0917  # what the inbox asks for
    settings: Settings,
    root: Path,
    books: Books,
    redactor: Redactor,
    spool: Path,
    again: frozenset[SessionKey],
    *,
    strict: bool,
) -> News:
    return read_news(
        root / settings.wiki.observations,
        Consumed(
            ledger.read_marks(books.wiki),
            lambda: ledger.read_known(books.wiki),
            again=again,
            known_of=lambda key: ledger.known_of(books.wiki, key),
        ),
        redactor=redactor,
        default_project=settings.wiki.default_project,
        spool=spool,
        strict=strict,
    )
