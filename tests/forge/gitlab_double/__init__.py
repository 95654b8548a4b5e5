"""A GitLab for tests: it keeps state on a real repository, and refuses what the real one refuses."""

from tests.forge.gitlab_double.double import BOT, JOB_TOKEN, TOKEN, GitLabDouble
from tests.forge.gitlab_double.state import MergeRequest, Token

__all__ = ["BOT", "JOB_TOKEN", "TOKEN", "GitLabDouble", "MergeRequest", "Token"]
