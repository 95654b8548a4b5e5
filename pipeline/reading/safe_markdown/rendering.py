"""Owns which page is being rendered, and where each generator tells so; knows no page's text and no HTML.

MkDocs and ProperDocs keep the page where they resolve links, Zensical in a context of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

from pipeline.site.hosting import read_host
from pipeline.site.values import Site

if TYPE_CHECKING:
    from collections.abc import Mapping, MutableMapping

    from markdown import Markdown

OPTIONS: dict[str, tuple[object, str]] = {
    "repository": ("", "The repository's address on its Git host."),
    "branch": ("main", "The branch that links into the repository name."),
    "host": ("", "github, gitlab, gitea or bitbucket, where the address does not tell."),
    "prefix": ("", "Where the wiki's repository stands within the hosted one, such as `docs/`."),
    "report": ("", "Where a reader reports an error, with {title}, {body} and {page}, instead of the host's issues."),
    "site_url": ("", "Where the site is served, where the generator's own setting does not tell."),
    "folder": ("", "The folder of the pages, where the generator's own setting does not tell."),
    "derived": (False, "Whether documents come from `wikimill build`, each with its frame; never set this by hand."),
}
"""What `mkdocs.yml` may say below this extension: the default of each option, and what it is for."""


class Page(Protocol):
    """What the generators' pages have in common."""

    meta: MutableMapping[str, object]


class File(Protocol):
    """A file of MkDocs and ProperDocs."""

    src_uri: str
    page: Page


class _Relpath(Protocol):
    file: File
    config: Mapping[str, object]


class _ContextPage(Page, Protocol):
    path: str


class _Context(Protocol):
    page: _ContextPage
    config: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Rendering:
    """The page at hand: its path below the folder of documents, its object, and the generator's configuration.

    `moves_links` says that the generator reads every address of the finished HTML as one from the Markdown file's
    folder, and rewrites it.
    """

    path: str
    page: Page
    configuration: Mapping[str, object]
    moves_links: bool


def rendering_of(md: Markdown) -> Rendering | None:
    """Find the page that is being rendered; None when no generator is at work."""
    if "relpath" in md.treeprocessors:
        relative = cast("_Relpath", md.treeprocessors["relpath"])
        return Rendering(relative.file.src_uri, relative.file.page, relative.config, moves_links=False)
    if "rendering_context" in md.preprocessors:
        context = cast("_Context", md.preprocessors["rendering_context"])
        return Rendering(context.page.path, context.page, context.config, moves_links=True)
    return None


def site_of(options: Mapping[str, object], configuration: Mapping[str, object]) -> Site:
    """Tell what the extension's options and the generator's configuration say of the site; no clock is at hand."""
    option = {name: _text(value) for name, value in options.items()}
    served = option["site_url"] or _text(configuration.get("site_url"))
    folder = option["folder"] or _text(configuration.get("docs_dir")).replace("\\", "/").rstrip("/").rpartition("/")[2]
    return Site(
        name=_text(configuration.get("site_name")) or Site().name,
        url=f"{served.rstrip('/')}/" if served else "",
        folder=folder or Site().folder,
        directory_urls=configuration.get("use_directory_urls") is not False,
        host=read_host(
            option["repository"],
            kind=option["host"],
            branch=option["branch"],
            prefix=option["prefix"],
            report=option["report"],
        ),
    )


def _text(value: object) -> str:
    """Give a setting's text: one from the environment may have become a number, or nothing where it was empty."""
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""
