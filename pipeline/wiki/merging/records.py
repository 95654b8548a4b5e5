"""Owns how what a commit wrote into the ledger is carried over: lines may be read twice, but none is passed over.

- A mark of an observation file is taken from the side that changed it. When both did, the smaller one counts, and none
  is smaller than any: what lies between the two was settled on one side only, and observations are known by their ids.
- A line that was set aside stays so; those that the commit set aside are added.
- A session knows what stands of it and what the commit added. What was taken out of its record stays out, and is read
  again. Of two accounts of its state the more careful one counts, as for the lines of an unsolved merge.
- A record with a line that cannot be read is a person's to mend: the commit's new lines are put behind it.

Files come in and go out as bytes; nothing means that the file is not there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.wiki.ledger.changing import render_aside, render_marks
from pipeline.wiki.ledger.lines import Trouble
from pipeline.wiki.ledger.reading import ASIDE, FILES, SESSIONS, read_aside, read_marks
from pipeline.wiki.ledger.session_record import ParsedRecord, parse_record, render_record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.observations.consumed import FileMark, KnownObservation
    from pipeline.observations.observation import SessionKey
    from pipeline.wiki.ledger.session_record import SessionRecord

Known = dict[tuple[str, str], "KnownObservation"]


def is_record(path: str) -> bool:
    """Whether a path is that of a ledger file whose lines are merged here."""
    return path in {FILES, ASIDE} or _is_session(path)


def merge_record(path: str, before: bytes | None, after: bytes | None, standing: bytes | None) -> bytes | None:
    """Carry over what a commit changed in a ledger file that stands in another form than the commit found it."""
    if after is None:
        return standing
    if path == FILES:
        return _merge_marks(before, after, standing)
    if path == ASIDE:
        return _merge_aside(before, after, standing)
    return _merge_session(before, after, standing)


def holds_evidence(after_ledger: Mapping[str, bytes], standing: Mapping[str, bytes]) -> bool:
    """Whether the ledger that stands knows every observation of the session records in `after_ledger`.

    Then what was consolidated from them was merged already, by whatever kind of merge. Files that are no session's
    record are not looked at; without any observation the answer is yes, so ask it of a session's commit alone.
    """
    for path, raw in after_ledger.items():
        known = _parse(raw).known.keys() if _is_session(path) else set()
        if known and not known <= _parse(standing.get(path)).known.keys():
            return False
    return True


def _is_session(path: str) -> bool:
    return path.startswith(f"{SESSIONS}/") and path.endswith(".jsonl")


def _parse(raw: bytes | None) -> ParsedRecord:
    return parse_record(raw or b"", Trouble(""))


def _merge_marks(before: bytes | None, after: bytes, standing: bytes | None) -> bytes | None:
    was, came, stands = (read_marks({FILES: raw or b""}) for raw in (before, after, standing))
    merged: dict[str, FileMark] = {}
    for file in {**stands, **came}:
        mark = _mark(was.get(file), came.get(file), stands.get(file))
        if mark is not None:
            merged[file] = mark
    return standing if merged == stands else render_marks({}, merged).get(FILES, b"")


def _mark(before: FileMark | None, after: FileMark | None, standing: FileMark | None) -> FileMark | None:
    if after in {before, standing}:
        return standing
    if standing == before:
        return after
    if after is None or standing is None:
        return None
    return min(after, standing, key=lambda one: (one.bytes, one.lines, one.digest))


def _merge_aside(before: bytes | None, after: bytes, standing: bytes | None) -> bytes | None:
    was, came, stands = (set(read_aside({ASIDE: raw or b""})) for raw in (before, after, standing))
    new = came - was - stands
    return render_aside({ASIDE: standing or b""}, new).get(ASIDE, standing) if new else standing


def _merge_session(before: bytes | None, after: bytes, standing: bytes | None) -> bytes | None:
    trouble = Trouble("")
    was, came, stands = _parse(before), _parse(after), parse_record(standing or b"", trouble)
    heads = _heads(was, came, stands)
    known = _known(was.known, came.known, stands.known)
    if trouble.is_broken or len(heads) != 1:
        return _with_new_lines(before or b"", after, standing or b"")
    (head,) = heads
    merged = replace(head, observations=tuple(known.values()))
    same = known == stands.known and _bare(stands, head.key) == head and not trouble.findings
    return standing if same else render_record(merged)


def _known(before: Known, after: Known, standing: Known) -> Known:
    """Add what the commit learnt; an observation that it found in another place stands there now."""
    merged = dict(standing)
    for name, one in after.items():
        if name not in before:
            merged.setdefault(name, one)
        elif merged.get(name) == before[name]:
            merged[name] = one
    return merged


def _heads(before: ParsedRecord, after: ParsedRecord, standing: ParsedRecord) -> list[SessionRecord]:
    """Settle the state of each session that the file tells of, without its observations."""
    settled: list[SessionRecord] = []
    for key in dict.fromkeys(head.key for head in (*standing.heads, *after.heads)):
        was, came, stands = (_bare(parsed, key) for parsed in (before, after, standing))
        head = stands if came in {was, stands} else came if stands == was else None
        if head is None and came not in {was, stands} and stands != was:
            head = ParsedRecord([one for one in (stands, came) if one is not None]).record(key)
        if head is not None:
            settled.append(head)
    return settled


def _bare(parsed: ParsedRecord, key: SessionKey) -> SessionRecord | None:
    found = parsed.record(key)
    return replace(found, observations=()) if found is not None else None


def _with_new_lines(before: bytes, after: bytes, standing: bytes) -> bytes:
    there = {line.strip() for text in (before, standing) for line in text.split(b"\n")}
    new = [line for line in after.split(b"\n") if line.strip() and line.strip() not in there]
    gap = b"\n" if standing and not standing.endswith(b"\n") and new else b""
    return standing + gap + b"".join(line + b"\n" for line in new)
