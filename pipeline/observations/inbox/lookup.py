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
from pipeline.wiki.revision.sources import is_label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
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

    Each file is read once, or twice when a line has moved.
    """
    wanted: dict[str, list[Citation]] = defaultdict(list)
    for citation in citations:
        wanted[citation.file].append(citation)
    listing = list_files(root)
    found: dict[Citation, Observation] = {}
    for file in sorted(wanted.keys() & set(listing.files)):
        missing = set(wanted[file])
        for whole in (False, True):
            if not missing:
                break
            lines = {one.line for one in missing}
            for line in _lines(listing, file):
                if not whole and line.number not in lines:
                    continue
                observation = _read(line, file, redactor, default_project)
                fits = [one for one in missing if observation and _fits(one, observation, line.number, whole=whole)]
                found.update((one, observation) for one in fits if observation)
                missing.difference_update(fits)
                if not missing:
                    break
    return found


def _lines(listing: Listing, file: str) -> Iterable[Line]:
    try:
        yield from LineReader(read_blocks(listing, file, lambda _: None)).lines()
    except StoreError:
        return


def _read(line: Line, file: str, redactor: Redactor, default_project: str) -> Observation | None:
    try:
        observation = parse_line(line.raw, Place(file, line.number), default_project=default_project)
    except ObservationError:
        return None
    return redactor.scrub_observation(observation)[0]


def _fits(citation: Citation, observation: Observation, number: int, *, whole: bool) -> bool:
    """Whether this is the observation that was cited."""
    return (whole or citation.line == number) and is_label_of(citation.label, observation.id)
