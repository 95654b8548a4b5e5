"""wikimill: observations of people and their coding agents become a wiki that a team can trust."""

__version__ = "0.1.0"
