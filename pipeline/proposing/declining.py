"""Owns what people declined: which evidence stands in proposals that were closed unmerged, read from their commits.

It is read as late and as seldom as can be: a host gives a token so many questions an hour, and closed proposals only
become more.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pipeline.git import trailers_of
from pipeline.proposal.ours import EVIDENCE

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.opening import Hosted

CLOCKS_APART = timedelta(days=2)
"""How far the time of an observation may lie ahead: clocks are wrong, and a time without a zone is read as UTC."""


class Declined:
    """What closed proposals held; the newest are asked about first, and each at most once."""

    def __init__(self, hosted: Hosted, closed: Sequence[Proposal]) -> None:
        self._hosted = hosted
        self._unread = list(closed)
        self._found: dict[str, int] = {}

    def number_of(self, evidence: str, newest: datetime | None = None) -> int | None:
        """Give the number of the proposal that held this evidence; nothing when none did.

        `newest` is the time of the newest observation of the evidence: a proposal that was closed long before cannot
        have held it, and is not asked about.
        """
        if not evidence:
            return None
        for proposal in tuple(self._unread):
            if evidence in self._found:
                break
            closed = proposal.closed_at
            if newest is not None and closed is not None and closed + CLOCKS_APART < newest:
                continue
            self._unread.remove(proposal)
            for commit in self._hosted.commits_of(proposal.number):
                for held in trailers_of(commit.message).get(EVIDENCE, ()):
                    self._found.setdefault(held, proposal.number)
        return self._found.get(evidence)
