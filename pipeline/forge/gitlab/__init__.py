"""Owns GitLab, gitlab.com and self-hosted: merge requests through the REST API v4; no other package knows them."""

from pipeline.forge.gitlab.gitlab import GitLab, open_gitlab

__all__ = ["GitLab", "open_gitlab"]
