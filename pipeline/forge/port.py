"""Owns what wikimill asks of a host of pull or merge requests, as a protocol; knows no host and no HTTP.

Every method raises `NotPermitted` when the token may not do it, with the setting to change as the next step,
`ForgeUnavailable` when the host does not answer after patient repetition, and `ForgeError` for anything else. No
error, and nothing else that is told, holds the token.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pipeline.finding import Finding
    from pipeline.proposal.proposal import (
        Access,
        HostName,
        NewProposal,
        Proposal,
        ProposedCommit,
        Review,
    )


class Forge(Protocol):
    """One repository on one host."""

    @property
    def host(self) -> HostName:
        """Which kind of host it is."""

    @property
    def repository(self) -> str:
        """The repository, as the host names it: `owner/name`, or a path of groups."""

    @property
    def body_limit(self) -> int:
        """How many characters (UTF-16 code units, to be safe) the text of a proposal may have."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What did not work and cost only itself, such as a label or a reviewer that the host does not take."""

    def watch(self) -> tuple[str, tuple[Finding, ...]]:
        """Look over what else of the host matters for unattended runs: (what was seen, what is wrong with it).

        Schedules that fell asleep, pages that are public: whatever the token can see; raises nothing for the rest.
        """

    def secret_names(self) -> frozenset[str] | None:
        """Name the secrets that every job of CI gets here; None where the token may not see even their names.

        Those that only an environment's jobs get are not among them.
        """

    def examine(self, *, base: str, branch: str, will_push: bool) -> Access:
        """Look what the token may do, by reading alone; raises nothing that the token merely may not see.

        With `will_push` a missing right to push or to open a proposal is a finding of severity error; otherwise the
        token only has to read. Branch rules of `branch` and (for direct pushes, `branch == base`) of `base` count.
        """

    def may_open(self, *, base: str) -> tuple[str, str]:
        """Ask, without opening anything, whether a proposal could be opened: (what forbids it, the setting to change).

        Two empty texts when nothing is known to forbid it.
        """

    def proposals(self, branch: str) -> tuple[Proposal, ...]:
        """Give every proposal from exactly this branch of this repository (never of a fork), the newest first."""

    def open_into(self, base: str) -> tuple[Proposal, ...]:
        """Give every open proposal into this branch that comes from this repository (never of a fork), newest first."""

    def commits(self, number: int) -> tuple[ProposedCommit, ...]:
        """Give all commits of a proposal, the oldest first, however many; also of one whose branch is gone."""

    def last_review(self, number: int) -> Review | None:
        """Give the last look that a person (no machine, not the author) took at a proposal."""

    def open(self, new: NewProposal) -> Proposal:
        """Open a proposal; where the host has an open one for this branch already, give that one, unchanged.

        A fault in the middle is followed by a look whether it was opened after all: never two of them. Labels and
        reviewers that the host does not take cost themselves, not the proposal.
        """

    def rewrite(self, number: int, *, title: str, body: str) -> Proposal:
        """Give an open proposal a new title and text."""

    def close(self, number: int, *, reason: str) -> None:
        """Close an open proposal without merging it, and say why in a comment. `reason` is wikimill's own text."""

    def hang_up(self) -> None:
        """End the connections to the host."""

    def file_url(self, *, branch: str, path: str, line: int) -> str:
        """Give the page of the host that shows a line of a file on a branch; `path` is from the repository's top."""

    def compare_url(self, *, base: str, branch: str) -> str:
        """Give the page of the host on which a person can open the proposal by hand."""
