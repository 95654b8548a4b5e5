"""Owns the spool as a run uses it: new observations, which line waits for which session, and what was set aside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.observations.inbox.lines import Position
from pipeline.observations.inbox.spool.again import TABLE as AGAIN_TABLE
from pipeline.observations.inbox.spool.again import TakenAgain
from pipeline.observations.inbox.spool.rows import hash_id, to_observation, to_time
from pipeline.observations.inbox.spool.store import Store
from pipeline.observations.observation import Place, SessionKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path
    from sqlite3 import Connection

    from pipeline.observations.consumed import KnownObservation
    from pipeline.observations.observation import Observation

_TABLES = """
CREATE TABLE ids (
    id BLOB PRIMARY KEY, digest TEXT NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL, session INTEGER
) WITHOUT ROWID;
CREATE TABLE waiting (
    file INTEGER NOT NULL, bytes INTEGER NOT NULL, lines INTEGER NOT NULL, digest TEXT NOT NULL,
    session INTEGER NOT NULL
);
CREATE INDEX waiting_in_file ON waiting (file, bytes);
CREATE INDEX waiting_for_session ON waiting (session);
CREATE TABLE aside (file INTEGER NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, conflict INTEGER NOT NULL);
"""
_ORDER = """
SELECT s.workspace, s.project, s.session_id, count(*), min(o.ts)
FROM observations o JOIN sessions s ON s.number = o.session
GROUP BY o.session ORDER BY min(o.ts), s.workspace, s.project, s.session_id
"""
_OBSERVATIONS = """
SELECT o.id, o.digest, o.ts, o.agent_kind, o.author, o.role, o.kind, o.title, o.body, o.importance, o.tags, o.files,
       f.path, o.line, o.naive, o.extra
