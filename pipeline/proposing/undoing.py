"""Owns sessions that a person reverted in a proposal which was merged before a run had seen that.

The revert took their record out of the ledger as well, so that the next run would pay for them and propose them again.
What is found here is laid over the base once more, as declined: the record without the pages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.git import trailers_of
from pipeline.proposal.ours import REVERTS, SESSION, sort_out
from pipeline.proposing.looking import read_steps
from pipeline.wiki import ledger
from pipeline.wiki.merging import holds_evidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.proposal.ours import Step
    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted

LOOKED_BACK = 3
"""Merged proposals that are looked at: the first run after a merge settles it."""


def undone_by_merge(hosted: Hosted, standing: Standing) -> tuple[tuple[Step, ...], dict[str, str]]:
    """Give the commits that were reverted, the oldest first, and who did that, by their ids.

    Those whose sessions the base, or the open proposal, has on record by now are left out.
    """
    known = {step.key for step in standing.commits.ours}
    steps: list[Step] = []
    reverted: dict[str, str] = {}
    for proposal in reversed(standing.merged[:LOOKED_BACK]):
        for undone, by in _undone(hosted, proposal):
            if undone.key not in known and not _is_on_record(hosted, undone, standing.base_tip):
                steps.append(undone)
                reverted[undone.id] = by
    return tuple(steps), reverted


def _is_on_record(hosted: Hosted, step: Step, base_tip: str) -> bool:
    start = hosted.folder + "/"
    below = {path.removeprefix(start): one for path, one in step.after.items() if path.startswith(start)}
    ids = {path: one for path, one in below.items() if ledger.is_record(path)}
    raw = hosted.repository.read_objects(list(ids.values()))
    return holds_evidence(dict(zip(ids, raw, strict=True)), hosted.repository.snapshot(base_tip, hosted.folder))


def _undone(hosted: Hosted, proposal: Proposal) -> Iterator[tuple[Step, str]]:
    commits = hosted.commits_of(proposal.number)
    places = {one.id: place for place, one in enumerate(commits) if SESSION in trailers_of(one.message)}
    for commit in commits:
        named = REVERTS.search(commit.message)
        if named is None or named[1] not in places or not hosted.remote.fetch_commit(commit.id):
            continue
        ids = [one.id for one in commits]
        pair = [_read(hosted, ids, place) for place in (places[named[1]], ids.index(commit.id))]
        told = sort_out(pair, hosted.repository.read_objects).reverted or {}
        yield from ((step, told[step.id]) for step in pair if step.id in told)


def _read(hosted: Hosted, ids: Sequence[str], place: int) -> Step:
    """Read one commit of a branch, which its host lists from the oldest on."""
    (*_, commit) = hosted.repository.commits_between(ids[place - 1] if place else None, ids[place])
    return read_steps(hosted, commit.parents[0], commit.id)[-1]
