"""Owns how the remote repository and its host are opened for a story; knows nothing of what is proposed."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.errors import ConfigError, NotPermitted
from pipeline.forge.choosing import git_header, open_forge
from pipeline.git import Credentials, open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pipeline.choosing import Outside
    from pipeline.config import Settings
    from pipeline.forge.port import Forge
    from pipeline.git import Remote, Repository
    from pipeline.proposal.ours import Step
    from pipeline.proposal.proposal import Access, ProposedCommit


@dataclass(frozen=True, slots=True)
class Hosted:
    """The repository at hand, its remote, and the host on which that stands."""

    repository: Repository
    remote: Remote
    remote_name: str
    host: Forge | ConfigError
    """The host; or why it is not known, for a direct push over a remote of another kind."""
    base: str
    """The branch that gets what is merged, by its short name."""
    branch: str
    """The name of the branch that carries proposals, as it is configured."""
    folder: str
    """The wiki's root, from the top of the repository."""
    observations: str = "observations"
    """The folder of observations, from the top of the repository."""
    steps: dict[str, Step] = field(default_factory=dict)
    """Commits that were read already, by id."""
    listed: dict[int, tuple[ProposedCommit, ...]] = field(default_factory=dict)
    """Commits of proposals that the host was asked for already, by number."""

    @property
    def forge(self) -> Forge:
        """The host; raises `ConfigError` where it is not known."""
        if isinstance(self.host, ConfigError):
            raise self.host
        return self.host

    def commits_of(self, number: int) -> tuple[ProposedCommit, ...]:
        """Give the commits of a proposal, the oldest first; the host is asked once."""
        if number not in self.listed:
            self.listed[number] = self.forge.commits(number)
        return self.listed[number]


@contextmanager
def open_hosted(root: Path, settings: Settings, outside: Outside, *, direct: bool = False) -> Iterator[Hosted]:
    """Open repository, remote and host; nobody is called yet.

    Raises `ConfigError` when it cannot be told which host it is, or there is no token (a `direct` push can do without
    both), and when a branch of proposals is the base; `GitError` without a remote.
    """
    chosen = settings.proposal
    with open_repository(root, outside.environment) as repository:
        base = base_of(repository, settings, outside.environment, direct=direct)
        refuse_one_branch_for_both(chosen.branch, base)
        url = repository.remote_url(chosen.remote)
        try:
            header = git_header(chosen, url, outside.environment)
        except ConfigError:
            if not direct:
                raise
            header = None
        remote = repository.remote(chosen.remote, Credentials(*header) if header else None)
        host: Forge | ConfigError
        try:
            host = open_forge(
                chosen,
                remote.url,
                outside.environment,
                sleep=outside.sleep,
                now=outside.now,
                author_email=repository.author_email(),
            )
        except ConfigError as unknown:
            if not direct:
                raise
            host = unknown
        prefix = repository.places.prefix
        folder, observations = prefix + settings.wiki.pages, prefix + settings.wiki.observations
        try:
            yield Hosted(repository, remote, chosen.remote, host, base, chosen.branch, folder, observations)
        finally:
            if not isinstance(host, ConfigError):
                host.hang_up()


def refuse_one_branch_for_both(branch: str, base: str) -> None:
    """Refuse a base that is a branch of proposals, which wikimill writes anew."""
    if base == branch or (base.startswith(f"{branch}-") and base.removeprefix(f"{branch}-").isdigit()):
        raise ConfigError(
            f"{base!r} is the branch of proposals, which wikimill writes anew: nothing is merged or pushed there.",
            where="proposal.base",
            next_step="Check out the branch that gets the merged pages, or name it in wikimill.toml as proposal.base.",
        )


def base_of(repository: Repository, settings: Settings, environment: Mapping[str, str], *, direct: bool = False) -> str:
    """Name the branch that gets what is merged, or is pushed to directly; raises `GitError` when it cannot be told.

    That is what is configured, else what is checked out. GitLab's runners check out a commit, and tell the branch.
    """
    named = (settings.proposal.base, settings.wiki.branch)
    base = next(filter(None, reversed(named) if direct else named), "") or repository.head().branch
    return repository.check_name(base or environment.get("CI_COMMIT_BRANCH", "") or repository.branch())


def refuse_without_access(access: Access) -> None:
    """Stop before anything is paid for, when the token may not do what the story needs; every setting is named."""
    wrong = [finding for finding in access.findings if finding.severity == "error"]
    if wrong:
        told = " ".join(f"{finding.where}: {finding.message} {finding.next_step}".strip() for finding in wrong)
        raise NotPermitted(told, where=access.told)
