"""Owns what is not drafted again although it is new to the base: people declined it, took it back, or it stands open.

Told by the evidence in the commits of proposals, as the host has them. They are read as late and as seldom as can be: a
host gives a token so many questions an hour, and proposals that ended only become more.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from pipeline.git import trailers_of
from pipeline.proposal.ledgers import evidence_in
from pipeline.proposal.ours import DECLINED, EVIDENCE
from pipeline.round.opened import Held
from pipeline.wiki.ledger import is_record, key_in

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from pipeline.observations.observation import SessionKey
    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.looking import Standing
    from pipeline.proposing.opening import Hosted
    from pipeline.round.opened import How

CLOCKS_APART = timedelta(days=2)
"""How far the time of an observation may lie ahead: clocks are wrong, and a time without a zone is read as UTC."""


LOOKED_BACK = 20
"""Merged proposals that are asked whether a person had left pages of theirs out; only when somebody asks for these."""


def sessions_with_ignored_pages(hosted: Hosted, standing: Standing) -> frozenset[SessionKey]:
    """Name the sessions that the base has on record and of which pages were left out, when they were merged last."""
    left_out: dict[str, bool] = {}
    for proposal in standing.merged[:LOOKED_BACK]:
        for commit in hosted.commits_of(proposal.number):
            trailers = trailers_of(commit.message)
            for evidence in trailers.get(EVIDENCE, ()):
                left_out.setdefault(evidence, bool(trailers.get(DECLINED)))
    wiki = hosted.repository.snapshot(standing.base_tip, hosted.folder)
    records = {path: wiki[path] for path in wiki.entries if is_record(path)} if any(left_out.values()) else {}
    keys = ((key_in(path, records[path]), evidence) for path, evidence in evidence_in(records).items())
    return frozenset(key for key, evidence in keys if key is not None and left_out.get(evidence))


class Declined:
    """What proposals hold; each is asked about at most once: those that are open, then the closed, then the merged."""

    def __init__(
        self,
        hosted: Hosted,
        closed: Sequence[Proposal],
        *,
        elsewhere: Sequence[Proposal] = (),
        merged: Sequence[Proposal] = (),
        again: frozenset[SessionKey] = frozenset(),
    ) -> None:
        """Begin with nothing read; all are given the newest first. `again` are sessions that somebody asked for.

        `elsewhere` are open proposals besides the one that goes on. What `merged` ones held stands on the base, unless
        somebody took it back there: they are looked at for what the base does not have.
        """
        self.again = again
        self._hosted = hosted
        self._unread: dict[How, list[Proposal]] = {
            "open": list(elsewhere),
            "declined": list(closed),
            "taken back": list(merged),
        }
        self._found: dict[str, Held] = {}

    def held(self, evidence: str, newest: datetime | None = None, *, also_merged: bool = True) -> Held | None:
        """Give the proposal that held this evidence, and what became of it; nothing when none did.

        `newest` is the time of the newest observation of the evidence: a proposal that ended long before cannot have
        held it, and is not asked about. Without `also_merged` those are not looked at.
        """
        if not evidence:
            return None
        for how, unread in self._unread.items():
            if how == "taken back" and not also_merged:
                continue
            for proposal in tuple(unread):
                if evidence in self._found:
                    break
                ended = proposal.merged_at or proposal.closed_at
                if newest is not None and ended is not None and ended + CLOCKS_APART < newest:
                    continue
                unread.remove(proposal)
                for commit in self._hosted.commits_of(proposal.number):
                    for told in trailers_of(commit.message).get(EVIDENCE, ()):
                        self._found.setdefault(told, Held(proposal.number, how))
        found = self._found.get(evidence)
        return found if also_merged or found is None or found.how != "taken back" else None
