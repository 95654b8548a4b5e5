"""The mechanics of memory: ground, curate, consolidate, and the port that they read and write through.

The adapter for a folder on disk stands in `pipeline.memory.directory`, the tests for an adapter of yours in
`pipeline.memory.conformance`.
"""

from pipeline.memory.consolidate import Fold, Folded, Holder, consolidate
from pipeline.memory.curate import Curated, Decision, curate
from pipeline.memory.deciders import asking, lexical
from pipeline.memory.failure import Failure
from pipeline.memory.git_tree import GitTreeMemory
from pipeline.memory.ground import Document, Grounded, Limits, Source, ground
from pipeline.memory.in_process import InProcessMemory
from pipeline.memory.port import Entry, Memory

__all__ = [
    "Curated",
    "Decision",
    "Document",
    "Entry",
    "Failure",
    "Fold",
    "Folded",
    "GitTreeMemory",
    "Grounded",
    "Holder",
    "InProcessMemory",
    "Limits",
    "Memory",
    "Source",
    "asking",
    "consolidate",
    "curate",
    "ground",
    "lexical",
]
