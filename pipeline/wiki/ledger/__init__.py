"""Owns what the ledger says, and how it changes: marks of files, lines set aside, one record a session.

It turns ledger files (bytes by path below the wiki's root) into values and back; it knows no disk, no git and no
clock.
"""

from pipeline.wiki.ledger.changing import (
    hold,
    record_failure,
    record_session,
    render_aside,
    render_marks,
    settle_merges,
    unpark,
)
from pipeline.wiki.ledger.reading import (
    FILES,
    findings,
    is_record,
    key_in,
    known_of,
    outdated,
    parked,
    provisional,
    read_aside,
    read_known,
    read_marks,
    read_session,
    session_path,
    sessions,
)
from pipeline.wiki.ledger.session_record import Attempt, SessionRecord

__all__ = [
    "FILES",
    "Attempt",
    "SessionRecord",
    "findings",
    "hold",
    "is_record",
    "key_in",
    "known_of",
    "outdated",
    "parked",
    "provisional",
    "read_aside",
    "read_known",
    "read_marks",
    "read_session",
    "record_failure",
    "record_session",
    "render_aside",
    "render_marks",
    "session_path",
    "sessions",
    "settle_merges",
    "unpark",
]
