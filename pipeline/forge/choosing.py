"""Owns which host a remote stands on, where its API is, and with which token it is asked; calls nobody.

What the configuration says counts first. What a CI system sets counts where it is about this remote: a job may work
on a remote that stands elsewhere than its own repository. What is left, the remote's address tells.
"""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from pipeline.errors import ConfigError
from pipeline.forge.addresses import is_protected, without_query
from pipeline.forge.github import open_github
from pipeline.forge.gitlab import open_gitlab
from pipeline.forge.remotes import WEB, Place, place_of, site_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from pipeline.forge.port import Forge
    from pipeline.proposal.proposal import HostName
    from pipeline.settings.proposal import ProposalSettings

__all__ = ["Chosen", "Place", "choose", "git_header", "open_forge", "place_of"]

JOB: Final = "CI_JOB_TOKEN"
"""It may read, and where a setting lets it push; proposals it opens never, so that no error advises it."""

_FAMOUS: Final[Mapping[str, HostName]] = {"github.com": "github", "gitlab.com": "gitlab"}
_IN_THE_CLOUD: Final = ".ghe.com"
"""Where GitHub keeps enterprises whose data stays in one region; the API is at `api.` before that name."""
_API: Final = "/api/v4"


@dataclass(frozen=True, slots=True)
class _Kind:
    """What the CI system of a kind of host sets, and the variables that hold a token, the most telling first."""

    flag: str
    server: str
    api: str
    repository: str
    tokens: tuple[str, ...]


_KINDS: Final[Mapping[HostName, _Kind]] = {
    "github": _Kind(
        "GITHUB_ACTIONS", "GITHUB_SERVER_URL", "GITHUB_API_URL", "GITHUB_REPOSITORY", ("GITHUB_TOKEN", "GH_TOKEN")
    ),
    "gitlab": _Kind("GITLAB_CI", "CI_SERVER_URL", "CI_API_V4_URL", "CI_PROJECT_PATH", ("GITLAB_TOKEN", JOB)),
}


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which host is asked about which repository. Without a token `variable` and `token` are empty."""

    host: HostName
    api_url: str
    web_url: str
    repository: str
    variables: tuple[str, ...]
    """In which environment variables a token is looked for, in this order."""
    variable: str
    token: str = field(repr=False)

    @property
    def told_variables(self) -> tuple[str, ...]:
        """The variables to name where there is no token: none that holds one which opens no proposal."""
        return tuple(name for name in self.variables if name != JOB) or self.variables


def choose(settings: ProposalSettings, url: str, environment: Mapping[str, str]) -> Chosen:
    """Tell whom to ask, with a token or without; raises `ConfigError` when it cannot be found out."""
    place = place_of(url)
    host = settings.host or _host(place, environment)
    if not host:
        raise ConfigError(
            f"it cannot be told whether the remote {settings.remote!r} stands on GitHub or on GitLab.",
            where="proposal.host",
            next_step='Set host = "github" or host = "gitlab" below [proposal] in wikimill.toml.',
        )
    if not settings.api_url and _FAMOUS.get(place.name, host) != host:
        raise ConfigError(
            f"is {host!r}, but the remote {settings.remote!r} stands on {place.name}.",
            where="proposal.host",
            next_step="Leave it out below [proposal] in wikimill.toml, or name another remote.",
        )
    kind = _KINDS[host]
    told = environment if _is_about(kind, place, environment) else {}
    web = told.get(kind.server, "") or (f"{_scheme(place)}://{place.host}" if place.host else "")
    if host == "gitlab" and settings.api_url:
        web = settings.api_url.rstrip("/").removesuffix(_API)
    api = settings.api_url or told.get(kind.api, "") or _api(host, web)
    own = told.get(kind.repository, "") if not place.host or _is_its_repository(kind, place, told) else ""
    repository = settings.repository or own or _below(web, place)
    if not repository or not api:
        raise ConfigError(
            f"the address of the remote {settings.remote!r} does not tell which repository of which host it is.",
            where="proposal.repository" if api else "proposal.api_url",
            next_step="Set it below [proposal] in wikimill.toml.",
        )
    # The token of a job is for the GitLab on which that job runs.
    variables = tuple(name for name in kind.tokens if name != JOB or told)
    if settings.token_variable:
        variables = (settings.token_variable,)
    variable = next((name for name in variables if environment.get(name, "").strip()), "")
    return Chosen(host, api, web, repository, variables, variable, environment.get(variable, "").strip())


def open_forge(  # noqa: PLR0913  # what a host is told by, and what the world gives
    settings: ProposalSettings,
    url: str,
    environment: Mapping[str, str],
    *,
    sleep: Callable[[float], None],
    now: Callable[[], datetime],
    author_email: str = "",
    hurried: bool = False,
) -> Forge:
    """Open the host on which the remote with this address stands.

    `author_email` is that of the commits, about which rules for pushes may ask. Who is `hurried` asks everything
    once, and waits for no answer longer than some seconds.
    """
    chosen = _with_token(choose(settings, url, environment))
    if chosen.host == "github":
        return open_github(
            api_url=chosen.api_url,
            web_url=chosen.web_url,
            repository=chosen.repository,
            token=chosen.token,
            sleep=sleep,
            now=now,
            hurried=hurried,
        )
    return open_gitlab(
        chosen.api_url,
        chosen.repository,
        chosen.token,
        variable=chosen.variable,
        sleep=sleep,
        now=now,
        author_email=author_email,
        hurried=hurried,
    )


def git_header(settings: ProposalSettings, url: str, environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Give, for a remote on the web, the address and the HTTP header by which git shows the token; else nothing.

    Not for `ssh` and paths, which have ways of their own, not for another origin than that of the host, and not over
    a connection that everybody can read.
    """
    place = place_of(url)
    address = f"{place.scheme}://{place.host}/"
    if place.scheme not in WEB or not is_protected(address):
        return None
    chosen = _with_token(choose(settings, url, environment))
    site = site_of(chosen.web_url)
    if (site.scheme, site.host) != (place.scheme, place.host):
        return None
    user = "x-access-token" if chosen.host == "github" else "gitlab-ci-token" if chosen.variable == JOB else "oauth2"
    pair = base64.b64encode(f"{user}:{chosen.token}".encode()).decode("ascii")
    return address, f"Authorization: Basic {pair}"


