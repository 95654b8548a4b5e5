"""Owns holding what a ledger claims against the observation files at hand; reads them, and writes nothing."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pipeline.errors import ObservationError, StoreError
from pipeline.finding import Finding
from pipeline.observations.consumed import EMPTY_DIGEST
from pipeline.observations.inbox.folder import list_files, read_blocks
from pipeline.observations.inbox.lines import BOM, LineReader, first_bytes
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line
from pipeline.observations.redaction.redact import make_redactor
from pipeline.proposal.protected import LOOK, RULE
from pipeline.text import one_line
from pipeline.wiki.ledger import FILES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from pipeline.config import Settings
    from pipeline.observations.consumed import FileMark, KnownObservation
    from pipeline.observations.inbox.folder import Listing
    from pipeline.observations.inbox.lines import Line
    from pipeline.observations.redaction.redact import Redactor

_TOLD = 200


def check_marks(folder: Path, marks: Iterable[FileMark]) -> tuple[Finding, ...]:
    """Refuse marks that do not cover exactly what they say of the observation files below `folder`."""
    listing = list_files(folder)
    return tuple(
        Finding(FILES, RULE, "error", f"the mark of {one_line(mark.file, _TOLD)} does not fit that file.", LOOK)
        for mark in marks
        if not _fits(listing, mark)
    )


def _fits(listing: Listing, mark: FileMark) -> bool:
    if not mark.bytes:
        return (mark.lines, mark.digest) == (0, EMPTY_DIGEST)
    if mark.file not in listing.files:
        return False
    count = _Count()
    try:
        whole = LineReader(count.over(first_bytes(read_blocks(listing, mark.file, lambda _: None), mark.bytes)))
        return whole.skip(mark) and count.lines == mark.lines
    except StoreError:
        return False


class _Count:
    """Counts the lines of what passes, an open last one too."""

    def __init__(self) -> None:
        self._ends = 0
        self._last = b"\n"

    @property
    def lines(self) -> int:
        return self._ends + (self._last != b"\n")

    def over(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        for block in blocks:
            self._ends += block.count(b"\n")
            self._last = block[-1:] or self._last
            yield block


def check_known(folder: Path, settings: Settings, known: Iterable[tuple[str, KnownObservation]]) -> tuple[Finding, ...]:
    """Refuse observations that a record claims, each with the record's path, and that no line of their file holds.

    Lines may have moved: what does not stand in its line is looked for in the whole file.
    """
    wanted: dict[str, dict[str, list[tuple[str, KnownObservation]]]] = defaultdict(lambda: defaultdict(list))
    for record, one in known:
        wanted[one.place.file][one.id].append((record, one))
    listing = list_files(folder)
    redactor = make_redactor(settings.redaction)
    found: dict[str, None] = {}
    for file, by_id in sorted(wanted.items()):
        missing = dict(by_id)
        if file in listing.files:
            lines = {one.place.line for entries in by_id.values() for _, one in entries}
            for whole in (False, True):
                _look(_some(listing, file, None if whole else lines), missing, redactor, settings.wiki.default_project)
        found |= {record: None for entries in missing.values() for record, _ in entries}
    return tuple(
        Finding(path, RULE, "error", "holds an observation that does not stand in the file that it names.", LOOK)
        for path in sorted(found)
    )


def _look(
    lines: Iterable[Line], missing: dict[str, list[tuple[str, KnownObservation]]], redactor: Redactor, project: str
) -> None:
    """Take out of `missing` whatever the lines hold."""
    for line in lines if missing else ():
        raw = line.raw.removeprefix(BOM) if line.number == 1 else line.raw
        try:
            observation = parse_line(raw, Place("", line.number), default_project=project)
        except ObservationError:
            continue
        missing.pop(redactor.safe_id(observation.id), None)
        if not missing:
            return


def _some(listing: Listing, file: str, numbers: set[int] | None) -> Iterator[Line]:
    """Read the lines of a file with these numbers, or all; nothing of one that cannot be read."""
    last = max(numbers, default=0) if numbers is not None else None
    try:
        for line in LineReader(read_blocks(listing, file, lambda _: None)).lines():
            if last is not None and line.number > last:
                return
            if numbers is None or line.number in numbers:
                yield line
    except StoreError:
        return
