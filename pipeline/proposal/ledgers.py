"""Owns what a handed-over ledger claims that the one before did not, or no longer knows, and whether it can be read.

Pure. What it claims is held against the observations elsewhere. Marks that went claim nothing: their files are read
again. What is on record stays there, for what is not would be paid for once more.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.observations.evidence import evidence_of
from pipeline.proposal.protected import LOOK, RULE
from pipeline.text import one_line
from pipeline.wiki.ledger import FILES, findings, key_in, read_marks, session_path, sessions
from pipeline.wiki.ledger.lines import Trouble
from pipeline.wiki.ledger.reading import ASIDE, FOLDER, SESSIONS
from pipeline.wiki.ledger.session_record import parse_record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pipeline.observations.consumed import FileMark, KnownObservation

_START = f"{FOLDER}/"
_DOUBLE = "ledger-double-line"


def check_ledger(
    after: Mapping[str, bytes], changed: Iterable[str], standing: Iterable[Mapping[str, bytes]]
) -> tuple[Finding, ...]:
    """Refuse files of the ledger that no run writes, and lines that cannot be read and did not stand so before.

    `changed` names files below the wiki's root, `standing` gives the states that are known: before, and published.
    """
    paths = sorted({path for path in changed if path.startswith(_START) and path in after})
    known = tuple(standing)
    return tuple(finding for path in paths for finding in _check(path, after, known))


def _check(path: str, after: Mapping[str, bytes], standing: Iterable[Mapping[str, bytes]]) -> Iterator[Finding]:
    others = [{path: files[path]} for files in standing if path in files]
    here = {path: after[path]}
    if path not in {FILES, ASIDE} and not path.startswith(f"{SESSIONS}/") and not others:
        yield Finding(path, RULE, "error", "is no file that the ledger has.", LOOK)
        return
    stood: Counter[tuple[str, str]] = Counter()
    for files in others:
        stood |= _faults(files)
    for rule, told in _faults(here) - stood:
        # Beside a broken line that is a person's to mend, what is new is put below.
        if rule != _DOUBLE or not stood:
            yield Finding(path, RULE, "error", f"cannot be read as a ledger: {told}", LOOK)
    keys = {record.key for files in others for record in sessions(files)}
    for record in sessions(here):
        if record.key not in keys and session_path(record.key) != path:
            yield Finding(path, RULE, "error", "tells of a session that has a file of another name.", LOOK)


def check_kept(before: Mapping[str, bytes], after: Mapping[str, bytes], changed: Iterable[str]) -> tuple[Finding, ...]:
    """Refuse records that no longer know an observation which was on record before."""
    told = "no longer knows observations that were on record, so that they would be consolidated once more."
    return tuple(
        Finding(path, RULE, "error", told, LOOK)
        for path in sorted(set(changed))
        if path.startswith(f"{SESSIONS}/") and path in before
        if not _ids(path, before) <= _ids(path, after)
    )


def check_evidence(name: str, told: Iterable[str], records: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """Refuse a commit that names other evidence than that of the records which it changes.

    By its evidence a session is known as declined: another one would be passed over by a decline that nobody meant.
    """
    strange = sorted(set(told) - {*evidence_in(records).values()})
    message = "names evidence that no record in it bears out"
    return tuple(Finding(name, RULE, "error", f"{message}: {one_line(one, 60)}.", LOOK) for one in strange)


def evidence_in(records: Mapping[str, bytes]) -> dict[str, str]:
    """Digest what each record of a session holds, by its path."""
    found = ((path, key_in(path, raw)) for path, raw in sorted(records.items()))
    return {path: evidence_of(key, _ids(path, records)) for path, key in found if key is not None}


def _ids(path: str, files: Mapping[str, bytes]) -> frozenset[str]:
    return frozenset(one.id for one in _observations(path, files[path])) if path in files else frozenset()


def _faults(files: Mapping[str, bytes]) -> Counter[tuple[str, str]]:
    return Counter((one.rule, one.message) for one in findings(files))


def new_marks(after: Mapping[str, bytes], standing: Iterable[Mapping[str, bytes]]) -> tuple[FileMark, ...]:
    """Give the marks of observation files that stand in none of the states that are known."""
    known = {mark for files in standing for mark in read_marks(files).values()}
    return tuple(mark for _, mark in sorted(read_marks(after).items()) if mark not in known)


def new_known(
    after: Mapping[str, bytes], changed: Iterable[str], standing: Iterable[Mapping[str, bytes]]
) -> tuple[tuple[str, KnownObservation], ...]:
    """Give the observations that a changed record claims and none did before, with the path of the record."""
    states = tuple(standing)
    found: list[tuple[str, KnownObservation]] = []
    for path in sorted({path for path in changed if path.startswith(f"{SESSIONS}/") and path in after}):
        ids = {one.id for files in states if path in files for one in _observations(path, files[path])}
        found += [(path, one) for one in _observations(path, after[path]) if one.id not in ids]
    return tuple(found)


def _observations(path: str, raw: bytes) -> tuple[KnownObservation, ...]:
    return parse_record(raw, Trouble(path)).observations
