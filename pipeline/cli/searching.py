"""Owns the command `search`: words in, pages out."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.telling import count
from pipeline.memory.search.index import Filters
from pipeline.searching import find_pages

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings
    from pipeline.memory.search.index import Hit


@click.command()
@click.argument("query", metavar="QUERY")
@click.option("--project", default="", metavar="NAME", help="Only pages of this project: acme, or team/acme.")
@click.option("--type", "kind", default="", metavar="TYPE", help="Only pages of this type: Decision, Gotcha, ...")
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only pages with this tag; may be given again.")
@click.option("--status", default="", metavar="STATUS", help="Only pages with this status: stable, deprecated, ...")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(1, 1000), help="At most so many pages.")
@json_option
@click.pass_obj
def search(
    surroundings: Surroundings,
    query: str,
    *,
    project: str,
    kind: str,
    tags: tuple[str, ...],
    status: str,
    limit: int,
    as_json: bool,
) -> int:
    """Find the pages that fit QUERY best.

    Looks at titles, aliases, tags, headings and text of the pages as they stand on disk, in any script. Writes an
    index below .wikimill, which may be removed at any time, and nothing else.

    \b
    Examples:
      wikimill search "session cookies"
      wikimill search retryPolicy --project acme --type decision
    """
    speaker = Speaker(as_json=as_json)
    root, settings = surroundings.open_wiki()
    filters = Filters(project, kind, tags, status)
    found = find_pages(settings, root, query, limit=limit, now=surroundings.clock(), filters=filters)
    if as_json:
        speaker.give({"query": query, "pages": found.pages, "hits": [asdict(hit) for hit in found.hits]})
        return ExitCode.DONE
    for hit in found.hits:
        _tell(speaker, f"{settings.wiki.pages}/{hit.path}", hit)
    speaker.say(f"{count(len(found.hits), 'hit')} in {count(found.pages, 'page')}.", style="bold")
    return ExitCode.DONE


def _tell(speaker: Speaker, path: str, hit: Hit) -> None:
    kind = f"{hit.type}, {hit.status}" if hit.status not in {"", "stable"} else hit.type
    speaker.say(f"{path}:{hit.first_line}-{hit.last_line}  {hit.score:.2f}  {hit.title}{f' ({kind})' if kind else ''}")
    speaker.say(f"  {hit.snippet}")
