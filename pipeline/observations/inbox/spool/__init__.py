"""Owns the temporary file that holds new observations, sorted by session, while a run works on them.

Knows no input file and no secret: only redacted observations come in. It dies with its run; what a killed run left is
removed when the next one opens. Two runs must not share a path.
"""

from pipeline.observations.inbox.spool.rows import hash_id
from pipeline.observations.inbox.spool.spool import Met, Spool

__all__ = ["Met", "Spool", "hash_id"]
