"""Owns how handed-over commits are brought before the checks: what they change, read from git, and what they cite."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.observations.inbox.counting import line_counter
from pipeline.observations.inbox.lookup import Citation, look_up
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal.checking import RULE, Handed, check_files, check_pages, check_secrets
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.revision.sources import is_label, located

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.git import Commit
    from pipeline.observations.observation import Observation
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.opening import Hosted


def inspect(hosted: Hosted, settings: Settings, root: Path, seen: Seen, *, at: datetime) -> tuple[Finding, ...]:
    """Check everything that lies between the base and what is to be proposed; give what speaks against it.

    Of each commit, for whatever stands in one of them is published, though a later one takes it away again. The pages
    are held to the rules as they are in the end.
    """
    commits = hosted.repository.commits_between(seen.base_tip, seen.tip)
    found = _check_chain(seen, commits)
    if found:
        return found
    handed = _read(hosted, commits)
    found = check_files(handed, hosted.folder)
    if found:
        return found
    redactor = make_redactor(settings.redaction)
    names = {one.path: redactor.scrub(one.path).text for one in handed}
    paths = [(names[one.path], one.path, "") for one in handed if one.before is None]
    files = [(names[one.path], _text(one.raw), _text(one.before)) for one in handed if one.raw is not None]
    messages = [(one.id[:10], f"{one.author} <{one.author_email}>\n{one.message}", "") for one in commits]
    found = check_secrets((*paths, *files, *messages), redactor.finds)
    if found:
        return found
    before = hosted.repository.snapshot(seen.base_tip, hosted.folder)
    after = hosted.repository.snapshot(seen.tip, hosted.folder)
    changes = hosted.repository.changes(seen.base_tip, seen.tip)
    changed = [one.path.removeprefix(hosted.folder + "/") for one in changes]
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


def _check_chain(seen: Seen, commits: Sequence[Commit]) -> tuple[Finding, ...]:
    """Make sure that the commits stand one upon the other, and the first upon the base."""
    tips = [seen.base_tip, *(one.id for one in commits)]
    if tips[-1] == seen.tip and all(one.parents == (below,) for one, below in zip(commits, tips, strict=False)):
        return ()
    told = "the commits do not stand upon the base, one upon the other."
    return (Finding(seen.branch, RULE, "error", told, "Nothing was pushed. Run `wikimill run --prepare` again."),)


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


def _read(hosted: Hosted, commits: Sequence[Commit]) -> Sequence[Handed]:
    """Read what every commit changes, one after the other."""
    changes = [one for commit in commits for one in hosted.repository.changes(commit.parents[0], commit.id)]
    sides = [side for one in changes for side in (one.before, one.after) if side is not None and side.regular]
    ids = list(dict.fromkeys(side.id for side in sides))
    raw = dict(zip(ids, hosted.repository.read_objects(ids), strict=True))
    return [
        Handed(
            one.path,
            one.after.mode if one.after else "",
            raw.get(one.after.id, b"") if one.after is not None else None,
            one.before.mode if one.before else "",
            raw.get(one.before.id, b"") if one.before is not None else None,
        )
        for one in changes
    ]


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")
