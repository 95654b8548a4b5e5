"""Owns the text of a proposal, as a reviewer reads it on GitHub or GitLab; knows no host's API and no git."""

from pipeline.proposal.text.render import render
from pipeline.proposal.text.title import title

__all__ = ["render", "title"]
