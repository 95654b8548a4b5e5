"""Owns how handed-over commits are brought before the checks: what they change, read from git, and what they cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import WikimillError
from pipeline.observations.inbox.counting import line_counter
from pipeline.observations.inbox.lookup import Citation, look_up
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal.checking import Handed, check_files, check_pages, check_secrets
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.sources import is_label, located

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.finding import Finding
    from pipeline.observations.observation import Observation
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.opening import Hosted


def inspect(hosted: Hosted, settings: Settings, root: Path, seen: Seen, *, at: datetime) -> tuple[Finding, ...]:
    """Check everything that lies between the base and what is to be proposed; give what speaks against it."""
    handed = _read(hosted, seen)
    found = check_files(handed, hosted.folder)
    if found:
        return found
    redactor = make_redactor(settings.redaction)
    commits = hosted.repository.commits_between(seen.base_tip, seen.tip)
    texts = [(one.path, one.raw.decode("utf-8", "replace")) for one in handed if one.raw is not None]
    messages = [(one.id[:10], one.message) for one in commits]
    found = check_secrets((*texts, *messages), redactor.finds)
    if found:
        return found
    before = hosted.repository.snapshot(seen.base_tip, hosted.folder)
    after = hosted.repository.snapshot(seen.tip, hosted.folder)
    changed = [one.path.removeprefix(hosted.folder + "/") for one in handed]
    cited = cited_observations(root, settings, {path: after[path] for path in changed if path in after})
    return check_pages(
        before,
        after,
        changed,
        settings=settings.lint,
        today=at.date(),
        observation_exists=line_counter(root),
        cited=lambda file, line, label: cited.get(Citation(file, line, label)),
        observations=settings.wiki.observations,
    )


def cited_observations(root: Path, settings: Settings, pages: Mapping[str, bytes]) -> Mapping[Citation, Observation]:
    """Find every observation that pages cite, redacted; what cannot be found is left out."""
    citations = {citation for path, raw in pages.items() for citation in citations_of(path, raw, settings)}
    return look_up(
        root / settings.wiki.observations,
        sorted(citations),
        redactor=make_redactor(settings.redaction),
        default_project=settings.wiki.default_project,
    )


def citations_of(path: str, raw: bytes, settings: Settings) -> Iterator[Citation]:
    """Give what the front matter of a page says of its observations."""
    if not is_page(path):
        return
    try:
        page = parse_page(path, raw)
    except WikimillError:
        return
    start = f"{settings.wiki.observations}/"
    for source in page.sources:
        place = located(path, source.resource)
        if place is not None and is_label(source.id) and place[0].startswith(start):
            yield Citation(place[0].removeprefix(start), place[1], source.id)


def _read(hosted: Hosted, seen: Seen) -> Sequence[Handed]:
    changes = hosted.repository.changes(seen.base_tip, seen.tip)
    ids = [one.after.id for one in changes if one.after is not None and one.after.regular]
    raw = dict(zip(ids, hosted.repository.read_objects(ids), strict=True))
    return [
        Handed(
            one.path,
            one.after.mode if one.after else "",
            raw.get(one.after.id, b"") if one.after is not None else None,
        )
        for one in changes
    ]
