"""Owns the command `verify`: a person stands for a page; knows nothing of how a page says so."""

from __future__ import annotations

import difflib
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.pages import locate_page
from pipeline.verifying import verify as verify_page
from pipeline.wiki.tree import Files

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings


@click.command()
@click.argument("page", metavar="PAGE")
@click.option("--by", default="", metavar="NAME", help="Who stands for the page; without it, git's user.name.")
@click.option("--no-git", is_flag=True, help="Write without a commit, in a folder that is no repository.")
@json_option
@click.pass_obj
def verify(surroundings: Surroundings, page: str, *, by: str, no_git: bool, as_json: bool) -> int:
    """Mark PAGE as reviewed by a person.

    Writes an entry into the page's `verified`, and commits it; the words stay as they are. From then on the page counts
    as human-reviewed, until something changes its words by itself. PAGE is a path, from here or below the wiki folder.

    \b
    Example:
      wikimill verify acme/decisions/session-cookies.md --by dana
    """
    speaker = Speaker(as_json=as_json)
    root, settings = surroundings.open_wiki()
    home = root / settings.wiki.pages
    path = locate_page(page, home, surroundings.folder)
    if not (home / path).is_file():
        near = difflib.get_close_matches(path, [name for name in Files(home) if name.endswith(".md")], n=1, cutoff=0.4)
        raise click.UsageError(f"there is no page '{page}'" + (f"; did you mean '{near[0]}'?" if near else ""))
    reviewed = verify_page(
        settings,
        root,
        path,
        by=by,
        at=surroundings.clock(),
        use_git=not no_git,
        environment=surroundings.environment,
    )
    if as_json:
        speaker.give(asdict(reviewed))
    else:
        speaker.say(f"{reviewed.page}: {reviewed.before} before, {reviewed.after} now, by {reviewed.by}.", style="bold")
    return ExitCode.DONE