FROM observations o JOIN files f ON f.number = o.file
WHERE o.session = ? ORDER BY o.ts, o.file, o.line, o.rowid
"""


@dataclass(frozen=True, slots=True)
class Met:
    """An observation of the same id that was met before; `waits_for` is its session when it is of this run."""

    digest: str
    place: Place
    waits_for: SessionKey | None


class Spool:
    """New observations, and which line of which file waits for which session."""

    def __init__(self, path: Path) -> None:
        self._store = Store(path, _TABLES, AGAIN_TABLE)
        self.again = TakenAgain(self._store)

    def close(self) -> None:
        """Remove the file."""
        self._store.close()

    def enter_files(self, paths: Iterable[str]) -> None:
        """Enter files in their order, which becomes the order of places."""
        with self._store.at_work():
            for path in paths:
                self._store.number(path)

    def add_known(self, known: Iterable[KnownObservation]) -> None:
        """Enter what earlier runs have consolidated."""
        with self._store.at_work() as database:
            rows = ((hash_id(one.id), one.digest, self._store.number(one.place.file), one.place.line) for one in known)
            database.executemany("INSERT OR IGNORE INTO ids VALUES (?, ?, ?, ?, NULL)", rows)

    def known_at(self, place: Place) -> tuple[tuple[bytes, str], ...]:
        """Give what earlier runs have consolidated from one place: hashes of ids, and digests."""
        with self._store.at_work() as database:
            database.execute("CREATE INDEX IF NOT EXISTS ids_at ON ids (file, line)")
            rows = database.execute(
                "SELECT id, digest FROM ids WHERE file = ? AND line = ? AND session IS NULL",
                (self._store.number(place.file), place.line),
            )
            return tuple((bytes(key), str(digest)) for key, digest in rows)

    def meet(self, own_id: str) -> Met | None:
        """Find an observation of the same id that was met before."""
        with self._store.at_work() as database:
            row: tuple[str, str, int, str | None, str, str] | None = database.execute(
                "SELECT i.digest, f.path, i.line, s.workspace, s.project, s.session_id FROM ids i "
                "JOIN files f ON f.number = i.file LEFT JOIN sessions s ON s.number = i.session WHERE i.id = ?",
                (hash_id(own_id),),
            ).fetchone()
        if row is None:
            return None
        digest, path, line, workspace, project, session_id = row
        session = None if workspace is None else SessionKey(workspace, project, session_id)
        return Met(digest, Place(path, line), session)

    def add(self, observation: Observation, start: Position) -> None:
        """Enter a new observation, whose line begins at `start`."""
        with self._store.at_work() as database:
            session = self._enter(database, observation)
            self._wait(database, observation.place.file, start, session)

    def add_passed_over(self, observation: Observation) -> None:
        """Enter an observation that was consumed before without being consolidated; its line waits for nothing."""
        with self._store.at_work() as database:
            self._enter(database, observation)

    def wait(self, file: str, start: Position, key: SessionKey) -> None:
        """Note that a line, which begins at `start`, is consumed only with a session of this run."""
        with self._store.at_work() as database:
            self._wait(database, file, start, self._store.session(key))

    def settle(self, key: SessionKey) -> tuple[str, ...]:
        """Note that nothing waits for a session any more; give the files that this concerns."""
        with self._store.at_work() as database:
            session = self._store.session(key)
            rows = database.execute(
                "SELECT DISTINCT f.path FROM waiting w JOIN files f ON f.number = w.file WHERE w.session = ?",
                (session,),
            ).fetchall()
            database.execute("DELETE FROM waiting WHERE session = ?", (session,))
        return tuple(path for (path,) in rows)

    def first_waiting(self, file: str) -> Position | None:
        """Find where the first line of a file begins that still waits."""
        with self._store.at_work() as database:
            row: tuple[int, int, str] | None = database.execute(
                "SELECT bytes, lines, digest FROM waiting WHERE file = ? ORDER BY bytes LIMIT 1",
                (self._store.number(file),),
            ).fetchone()
        return Position(*row) if row else None

    def sessions(self) -> Iterator[tuple[SessionKey, int, datetime]]:
        """Give each session with the number of its observations and the time of the first, by that time."""
        with self._store.at_work() as database:
            for workspace, project, session_id, number, first in database.execute(_ORDER):
                yield SessionKey(workspace, project, session_id), number, to_time(first)

    def observations(self, key: SessionKey) -> tuple[Observation, ...]:
        """Give the new observations of a session, by time, then by place."""
        with self._store.at_work() as database:
            rows = database.execute(_OBSERVATIONS, (self._store.session(key),))
            return tuple(to_observation(key, row) for row in rows)

    def set_aside(self, place: Place, reason: str, *, conflict: bool) -> None:
        """Enter a line that is not consolidated."""
        with self._store.at_work() as database:
            database.execute(
                "INSERT INTO aside VALUES (?,?,?,?)", (self._store.number(place.file), place.line, reason, conflict)
            )

    def aside(self) -> Iterator[tuple[Place, str, bool]]:
        """Give each line that was set aside, why, and whether it is a conflict, by place."""
        with self._store.at_work() as database:
            rows = database.execute(
                "SELECT f.path, a.line, a.reason, a.conflict FROM aside a JOIN files f ON f.number = a.file "
                "ORDER BY a.file, a.line, a.rowid"
            )
            for path, line, reason, conflict in rows:
                yield Place(path, line), reason, bool(conflict)

    def _enter(self, database: Connection, observation: Observation) -> int:
        place, session = observation.place, self._store.session(observation.session)
        self._store.insert(observation, session)
        database.execute(
            "INSERT OR IGNORE INTO ids VALUES (?,?,?,?,?)",
            (hash_id(observation.id), observation.digest, self._store.number(place.file), place.line, session),
        )
        return session

    def _wait(self, database: Connection, file: str, start: Position, session: int) -> None:
        row = (self._store.number(file), start.bytes, start.lines, start.digest, session)
        database.execute("INSERT INTO waiting VALUES (?,?,?,?,?)", row)
