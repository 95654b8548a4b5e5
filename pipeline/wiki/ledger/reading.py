"""Owns what the ledger says: how far files were read, what was set aside, what is known of each session.

Where a merge left two lines about one thing, the more careful one counts: something may be read twice, but nothing is
passed over. Changes nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.observations.consumed import Aside, FileMark
from pipeline.wiki.ledger.lines import Trouble, read_lines
from pipeline.wiki.ledger.session_record import parse_record, record_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pipeline.observations.consumed import KnownObservation
    from pipeline.observations.observation import SessionKey
    from pipeline.wiki.ledger.session_record import SessionRecord

FOLDER = ".ledger"
FILES = f"{FOLDER}/files.jsonl"
ASIDE = f"{FOLDER}/aside.jsonl"
SESSIONS = f"{FOLDER}/sessions"


def read_marks(files: Mapping[str, bytes]) -> dict[str, FileMark]:
    """Tell for each observation file how far it was consumed."""
    return _parse_marks(files, Trouble(FILES))


def read_aside(files: Mapping[str, bytes]) -> tuple[Aside, ...]:
    """Give the lines that were set aside and the promises that were broken, sorted."""
    return _parse_aside(files, Trouble(ASIDE))


def read_known(files: Mapping[str, bytes]) -> Iterator[KnownObservation]:
    """Give every observation that some page holds; the order is that of the files."""
    for path in session_paths(files):
        yield from parse_record(files[path], Trouble(path)).observations


def known_of(files: Mapping[str, bytes], key: SessionKey) -> tuple[KnownObservation, ...]:
    """Give every observation that the pages of one session hold."""
    path = session_path(key)
    return parse_record(files[path], Trouble(path)).observations if path in files else ()


def read_session(files: Mapping[str, bytes], key: SessionKey) -> SessionRecord | None:
    """Give the record of one session, or nothing when the ledger has not met it."""
    path = session_path(key)
    return parse_record(files[path], Trouble(path)).record(key) if path in files else None


def sessions(files: Mapping[str, bytes]) -> Iterator[SessionRecord]:
    """Give the record of every session, by path."""
    for path in session_paths(files):
        parsed = parse_record(files[path], Trouble(path))
        records = (parsed.record(key) for key in dict.fromkeys(head.key for head in parsed.heads))
        yield from (record for record in records if record)


def provisional(files: Mapping[str, bytes]) -> frozenset[SessionKey]:
    """Name the sessions that a model consolidated which stood in for another; one that is parked waits first."""
    # Every run asks, and hardly a record says so: the others are not taken apart.
    some = {path: raw for path in session_paths(files) if b'"provisional"' in (raw := files[path])}
    return frozenset(record.key for record in sessions(some) if record.provisional and record.state != "parked")


def outdated(files: Mapping[str, bytes], *, prompt: str, model: str) -> frozenset[SessionKey]:
    """Name the sessions whose pages another prompt or model would write, and the provisional ones.

    A session that failed since is among them, for its pages are still those from before; one that is parked, or
    has no pages yet, is not.
    """
    return frozenset(
        record.key
        for record in sessions(files)
        if (record.state == "done" or (record.state == "failing" and record.observations))
        and (record.provisional or (record.prompt, record.model) != (prompt, model))
    )


def parked(files: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """Name every session that is parked, or passed over new lines while it was: it waits for a person."""
    return tuple(
        Finding(
            str(record.key),
            "session-parked",
            "warning",
            f"the session is parked{_why(record)}.",
            "Run `wikimill run --retry-parked` once the cause is mended.",
        )
        for record in sessions(files)
        if record.state == "parked"
    )


def _why(record: SessionRecord) -> str:
    if not record.attempts:
        return ""
    reason = record.attempts[-1].reason.rstrip(".")
    return f" after {len(record.attempts)} failed attempts, the last one with: {reason}"


def findings(files: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """Read the whole ledger and tell what could not be read, or was left by a merge."""
    marks, aside = Trouble(FILES), Trouble(ASIDE)
    _parse_marks(files, marks)
    _parse_aside(files, aside)
    found = [*marks.findings, *aside.findings]
    for path in session_paths(files):
        trouble = Trouble(path)
        parse_record(files[path], trouble)
        found.extend(trouble.findings)
    return tuple(found)


def key_in(path: str, raw: bytes) -> SessionKey | None:
    """Tell which session a file of the ledger is about; nothing for one that is about none."""
    if not is_record(path):
        return None
    return next((head.key for head in parse_record(raw, Trouble(path)).heads), None)


def is_record(path: str) -> bool:
    """Whether a path below the wiki's root is that of a session's record."""
    return path.startswith(SESSIONS + "/") and path.endswith(".jsonl")


def session_path(key: SessionKey) -> str:
    """Give the path of a session's record, below the wiki's root."""
    return f"{SESSIONS}/{record_name(key)}"


def session_paths(files: Mapping[str, bytes]) -> list[str]:
    """Give the paths of all sessions' records, sorted."""
    return sorted(filter(is_record, files))


def _parse_marks(files: Mapping[str, bytes], trouble: Trouble) -> dict[str, FileMark]:
    marks: dict[str, FileMark] = {}
    for line in read_lines(files.get(FILES, b""), trouble):
        try:
            mark = FileMark(line.text("file"), line.count("bytes"), line.count("lines"), line.text("digest"))
        except ValueError as fault:
            trouble.broken(line.number, str(fault))
            continue
        other = marks.get(mark.file)
        if other is not None:
            trouble.double(line.number, "this file")
            # The smaller mark: what lies between the two may have been consolidated on one side only.
            mark = min(mark, other, key=lambda one: (one.bytes, one.lines, one.digest))
        marks[mark.file] = mark
    return marks


def _parse_aside(files: Mapping[str, bytes], trouble: Trouble) -> tuple[Aside, ...]:
    found: set[tuple[str, int, str]] = set()
    for line in read_lines(files.get(ASIDE, b""), trouble):
        try:
            found.add((line.text("file"), line.count("line"), line.text("reason", "")))
        except ValueError as fault:
            trouble.broken(line.number, str(fault))
    return tuple(Aside(*one) for one in sorted(found))
