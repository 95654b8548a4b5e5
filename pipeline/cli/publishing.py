"""Owns the commands `build` and `serve`: from pages to a site, on disk or in a browser."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pipeline.cli.exits import ExitCode
from pipeline.cli.options import json_option
from pipeline.cli.output import Speaker
from pipeline.cli.telling import count
from pipeline.publishing.building import Wish, build_site
from pipeline.publishing.serving import Stage, serve_site

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.cli.surroundings import Surroundings
    from pipeline.publishing.building import Built


@click.command()
@click.option("--no-strict", is_flag=True, help="Build in spite of errors, such as a link that leads nowhere.")
@click.option("--full", is_flag=True, help="Render every page, also those that did not change.")
@click.option("--offline", is_flag=True, help="Pack a copy that can be read without a server.")
@json_option
@click.pass_obj
def build(surroundings: Surroundings, *, no_strict: bool, full: bool, offline: bool, as_json: bool) -> int:
    """Build the searchable site from the pages.

    Writes the folder .build/site (site.output in wikimill.toml), and what it remembers of it below .wikimill/. Pages
    that did not change are not rendered again. When the build fails, the site that stood there stays. With --offline
    it writes .build/site-offline and .build/site.zip instead.

    \b
    Examples:
      wikimill build
      wikimill build --offline
    """
    speaker = Speaker(as_json=as_json)
    root, settings = surroundings.open_wiki()
    built = build_site(
        root,
        settings,
        now=surroundings.clock(),
        environment=surroundings.environment,
        wish=Wish(strict=not no_strict, full=full, offline=offline),
    )
    if as_json:
        archive = str(built.archive) if built.archive else None
        speaker.give({**asdict(built), "unchanged": built.unchanged, "output": str(built.output), "archive": archive})
        return ExitCode.DONE
    speaker.findings(built.findings)
    speaker.say(_told(built, surroundings.folder), style="bold")
    if built.archive:
        archive = _near(built.archive, surroundings.folder)
        speaker.say(f"Packed into {archive}; it is read from its index.html, without a server.")
    return ExitCode.DONE


def _told(built: Built, folder: Path) -> str:
    how = f"{built.rendered:,} rendered, {built.unchanged:,} unchanged" if built.unchanged else "all rendered"
    return f"Built {count(built.pages, 'page')} in {_near(built.output, folder)}: {how}."


def _near(place: Path, folder: Path) -> str:
    """Name a place as seen from the folder that the command runs in."""
    return str(place.relative_to(folder) if place.is_relative_to(folder) else place)


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
    root, _ = surroundings.open_wiki()
    speaker = Speaker()
    speaker.whisper(f"The site will stand at http://{host}:{port}/ in a moment. Ctrl-C ends it.")
    stage = Stage(
        host,
        port,
        surroundings.environment,
        surroundings.clock,
        surroundings.outside.sleep,
        speaker.whisper,
        open_browser=open_browser,
    )
    serve_site(root, stage)
    return ExitCode.DONE
