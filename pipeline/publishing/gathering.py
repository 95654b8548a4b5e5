"""Owns how all that the site is derived from is gathered: pages, quotations, history, ledger, configuration.

Secrets are taken out of what observations and former revisions say. What cannot be had, such as a history without
git, is left out; nothing is written. Knows no HTML.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pipeline.errors import GitError, StoreError
from pipeline.finding import Finding
from pipeline.git import open_repository
from pipeline.observations.inbox.lookup import Citation, look_up
from pipeline.observations.redaction.redact import make_redactor
from pipeline.publishing.revisions import read_revisions
from pipeline.reading.configuration import read_site
from pipeline.reading.template import CONFIGURATION
from pipeline.reading.unreadable import unreadable
from pipeline.site.library_reading import read_library
from pipeline.site.moved import LEDGER, moved_findings, moved_with, read_moved
from pipeline.site.values import Inputs, Quoted
from pipeline.wiki.ledger import sessions
from pipeline.wiki.revision.sources import is_label, located, who
from pipeline.wiki.tree import Files

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.finding import Severity
    from pipeline.observations.observation import Observation
    from pipeline.observations.redaction.redact import Redactor
    from pipeline.publishing.known_pages import KnownPages
    from pipeline.site.library import Library
    from pipeline.site.values import Revision, Site

OURS: Final = "tags.md"
"""The page of tags that a new wiki begins with, for a generator alone: the derived site has one of its own."""

HARMLESS: Final = tuple(
    f".{kind}" for kind in ["avif", "gif", "jpeg", "jpg", "png", "webp", "csv", "json", "jsonl", "pdf", "txt", "zip"]
)
"""How files are called that are published beside pages, and that no browser takes for a document with script."""

_History = tuple["Mapping[str, tuple[Revision, ...]]", "tuple[tuple[str, str], ...]", "tuple[Finding, ...]"]
_CUT: Final = Finding(
    ".git",
    "history-cut",
    "warning",
    "this clone holds the newest commits alone: histories, changes and former addresses of pages are missing.",
    "Fetch the others: `git fetch --unshallow`, or `fetch-depth: 0` where a workflow checks out.",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a build wants to know beside the wiki: the day, the environment, and where the site is served, if told."""

    now: datetime
    environment: Mapping[str, str]
    offline: bool = False
    site_url: str | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """All that was gathered, and what is wrong with it that nobody else would tell.

    `broken` are the pages that cannot be published as they are.
    """

    inputs: Inputs
    library: Library
    findings: tuple[Finding, ...] = ()
    broken: tuple[Finding, ...] = ()


def gather(root: Path, settings: Settings, asked: Asked, known: KnownPages) -> Gathered:
    """Gather what the wiki repository `root` holds, as it stands in the work tree, and read its pages."""
    files = Files(root / settings.wiki.pages)
    published = [path for path in files if _is_published(path)]
    pages = {path: files[path] for path in published if path.endswith(".md") and path != OURS}
    redactor = make_redactor(settings.redaction)
    beside = [path for path in published if not path.endswith(".md")]
    others = frozenset(filter(_is_harmless, beside))
    library = read_library(pages, others, read=known.read)
    revisions, renames, cut = _history(root, settings, redactor, asked.environment)
    quoted, unfound = _quotations(root, settings, library, redactor) if settings.site.quotations else ({}, ())
    listed = files.get(LEDGER, b"")
    inputs = Inputs(
        site=read_settings_of_site(root, settings, asked),
        files=pages,
        others=others,
        quoted=quoted,
        revisions={path: found for path, found in revisions.items() if path in pages},
        moved=moved_with(renames, read_moved(listed), pages),
        sessions=tuple(sessions(files)),
    )
    unread = (unreadable(path, files[path]) for path in published if path.endswith(".md") and path not in library.pages)
    return Gathered(
        inputs,
        library,
        (
            *moved_findings(listed),
            *map(_withheld, sorted({*beside} - others)),
            *_left_out(files),
            *cut,
            *unfound,
        ),
        tuple(sorted({*known.broken, *filter(None, unread)})),
    )


