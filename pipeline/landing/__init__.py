"""Owns how the pages of sessions reach the wiki, whole or not at all: where git and the files on disk meet."""

from pipeline.landing.landing import ChangeSet, Landing
from pipeline.landing.opening import open_landing

__all__ = ["ChangeSet", "Landing", "open_landing"]
