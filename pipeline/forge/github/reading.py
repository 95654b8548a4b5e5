"""Owns what is read of pull requests: their commits, and what they are as proposals; writes nothing."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from pipeline.errors import ForgeError
from pipeline.forge.github.answers import Commit, Pull, ReviewAnswer, read_answer, read_answers
from pipeline.proposal.proposal import Proposal, ProposalState, ProposedCommit, Review

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.forge.http import ForgeClient

PAGE: Final[Mapping[str, str | int]] = {"per_page": 100}
MOST_LISTED: Final = 250
"""Commits that GitHub lists of a pull request, at most: the oldest ones."""
MOST_WALKED: Final = 20_000
"""Commits of a history that are looked through for those beyond, at most: 200 requests."""


def as_proposal(pull: Pull) -> Proposal:
    """Give a pull request as a proposal."""
    state: ProposalState = "merged" if pull.merged_at else pull.state
    return Proposal(
        number=pull.number,
        state=state,
        url=pull.html_url,
        branch=pull.head.ref,
        base=pull.base.ref,
        head=pull.head.sha,
        title=pull.title,
        body=pull.body or "",
        author=pull.user.login if pull.user else "",
        author_is_machine=pull.user is not None and not pull.user.is_person,
        merged_by=pull.merged_by.login if pull.merged_by else "",
        merged_by_person=pull.merged_by is not None and pull.merged_by.is_person,
        merged_at=pull.merged_at,
        # Of an open one GitHub names the commit of a trial merge here.
        merge_commit=(pull.merge_commit_sha or "") if pull.merged_at else "",
        closed_at=pull.closed_at,
    )


def read_pull(client: ForgeClient, home: str, number: int) -> Pull:
    """Read one pull request."""
    return read_answer(Pull, client.get(f"{home}/pulls/{number}"))


def read_commits(client: ForgeClient, home: str, number: int) -> tuple[ProposedCommit, ...]:
    """Read all commits of a pull request, the oldest first.

    GitHub lists the 250 oldest. Those beyond are found in the history of its head, which stays readable when the branch
    is gone: from the head along first parents, past what was merged in from the base, down to one that was listed.
    """
    listed = read_answers(Commit, client.pages(f"{home}/pulls/{number}/commits", PAGE))
    if len(listed) < MOST_LISTED:
        return _proposed(listed)
    pull = read_pull(client, home, number)
    return _proposed((*listed, *_beyond(client, home, pull, listed)))


def read_last_review(client: ForgeClient, home: str, number: int) -> Review | None:
    """Find the last review of a person who is not the author; comments, and what is not sent off yet, do not count."""
    author = read_pull(client, home, number).user
    found: Review | None = None
    for review in read_answers(ReviewAnswer, client.pages(f"{home}/pulls/{number}/reviews", PAGE)):
        by, at = review.user, review.submitted_at
        if review.state.upper() == "PENDING" or by is None or at is None or not by.is_person:
            continue
        if author is not None and by.login.lower() == author.login.lower():
            continue
        if found is None or at >= found.at:
            found = Review(by.login, at, review.commit_id or "")
    return found


def _beyond(client: ForgeClient, home: str, pull: Pull, listed: tuple[Commit, ...]) -> tuple[Commit, ...]:
    """Find the commits of a pull request that follow those that are listed, the oldest first."""
    known = {commit.sha for commit in listed}
    wanted, found = pull.head.sha, list[Commit]()
    met: dict[str, Commit] = {}
    history = client.pages(f"{home}/commits", {"sha": pull.head.sha, **PAGE})
    for commit in (read_answer(Commit, answer) for answer in islice(history, MOST_WALKED)):
        met[commit.sha] = commit
        while wanted in met and wanted not in known:
            found.append(met[wanted])
            wanted = found[-1].parents[0].sha if found[-1].parents else ""
        if wanted in known:
            return tuple(reversed(found))
    raise ForgeError(f"The commits of pull request {pull.number} cannot all be found: {len(listed)} are listed.")


def _proposed(commits: tuple[Commit, ...]) -> tuple[ProposedCommit, ...]:
    return tuple(ProposedCommit(commit.sha, commit.commit.message) for commit in commits)
