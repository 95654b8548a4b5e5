"""Owns what a round has to tell as a report: what is known where, and which pages a dry run would change."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from pipeline.prompt import prompt_version
from pipeline.report import Report

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pipeline.finding import Finding
    from pipeline.report import SessionOutcome
    from pipeline.round.opened import Opened
    from pipeline.spending import Spent


def tell(  # noqa: PLR0913  # what only the round itself knows
    opened: Opened,
    outcomes: Sequence[SessionOutcome],
    *,
    since: Spent,
    dry_run: bool,
    endings: Iterable[Finding] = (),
    commits: Sequence[str] = (),
    planned_calls: int = 0,
) -> Report:
    """Tell what was done; `since` is what the model had spent before, `endings` why the round ended before its time."""
    model, landing, books = opened.desk.model, opened.landing, opened.books
    return Report(
        model=model.name,
        prompt_version=prompt_version(opened.desk.system),
        intake=opened.news.intake,
        sessions=tuple(outcomes),
        findings=(
            *landing.findings,
            *books.findings,
            *_still_parked(opened, outcomes),
            *endings,
            *model.findings,
        ),
        spent=model.spent.since(since),
        planned_calls=planned_calls,
        commits=tuple(commits),
        branch=landing.branch,
        dry_run=dry_run,
        diff=_diff(opened) if dry_run else "",
    )


def _still_parked(opened: Opened, outcomes: Iterable[SessionOutcome]) -> Iterator[Finding]:
    """Give the parked sessions that no outcome tells of."""
    told = {str(outcome.session) for outcome in outcomes}
    return (finding for finding in opened.books.parked if finding.where not in told)


def _diff(opened: Opened) -> str:
    folder = opened.settings.wiki.pages
    return "".join(_diff_page(f"{folder}/{path}", *both) for path, *both in opened.books.changed_pages())


def _diff_page(path: str, before: bytes, after: bytes) -> str:
    old, new = (raw.decode("utf-8", "replace").splitlines(keepends=True) for raw in (before, after))
    lines = difflib.unified_diff(old, new, f"a/{path}" if before else "/dev/null", f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
