"""Owns how the remote repository and its host are opened for a story; knows nothing of what is proposed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import NotPermitted
from pipeline.forge.choosing import git_header, open_forge
from pipeline.git import Credentials, open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pipeline.choosing import Outside
    from pipeline.config import Settings
    from pipeline.forge.port import Forge
    from pipeline.git import Remote, Repository
    from pipeline.proposal.proposal import Access


@dataclass(frozen=True, slots=True)
class Hosted:
    """The repository at hand, its remote, and the host on which that stands."""

    repository: Repository
    remote: Remote
    remote_name: str
    forge: Forge
    base: str
    """The branch that gets what is merged, by its short name."""
    branch: str
    """The name of the branch that carries proposals, as it is configured."""
    folder: str
    """The wiki's root, from the top of the repository."""


@contextmanager
def open_hosted(root: Path, settings: Settings, outside: Outside) -> Iterator[Hosted]:
    """Open repository, remote and host; nobody is called yet.

    Raises `ConfigError` when it cannot be told which host it is, or there is no token; `GitError` without a remote.
    """
    chosen = settings.proposal
    with open_repository(root, outside.environment) as repository:
        base = base_of(repository, settings, outside.environment)
        url = repository.remote_url(chosen.remote)
        header = git_header(chosen, url, outside.environment)
        remote = repository.remote(chosen.remote, Credentials(*header) if header else None)
        forge = open_forge(
            chosen,
            remote.url,
            outside.environment,
            sleep=outside.sleep,
            now=outside.now,
            author_email=repository.author_email(),
        )
        folder = repository.places.prefix + settings.wiki.pages
        try:
            yield Hosted(repository, remote, chosen.remote, forge, base, chosen.branch, folder)
        finally:
            forge.hang_up()


def base_of(repository: Repository, settings: Settings, environment: Mapping[str, str]) -> str:
    """Name the branch that gets what is merged; raises `GitError` when it cannot be told.

    That is what is configured, else what is checked out. GitLab's runners check out a commit, and tell the branch.
    """
    base = settings.proposal.base or settings.wiki.branch or repository.head().branch
    return repository.check_name(base or environment.get("CI_COMMIT_BRANCH", "") or repository.branch())


def refuse_without_access(access: Access) -> None:
    """Stop before anything is paid for, when the token may not do what the story needs; every setting is named."""
    wrong = [finding for finding in access.findings if finding.severity == "error"]
    if wrong:
        told = " ".join(f"{finding.where}: {finding.message} {finding.next_step}".strip() for finding in wrong)
        raise NotPermitted(told, where=access.told)
