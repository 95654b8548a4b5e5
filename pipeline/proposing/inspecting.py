"""Owns how handed-over commits are brought before the checks: what they change, read from git, and what they cite."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from pipeline.errors import WikimillError
from pipeline.finding import Finding
from pipeline.observations.inbox.counting import line_counter
from pipeline.observations.inbox.lookup import Citation, look_up
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal.checking import Handed, check_changed, check_files, check_links, check_secrets
from pipeline.proposal.ledgers import check_evidence, check_kept, check_ledger, new_known, new_marks
from pipeline.proposal.ours import EVIDENCE
from pipeline.proposal.protected import LOOK, RULE, is_locked
from pipeline.proposing.covering import check_covered, covered_by
from pipeline.proposing.evidencing import check_known, check_marks
from pipeline.proposing.stamping import reviews_of
from pipeline.proposing.wording import check_messages
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import parse_page
from pipeline.wiki.ledger import is_record, read_marks
from pipeline.wiki.revision.sources import is_label, located

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.git import Changed, Commit, Snapshot
    from pipeline.observations.observation import Observation
    from pipeline.proposing.handing import Seen
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted


AT_ONCE = 32
"""Files that are read together."""


def inspect(  # noqa: PLR0913  # the proposal, and what it is held to
    hosted: Hosted, settings: Settings, root: Path, seen: Seen, *, at: datetime, standing: Standing | None = None
) -> tuple[Finding, ...]:
    """Check everything that lies between the base and what is to be proposed; give what speaks against it.

    Of each commit, for whatever stands in one of them is published, though a later one takes it away again. The pages
    are held to the rules as they are in the end. `standing` tells which merges the host knows; that `seen` fits what
    stands on the remote was checked before.
    """
    commits = hosted.repository.commits_between(seen.base_tip, seen.tip)
    found = _check_chain(seen, commits)
    if found:
        return found
    changes = [one for commit in commits for one in hosted.repository.changes(commit.parents[0], commit.id)]
    found = check_files(_measured(hosted, changes), hosted.folder)
    if found:
        return found
    redactor = make_redactor(settings.redaction)
    names = {one.path: redactor.scrub(one.path).text for one in changes}
    # What stands on the proposal's branch is published, whatever the redaction has learnt since.
    published = hosted.repository.snapshot(seen.head or None, hosted.folder)
    start = hosted.folder + "/"
    paths = [
        (names[one.path], one.path, one.path if one.path.removeprefix(start) in published else "")
        for one in changes
        if one.before is None
    ]
    files = (
        (names[path], _text(raw), f"{_text(before)}\n{_text(published.get(path.removeprefix(start)))}")
        for path, before, raw in _read(hosted, changes)
    )
    base = hosted.repository.snapshot(seen.base_tip, hosted.folder)
    said = "\n".join((*_published_lines(hosted, seen), *base.entries))
    messages = [(one.id[:10], f"{one.author} <{one.author_email}>\n{one.message}", said) for one in commits]
    found = check_secrets((*paths, *files, *messages), redactor.finds)
    if found:
        return found
    return _check_wiki(hosted, settings, root, seen, commits, at=at, standing=standing)


def _check_wiki(  # noqa: PLR0913  # as above
    hosted: Hosted,
    settings: Settings,
    root: Path,
    seen: Seen,
    commits: Sequence[Commit],
    *,
    at: datetime,
    standing: Standing | None,
) -> tuple[Finding, ...]:
    """Hold messages, ledger and pages to what stood before, to what is published, and to the observations."""
    repository = hosted.repository
    before, after, published = (
        repository.snapshot(one or None, hosted.folder) for one in (seen.base_tip, seen.tip, seen.head)
    )
    changes = repository.changes(seen.base_tip, seen.tip)
    changed = [one.path.removeprefix(hosted.folder + "/") for one in changes]
    told = [(one.id[:10], one.message) for one in commits]
    states = (before, published)
    observations, marks = root / settings.wiki.observations, new_marks(after, states)
    on_record = cache(lambda: covered_by(after))
    found = (
        *check_messages(told, pages=after.entries, published=_published_lines(hosted, seen)),
        *_check_evidence(hosted, seen, commits),
        *check_ledger(after, changed, states),
        *check_kept(before, after, changed),
        *(
            check_marks(observations, marks)
            or check_covered(observations, settings, marks, before=read_marks(before), known=on_record)
        ),
        *check_known(observations, settings, new_known(after, changed, states)),
        *_check_locked(hosted, changed, standing),
    )
    between = list(_between(hosted, commits, after, published))
    texts = [(path, after[path]) for path in changed if path in after]
    texts += [(path, state[path]) for state, paths in between for path in paths]
    cited = cited_observations(root, settings, texts)
    rules = partial(
        check_changed,
        cited=lambda file, line, label: cited.get(Citation(file, line, label)),
        observations=settings.wiki.observations,
        reviews=cache(lambda: reviews_of(hosted, standing.merged if standing is not None else (), seen.base_tip)),
        published=published,
    )
    pages = (
        *check_links(
            before,
            after,
            published,
            settings=settings.lint,
            today=at.date(),
            observation_exists=line_counter(root),
        ),
        *rules(before, after, changed),
        *(one for state, paths in between for one in rules(before, state, paths)),
    )
    return tuple(dict.fromkeys((*found, *pages)))


def _between(
    hosted: Hosted, commits: Sequence[Commit], after: Snapshot, published: Snapshot
) -> Iterator[tuple[Snapshot, list[str]]]:
    """Give the state of the wiki after each commit but the last, and what in it is neither so in the end nor published.

    Who merges without squashing has each of them in the history.
    """
    start = hosted.folder + "/"
    for commit in commits[:-1]:
        state = hosted.repository.snapshot(commit.id, hosted.folder)
        changes = hosted.repository.changes(commit.parents[0], commit.id)
        paths = [one.path.removeprefix(start) for one in changes if one.after is not None and one.after.regular]
        yield (
            state,
            [
                path
                for path in paths
                if state.entries[path] not in {after.entries.get(path), published.entries.get(path)}
            ],
        )


def _check_evidence(hosted: Hosted, seen: Seen, commits: Sequence[Commit]) -> Iterator[Finding]:
    """Hold what each commit names as its evidence to the records in it; what is published was looked at before."""
    repository, start = hosted.repository, hosted.folder + "/"
    lines = _published_lines(hosted, seen)
    for commit in commits:
        told = [one for one in commit.trailers.get(EVIDENCE, ()) if f"{EVIDENCE}: {one}" not in lines]
        if told:
            changes = repository.changes(commit.parents[0], commit.id)
            sides = {one.path.removeprefix(start): one.after.id for one in changes if one.after is not None}
            records = {path: one for path, one in sides.items() if is_record(path)}
            raw = repository.read_objects(list(records.values()))
            found = check_evidence(commit.id[:10], told, dict(zip(records, raw, strict=True)))
            if found:  # a session that was taken again may have the record that it had
                wiki = repository.snapshot(commit.id, hosted.folder)
                every = {path: wiki[path] for path in wiki.entries if is_record(path)}
                found = check_evidence(commit.id[:10], told, every)
            yield from found


def _published_lines(hosted: Hosted, seen: Seen) -> frozenset[str]:
    """Give what messages on the proposal's branch say by now."""
    if not seen.head:
        return frozenset()
    commits = hosted.repository.commits_between(seen.base_tip, seen.head)
    return frozenset(line for one in commits for line in one.message.split("\n") if line)