def read_settings_of_site(root: Path, settings: Settings, asked: Asked) -> Site:
    """Read what `mkdocs.yml` and `wikimill.toml` tell of the site."""
    site = read_site(
        read_configuration(root), environment=asked.environment, today=asked.now.date(), folder=settings.wiki.pages
    )
    return replace(
        site,
        directory_urls=site.directory_urls and not asked.offline,
        quotations=settings.site.quotations,
        url=site.url if asked.site_url is None else asked.site_url,
    )


def read_configuration(root: Path) -> bytes:
    """Read the configuration of the site."""
    try:
        return (root / CONFIGURATION).read_bytes()
    except OSError as fault:
        raise StoreError(f"cannot be read: {fault.strerror}.", where=CONFIGURATION) from None


def _is_published(path: str) -> bool:
    return not any(part.startswith((".", "_")) for part in path.split("/"))


def _is_harmless(path: str) -> bool:
    """Whether a file that is no page runs nothing when it is opened: a drawing in SVG is a document with script."""
    return path.lower().endswith(HARMLESS)


def _withheld(path: str) -> Finding:
    told = "is not published: a file of this kind can run script in a reader's browser."
    return Finding(path, "file-withheld", "warning", told, "Use PNG or WebP, or link to it on the Git host.")


def _left_out(files: Files) -> Iterator[Finding]:
    """Tell of files that nobody reads, because of what they are called, or because they are no plain files."""
    for path, why in sorted(files.left_out.items()):
        if _is_published(path):
            yield Finding(
                path, "file-withheld", "warning", f"is not published: {why}.", "Put a plain file in its place."
            )


def _history(root: Path, settings: Settings, redactor: Redactor, environment: Mapping[str, str]) -> _History:
    """Read what git knows; where there is no repository, or no git, it knows nothing."""
    with suppress(GitError), open_repository(root, environment) as repository:
        revisions, renames = read_revisions(repository, repository.places.prefix + settings.wiki.pages, "", redactor)
        return revisions, renames, (_CUT,) if repository.places.shallow else ()
    return {}, (), ()


def _quotations(
    root: Path, settings: Settings, library: Library, redactor: Redactor
) -> tuple[dict[tuple[str, str], Quoted], tuple[Finding, ...]]:
    """Find the observation behind every source of a page, by page and footnote label, as it stands now."""
    start = f"{settings.wiki.observations}/"
    wanted = {(path, citation.label): citation for path, citation in _citations(library, start)}
    found = look_up(
        root / settings.wiki.observations,
        sorted(set(wanted.values())),
        redactor=redactor,
        default_project=settings.wiki.default_project,
    )
    made = {citation: _quoted(observation, start) for citation, observation in found.items()}
    quoted = {key: made[citation] for key, citation in wanted.items() if citation in made}
    return quoted, tuple(_unfound(settings.wiki.observations, len(wanted) - len(quoted), len(wanted)))


def _unfound(folder: str, missing: int, cited: int) -> Iterator[Finding]:
    if missing:
        told = (
            f"{missing:,} of {cited:,} cited observations cannot be found or read here, so nothing is quoted for them."
        )
        # Where none is here, the wiki is built without them on purpose.
        severity: Severity = "warning" if missing < cited else "note"
        yield Finding(folder, "quotation-missing", severity, told, "Bring their files back.")


def _citations(library: Library, start: str) -> Iterator[tuple[str, Citation]]:
    """Give the observations that pages name in their front matter."""
    for path, facts in library.pages.items():
        for source in facts.sources:
            place = located(path, source.resource)
            if place is not None and is_label(source.id) and place[0].startswith(start):
                yield path, Citation(place[0].removeprefix(start), place[1], source.id)


def _quoted(observation: Observation, start: str) -> Quoted:
    return Quoted(
        words=observation.body or observation.title,
        who=who(observation),
        agent_kind=observation.agent_kind,
        when=observation.ts,
        session_id=observation.session.session_id,
        file=f"{start}{observation.place.file}",
        line=observation.place.line,
    )
