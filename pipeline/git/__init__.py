"""Owns what wikimill knows of git; no other package starts it, or imports its library."""

from pipeline.git.commits import Content, NewCommit
from pipeline.git.history import Version
from pipeline.git.index import Staged
from pipeline.git.message import Consolidation, render_message
from pipeline.git.repository import Branch, Head, Repository, moved, open_repository
from pipeline.git.snapshot import Entry, Snapshot

__all__ = [
    "Branch",
    "Consolidation",
    "Content",
    "Entry",
    "Head",
    "NewCommit",
    "Repository",
    "Snapshot",
    "Staged",
    "Version",
    "moved",
    "open_repository",
    "render_message",
]
