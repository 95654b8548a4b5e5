"""Whom a remote's address and the environment lead to, and with which token; what leads nowhere says what to set."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.errors import ConfigError, ForgeUnavailable
from pipeline.forge.choosing import choose, git_header, open_forge
from pipeline.forge.remotes import Place, place_of
from pipeline.settings.proposal import ProposalSettings
from tests.git_server import free_port, mute_host

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.forge.port import Forge

SECRET = "ghp_verySECRETverySECRETvery0"
GITHUB = {"GITHUB_TOKEN": SECRET}
GITLAB = {"GITLAB_TOKEN": SECRET}
ACTIONS = {
    "GITHUB_ACTIONS": "true",
    "GITHUB_API_URL": "https://api.github.com",
    "GITHUB_SERVER_URL": "https://github.com",
    "GITHUB_REPOSITORY": "acme/wiki",
    "GITHUB_TOKEN": SECRET,
}
JOB = {
    "GITLAB_CI": "true",
    "CI_API_V4_URL": "https://git.example.org/gitlab/api/v4",
    "CI_SERVER_URL": "https://git.example.org/gitlab",
    "CI_PROJECT_PATH": "acme/docs/wiki",
    "CI_JOB_TOKEN": "glcbt-64_aJobToken",
    "GITLAB_TOKEN": SECRET,
}
ON_GITHUB = ("github", "https://api.github.com", "acme/wiki")
ON_GITLAB = ("gitlab", "https://gitlab.com/api/v4", "acme/wiki")


def settings(**values: str) -> ProposalSettings:
    return ProposalSettings.model_validate(values)


@pytest.mark.parametrize(
    ("url", "scheme", "host", "path"),
    [
        ("https://github.com/acme/wiki.git", "https", "github.com", "acme/wiki"),
        ("https://github.com/acme/wiki", "https", "github.com", "acme/wiki"),
        ("https://github.com/acme/wiki.git/", "https", "github.com", "acme/wiki"),
        ("https://GitHub.com:443/acme/wiki/", "https", "github.com", "acme/wiki"),
        ("HTTPS://github.com./acme/wiki", "https", "github.com", "acme/wiki"),
        ("https://dana:pa%40ss@github.com/acme/wiki.git", "https", "github.com", "acme/wiki"),
        ("https://dana:p@ss@github.com/acme/wiki.git", "https", "github.com", "acme/wiki"),
        ("https://git.example.org:8443/acme/wiki.git", "https", "git.example.org:8443", "acme/wiki"),
        ("http://127.0.0.1:8080/acme/wiki.git", "http", "127.0.0.1:8080", "acme/wiki"),
        ("http://[::1]:8080/acme/wiki.git", "http", "[::1]:8080", "acme/wiki"),
        ("https://[2001:db8::1]/acme/wiki.git", "https", "[2001:db8::1]", "acme/wiki"),
        ("https://github.com/acme/wiki%20two.git", "https", "github.com", "acme/wiki two"),
        ("git@github.com:acme/wiki.git", "ssh", "github.com", "acme/wiki"),
        ("github.com:acme/wiki", "ssh", "github.com", "acme/wiki"),
        ("git@github.com:/acme/wiki.git/", "ssh", "github.com", "acme/wiki"),
        ("git@[2001:db8::1]:acme/wiki.git", "ssh", "[2001:db8::1]", "acme/wiki"),
        ("ssh://git@github.com/acme/wiki.git", "ssh", "github.com", "acme/wiki"),
        ("ssh://git@git.example.org:2222/acme/wiki.git", "ssh", "git.example.org", "acme/wiki"),
        ("ssh://git@[2001:db8::1]:22/acme/wiki.git", "ssh", "[2001:db8::1]", "acme/wiki"),
        ("ssh://git@ssh.github.com:443/acme/wiki.git", "ssh", "github.com", "acme/wiki"),
        ("git@altssh.gitlab.com:acme/wiki.git", "ssh", "gitlab.com", "acme/wiki"),
        ("git+ssh://git@github.com/acme/wiki.git", "ssh", "github.com", "acme/wiki"),
        ("git://git.example.org/acme/wiki.git", "ssh", "git.example.org", "acme/wiki"),
        ("/srv/git/wiki.git", "", "", ""),
        ("../wiki.git", "", "", ""),
        ("./a:b/wiki.git", "", "", ""),
        ("file:///srv/git/wiki.git", "", "", ""),
        ("C:/git/wiki.git", "", "", ""),
        ("C:\\git\\wiki.git", "", "", ""),
        ("ext::sh -c evil", "", "", ""),
        ("https://[::1/acme/wiki.git", "", "", ""),
        ("https://github.com:port/acme/wiki.git", "", "", ""),
        ("https://github.com:99999/acme/wiki.git", "", "", ""),
        ("https://git hub.com/acme/wiki.git", "", "", ""),
        ("https:///acme/wiki.git", "", "", ""),
        ("", "", "", ""),
    ],
)
def test_what_an_address_tells(url: str, scheme: str, host: str, path: str) -> None:
    assert place_of(url) == Place(scheme, host, path)


@given(st.text(alphabet="ab:/@[]%.-\\ \n\0é1", max_size=40), st.sampled_from(["", "https://", "ssh://", "git@"]))
def test_no_address_breaks_anything(text: str, start: str) -> None:
    place = place_of(start + text)
    assert not {"/", "@", " ", "\n"} & set(place.host)
    assert not place.path.startswith("/")
    assert place.host or not place.path


@pytest.mark.parametrize(
    ("url", "environment", "given", "told"),
    [
        ("https://github.com/acme/wiki.git", GITHUB, {}, ON_GITHUB),
        ("git@github.com:acme/wiki.git", GITHUB, {}, ON_GITHUB),
        ("ssh://git@ssh.github.com:443/acme/wiki.git", GITHUB, {}, ON_GITHUB),
        ("https://dana:secret@github.com/acme/wiki", {"GH_TOKEN": SECRET}, {}, ON_GITHUB),
        (
            "https://github.example.org/acme/wiki.git",
            GITHUB,
            {},
            ("github", "https://github.example.org/api/v3", "acme/wiki"),
        ),
        (
            "ssh://git@github.example.org:2222/acme/wiki.git",
            GITHUB,
            {},
            ("github", "https://github.example.org/api/v3", "acme/wiki"),
        ),
        (
            "https://git.example.org:8443/acme/wiki.git",
            GITHUB,
            {"host": "github"},
            ("github", "https://git.example.org:8443/api/v3", "acme/wiki"),
        ),
        ("https://acme.ghe.com/acme/wiki.git", GITHUB, {}, ("github", "https://api.acme.ghe.com", "acme/wiki")),
        ("https://gitlab.com/acme/wiki.git", GITLAB, {}, ON_GITLAB),
        ("git@gitlab.com:acme/a/b/c/wiki.git", GITLAB, {}, (*ON_GITLAB[:2], "acme/a/b/c/wiki")),
        (
            "https://gitlab.example.org/acme/wiki/",
            GITLAB,
            {},
            ("gitlab", "https://gitlab.example.org/api/v4", "acme/wiki"),
        ),
        (
            "https://[2001:db8::1]:8443/acme/wiki",
            GITLAB,
            {"host": "gitlab"},
            ("gitlab", "https://[2001:db8::1]:8443/api/v4", "acme/wiki"),
        ),
        (
            "http://127.0.0.1:8080/acme/wiki",
            GITLAB,
            {"host": "gitlab"},
            ("gitlab", "http://127.0.0.1:8080/api/v4", "acme/wiki"),
        ),
        # Self-hosted below a path: by the job, or by the address of the API.
        (
            "https://git.example.org/gitlab/acme/docs/wiki.git",
            JOB,
            {},
            ("gitlab", JOB["CI_API_V4_URL"], "acme/docs/wiki"),
        ),
        ("git@git.example.org:acme/docs/wiki.git", JOB, {}, ("gitlab", JOB["CI_API_V4_URL"], "acme/docs/wiki")),
        (
            "https://git.example.org/gitlab/acme/wiki.git",
            GITLAB,
            {"host": "gitlab", "api_url": "https://git.example.org/gitlab/api/v4/"},
            ("gitlab", "https://git.example.org/gitlab/api/v4/", "acme/wiki"),
        ),
        (
            "git@git.example.org:gitlab/wiki.git",
            GITLAB,
            {"host": "gitlab", "api_url": "https://git.example.org/gitlab/api/v4"},
            ("gitlab", "https://git.example.org/gitlab/api/v4", "gitlab/wiki"),
        ),
        # What a CI system sets is about its own repository.
        ("file:///srv/wiki.git", ACTIONS, {}, ON_GITHUB),
        ("/srv/wiki.git", JOB, {}, ("gitlab", JOB["CI_API_V4_URL"], "acme/docs/wiki")),
        (
            "https://github.com/acme/other.git",
            ACTIONS,
            {},
            (*ON_GITHUB[:2], "acme/other"),
        ),
        ("https://gitlab.com/acme/wiki.git", {**ACTIONS, **GITLAB}, {}, ON_GITLAB),
        ("https://github.com/acme/docs/wiki.git", {**JOB, **GITHUB}, {}, (*ON_GITHUB[:2], "acme/docs/wiki")),
        (
            "https://gitlab.example.org/a/b.git",
            {**ACTIONS, **GITLAB},
            {},
            ("gitlab", "https://gitlab.example.org/api/v4", "a/b"),
        ),
        ("https://10.0.0.7/acme/docs/wiki.git", JOB, {}, ("gitlab", JOB["CI_API_V4_URL"], "acme/docs/wiki")),
        ("git@work:acme/wiki.git", ACTIONS, {}, ON_GITHUB),
        ("https://github.com/Acme/Wiki.git", ACTIONS, {}, ON_GITHUB),
        (
            "https://git.example.org/gitlab/acme/other.git",
            JOB,
            {},
            ("gitlab", JOB["CI_API_V4_URL"], "acme/other"),
        ),
        (
            "https://git.example.org/acme/wiki.git",
            {
                "GITHUB_SERVER_URL": "https://git.example.org",
                "GITHUB_API_URL": "https://git.example.org/api/v3",
                **GITHUB,
            },
            {},
            ("github", "https://git.example.org/api/v3", "acme/wiki"),
        ),
        # What the configuration says counts first.
        (
            "/srv/wiki.git",
            GITLAB,
            {"host": "gitlab", "api_url": "https://git.example.org/api/v4", "repository": "a/b"},
            ("gitlab", "https://git.example.org/api/v4", "a/b"),
        ),
        (
            "https://github.com/acme/wiki.git",
            GITHUB,
            {"api_url": "http://127.0.0.1:9"},
            ("github", "http://127.0.0.1:9", "acme/wiki"),
        ),
    ],
)
def test_whom_to_ask(
    url: str, environment: Mapping[str, str], given: dict[str, str], told: tuple[str, str, str]
) -> None:
    chosen = choose(settings(**given), url, environment)
    assert (chosen.host, chosen.api_url, chosen.repository) == told
    assert chosen.token == SECRET
    assert SECRET not in repr(chosen)


@pytest.mark.parametrize(
    ("url", "environment", "given", "where"),
    [
        ("https://git.example.org/acme/wiki.git", GITHUB, {}, "proposal.host"),
        ("/srv/wiki.git", GITHUB, {}, "proposal.host"),
        ("https://gitlab.com/acme/wiki.git", GITHUB, {"host": "github"}, "proposal.host"),
        ("git@github.com:acme/wiki.git", GITLAB, {"host": "gitlab"}, "proposal.host"),
        ("/srv/wiki.git", GITHUB, {"host": "github"}, "proposal.repository"),
        ("/srv/wiki.git", GITLAB, {"host": "gitlab", "repository": "a/b"}, "proposal.api_url"),
        ("https://github.com/", GITHUB, {}, "proposal.repository"),
        ("https://github.com/acme/wiki.git", {}, {}, "GITHUB_TOKEN"),
        ("https://github.com/acme/wiki.git", GITLAB, {}, "GITHUB_TOKEN"),
        ("https://github.com/acme/wiki.git", {"GITHUB_TOKEN": " \n", "GH_TOKEN": ""}, {}, "GITHUB_TOKEN"),
        ("https://gitlab.com/acme/wiki.git", GITHUB, {}, "GITLAB_TOKEN"),
        ("https://gitlab.com/acme/wiki.git", {"CI_JOB_TOKEN": SECRET}, {}, "GITLAB_TOKEN"),
        ("https://github.com/acme/wiki.git", GITHUB, {"token_variable": "MINE"}, "MINE"),
        ("https://github.com/acme", GITHUB, {}, "proposal.repository"),
        ("https://github.com/acme/wiki/more", GITHUB, {}, "proposal.repository"),
        ("https://github.com/../wiki", GITHUB, {}, "proposal.repository"),
        ("https://gitlab.com/wiki.git", GITLAB, {}, "proposal.repository"),
        ("http://git.example.org/acme/wiki.git", GITLAB, {"host": "gitlab"}, "the address of the host's API"),
        (
            "/srv/wiki.git",
            GITHUB,
            {"host": "github", "repository": "a/b", "api_url": f"https://dana:{SECRET}@git.example.org"},
            "the address of the host's API",
        ),
        ("https://github.com/acme/wiki.git", {"GITHUB_TOKEN": "two words"}, {}, "the token"),
    ],
)
def test_what_leads_nowhere_is_named(
    url: str, environment: Mapping[str, str], given: dict[str, str], where: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        opened(url, environment, **given)
    assert caught.value.where == where
    assert caught.value.next_step
    assert SECRET not in f"{caught.value} {caught.value.next_step} {caught.value.where}"
    assert "two words" not in str(caught.value)


def opened(url: str, environment: Mapping[str, str], **given: str) -> Forge:
    """Open a host as somebody does who is in a hurry."""
    now = datetime(2026, 11, 30, tzinfo=UTC)
    return open_forge(settings(**given), url, environment, sleep=nobody_waits, now=lambda: now, hurried=True)


def nobody_waits(seconds: float) -> None:
    raise AssertionError(seconds)


@pytest.mark.parametrize("url", ["https://dana:%s@git.example.org/a/b", "ssh://git:%s@git.example.org/a/b"])
@pytest.mark.parametrize("host", ["", "github"])
def test_a_password_in_an_address_is_never_told(url: str, host: str) -> None:
    with pytest.raises(ConfigError) as caught:
        choose(settings(host=host), url % SECRET, {}) if not host else opened(url % SECRET, {}, host=host)
    assert SECRET not in f"{caught.value} {caught.value.next_step} {caught.value.where}"
    assert "dana" not in str(caught.value)


def test_no_error_advises_a_token_that_opens_nothing() -> None:
    with pytest.raises(ConfigError) as caught:
        opened("https://gitlab.com/acme/wiki.git", {})
    assert "GITLAB_TOKEN;" in caught.value.next_step
    assert "CI_JOB_TOKEN" not in caught.value.next_step


@pytest.mark.parametrize(
    ("url", "environment", "given", "variable"),
    [
        ("https://github.com/a/b", {"GH_TOKEN": "b", "GITHUB_TOKEN": "a"}, {}, "GITHUB_TOKEN"),
        ("https://github.com/a/b", {"GH_TOKEN": "b", "GITHUB_TOKEN": ""}, {}, "GH_TOKEN"),
        ("https://github.com/a/b", {"MINE": "c", "GITHUB_TOKEN": "a"}, {"token_variable": "MINE"}, "MINE"),
        ("/srv/wiki", {**JOB, "GITLAB_TOKEN": ""}, {}, "CI_JOB_TOKEN"),
        ("/srv/wiki", JOB, {}, "GITLAB_TOKEN"),
        # The token of a job is for its own GitLab.
        ("https://gitlab.com/acme/wiki", {**JOB, "GITLAB_TOKEN": ""}, {}, ""),
    ],
)
def test_which_variable_holds_the_token(
    url: str, environment: Mapping[str, str], given: dict[str, str], variable: str
) -> None:
    assert choose(settings(**given), url, environment).variable == variable


Sent = tuple[str, str] | None


@pytest.mark.parametrize(
    ("url", "environment", "given", "sent"),
    [
        ("https://github.com/acme/wiki.git", ACTIONS, {}, ("https://github.com/", "x-access-token")),
        ("https://dana:old@GitHub.com:443/acme/wiki", ACTIONS, {}, ("https://github.com/", "x-access-token")),
        ("https://github.com/acme/wiki.git", GITHUB, {}, ("https://github.com/", "x-access-token")),
        ("https://gitlab.com/acme/wiki.git", GITLAB, {}, ("https://gitlab.com/", "oauth2")),
        ("https://git.example.org/gitlab/acme/docs/wiki.git", JOB, {}, ("https://git.example.org/", "oauth2")),
        (
            "https://git.example.org/gitlab/acme/docs/wiki.git",
            {**JOB, "GITLAB_TOKEN": ""},
            {},
            ("https://git.example.org/", "gitlab-ci-token"),
        ),
        (
            "https://git.example.org/gitlab/acme/wiki.git",
            GITLAB,
            {"host": "gitlab", "api_url": "https://git.example.org/gitlab/api/v4"},
            ("https://git.example.org/", "oauth2"),
        ),
        (
            "http://127.0.0.1:81/acme/wiki.git",
            {**ACTIONS, "GITHUB_SERVER_URL": "http://127.0.0.1:81"},
            {},
            ("http://127.0.0.1:81/", "x-access-token"),
        ),
        ("git@github.com:acme/wiki.git", ACTIONS, {}, None),
        ("ssh://git@github.com/acme/wiki.git", ACTIONS, {}, None),
        ("/srv/wiki.git", ACTIONS, {}, None),
        ("file:///srv/wiki.git", ACTIONS, {}, None),
        # Another origin than that of the host's pages.
        ("https://10.0.0.7/acme/docs/wiki.git", JOB, {}, None),
        ("http://127.0.0.1:82/acme/wiki.git", {**ACTIONS, "GITHUB_SERVER_URL": "http://127.0.0.1:81"}, {}, None),
        (
            "https://git.example.org/acme/wiki.git",
            GITLAB,
            {"host": "gitlab", "api_url": "https://other.example.org/api/v4"},
            None,
        ),
        # Everybody on the way could read it.
        ("http://github.com/acme/wiki.git", ACTIONS, {}, None),
        ("http://git.example.org/acme/wiki.git", GITLAB, {"host": "gitlab"}, None),
    ],
)
def test_to_whom_git_shows_the_token(
    url: str, environment: Mapping[str, str], given: dict[str, str], sent: Sent
) -> None:
    header = git_header(settings(**given), url, environment)
    if sent is None or header is None:
        assert header is sent
        return
    prefix, line = header
    user, _, token = base64.b64decode(line.removeprefix("Authorization: Basic ")).decode().partition(":")
    assert ((prefix, user), bool(token)) == (sent, True)
    assert token == (environment.get("GITLAB_TOKEN") or environment.get("GITHUB_TOKEN") or JOB["CI_JOB_TOKEN"])


@pytest.mark.parametrize("trouble", ["nobody there", "nobody speaks"])
@pytest.mark.parametrize("host", ["github", "gitlab"])
def test_who_is_in_a_hurry_waits_for_nobody(
    trouble: str, host: Literal["github", "gitlab"], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.forge.exchange.HURRIED_SECONDS", 0.05)
    with mute_host() as mute:
        port = mute if trouble == "nobody speaks" else free_port()
        api = f"http://127.0.0.1:{port}/api/v4"
        forge = opened("/srv/wiki.git", {**GITHUB, **GITLAB}, host=host, repository="a/b", api_url=api)
        with pytest.raises(ForgeUnavailable, match=r"no answer|refused"):
            forge.examine(base="main", branch="x", will_push=True)
        forge.hang_up()
