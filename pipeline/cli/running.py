"""Owns the commands `run` and `plan`: options in, a report told; knows nothing of how a run works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pipeline.choosing import foreseen_model, open_model
from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.prompts import prompts_of, tell_prompts
from pipeline.cli.telling import tell_plan, tell_run
from pipeline.run import consolidate, show_context
from pipeline.run import plan as plan_run

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings


@click.command()
@click.option("--dry-run", is_flag=True, help="Show the diff of every page that would change, and write nothing.")
@click.option("--no-git", is_flag=True, help="Write the pages without a commit, in a folder that is no repository.")
@click.option("--strict", is_flag=True, help="Stop at the first observation that cannot be read.")
@click.option("--retry-parked", is_flag=True, help="Try again the sessions that failed too often before.")
@click.option(
    "--reconsolidate", is_flag=True, help="Take sessions again that another prompt or another model consolidated."
)
@json_option
@click.pass_obj
def run(
    surroundings: Surroundings,
    *,
    dry_run: bool,
    no_git: bool,
    strict: bool,
    retry_parked: bool,
    reconsolidate: bool,
    as_json: bool,
) -> int:
    """Turn new observations into pages, with one commit for each session.

    Reads what is new in the observations folder; writes pages and the ledger below the wiki folder and commits
    them. A second run on the same observations changes nothing.

    \b
    Examples:
      wikimill run
      wikimill run --dry-run
    """
    speaker = Speaker(as_json=as_json, in_ci=surroundings.in_ci)
    root, settings = surroundings.open_wiki()
    with (
        open_model(settings, root, surroundings.outside, tell=speaker.whisper, learn=not dry_run) as model,
        speaker.progress("Sessions") as tell,
    ):
        report = consolidate(
            settings,
            root,
            clock=surroundings.clock,
            model=model,
            use_git=not no_git,
            dry_run=dry_run,
            strict=strict,
            retry_parked=retry_parked,
            reconsolidate=reconsolidate,
            progress=lambda now: tell(now.done, now.total, now.session),
        )
    if as_json:
        speaker.give(report.as_json())
    else:
        tell_run(speaker, report)
    return ExitCode.IN_PART if report.incomplete else ExitCode.DONE


@click.command()
@click.option("--no-git", is_flag=True, help="Plan for a folder that is no repository.")
@click.option(
    "--show-context",
    "session",
    metavar="SESSION",
    help="Show what would be sent if this session were asked about alone.",
)
@json_option
@click.pass_obj
def plan(surroundings: Surroundings, *, no_git: bool, session: str | None, as_json: bool) -> int:
    """Show what a run would take on.

    Lists what is new, with sessions, windows and the estimated tokens of the observations; the prompt and the pages of
    each request come on top. Writes nothing and asks no model.

    With --show-context, prints every prompt of one session in full, as if it were asked about alone, with the sizes of
    its parts; a later window is shown as if the ones before it had changed nothing. A terminal gets no control
    characters; --json has them all.

    \b
    Examples:
      wikimill plan
      wikimill plan --show-context 7f4c
    """
    speaker = Speaker(as_json=as_json, in_ci=surroundings.in_ci)
    root, settings = surroundings.open_wiki()
    model = foreseen_model(settings, root)
    if session is not None:
        shown = show_context(settings, root, session, clock=surroundings.clock, model=model, use_git=not no_git)
        if not shown:
            raise click.UsageError(
                f"there is nothing new of a session '{session}'; `wikimill plan` lists those with news"
            )
        prompts = prompts_of(shown)
        if as_json:
            speaker.give({"prompts": prompts})
        else:
            tell_prompts(speaker, prompts)
        return ExitCode.DONE
    report = plan_run(settings, root, clock=surroundings.clock, model=model, use_git=not no_git)
    if as_json:
        speaker.give(report.as_json())
    else:
        tell_plan(speaker, report)
    return ExitCode.IN_PART if report.incomplete else ExitCode.DONE
