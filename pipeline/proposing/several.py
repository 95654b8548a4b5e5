"""Owns what is done about open proposals of wikimill besides the one that goes on: they are found, and told of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.errors import ConfigError
from pipeline.finding import Finding
from pipeline.proposal.text.region import read_standing
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.proposal.proposal import Proposal
    from pipeline.proposing.opening import Hosted


def open_elsewhere(hosted: Hosted) -> tuple[Proposal, ...]:
    """Find the open proposals of wikimill, from whatever branch; none where the host is not known."""
    if isinstance(hosted.host, ConfigError):
        return ()
    return tuple(one for one in hosted.host.open_into(hosted.base) if read_standing(one.body).region)


def elsewhere(hosted: Hosted, known: Sequence[Proposal], goes_on: Proposal | None) -> tuple[Proposal, ...]:
    """Find the other open proposals of wikimill, also from a branch that was once configured."""
    there = {one.number: one for one in known if one.state == "open"}
    there |= {one.number: one for one in open_elsewhere(hosted)}
    return tuple(there[number] for number in sorted(there, reverse=True) if goes_on is None or number != goes_on.number)


def several(hosted: Hosted, goes_on: Proposal | None, others: Sequence[Proposal]) -> tuple[Finding, ...]:
    """Warn of other open proposals, by their numbers and branches."""
    if not others:
        return ()
    told = ", ".join(f"{one.number} ({one_line(one.branch, 100)})" for one in reversed(others))
    also = f" besides {goes_on.number} ({goes_on.branch}), which goes on" if goes_on is not None else ""
    message = f"other proposals of wikimill are open: {told}{also}. What they hold waits there."
    step = "Merge or close all but one; where a branch has another name, proposal.branch in wikimill.toml sets it."
    return (Finding(hosted.forge.repository, "several-proposals", "warning", message, step),)
