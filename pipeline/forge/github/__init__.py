"""Owns what wikimill knows of GitHub, github.com and GitHub Enterprise alike; knows no repository's content."""

from pipeline.forge.github.github import GitHub, open_github

__all__ = ["GitHub", "open_github"]
