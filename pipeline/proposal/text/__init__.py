"""Owns the text of a proposal, as a reviewer reads it on GitHub or GitLab; knows no host's API and no git."""

from pipeline.proposal.text.render import is_cut, render, render_whole
from pipeline.proposal.text.title import title

__all__ = ["is_cut", "render", "render_whole", "title"]
