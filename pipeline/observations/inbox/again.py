"""Owns the second look at what was consumed: sessions that are taken again are given whole. It moves no mark.

An observation is known by its id and digest, so that it is found wherever it stands now. What is not asked for is
stepped over without a word: it was accounted for when it was consumed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pipeline.errors import ObservationError
from pipeline.observations.inbox.folder import read_blocks
from pipeline.observations.inbox.lines import BLANK, BOM, LineReader, first_bytes
from pipeline.observations.observation import Place, SessionKey
from pipeline.observations.parsing.parse import decode_line, read_observation

if TYPE_CHECKING:
    from collections.abc import Callable

    from pipeline.observations.consumed import Consumed, FileMark
    from pipeline.observations.inbox.folder import Listing
    from pipeline.observations.inbox.spool import Spool
    from pipeline.observations.observation import Observation
    from pipeline.observations.redaction.redact import Redactor


class Again:
    """The sessions that are taken again; `given` counts what was found of them so far."""

    def __init__(
        self,
        ledger: Consumed,
        redactor: Redactor,
        default_project: str,
        spool: Spool,
        load_known: Callable[[], None],
    ) -> None:
        self._sessions = ledger.again
        self._redactor = redactor
        self._default_project = default_project
        self._spool = spool
        self._load_known = load_known
        self._files: set[str] = set()
        self.given = 0
        for key in sorted(ledger.again):
            self._files.update(spool.again.add(key, ledger.known_of(key)))

    @property
    def misses_some(self) -> bool:
        """Whether an observation was not found yet."""
        return self._spool.again.misses_some

    def began_in(self, file: str) -> bool:
        """Tell whether one of the sessions was consolidated from a file."""
        return file in self._files

    def read(self, listing: Listing, mark: FileMark) -> None:
        """Look through the consumed lines of a file, of which the mark still holds."""
        blocks = read_blocks(listing, mark.file, lambda _trouble: None)
        for line in LineReader(first_bytes(blocks, mark.bytes)).lines():
            raw = line.raw.removeprefix(BOM) if line.number == 1 else line.raw
            if line.too_long or not raw.strip(BLANK):
                continue
            place = Place(mark.file, line.number)
            try:
                observation = read_observation(decode_line(raw, place), place, default_project=self._default_project)
            except ObservationError:
                continue
            if not self.give(observation):
                self._give_passed_over(observation)

    def give(self, observation: Observation) -> bool:
        """Give an observation once more if its session is taken again; tell whether this was one."""
        if not self._sessions:
            return False
        own = self._redactor.safe_id(observation.id)
        key = self._spool.again.meet(own, observation.digest, observation.place)
        if key is None:
            return False
        # The ledger's name of the session: settings that give a session its project may have changed since.
        self._spool.again.give(replace(self._redactor.scrub_observation(observation)[0], session=key))
        self.given += 1
        return True

    def _give_passed_over(self, observation: Observation) -> None:
        """Give an observation that was consumed but never consolidated, if its session is taken again."""
        session = observation.session
        names = (session.workspace, session.project, session.session_id)
        if SessionKey(*(self._redactor.scrub(name).text for name in names)) not in self._sessions:
            return
        self._load_known()
        if self._spool.meet(self._redactor.safe_id(observation.id)) is None:
            self._spool.add_passed_over(self._redactor.scrub_observation(observation)[0])
            self.given += 1
