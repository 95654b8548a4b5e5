"""Owns that handed-over marks pass over no observation: what no run would read again must be on record. Reads files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import ObservationError, StoreError
from pipeline.finding import Finding
from pipeline.observations.inbox.folder import list_files, read_blocks
from pipeline.observations.inbox.lines import BLANK, BOM, LineReader, first_bytes
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal.protected import LOOK, RULE
from pipeline.text import one_line
from pipeline.wiki import ledger

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.observations.consumed import FileMark
    from pipeline.observations.inbox.folder import Listing
    from pipeline.observations.inbox.lines import Line
    from pipeline.observations.observation import SessionKey
    from pipeline.observations.redaction.redact import Redactor

_TOLD = 200


@dataclass(frozen=True, slots=True)
class Covered:
    """What a ledger answers for: observations by their ids, lines set aside, sessions that passed lines over."""

    ids: frozenset[str]
    places: frozenset[tuple[str, int]]
    """Files and lines of these observations: their ids may be written otherwise, once the redaction is another."""
    aside: frozenset[tuple[str, int]]
    parked: frozenset[SessionKey]


def covered_by(wiki: Mapping[str, bytes]) -> Covered:
    """Read what the ledger of a wiki answers for."""
    records, known = tuple(ledger.sessions(wiki)), tuple(ledger.read_known(wiki))
    return Covered(
        frozenset(one.id for one in known),
        frozenset((one.place.file, one.place.line) for one in known),
        frozenset((one.file, one.line) for one in ledger.read_aside(wiki)),
        frozenset(one.key for one in records if one.state == "parked" or one.waiting),
    )


def check_covered(
    folder: Path,
    settings: Settings,
    marks: Iterable[FileMark],
    *,
    before: Mapping[str, FileMark],
    known: Callable[[], Covered],
) -> tuple[Finding, ...]:
    """Refuse marks that pass over an observation which nothing has on record: no run would ever read it.

    `before` are the marks of the base, up to which nothing is looked at.
    """
    listing = list_files(folder)
    redactor = make_redactor(settings.redaction)
    found = []
    for mark in marks:
        if mark.file not in listing.files:
            continue
        past = before[mark.file].lines if mark.file in before else 0
        covered = known()
        for line in _up_to(listing, mark):
            if line.number > past and not _is_covered(line, mark.file, covered, redactor, settings):
                place = f"{one_line(mark.file, _TOLD)}:{line.number}"
                told = f"the mark passes over {place}, which nothing has on record."
                found.append(Finding(ledger.FILES, RULE, "error", told, LOOK))
                break
    return tuple(found)


def _is_covered(line: Line, file: str, covered: Covered, redactor: Redactor, settings: Settings) -> bool:
    if not line.raw.strip(BLANK) or (file, line.number) in covered.aside | covered.places:
        return True
    raw = line.raw.removeprefix(BOM) if line.number == 1 else line.raw
    try:
        observation = parse_line(raw, Place(file, line.number), default_project=settings.wiki.default_project)
    except ObservationError:
        return False
    return redactor.safe_id(observation.id) in covered.ids or observation.session in covered.parked


def _up_to(listing: Listing, mark: FileMark) -> Iterator[Line]:
    try:
        blocks = read_blocks(listing, mark.file, lambda _: None)
        yield from LineReader(first_bytes(blocks, mark.bytes)).lines()
    except StoreError:
        return
