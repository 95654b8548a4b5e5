"""Owns the settings of proposals: where they go, and what they are called; knows no host."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, field_validator

from pipeline.settings.section import Section

_BRANCH = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?(?:/[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?)*")
_REMOTE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ProposalSettings(Section):
    """Where the work of a run is proposed; every empty text means that it is found out."""

    branch: Annotated[str, Field(min_length=1, max_length=100)] = "wikimill/consolidate"
    """The branch that carries the proposal; wikimill alone writes it."""
    base: str = ""
    """The branch that it asks to be merged into; empty: `wiki.branch`, else the one that is checked out."""
    remote: str = "origin"
    host: Literal["", "github", "gitlab"] = ""
    api_url: str = ""
    """The address of the host's REST API; empty: GITHUB_API_URL or CI_API_V4_URL where these are about
    the host of the remote, else by the remote's address."""
    repository: str = ""
    """Such as `acme/wiki`; empty: by the remote's address, else GITHUB_REPOSITORY or CI_PROJECT_PATH."""
    token_variable: str = ""
    """The environment variable with the token; empty: GITHUB_TOKEN or GH_TOKEN, on GitLab GITLAB_TOKEN."""
    labels: tuple[str, ...] = Field(default=("wiki", "automated"), strict=False)
    reviewers: tuple[str, ...] = Field(default=(), strict=False)
    draft: bool = False

    @field_validator("branch")
    @classmethod
    def _is_a_branch(cls, value: str) -> str:
        if not _BRANCH.fullmatch(value) or ".." in value or value.endswith(".lock"):
            message = "must be a plain name of a branch, such as 'wikimill/consolidate'"
            raise ValueError(message)
        return value

    @field_validator("remote")
    @classmethod
    def _is_a_remote(cls, value: str) -> str:
        if not _REMOTE.fullmatch(value):
            message = "must be the name of a git remote, such as 'origin'"
            raise ValueError(message)
        return value

    @field_validator("token_variable")
    @classmethod
    def _is_a_variable(cls, value: str) -> str:
        if value and not _VARIABLE.fullmatch(value):
            message = "must be the name of an environment variable, such as 'GITHUB_TOKEN'; the token stands in no file"
            raise ValueError(message)
        return value
