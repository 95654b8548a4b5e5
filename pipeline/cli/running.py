"""Owns the commands `run` and `plan`: options in, a report told; knows nothing of how a run works."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pipeline.choosing import foreseen_model
from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.performing import Wanted, perform
from pipeline.cli.prompts import prompts_of, tell_prompts
from pipeline.cli.telling import tell_run
from pipeline.report.document import as_json as plain
from pipeline.report.ending import exit_code
from pipeline.report.telling import PLAN
from pipeline.run import plan as plan_run
from pipeline.run import show_context

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings
    from pipeline.delivering import Way


@click.command()
@click.option("--dry-run", is_flag=True, help="Show the diff of every page that would change, and write nothing.")
@click.option("--prepare", is_flag=True, help="Commit for `wikimill propose`, and leave it what it needs.")
@click.option("--propose", is_flag=True, help="Open or update a pull or merge request with the commits.")
@click.option("--push", is_flag=True, help="Push the commits to the branch itself, without a review.")
@click.option("--project", default="", metavar="NAME", help="Take sessions of this project alone.")
@click.option(
    "--max-calls", type=click.IntRange(min=0), metavar="N", help="Make so many calls at most; 0: without limit."
)
@click.option("--no-git", is_flag=True, help="Write the pages without a commit, in a folder that is no repository.")
@click.option("--strict", is_flag=True, help="Stop at the first observation that cannot be read.")
@click.option("--retry-parked", is_flag=True, help="Try again the sessions that failed too often before.")
@click.option(
    "--retry-declined", is_flag=True, help="Propose again what was declined, though nothing new was observed."
)
@click.option(
    "--reconsolidate", is_flag=True, help="Take sessions again that another prompt or another model consolidated."
)
@json_option
@click.pass_obj
def run(
    surroundings: Surroundings,
    *,
    dry_run: bool,
    prepare: bool,
    propose: bool,
    push: bool,
    project: str,
    max_calls: int | None,
    no_git: bool,
    strict: bool,
    retry_parked: bool,
    retry_declined: bool,
    reconsolidate: bool,
    as_json: bool,
) -> int:
    """Turn new observations into pages, with one commit for each session.

    Reads what is new in the observations folder; writes pages and the ledger below the wiki folder and commits
    them. A second run on the same observations changes nothing.

    The commits stay on the branch that is checked out, unless --prepare, --propose or --push sends them on their way.

    \b
    Examples:
      wikimill run
      wikimill run --dry-run
      wikimill run --propose
    """
    way = _way(prepare=prepare, propose=propose, push=push)
    if no_git and way != "commit":
        raise click.UsageError(f"--no-git and --{way} exclude each other")
    if retry_declined and way not in {"prepare", "propose"}:
        raise click.UsageError("--retry-declined goes with --prepare or --propose")
    speaker = Speaker(as_json=as_json, in_ci=surroundings.in_ci)
    root, settings = surroundings.open_wiki()
    wanted = Wanted(
        way=way,
        dry_run=dry_run,
        use_git=not no_git,
        strict=strict,
        retry_parked=retry_parked,
        retry_declined=retry_declined,
        reconsolidate=reconsolidate,
        project=project,
        max_calls=max_calls,
    )
    report = perform(surroundings, root, settings, wanted, speaker)
    if as_json:
        speaker.give(plain(report))
    else:
        tell_run(speaker, report)
    return exit_code(report)


def _way(*, prepare: bool, propose: bool, push: bool) -> Way:
    """Tell where the commits are to go; nobody can ask for two ways."""
    asked: dict[Way, bool] = {"prepare": prepare, "propose": propose, "push": push}
    chosen = [way for way, wanted in asked.items() if wanted]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    return chosen[0] if chosen else "commit"


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
    report = replace(plan_run(settings, root, clock=surroundings.clock, model=model, use_git=not no_git), command=PLAN)
    if as_json:
        speaker.give(plain(report))
    else:
        tell_run(speaker, report)
    return exit_code(report)
