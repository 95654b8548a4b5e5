"""Owns what `run` and `schedule` share: model, run, and the way of its commits, put together; tells nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.choosing import foreseen_model, open_model
from pipeline.cli.proposing import report_url
from pipeline.cli.reporting import kept
from pipeline.delivering import Errand, deliver
from pipeline.report.telling import OFFLINE
from pipeline.round.round import never
from pipeline.run import consolidate
from pipeline.run import plan as plan_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from pipeline.cli.output import Speaker
    from pipeline.cli.surroundings import Surroundings
    from pipeline.config import Settings
    from pipeline.delivering import Way
    from pipeline.report import Report
    from pipeline.round.opened import Declines


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a run is asked for; `max_calls` is a cap for this run alone, None for that of the settings."""

    way: Way = "commit"
    dry_run: bool = False
    use_git: bool = True
    strict: bool = False
    retry_parked: bool = False
    retry_declined: bool = False
    reconsolidate: bool = False
    project: str = ""
    max_calls: int | None = None


def perform(
    surroundings: Surroundings,
    root: Path,
    settings: Settings,
    wanted: Wanted,
    speaker: Speaker,
    *,
    stopping: Callable[[], bool] = never,
) -> Report:
    """Run once, and keep the report, of an error too; raises what stops a run before it has done anything."""
    if wanted.max_calls is not None:
        caps = settings.model.caps.model_copy(update={"calls": wanted.max_calls})
        settings = settings.model_copy(update={"model": settings.model.model_copy(update={"caps": caps})})
    drafts = OFFLINE if settings.model.provider == OFFLINE else settings.model.name
    outside = surroundings.outside

    def work(there: Settings, *, declined: Declines | None, start: str) -> Report:
        # The model is opened last: what forbids a proposal is found before anybody is asked.
        with (
            open_model(settings, root, outside, tell=speaker.whisper, learn=not wanted.dry_run) as model,
            speaker.progress("Sessions") as tell,
        ):
            return consolidate(
                there,
                root,
                clock=surroundings.clock,
                model=model,
                use_git=wanted.use_git,
                dry_run=wanted.dry_run,
                strict=wanted.strict,
                retry_parked=wanted.retry_parked,
                reconsolidate=wanted.reconsolidate,
                project=wanted.project,
                declined=declined,
                start=start,
                progress=lambda now: tell(now.done, now.total, now.session),
                stopping=stopping,
            )

    def foresee(there: Settings, *, declined: Declines | None, start: str) -> Report:
        return plan_run(
            there,
            root,
            clock=surroundings.clock,
            model=foreseen_model(settings, root),
            project=wanted.project,
            declined=declined,
            start=start,
        )

    errand = Errand(wanted.way, wanted.retry_declined, wanted.dry_run, report_url(surroundings.environment))
    with kept(surroundings, root, "run", speaker=speaker, model=drafts, keeps=not wanted.dry_run) as keep:
        return keep(deliver(settings, root, outside, errand, work=work, foresee=foresee))
