"""Owns the files below the wiki's root on disk; nothing else writes there."""

from pipeline.wiki.tree.files import Files
from pipeline.wiki.tree.journal import Journal, Step, digest
from pipeline.wiki.tree.tree import Checkpoint, Tree, nothing

__all__ = ["Checkpoint", "Files", "Journal", "Step", "Tree", "digest", "nothing"]
