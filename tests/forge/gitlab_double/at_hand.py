"""What the tests of GitLab begin with: a double with a branch to propose, and a client that does not really sleep."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipeline.forge.gitlab import GitLab, open_gitlab
from pipeline.proposal.proposal import NewProposal
from tests.forge.gitlab_double.double import TOKEN, GitLabDouble

if TYPE_CHECKING:
    from pathlib import Path

BRANCH = "wikimill/consolidate"
NEW = NewProposal(BRANCH, "main", "Consolidate 2 sessions", "What was learned.\n")


@dataclass
class Hand:
    double: GitLabDouble
    slept: list[float] = field(default_factory=list)
    clients: list[GitLab] = field(default_factory=list)

    def client(self, token: str = TOKEN, *, variable: str = "GITLAB_TOKEN", **more: Any) -> GitLab:  # noqa: ANN401
        project = self.double.project
        more = {"sleep": self.slept.append, "now": project.now, "ticks": lambda: 0.0, **more}
        made = open_gitlab(self.double.url, project.path, token, variable=variable, **more)
        self.clients.append(made)
        return made

    def stop(self) -> None:
        for client in self.clients:
            client.hang_up()
        self.double.__exit__(None, None, None)

    def push(self, *messages: str, branch: str = BRANCH) -> str:
        """Put commits on a branch that begins at main, as a run does."""
        hosted = self.double.repository
        if not hosted.tip(branch):
            hosted.keep(f"refs/heads/{branch}", hosted.tip("main"))
        for count, message in enumerate(messages or ("consolidate(acme/s1): learned",)):
            hosted.commit(branch, {f"wiki/{len(hosted.history(branch, 500))}-{count}.md": message}, message)
        return hosted.tip(branch)


def at_hand(place: Path, relative: str = "") -> Hand:
    return Hand(GitLabDouble(place / "origin.git", relative=relative))
