"""Owns the kinds of GitLab's tokens: how they are told apart, sent, and what they cannot do; asks nobody."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

JOB_VARIABLE: Final = "CI_JOB_TOKEN"


@dataclass(frozen=True, slots=True)
class TokenKind:
    """A kind of token. `header` and `scheme` are how it is sent; `opens` is whether any of its kind opens proposals."""

    name: str
    header: str = "Authorization"
    scheme: str = "Bearer "
    opens: bool = True
    tells_of_itself: bool = True
    """Whether GitLab tells scopes and end of such a token."""


ACCESS: Final = TokenKind("a personal, project or group access token")
JOB: Final = TokenKind("the token of a CI/CD job", "JOB-TOKEN", "", opens=False, tells_of_itself=False)
UNKNOWN: Final = TokenKind("a token of an unknown kind")
"""OAuth, or an access token with a prefix that a self-hosted GitLab chose: both are taken behind `Bearer`."""

_BY_PREFIX: Final = {
    "glpat-": ACCESS,
    "glcbt-": JOB,
    "gldt-": TokenKind("a deploy token", opens=False, tells_of_itself=False),
    "glptt-": TokenKind("a pipeline trigger token", opens=False, tells_of_itself=False),
    "glrt-": TokenKind("a runner's token", opens=False, tells_of_itself=False),
}

NEXT_STEP: Final = (
    "Create a project access token with the role Developer and the scope api (Settings > Access tokens) and store it "
    "as the masked and protected CI/CD variable GITLAB_TOKEN."
)


def kind_of(token: str, variable: str = "") -> TokenKind:
    """Tell the kind of a token by its prefix, or by the environment variable that held it."""
    found = next((kind for prefix, kind in _BY_PREFIX.items() if token.startswith(prefix)), UNKNOWN)
    return JOB if found is UNKNOWN and variable == JOB_VARIABLE else found
