"""Owns the wiki as a run sees it while it goes: what stands, what the run has made, and what waits for a commit.

Pure: it holds values; who lands them stands elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.consolidation.desk import Scene
from pipeline.memory.search.index import Index, key_of
from pipeline.wiki import ledger
from pipeline.wiki.catalogue import is_page, read_catalogue
from pipeline.wiki.derived.derived import derive
from pipeline.wiki.derived.indexes import renew_all
from pipeline.wiki.overlay import Overlay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from pipeline.consolidation.applying import Consolidated
    from pipeline.finding import Finding
    from pipeline.observations.consumed import Aside, FileMark, KnownObservation
    from pipeline.observations.observation import SessionKey
    from pipeline.wiki.entry import CatalogueEntry


class Books:
    """The files of the wiki, ledger included, and those of them that the next commit has to carry."""

    def __init__(self, standing: Mapping[str, bytes], stored: Callable[[], Index] = Index) -> None:
        """Open the books; `stored` gives an index from before, when one is first asked for."""
        self._before = standing
        self._wiki = Overlay(standing)
        self._waiting: dict[str, bytes] = {}
        self._changed: set[str] = set()
        self._catalogue: dict[str, CatalogueEntry] | None = None
        self._findings: tuple[Finding, ...] = ()
        self._stored = stored
        self._index: Index | None = None

    @property
    def wiki(self) -> Mapping[str, bytes]:
        """Everything as it stands now."""
        return self._wiki

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Pages that cannot be parsed, and trouble in the ledger; the former only once the catalogue was read."""
        return (*ledger.findings(self._wiki), *self._findings)

    @property
    def parked(self) -> tuple[Finding, ...]:
        """Sessions that are parked, from this run and earlier ones."""
        return ledger.parked(self._wiki)

    @property
    def catalogue(self) -> Mapping[str, CatalogueEntry]:
        """Every page in a line; read when it is first asked for, kept up to date after that."""
        if self._catalogue is None:
            self._catalogue, self._findings = read_catalogue(self._wiki)
        return self._catalogue

    @property
    def index(self) -> Index:
        """What search finds the pages of the catalogue by; made when it is first asked for.

        Pages that are recorded later come in by `renew_index`: what is drafted on one state of the wiki finds no
        page of a later one.
        """
        if self._index is None:
            self._index = self._stored()
            pages = {path: self._wiki[path] for path in self.catalogue}
            self._index.refresh({path: key_of(raw) for path, raw in pages.items()}, pages.__getitem__)
        return self._index

    def scene(self) -> Scene:
        """Give the wiki as it stands now, to make requests from."""
        return Scene(self._wiki.copy(), self.catalogue, self.index)

    def renew_index(self, pages: Iterable[str]) -> None:
        """Let the index hold these pages as they stand now."""
        for path in pages:
            self.index.put(path, self._wiki[path])

    @property
    def made_index(self) -> Index | None:
        """The index, if anybody asked for it."""
        return self._index

    def free_parked(self) -> None:
        """Give every parked session its attempts again; what it passed over counts as unread."""
        for record in tuple(ledger.sessions(self._wiki)):
            if record.state == "parked" or record.waiting:
                self._put(ledger.unpark(self._wiki, record.key))

    def hold_parked(self, key: SessionKey, files: Iterable[str]) -> None:
        """Record that a parked session passes over new lines in those files."""
        self._put(ledger.hold(self._wiki, key, files))

    def record_failure(
        self, key: SessionKey, attempt: ledger.Attempt, *, most: int, files: Iterable[str]
    ) -> ledger.SessionRecord:
        """Record an attempt that failed; the answer tells whether the session is parked now."""
        self._put(ledger.record_failure(self._wiki, key, attempt, most=most, waiting=files))
        return ledger.read_session(self._wiki, key) or ledger.SessionRecord(key, "failing")

    def record_success(  # noqa: PLR0913  # what stands in the record, value by value
        self,
        key: SessionKey,
        done: Consolidated,
        observations: Sequence[KnownObservation],
        *,
        prompt: str,
        model: str,
        at: datetime,
        provisional: bool = False,
    ) -> None:
        """Take over a session's pages, what follows from them, and its record."""
        catalogue = {**self.catalogue, **done.entries}
        derived = derive(self._wiki, catalogue, key, done.outcomes, at.date())
        self._catalogue = catalogue
        self._put(done.pages)
        self._put(derived)
        page = done.session_page
        self._put(
            ledger.record_session(
                self._wiki,
                key,
                observations=observations,
                prompt=prompt,
                model=model,
                page=page,
                provisional=provisional,
            )
        )

    def record_reading(self, marks: Mapping[str, FileMark], aside: Iterable[Aside]) -> None:
        """Record how far the observation files are settled, and which of their lines were set aside."""
        self._put(ledger.settle_merges(self._wiki))
        self._put(ledger.render_marks(self._wiki, marks))
        self._put(ledger.render_aside(self._wiki, aside))

    @property
    def has_news(self) -> bool:
        """Whether anything waits for a commit."""
        return bool(self._waiting)

    def renew_indexes(self) -> None:
        """Let every index fit its pages: people move and remove pages, and merges bring some in."""
        self._put(renew_all(tuple(self.catalogue.values()), self._wiki))

    def take_waiting(self) -> dict[str, bytes]:
        """Hand over what the next commit has to carry."""
        waiting, self._waiting = self._waiting, {}
        return waiting

    def changed_pages(self) -> tuple[tuple[str, bytes, bytes], ...]:
        """Give path, bytes before and bytes now of every page that was changed since the start."""
        return tuple(
            (path, self._before.get(path, b""), self._wiki[path]) for path in sorted(self._changed) if is_page(path)
        )

    def _put(self, files: Mapping[str, bytes]) -> None:
        new = {path: raw for path, raw in files.items() if self._wiki.get(path) != raw}
        self._wiki.put(new)
        self._waiting.update(new)
        self._changed.update(new)
