"""Owns the spool's table of what sessions that are taken again were consolidated from, and what was found of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.observations.inbox.spool.rows import hash_id
from pipeline.observations.observation import Place, SessionKey

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.observations.consumed import KnownObservation
    from pipeline.observations.inbox.spool.store import Store
    from pipeline.observations.observation import Observation

TABLE = """
CREATE TABLE again (
    id BLOB PRIMARY KEY, digest TEXT NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL,
    session INTEGER NOT NULL, observation INTEGER
) WITHOUT ROWID;
"""


class TakenAgain:
    """The observations of the sessions that are taken again; each is found once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._missing = 0

    def add(self, key: SessionKey, known: Iterable[KnownObservation]) -> tuple[str, ...]:
        """Enter what a session was consolidated from that is taken again; give the files where it stood."""
        with self._store.at_work() as database:
            session, files = self._store.session(key), set()
            for one in known:
                row = (hash_id(one.id), one.digest, self._store.number(one.place.file), one.place.line, session)
                self._missing += database.execute(
                    "INSERT OR IGNORE INTO again VALUES (?, ?, ?, ?, ?, NULL)", row
                ).rowcount
                files.add(one.place.file)
        return tuple(sorted(files))

    @property
    def misses_some(self) -> bool:
        """Whether an observation of a session that is taken again was not found yet."""
        return self._missing > 0

    def meet(self, own_id: str, digest: str, place: Place) -> SessionKey | None:
        """Find the session that is taken again, and whose observation this is that was not found yet.

        Of several lines that hold it, the one counts from which it was consolidated, if it is still there.
        """
        with self._store.at_work() as database:
            row: tuple[int | None, str, int, str, str, str] | None = database.execute(
                "SELECT a.observation, f.path, a.line, s.workspace, s.project, s.session_id FROM again a "
                "JOIN files f ON f.number = a.file JOIN sessions s ON s.number = a.session "
                "WHERE a.id = ? AND a.digest = ?",
                (hash_id(own_id), digest),
            ).fetchone()
            if row is None:
                return None
            found, path, line, *names = row
            if found is None:
                return SessionKey(*names)
            if place == Place(path, line):
                values = (self._store.number(path), line, found)
                database.execute("UPDATE observations SET file = ?, line = ? WHERE rowid = ?", values)
        return None

    def give(self, observation: Observation) -> None:
        """Enter an observation that was consumed before; its line waits for nothing."""
        with self._store.at_work() as database:
            number = self._store.insert(observation, self._store.session(observation.session))
            key = hash_id(observation.id)
            database.execute("UPDATE again SET observation = ? WHERE id = ?", (number, key))
        self._missing -= 1
