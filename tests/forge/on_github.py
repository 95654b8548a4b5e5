"""Owns what the tests of the GitHub client stand on: a double, a branch with a page, and a client for each token."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.forge.github import GitHub, open_github
from pipeline.proposal.proposal import NewProposal
from tests.forge.github_double import GitHubDouble

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BRANCH = "wikimill/consolidate"
NEW = NewProposal(BRANCH, "main", "Wiki: 1 page from 1 session", "What is new.\n\n- [ ] ignore wiki/a.md\n")


@dataclass
class OnGitHub:
    double: GitHubDouble
    slept: list[float] = field(default_factory=list)
    clients: dict[str, GitHub] = field(default_factory=dict)
    _token: str = ""

    def client(self, token: str | None = None, *, name: str = "") -> GitHub:
        """Make a client, by default with the token of GitHub Actions; connections are kept, for they are dear."""
        token = token if token is not None else self._token or self.double.token()
        self._token = self._token or token
        repository = name or self.double.name
        if token in self.clients:
            return GitHub(self.clients[token]._client, repository, self.double.web_url)
        self.clients[token] = open_github(
            api_url=self.double.url,
            web_url=self.double.web_url,
            repository=repository,
            token=token,
            sleep=self.slept.append,
            now=self.double.now,
        )
        return self.clients[token]

    def push(self, path: str = "wiki/a.md", text: str = "A page.\n", branch: str = BRANCH) -> str:
        """Put a page on the branch, which starts at main when it is new."""
        return self.double.repository.commit(branch, {path: text}, f"consolidate: {path}", by="wikimill")

    def asked(self) -> list[str]:
        """Give what was asked since the last time."""
        told = self.double.asked()
        self.double.requests.clear()
        return told


@contextmanager
def on_github(place: Path) -> Iterator[OnGitHub]:
    with GitHubDouble(place / "origin.git") as double:
        ground = OnGitHub(double)
        yield ground
        for client in ground.clients.values():
            client._client.close()
