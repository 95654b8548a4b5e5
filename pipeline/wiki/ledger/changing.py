"""Owns how the ledger changes. Each function gives the ledger files to write; one that would stay as it is is left out.

Every file is sorted and line-oriented, so that two branches merge.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.wiki.ledger.lines import Trouble, render_lines
from pipeline.wiki.ledger.reading import (
    ASIDE,
    FILES,
    known_of,
    read_aside,
    read_marks,
    read_session,
    session_path,
    session_paths,
)
from pipeline.wiki.ledger.session_record import (
    Attempt,
    SessionRecord,
    State,
    fingerprint,
    parse_record,
    render_record,
    short_reason,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.observations.consumed import Aside, FileMark, KnownObservation
    from pipeline.observations.observation import Json, SessionKey


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
    for path in session_paths(files):
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
