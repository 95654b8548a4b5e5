"""Owns the command `report` and how the commands that do work keep theirs; knows no work and no file format."""

from __future__ import annotations

import difflib
import sys
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pipeline import __version__, keeping
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker, for_log
from pipeline.cli.surroundings import find_root
from pipeline.cli.telling import show
from pipeline.errors import Busy, StoreError
from pipeline.finding import Finding
from pipeline.report.document import as_json as plain
from pipeline.report.ending import ExitCode, fault_of
from pipeline.report.markdown import as_markdown
from pipeline.report.schema import describe_schema
from pipeline.report.telling import tell
from pipeline.report.values import Report
from pipeline.report.wording import cost_in_words, count, ending

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pipeline.cli.surroundings import Surroundings
    from pipeline.observations.observation import Json


@contextmanager
def kept(
    surroundings: Surroundings, root: Path, command: str, *, speaker: Speaker, model: str, keeps: bool = True
) -> Iterator[Callable[[Report], Report]]:
    """Keep what a command reports: its block calls what it is given, with the report, and tells what it gets back.

    That has an id, the command, its times and the version. Where the block ends by an error instead, a report of that
    is kept; `model` is who was to draft pages. Without `keeps` nothing is written. A disk that does not allow it costs
    a finding.
    """
    started = surroundings.clock()
    told = False

    def keep(report: Report) -> Report:
        nonlocal told
        told = True
        whole = replace(
            report, command=command, started_at=started, ended_at=surroundings.clock(), wikimill=__version__
        )
        return _keep(root, whole) if keeps else whole

    try:
        yield keep
    except (click.ClickException, click.exceptions.Exit):
        raise
    except BaseException as error:
        # Of a run that never began the other one tells, which was at work.
        if not told and keeps and not isinstance(error, Busy):
            report = keep(Report(model, prompt_version="", fault=fault_of(error)))
            for finding in report.findings:
                speaker.whisper(str(finding))
        raise


def _keep(root: Path, report: Report) -> Report:
    try:
        return replace(report, id=keeping.keep(root, report))
    except StoreError as fault:
        finding = Finding(fault.where, "report-not-kept", "warning", fault.message, fault.next_step)
        return replace(report, findings=(*report.findings, finding))


@click.command()
@click.argument("run", metavar="RUN", default=keeping.LATEST)
@click.option("--list", "as_list", is_flag=True, help="List the reports that are kept, the newest first.")
@click.option("--markdown", "as_markdown_", is_flag=True, help="Give the report as Markdown, for a job's summary.")
@click.option("--schema", is_flag=True, help="Print the JSON schema of reports, with what each field means.")
@json_option
@click.pass_obj
def report(
    surroundings: Surroundings, run: str, *, as_list: bool, as_markdown_: bool, schema: bool, as_json: bool
) -> int:
    """Show the report of an earlier run.

    RUN is an id that --list shows; without it the newest report is shown. The last 200 are kept on this machine as
    JSON, in .wikimill/runs. Ends with 0 when the report could be shown, however its run ended. Writes nothing.

    \b
    Examples:
      wikimill report
      wikimill report --list
      wikimill report --markdown >> "$GITHUB_STEP_SUMMARY"
    """
    if as_json + as_markdown_ > 1 or (as_list and (as_markdown_ or run != keeping.LATEST)):
        raise click.UsageError("--json, --markdown, and --list with a RUN or --markdown exclude each other")
    speaker = Speaker(as_json=as_json)
    if schema:
        speaker.give(describe_schema())
        return ExitCode.DONE
    root = find_root(surroundings.folder)
    runs = keeping.list_runs(root)
    if as_list:
        _list(speaker, root, runs)
        return ExitCode.DONE
    if run not in {keeping.LATEST, *runs}:
        near = difflib.get_close_matches(run, runs, n=3, cutoff=0.3)
        hint = f"near: {', '.join(near)}" if near else "`wikimill report --list` shows those that are kept"
        raise click.UsageError(f"there is no report '{run}'; {hint}")
    found = keeping.read(root, run)
    if as_json:
        speaker.give(plain(found))
    elif as_markdown_:
        sys.stdout.write(for_log(as_markdown(found)))
    else:
        show(speaker, tell(found), aside=speaker.say)
    return ExitCode.DONE


def _list(speaker: Speaker, root: Path, runs: tuple[str, ...]) -> None:
    """List the reports; one that is damaged is a row of its own, and hides no other."""
    found: list[tuple[str, Report | StoreError]] = []
    for run in runs:
        try:
            found.append((run, keeping.read(root, run)))
        except StoreError as fault:
            found.append((run, fault))
    if speaker.as_json:
        speaker.give({"reports": [_entry(run, one) for run, one in found]})
        return
    if found:
        heads = ("report", "when (UTC)", "command", "how it ended", "sessions", "pages", "cost")
        speaker.table(heads, [_row(run, one) for run, one in found], numbers=(4, 5, 6))
    speaker.say(f"{count(len(found), 'report')}.", style="bold")


def _row(run: str, one: Report | StoreError) -> tuple[str, ...]:
    if isinstance(one, StoreError):
        return (run, "-", "-", one.message, "-", "-", "-")
    when = f"{one.started_at:%Y-%m-%d %H:%M}" if one.started_at else "-"
    cost = cost_in_words(one.spent) if one.spent.calls else "0"
    return (run, when, one.command, ending(one), f"{_sessions(one):,}", f"{_pages(one):,}", cost)


def _entry(run: str, one: Report | StoreError) -> dict[str, Json]:
    if isinstance(one, StoreError):
        return {"id": run, "error": one.message}
    told = plain(one)
    names = ("id", "command", "started_at", "ended_at", "incomplete", "exit_code", "fault")
    return {
        **{name: told[name] for name in names},
        "sessions": _sessions(one),
        "pages": _pages(one),
        "cost": one.spent.cost,
    }


def _sessions(report: Report) -> int:
    return sum(outcome.state == "consolidated" for outcome in report.sessions)


def _pages(report: Report) -> int:
    return sum(len(outcome.pages) for outcome in report.sessions)
