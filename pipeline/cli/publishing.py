"""Owns the commands `build` and `serve`: from pages to a site, on disk or in a browser."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.telling import count
from pipeline.reading.build import build_site, serve_site

if TYPE_CHECKING:
    from pipeline.cli.surroundings import Surroundings


@click.command()
@click.option("--no-strict", is_flag=True, help="Build in spite of warnings, such as a link that leads nowhere.")
@json_option
@click.pass_obj
def build(surroundings: Surroundings, *, no_strict: bool, as_json: bool) -> int:
    """Build the searchable site from the pages.

    Writes the folder .build/site (site.output in wikimill.toml). When the build fails, the site that stood there
    stays.

    \b
    Example:
      wikimill build
    """
    speaker = Speaker(as_json=as_json)
    root, settings = surroundings.open_wiki()
    output = root / settings.site.output
    built = build_site(
        root,
        pages=settings.wiki.pages,
        strict=not no_strict,
        output=output,
        environment=surroundings.environment,
    )
    if as_json:
        speaker.give({**asdict(built), "output": str(built.output)})
        return ExitCode.DONE
    speaker.findings(built.findings)
    speaker.say(f"Built {count(built.pages, 'page')} in {built.output}.", style="bold")
    return ExitCode.DONE


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="The port to listen on.")
@click.option("--open", "open_browser", is_flag=True, help="Open the site in a browser.")
@click.pass_obj
def serve(surroundings: Surroundings, *, host: str, port: int, open_browser: bool) -> int:
    """Show the site on this machine.

    Builds it anew whenever a page changes. Writes nothing into the repository. Ends with Ctrl-C.

    \b
    Example:
      wikimill serve --port 8080
    """
    root, settings = surroundings.open_wiki()
    Speaker().whisper(f"The site will stand at http://{host}:{port}/ in a moment. Ctrl-C ends it.")
    serve_site(
        root,
        pages=settings.wiki.pages,
        host=host,
        port=port,
        open_browser=open_browser,
        environment=surroundings.environment,
    )
    return ExitCode.DONE
