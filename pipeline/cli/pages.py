"""Owns the commands `lint` and `history`: pages are judged, and a page's past is told."""

from __future__ import annotations

import difflib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.telling import SHORT_HASH, count
from pipeline.git import open_repository
from pipeline.observations.inbox.counting import line_counter
from pipeline.observations.redaction.redact import make_redactor
from pipeline.wiki.linting.lint import lint as lint_wiki
from pipeline.wiki.tree import Files

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings
    from pipeline.git import Version


@click.command()
@json_option
@click.pass_obj
def lint(surroundings: Surroundings, *, as_json: bool) -> int:
    """Check the pages against the rules.

    Looks at front matter, links, anchors, orphans, duplicates, citations, age, size and secrets. Writes nothing. Ends
    with 1 when a finding is an error; warnings and notes alone end with 0.

    \b
    Example:
      wikimill lint
    """
    speaker = Speaker(as_json=as_json)
    root, settings = surroundings.open_wiki()
    pages = Files(root / settings.wiki.pages)
    findings = lint_wiki(
        pages,
        settings=settings.lint,
        today=surroundings.clock().date(),
        observation_exists=line_counter(root),
        finds=make_redactor(settings.redaction).finds,
    )
    errors = sum(finding.severity == "error" for finding in findings)
    if as_json:
        speaker.give({"findings": [asdict(finding) for finding in findings], "errors": errors})
    else:
        speaker.findings(findings)
        files = sum(path.endswith(".md") for path in pages)
        told = f"{count(files, 'page')} checked: {count(errors, 'error')}"
        speaker.say(f"{told}, {count(len(findings) - errors, 'other finding')}.", style="bold")
    return ExitCode.OTHER if errors else ExitCode.DONE


@click.command()
@click.argument("page", metavar="PAGE")
@json_option
@click.pass_obj
def history(surroundings: Surroundings, page: str, *, as_json: bool) -> int:
    """Show the versions of PAGE and the session behind each.

    The newest comes first. PAGE is a path, from here or below the wiki folder. Writes nothing.

    \b
    Example:
      wikimill history acme/decisions/session-cookies.md
    """
    speaker = Speaker(as_json=as_json)
    root, settings = surroundings.open_wiki()
    home = root / settings.wiki.pages
    path = locate_page(page, home, surroundings.folder)
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise click.UsageError(f"'{page}' is no page of this wiki; its pages stand in {home}")
    with open_repository(root) as repository:
        versions = repository.history(f"{repository.places.prefix}{settings.wiki.pages}/{path}")
    if not versions and not (home / path).is_file():
        near = difflib.get_close_matches(path, [name for name in Files(home) if name.endswith(".md")], n=1, cutoff=0.4)
        raise click.UsageError(f"there is no page '{path}'" + (f"; did you mean '{near[0]}'?" if near else ""))
    if as_json:
        speaker.give({"page": path, "versions": [_plain(version) for version in versions]})
    else:
        _tell_versions(speaker, path, versions)
    return ExitCode.DONE


def locate_page(given: str, home: Path, here: Path) -> str:
    """Find which page below `home` a person means: a path from where they stand, or one below the wiki's folder.

    A folder stands for its index.
    """
    if not given.endswith(".md") and not any((place / f"{given.rstrip('/')}.md").is_file() for place in (here, home)):
        for place in (here / given, home / given):
            if (place / "index.md").is_file():
                given = f"{given.rstrip('/')}/index.md"
                break
    name = given if given.endswith(".md") else f"{given.rstrip('/')}.md"
    for place in (here / name, home / name):
        if place.is_file() and place.resolve().is_relative_to(home.resolve()):
            return place.resolve().relative_to(home.resolve()).as_posix()
    return Path(name).as_posix().removeprefix(f"{home.name}/")


def _plain(version: Version) -> dict[str, object]:
    return {**asdict(version), "at": version.at.isoformat().replace("+00:00", "Z")}


def _tell_versions(speaker: Speaker, path: str, versions: tuple[Version, ...]) -> None:
    if not versions:
        speaker.say(f"{path} is not committed yet.")
        return
    rows = [
        [
            f"{version.at:%Y-%m-%d %H:%M}",
            version.commit[:SHORT_HASH],
            version.session or "-",
            version.observations or "-",
            version.model or version.author,
            version.subject.removeprefix(f"consolidate({version.session}): "),
        ]
        for version in versions
    ]
    speaker.table(["when (UTC)", "commit", "session", "observations", "by", "subject"], rows, numbers=(3,))
    speaker.say(f"{count(len(versions), 'version')} of {path}.", style="bold")
