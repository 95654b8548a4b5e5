"""Owns one pass over the observations folder: what is new goes to the spool, everything else is accounted for.

Every line that is not blank ends as exactly one of: a new observation, a duplicate, a conflict, set aside, or
unfinished. A file whose bytes are those of its mark is not parsed; one that grew is parsed from there on. Only
where a session is taken again are consumed lines looked at once more, and that moves no mark.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pipeline.errors import ObservationError, StoreError
from pipeline.finding import Finding
from pipeline.observations.consumed import EMPTY_DIGEST
from pipeline.observations.inbox.again import Again
from pipeline.observations.inbox.broken import Watch, gone
from pipeline.observations.inbox.folder import list_files, read_blocks
from pipeline.observations.inbox.lines import BLANK, BOM, LONGEST_LINE, LineReader, Position
from pipeline.observations.inbox.news import FileEnd, News, line_finding
from pipeline.observations.inbox.spool import Spool, hash_id
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import decode_line, read_observation
from pipeline.report import Intake

if TYPE_CHECKING:
    from pathlib import Path

    from pipeline.observations.consumed import Aside, Consumed
    from pipeline.observations.inbox.folder import Listing
    from pipeline.observations.inbox.lines import Line
    from pipeline.observations.observation import Json, Observation
    from pipeline.observations.redaction.redact import Redactor


def read_news(  # noqa: PLR0913  # what one pass depends on, value by value
    folder: Path,
    ledger: Consumed,
    *,
    redactor: Redactor,
    default_project: str,
    spool: Path,
    strict: bool = False,
) -> News:
    """Read what the ledger has not seen, below `folder`; close the result to remove the spool.

    With `strict` the first line that is set aside raises `ObservationError`.
    """
    listing = list_files(folder)
    if not listing.root.exists() and any(mark.bytes for mark in ledger.marks.values()):
        raise StoreError(
            "the folder is missing, but observations from it were consolidated.",
            where=folder.name,
            next_step="Check out the observations, or correct `observations` in wikimill.toml.",
        )
    store = Spool(spool)
    try:
        reading = _Reading(listing, ledger, redactor, default_project, store, strict=strict)
        return reading.read_all()
    except BaseException:
        store.close()
        raise


class _Reading:
    def __init__(  # noqa: PLR0913  # as above
        self,
        listing: Listing,
        ledger: Consumed,
        redactor: Redactor,
        default_project: str,
        spool: Spool,
        *,
        strict: bool,
    ) -> None:
        self._listing = listing
        self._ledger = ledger
        self._redactor = redactor
        self._default_project = default_project
        self._spool = spool
        self._strict = strict
        self._knows = False
        self._ends: list[FileEnd] = []
        self._findings: list[Finding] = [*listing.findings]
        self._broken: list[tuple[Finding, Aside]] = []
        self._counts: Counter[str] = Counter()
        self._redactions: Counter[str] = Counter()
        spool.enter_files(listing.files)
        self._again = Again(ledger, redactor, default_project, spool, self._load_known)

    def read_all(self) -> News:
        """Read every file, and look for those that are gone."""
        for file in self._listing.files:
            before = self._counts["looked at"]
            self._read_file(file)
            self._counts["files with news"] += self._counts["looked at"] > before
        self._look_further()
        self._note_gone()
        counts = self._counts
        intake = Intake(
            files=len(self._listing.files),
            files_with_news=counts["files with news"],
            lines=counts["looked at"] + counts["unfinished"],
            observations=counts["observations"],
            reread=self._again.given,
            duplicates=counts["duplicates"],
            naive_times=counts["naive times"],
            unfinished=counts["unfinished"],
            redactions=dict(sorted(self._redactions.items())),
            set_aside=tuple(self._findings),
            broken_promises=tuple(finding for finding, _ in self._broken),
        )
        return News(self._spool, self._ends, intake, (aside for _, aside in self._broken), self._ledger.again)

    def _read_file(self, file: str) -> None:
        mark = self._ledger.marks.get(file)
        try:
            reader, watch = self._open(file)
            if mark and not watch and self._again.began_in(file):
                self._again.read(self._listing, mark)
            self._read_lines(file, reader, watch)
        except StoreError as fault:
            self._note_unreadable(file, fault)
            return  # its mark stays as it is; what was read of it is known the next time
        self._ends.append(FileEnd(file, reader.position, mark))

    def _open(self, file: str) -> tuple[LineReader, Watch | None]:
        """Open a file where the last run stopped, or, when it is not what it was, at its start."""
        mark = self._ledger.marks.get(file)
        reader = LineReader(read_blocks(self._listing, file, lambda trouble: self._note_damage(file, trouble)))
        if mark is None or not mark.bytes or reader.skip(mark):
            return reader, None
        return LineReader(read_blocks(self._listing, file, lambda _trouble: None)), Watch(mark)

    def _note_unreadable(self, file: str, fault: StoreError) -> None:
        told = f"{fault.message}."
        self._findings.append(Finding(file, "unreadable-file", "error", told, "Make it readable, and run again."))

    def _note_damage(self, file: str, trouble: str) -> None:
        step = "What could be unpacked is used, the rest waits. Replace the file by a whole one."
        self._findings.append(Finding(file, "damaged-gzip", "warning", f"{trouble}.", step))

    def _read_lines(self, file: str, reader: LineReader, watch: Watch | None) -> None:
        at_start = not reader.position.bytes
        for line in reader.lines():
            raw = line.raw.removeprefix(BOM) if at_start else line.raw
            at_start = False
            blank = not line.too_long and not raw.strip(BLANK)
            if blank and not line.ended:
                break  # the line may still be written
            place = Place(file, line.number)
            if not blank and not self._take(raw, line, place, reader, watch):
                self._counts["unfinished"] += 1
                break
            if blank and watch:
                self._watch(watch, place, None)
        if watch:
            self._broken.append(watch.tell())

    def _take(self, raw: bytes, line: Line, place: Place, reader: LineReader, watch: Watch | None) -> bool:
        """Account for one line; tell whether it is finished."""
        observation = None
        try:
            decoded = _decode(line, raw, place)
        except ObservationError as fault:
            if not line.ended:
                return False
            self._set_aside(place, fault.message)
        else:
            try:
                observation = read_observation(decoded, place, default_project=self._default_project)
            except ObservationError as fault:
                self._set_aside(place, fault.message)
        if watch:
            self._watch(watch, place, observation)
        if observation and self._again.give(observation):
            return True
        self._counts["looked at"] += 1
        if observation:
            self._file(observation, reader.position)
        return True

    def _file(self, observation: Observation, start: Position) -> None:
        """Tell a new observation from a duplicate and a conflict."""
        self._load_known()
        met = self._spool.meet(self._redactor.safe_id(observation.id))
        if met is None:
            scrubbed, counts = self._redactor.scrub_observation(observation)
            self._spool.add(scrubbed, start)
            self._redactions.update(counts)
            self._counts["observations"] += 1
            self._counts["naive times"] += observation.naive_time
        elif met.digest == observation.digest:
            self._counts["duplicates"] += 1
            if met.waits_for:
                self._spool.wait(observation.place.file, start, met.waits_for)
        else:
            reason = f"its id stands with other content at {met.place}, and the first stands"
            self._set_aside(observation.place, reason, conflict=True)

    def _look_further(self) -> None:
        """Look in all other files for what no longer stands where it stood: files are renamed, and packed."""
        for end in self._ends:
            if not self._again.misses_some:
                return
            if end.before and not self._again.began_in(end.file):
                try:
                    self._again.read(self._listing, end.before)
                except StoreError as fault:
                    self._note_unreadable(end.file, fault)

    def _set_aside(self, place: Place, reason: str, *, conflict: bool = False) -> None:
        if self._strict:
            finding = line_finding(place, reason, conflict=conflict)
            raise ObservationError(finding.message, where=finding.where, next_step=finding.next_step)
        self._spool.set_aside(place, reason, conflict=conflict)

    def _watch(self, watch: Watch, place: Place, observation: Observation | None) -> None:
        if not watch.covers(place.line):
            watch.see(place.line, held_something=False, same=True)
            return
        self._load_known()
        held = self._spool.known_at(place)
        own = self._redactor.safe_id(observation.id) if observation else ""
        if held:
            same = observation is not None and (hash_id(own), observation.digest) in held
        else:
            met = self._spool.meet(own) if observation else None
            same = observation is None or (met is not None and met.waits_for is None)
        watch.see(place.line, held_something=bool(held), same=same)

    def _load_known(self) -> None:
        if not self._knows:
            self._knows = True
            self._spool.add_known(self._ledger.known())

    def _note_gone(self) -> None:
        here = set(self._listing.files)
        for file, mark in sorted(self._ledger.marks.items()):
            if file not in here and mark.bytes and self._listing.covers(file):
                self._broken.append(gone(file))
                self._ends.append(FileEnd(file, Position(0, 0, EMPTY_DIGEST), mark))


def _decode(line: Line, raw: bytes, place: Place) -> dict[str, Json]:
    if line.too_long:
        raise ObservationError(f"it is longer than {LONGEST_LINE // 1024**2} MiB", where=str(place))
    return decode_line(raw, place)