def _with_token(chosen: Chosen) -> Chosen:
    if chosen.token:
        return chosen
    names = chosen.told_variables
    raise ConfigError(
        f"there is no token for {without_query(chosen.api_url)}.",
        where=names[0],
        next_step=f"Set the environment variable {' or '.join(names)}; the token stands in no file.",
    )


def _host(place: Place, environment: Mapping[str, str]) -> HostName | None:
    """Tell the kind of host: by a name that everybody knows, by the CI system at hand, by what the name says."""
    if place.name in _FAMOUS:
        return _FAMOUS[place.name]
    for host, kind in _KINDS.items():
        if place.host and site_of(environment.get(kind.server, "")).name == place.name:
            return host
    if place.name.endswith(_IN_THE_CLOUD) or "github" in place.name:
        return "github"
    if "gitlab" in place.name:
        return "gitlab"
    for host, kind in _KINDS.items():
        if environment.get(kind.flag) == "true":
            return host
    given = [host for host, kind in _KINDS.items() if environment.get(kind.api)]
    return given[0] if len(given) == 1 else None


def _is_about(kind: _Kind, place: Place, environment: Mapping[str, str]) -> bool:
    """Whether what a CI system sets is about this remote: by its host, or by its repository.

    A runner may clone from another name of its host than that of the pages, and SSH knows names of its own.
    """
    if not place.host or place.name == site_of(environment.get(kind.server, "")).name:
        return True
    return place.name not in _FAMOUS and _is_its_repository(kind, place, environment)


def _is_its_repository(kind: _Kind, place: Place, environment: Mapping[str, str]) -> bool:
    """Whether the remote is called as the repository of the job at hand."""
    told = environment.get(kind.repository, "").lower()
    return bool(told) and f"/{place.path.lower()}".endswith(f"/{told}")


def _api(host: HostName, web: str) -> str:
    """Give the usual address of the API of a host whose pages stand there."""
    site = site_of(web)
    if host == "gitlab":
        return f"{web.rstrip('/')}{_API}" if site.host else ""
    if site.host in {"", "github.com"}:
        return "https://api.github.com"
    return f"https://api.{site.host}" if site.host.endswith(_IN_THE_CLOUD) else f"{site.scheme}://{site.host}/api/v3"


def _scheme(place: Place) -> str:
    return place.scheme if place.scheme in WEB else "https"


def _below(web: str, place: Place) -> str:
    """Give the path of the repository without what the pages of the host stand below, such as `gitlab/`."""
    above = urlsplit(web).path.strip("/")
    is_web = place.scheme in WEB and above
    return place.path.removeprefix(f"{above}/") if is_web else place.path
