"""Owns how a session's pages reach the wiki, whole or not at all: where git and the files on disk meet."""

from pipeline.landing.landing import Landing
from pipeline.landing.opening import open_landing

__all__ = ["Landing", "open_landing"]
