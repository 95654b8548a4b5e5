"""Owns what the ledger says, and how it changes: marks of files, lines set aside, one record a session.

It turns ledger files (bytes by path below the wiki's root) into values and back; it knows no disk, no git and no
clock. Every file is sorted and line-oriented, so that two branches merge; where a merge left two lines about one
thing, the more careful one counts: something may be read twice, but nothing is passed over.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.observations.consumed import Aside, FileMark, KnownObservation
from pipeline.wiki.ledger.lines import Trouble, read_lines, render_lines
from pipeline.wiki.ledger.session_record import (
    Attempt,
    SessionRecord,
    State,
    fingerprint,
    parse_record,
    record_name,
    render_record,
    short_reason,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipeline.observations.observation import Json, SessionKey

__all__ = [
    "Attempt",
    "SessionRecord",
    "State",
    "findings",
    "fingerprint",
    "hold",
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

FOLDER = ".ledger"
FILES = f"{FOLDER}/files.jsonl"
ASIDE = f"{FOLDER}/aside.jsonl"
SESSIONS = f"{FOLDER}/sessions"


# Reading


def read_marks(files: Mapping[str, bytes]) -> dict[str, FileMark]:
    """Tell for each observation file how far it was consumed."""
    return _parse_marks(files, Trouble(FILES))


def read_aside(files: Mapping[str, bytes]) -> tuple[Aside, ...]:
    """Give the lines that were set aside and the promises that were broken, sorted."""
    return _parse_aside(files, Trouble(ASIDE))


def read_known(files: Mapping[str, bytes]) -> Iterator[KnownObservation]:
    """Give every observation that some page holds; the order is that of the files."""
    for path in _session_paths(files):
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
    for path in _session_paths(files):
        parsed = parse_record(files[path], Trouble(path))
        records = (parsed.record(key) for key in dict.fromkeys(head.key for head in parsed.heads))
        yield from (record for record in records if record)


def provisional(files: Mapping[str, bytes]) -> frozenset[SessionKey]:
    """Name the sessions that a model consolidated which stood in for another; one that is parked waits first."""
    # Every run asks, and hardly a record says so: the others are not taken apart.
    some = {path: raw for path in _session_paths(files) if b'"provisional"' in (raw := files[path])}
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
    for path in _session_paths(files):
        trouble = Trouble(path)
        parse_record(files[path], trouble)
        found.extend(trouble.findings)
    return tuple(found)


def session_path(key: SessionKey) -> str:
    """Give the path of a session's record, below the wiki's root."""
    return f"{SESSIONS}/{record_name(key)}"


# Writing: each function gives the ledger files to write; one that would stay as it is is left out.


def render_marks(files: Mapping[str, bytes], marks: Mapping[str, FileMark]) -> dict[str, bytes]:
    """Write the marks of a run over those that stand."""
    merged = {**read_marks(files), **marks}
    return _render_marks(files, merged)


def render_aside(files: Mapping[str, bytes], aside: Iterable[Aside]) -> dict[str, bytes]:
    """Add lines that were set aside to those that stand."""
    merged = {(one.file, one.line, one.reason) for one in (*read_aside(files), *aside)}
    lines: list[dict[str, Json]] = [
        {"file": file, "line": line, "reason": reason} for file, line, reason in sorted(merged)
    ]
    return _changed(files, ASIDE, render_lines(lines))


def record_session(  # noqa: PLR0913  # what stands in the record, value by value
    files: Mapping[str, bytes],
    key: SessionKey,
    *,
    observations: Iterable[KnownObservation],
    prompt: str,
    model: str,
    page: str,
    provisional: bool = False,
) -> dict[str, bytes]:
    """Record that a session was consolidated; observations that were recorded before stay.

    One that comes again, of a session that was taken again, stands where it was read now.
    """
    merged = {one.id: one for one in (*known_of(files, key), *observations)}
    done = SessionRecord(
        key=key,
        state="done",
        fingerprint=fingerprint(merged, prompt, model),
        prompt=prompt,
        model=model,
        page=page,
        observations=tuple(merged.values()),
        provisional=provisional,
    )
    return _render_session(files, done)


def record_failure(
    files: Mapping[str, bytes], key: SessionKey, attempt: Attempt, *, most: int, waiting: Iterable[str]
) -> dict[str, bytes]:
    """Record a failed attempt; with the last of `most` the session is parked.

    `waiting` names the observation files that hold its new lines; a parked session keeps them, so that a retry
    knows what to read again.
    """
    before = _record_or_new(files, key)
    attempts = (*before.attempts, Attempt(attempt.at, short_reason(attempt.reason)))
    if len(attempts) < most:
        return _render_session(files, replace(before, state="failing", attempts=attempts))
    return _render_session(files, _parked(replace(before, attempts=attempts), waiting))


def hold(files: Mapping[str, bytes], key: SessionKey, waiting: Iterable[str]) -> dict[str, bytes]:
    """Record that a parked session passes over new lines, which stand in the observation files `waiting`."""
    return _render_session(files, _parked(_record_or_new(files, key), waiting))


def settle_merges(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Write anew each record in which a merge left marks or double lines; one with a broken line is a person's."""
    settled: dict[str, bytes] = {}
    for path in _session_paths(files):
        trouble = Trouble(path)
        parsed = parse_record(files[path], trouble)
        keys = {head.key for head in parsed.heads if session_path(head.key) == path}
        if not trouble.findings or trouble.is_broken or len(keys) != 1:
            continue
        record = parsed.record(*keys)
        if record is not None:
            settled |= _render_session(files, record)
    return settled


def unpark(files: Mapping[str, bytes], key: SessionKey) -> dict[str, bytes]:
    """Give a session all its attempts again; what it passed over counts as unread.

    The marks of the files it waits in go, so that the next run reads them from the start; an observation that is
    known by its id is not consolidated twice.
    """
    record = read_session(files, key)
    if record is None or (record.state == "done" and not record.waiting):
        return {}
    state: State = "done" if record.observations else "failing"
    freed = _render_session(files, replace(record, state=state, attempts=(), waiting=()))
    marks = read_marks(files)
    kept = {file: mark for file, mark in marks.items() if file not in record.waiting}
    return {**freed, **_render_marks(files, kept)} if kept != marks else freed


def _changed(files: Mapping[str, bytes], path: str, rendered: bytes) -> dict[str, bytes]:
    return {} if files.get(path, b"") == rendered else {path: rendered}


def _render_marks(files: Mapping[str, bytes], marks: Mapping[str, FileMark]) -> dict[str, bytes]:
    lines: list[dict[str, Json]] = [
        {"file": mark.file, "bytes": mark.bytes, "lines": mark.lines, "digest": mark.digest}
        for _, mark in sorted(marks.items())
    ]
    return _changed(files, FILES, render_lines(lines))


def _render_session(files: Mapping[str, bytes], record: SessionRecord) -> dict[str, bytes]:
    return _changed(files, session_path(record.key), render_record(record))


def _parked(record: SessionRecord, waiting: Iterable[str]) -> SessionRecord:
    return replace(record, state="parked", waiting=tuple(sorted({*record.waiting, *waiting})))


def _record_or_new(files: Mapping[str, bytes], key: SessionKey) -> SessionRecord:
    record = read_session(files, key)
    return record or SessionRecord(key=key, state="failing", observations=known_of(files, key))


def _session_paths(files: Mapping[str, bytes]) -> list[str]:
    return sorted(path for path in files if path.startswith(SESSIONS + "/") and path.endswith(".jsonl"))


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
