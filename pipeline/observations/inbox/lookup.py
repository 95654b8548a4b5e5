"""Owns finding the observations that pages cite, by file and line; reads files, writes nothing, knows no page.

Lines may have moved since a page was written, when two branches that both appended to a file were merged: then the
observation is looked for in the whole file, by the label that its id makes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import ObservationError, StoreError
from pipeline.observations.inbox.folder import list_files, read_blocks
from pipeline.observations.inbox.lines import LineReader
from pipeline.observations.observation import Place
from pipeline.observations.parsing.parse import parse_line
from pipeline.wiki.revision.sources import labels_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from pipeline.observations.inbox.folder import Listing
    from pipeline.observations.inbox.lines import Line
    from pipeline.observations.observation import Observation
    from pipeline.observations.redaction.redact import Redactor


@dataclass(frozen=True, slots=True, order=True)
class Citation:
    """What a page cites: a file below the observations folder, a line of it from 1, and the label on the page."""

    file: str
    line: int
    label: str


def look_up(
    root: Path, citations: Iterable[Citation], *, redactor: Redactor, default_project: str
) -> Mapping[Citation, Observation]:
    """Find cited observations below `root`, redacted; what cannot be found is left out.

    Each file is read once, or twice when a line has moved; no more than one line of it is held.
    """
    wanted: dict[str, list[Citation]] = defaultdict(list)
    for citation in citations:
        wanted[citation.file].append(citation)
    listing = list_files(root)
    found: dict[Citation, Observation] = {}
    for file in sorted(wanted.keys() & set(listing.files)):
        some = _Wanted(wanted[file], redactor, default_project)
        last = max(some.lines)
        for whole in (False, True):
            for line in _lines(listing, file):
                if not some.by_label or not (whole or line.number <= last):
                    break
                if whole or line.number in some.lines:
                    found.update(some.take(line, Place(file, line.number), whole=whole))
    return found


class _Wanted:
    """The citations of one file that are not found yet, by their labels."""

    def __init__(self, citations: Iterable[Citation], redactor: Redactor, default_project: str) -> None:
        self.by_label: dict[str, list[Citation]] = {}
        self.lines: set[int] = set()
        self._redactor = redactor
        self._default_project = default_project
        for citation in dict.fromkeys(citations):
            self.by_label.setdefault(citation.label, []).append(citation)
            self.lines.add(citation.line)

    def take(self, line: Line, place: Place, *, whole: bool) -> Iterator[tuple[Citation, Observation]]:
        """Give the citations that mean the observation of a line: those of this line or, with `whole`, of any."""
        try:
            observation = parse_line(line.raw, place, default_project=self._default_project)
        except ObservationError:
            return
        # The id tells whether the line is meant, before the rest of it is looked through for secrets.
        for label in labels_of(self._redactor.safe_id(observation.id)):
            here = [one for one in self.by_label.get(label, ()) if whole or one.line == place.line]
            if not here:
                continue
            left = [one for one in self.by_label.pop(label) if one not in here]
            if left:
                self.by_label[label] = left
            scrubbed = self._redactor.scrub_observation(observation)[0]
            yield from ((one, scrubbed) for one in here)


def _lines(listing: Listing, file: str) -> Iterator[Line]:
    try:
        yield from LineReader(read_blocks(listing, file, lambda _: None)).lines()
    except StoreError:
        return
