"""Owns what wikimill knows of git; no other package starts it, or imports its library."""

from pipeline.git.branches import Branch, Head
from pipeline.git.commits import Content, NewCommit
from pipeline.git.history import Version
from pipeline.git.index import Staged
from pipeline.git.message import Consolidation, Verification, render_message, render_verification
from pipeline.git.ranges import Changed, Commit
from pipeline.git.remote import Credentials, Remote
from pipeline.git.repository import Repository, moved, open_repository
from pipeline.git.revisions import PageVersion, Revisions
from pipeline.git.seal import is_sealed, named, seal, seal_of, trailers_of, without_seal
from pipeline.git.snapshot import Entry, Snapshot

__all__ = [
    "Branch",
    "Changed",
    "Commit",
    "Consolidation",
    "Content",
    "Credentials",
    "Entry",
    "Head",
    "NewCommit",
    "PageVersion",
    "Remote",
    "Repository",
    "Revisions",
    "Snapshot",
    "Staged",
    "Verification",
    "Version",
    "is_sealed",
    "moved",
    "named",
    "open_repository",
    "render_message",
    "render_verification",
    "seal",
    "seal_of",
    "trailers_of",
    "without_seal",
]