def _check_locked(hosted: Hosted, changed: Sequence[str], standing: Standing | None) -> tuple[Finding, ...]:
    """Refuse a change of a page that is locked where the base stands by now."""
    if standing is None:
        return ()
    wiki = hosted.repository.snapshot(standing.base_tip, hosted.folder)
    locked = (path for path in changed if is_page(path) and path in wiki and is_locked(path, wiki[path]))
    return tuple(Finding(path, RULE, "error", "changes, though it is locked.", LOOK) for path in locked)


def _check_chain(seen: Seen, commits: Sequence[Commit]) -> tuple[Finding, ...]:
    """Make sure that the commits stand one upon the other, and the first upon the base."""
    tips = [seen.base_tip, *(one.id for one in commits)]
    if tips[-1] == seen.tip and all(one.parents == (below,) for one, below in zip(commits, tips, strict=False)):
        return ()
    told = "the commits do not stand upon the base, one upon the other."
    return (Finding(seen.branch, RULE, "error", told, "Nothing was pushed. Run `wikimill run --prepare` again."),)


def cited_observations(
    root: Path, settings: Settings, pages: Iterable[tuple[str, bytes]]
) -> Mapping[Citation, Observation]:
    """Find every observation that pages cite, redacted; what cannot be found is left out."""
    citations = {citation for path, raw in pages for citation in citations_of(path, raw, settings)}
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


def _measured(hosted: Hosted, changes: Sequence[Changed]) -> list[Handed]:
    """Tell what changes, and how large it is, before a byte of it is read."""
    sides = [one.after for one in changes if one.after is not None and one.after.regular]
    ids = list(dict.fromkeys(side.id for side in sides))
    sizes = dict(zip(ids, hosted.repository.sizes(ids), strict=True))
    return [
        Handed(
            one.path,
            one.after.mode if one.after else "",
            sizes.get(one.after.id, 0) if one.after else None,
            one.before.mode if one.before else "",
        )
        for one in changes
    ]


def _read(hosted: Hosted, changes: Sequence[Changed]) -> Iterator[tuple[str, bytes | None, bytes]]:
    """Read what every commit changes, one file after the other: its path, before and after."""
    for start in range(0, len(changes), AT_ONCE):
        some = changes[start : start + AT_ONCE]
        sides = [[side for side in (one.after, one.before) if side is not None and side.regular] for one in some]
        raw = iter(hosted.repository.read_objects([side.id for both in sides for side in both]))
        for one, both in zip(some, sides, strict=True):
            after, *before = [next(raw) for _ in both]
            yield one.path, before[0] if before else None, after


def _text(raw: bytes | None) -> str:
    return (raw or b"").decode("utf-8", "replace")
