"""Owns the commands `init` and `doctor`: a wiki repository begins, and is looked over."""

from __future__ import annotations

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.surroundings import find_root
from pipeline.cli.telling import count
from pipeline.examining import examine
from pipeline.starting import CiName, start

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings
    from pipeline.starting import Started


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--observations",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Copy the observation files (*.jsonl, *.jsonl.gz) of this file or folder in.",
)
@click.option(
    "--ci",
    type=click.Choice(get_args(CiName)),
    default="github",
    show_default=True,
    help="Write the files for this host's CI.",
)
@click.option("--no-git", is_flag=True, help="Make no git repository.")
@json_option
@click.pass_obj
def init(
    surroundings: Surroundings, folder: Path, *, observations: Path | None, ci: CiName, no_git: bool, as_json: bool
) -> int:
    """Make DIR a new wiki repository that works at once.

    Writes settings, prompts, the site, workflows and one sample observation, each only where no file of that name
    stands. A folder that belongs to no git repository becomes one, with a first commit.

    \b
    Examples:
      wikimill init team-wiki
      wikimill init team-wiki --observations ~/notes/observations
      wikimill init team-wiki --ci gitlab
    """
    speaker = Speaker(as_json=as_json)
    given = surroundings.folder / observations.expanduser() if observations is not None else None
    now = surroundings.clock()
    started = start(surroundings.folder / folder, now=now, observations=given, use_git=not no_git, ci=ci)
    if as_json:
        speaker.give(asdict(started))
    else:
        _tell_start(speaker, started, folder)
    return ExitCode.DONE


def _tell_start(speaker: Speaker, started: Started, folder: Path) -> None:
    if started.kept:
        speaker.say(f"Left alone, for they stood there: {', '.join(started.kept)}.")
    told = f"{count(len(started.created), 'file')} written in {started.folder}"
    if started.copied:
        told += f", of these {count(started.copied, 'observation file')}"
    speaker.say(f"{told}.")
    if started.repository == "created":
        speaker.say("It is a git repository of its own now, with a first commit.")
    elif started.repository == "found" and started.created:
        speaker.say("It belongs to a git repository already: commit the new files there before the first run.")
    speaker.say("Next:", style="bold")
    if folder != Path():
        speaker.say(f"  cd {shlex.quote(str(folder))}")
    if started.repository == "found" and started.created:
        tops = dict.fromkeys(path.partition("/")[0] for path in started.created)
        speaker.say(f"  git add {shlex.join(tops)}")
        speaker.say('  git commit --message "Start a wiki with wikimill"')
    speaker.say("  wikimill run" if started.repository != "none" else "  wikimill run --no-git")
    speaker.say("  wikimill serve")


@click.command()
@json_option
@click.pass_obj
def doctor(surroundings: Surroundings, *, as_json: bool) -> int:
    """Look for what would stop a run, and say how to mend it.

    Looks at versions, disk, settings, git, observations, prompts, model, site and the Git host. A language model's
    endpoint is asked once for its list of models; the host is asked only where there is a token. Writes nothing.
    Ends with 1 when something is wrong that would stop a run.

    \b
    Example:
      wikimill doctor
    """
    speaker = Speaker(as_json=as_json)
    checks = examine(find_root(surroundings.folder), surroundings.outside)
    findings = [finding for check in checks for finding in check.findings]
    amiss = [finding for finding in findings if finding.severity != "note"]
    if as_json:
        speaker.give({"checks": [asdict(check) for check in checks], "healthy": not amiss})
    else:
        for check in checks:
            speaker.say(f"{check.subject}: {check.told}")
            speaker.findings(check.findings)
        speaker.say("All is well." if not amiss else f"{count(len(amiss), 'finding')}.", style="bold")
    return ExitCode.OTHER if any(finding.severity == "error" for finding in findings) else ExitCode.DONE
