"""Owns that a merge counts as a person's review: which pages of merged proposals say so by now, and which should.

Asks no model. A page that changed since it was merged is not what was reviewed, and gets nothing.
"""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.errors import WikimillError
from pipeline.git import Verification, render_verification, trailers_of
from pipeline.proposal.controls import read_controls
from pipeline.proposal.ours import PAGE, SESSION, VERIFIED
from pipeline.proposal.protected import Review
from pipeline.proposing.committing import sealed_commit
from pipeline.wiki.catalogue import is_page
from pipeline.wiki.format.page import parse_page, render_page
from pipeline.wiki.revision.authorship import confirm

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.proposal.ours import Step
    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.opening import Hosted

LOOKED_BACK = 3
"""Merged proposals that are looked at: between two runs hardly more than one is merged, and one may be declined."""

_LOGIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9_])?")
"""What GitHub and GitLab take for a login; whatever else a host answers becomes no name of a reviewer."""


def stamp(  # noqa: PLR0913  # the proposals that ended, and where it is written
    hosted: Hosted,
    merged: Sequence[Proposal],
    base_tip: str,
    tip: str,
    *,
    at: datetime,
    closed: Sequence[Proposal] = (),
) -> tuple[str, tuple[str, ...]]:
    """Put commits over `tip` by which merged pages name who merged them; give the new tip and the pages.

    What stood in one of the `closed` proposals, and was all that it held, was declined, and is not written again.
    """
    done: list[str] = []
    declined: frozenset[str] | None = None
    for proposal in merged[:LOOKED_BACK]:
        changes = dict(_due(hosted, proposal, base_tip, tip, done))
        if changes and declined is None:
            declined = _declined(hosted, closed)
        told = _told(proposal, changes, at)
        changes = {path: raw for path, raw in changes.items() if _review(told, path) not in (declined or ())}
        if not changes:
            continue
        standing = hosted.repository.snapshot(tip, hosted.folder).entries
        commit = sealed_commit(hosted, changes, _told(proposal, changes, at), standing=standing)
        (tip,) = hosted.repository.build_chain(tip, (commit,), at=at)
        done += changes
    return tip, tuple(sorted(done))


def reviews_of(hosted: Hosted, merged: Sequence[Proposal], base_tip: str) -> frozenset[Review]:
    """Give the reviews that people gave by merging the newest proposals, of pages that stand as they were merged."""
    base = hosted.repository.snapshot(base_tip, hosted.folder).entries
    found: set[Review] = set()
    for proposal in merged[:LOOKED_BACK]:
        if _is_a_review(proposal) and proposal.merged_at is not None and proposal.merge_commit:
            then = hosted.repository.snapshot(proposal.merge_commit, hosted.folder).entries
            at = proposal.merged_at.astimezone(UTC).replace(microsecond=0)
            pages = (path for path in _pages_of(hosted, proposal) if path in then and then[path] == base.get(path))
            found |= {Review(path, f"human:{proposal.merged_by}", at) for path in pages}
    return frozenset(found)


def still_reviewed(
    step: Step, changed: Mapping[str, tuple[bytes | None, bytes | None]], standing: Mapping[str, bytes]
) -> tuple[dict[str, tuple[bytes | None, bytes | None]], str]:
    """Give what a commit of reviews still says where the base stands by now, and its message.

    A page that changed since is not what was reviewed, whoever changed it.
    """
    kept = {path: both for path, both in changed.items() if standing.get(path) == both[0]}
    trailers = {name: told[-1] for name, told in step.trailers.items()}
    if len(kept) == len(changed) or not kept:
        return kept, step.message
    by, at = trailers.get("Verified-by", ""), datetime.fromisoformat(trailers.get("Verified-at", ""))
    return kept, render_verification(Verification(sorted(kept), by, at, trailers.get("Proposal", "")))


def _told(proposal: Proposal, pages: Iterable[str], at: datetime) -> str:
    by, when = f"human:{proposal.merged_by}", proposal.merged_at or at
    return render_verification(Verification(sorted(pages), by, when, proposal.url))


def _declined(hosted: Hosted, closed: Sequence[Proposal]) -> frozenset[str]:
    """Read which reviews were proposed and declined, from the messages of the commits on the host.

    Whoever closes a proposal that also held pages declines those: of the reviews in it nobody was asked.
    """
    declined: set[str] = set()
    for proposal in closed:
        messages = [commit.message for commit in hosted.commits_of(proposal.number)]
        if not any(SESSION in trailers_of(message) for message in messages):
            declined |= {
                _review(message, page) for message in messages for page in trailers_of(message).get(VERIFIED, ())
            }
    return frozenset(declined)


def _review(message: str, page: str) -> str:
    """Name one review of one page: by whom, and when."""
    told = trailers_of(message)
    return "\n".join((*told.get("Verified-by", ()), *told.get("Verified-at", ()), page))


def _due(
    hosted: Hosted, proposal: Proposal, base_tip: str, tip: str, done: Iterable[str]
) -> Iterable[tuple[str, bytes]]:
    """Give the pages of a merged proposal, with its merger's name, that are as they were merged and do not say so."""
    if not _is_a_review(proposal) or proposal.merged_at is None:
        return
    repository = hosted.repository
    if not proposal.merge_commit or not repository.is_ancestor(proposal.merge_commit, base_tip):
        return
    merged, base, now = (
        repository.snapshot(commit, hosted.folder) for commit in (proposal.merge_commit, base_tip, tip)
    )
    for path in sorted(_pages_of(hosted, proposal) - {*done}):
        entry = merged.entries.get(path)
        if entry is None or not entry.regular or {base.entries.get(path), now.entries.get(path)} != {entry}:
            continue
        try:
            page = parse_page(path, now[path])
        except WikimillError:
            continue
        if not page.locked:
            front = confirm(page.front, f"human:{proposal.merged_by}", proposal.merged_at)
            raw = render_page(replace(page, front=front))
            if raw != now[path]:
                yield path, raw


def _is_a_review(proposal: Proposal) -> bool:
    return bool(proposal.merged_by_person and _LOGIN.fullmatch(proposal.merged_by) and proposal.merged_at is not None)


def _pages_of(hosted: Hosted, proposal: Proposal) -> frozenset[str]:
    """Name the pages for which whoever merged a proposal stands.

    Whoever merges a page whose box says that it shall be left out does not stand for it.
    """
    told = (page for commit in hosted.commits_of(proposal.number) for page in trailers_of(commit.message).get(PAGE, ()))
    left_out = read_controls(proposal.body, proposal.head).ignored
    return frozenset(path for one in told if is_page(path := one.rpartition(" ")[0])) - {*left_out}
