"""Owns the temporary file that holds new observations, sorted by session, while a run works on them.

Knows no input file and no secret: only redacted observations come in. It is one SQLite database, without journal
or durability, for it dies with its run; what a killed run left is removed when the next one opens. Two runs must
not share a path.
"""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import StoreError
from pipeline.observations.inbox.lines import Position
from pipeline.observations.inbox.spooled import to_columns, to_number, to_observation, to_time
from pipeline.observations.observation import Place, SessionKey

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from pipeline.observations.consumed import KnownObservation
    from pipeline.observations.observation import Observation

_SCHEMA = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -8192;
CREATE TABLE files (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY, workspace TEXT NOT NULL, project TEXT NOT NULL, session_id TEXT NOT NULL,
    UNIQUE (workspace, project, session_id)
);
CREATE TABLE ids (
    id BLOB PRIMARY KEY, digest TEXT NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL, session INTEGER
) WITHOUT ROWID;
CREATE TABLE observations (
    session INTEGER NOT NULL, ts INTEGER NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL,
    id TEXT NOT NULL, digest TEXT NOT NULL, agent_kind TEXT NOT NULL, author TEXT NOT NULL, role TEXT NOT NULL,
    kind TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, importance INTEGER NOT NULL, tags TEXT NOT NULL,
    files TEXT NOT NULL, naive INTEGER NOT NULL, extra TEXT NOT NULL
);
CREATE INDEX by_session ON observations (session, ts, file, line);
CREATE TABLE waiting (
    file INTEGER NOT NULL, bytes INTEGER NOT NULL, lines INTEGER NOT NULL, digest TEXT NOT NULL,
    session INTEGER NOT NULL
);
CREATE INDEX waiting_in_file ON waiting (file, bytes);
CREATE INDEX waiting_for_session ON waiting (session);
CREATE TABLE again (
    id BLOB PRIMARY KEY, digest TEXT NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL,
    session INTEGER NOT NULL, observation INTEGER
) WITHOUT ROWID;
CREATE TABLE aside (file INTEGER NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, conflict INTEGER NOT NULL);
BEGIN;
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

_ID_SIZE = 16


@dataclass(frozen=True, slots=True)
class Met:
    """An observation of the same id that was met before; `waits_for` is its session when it is of this run."""

    digest: str
    place: Place
    waits_for: SessionKey | None


class Spool:
    """New observations, and which line of which file waits for which session."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files: dict[str, int] = {}
        self._missing = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._remove()
        except OSError as fault:
            raise StoreError(f"cannot be replaced: {fault.strerror}.", where=path.name) from None
        with _telling(path):
            self._database = sqlite3.connect(path, isolation_level=None)
            self._database.executescript(_SCHEMA)

    def close(self) -> None:
        """Remove the file."""
        self._database.close()
        with contextlib.suppress(OSError):
            self._remove()

    def _remove(self) -> None:
        for ending in ("", "-journal", "-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)

    def enter_files(self, paths: Iterable[str]) -> None:
        """Enter files in their order, which becomes the order of places."""
        with _telling(self._path):
            for path in paths:
                self._number(path)

    def add_known(self, known: Iterable[KnownObservation]) -> None:
        """Enter what earlier runs have consolidated."""
        with _telling(self._path):
            rows = ((hash_id(one.id), one.digest, self._number(one.place.file), one.place.line) for one in known)
            self._database.executemany("INSERT OR IGNORE INTO ids VALUES (?, ?, ?, ?, NULL)", rows)

    def known_at(self, place: Place) -> tuple[tuple[bytes, str], ...]:
        """Give what earlier runs have consolidated from one place: hashes of ids, and digests."""
        with _telling(self._path):
            self._database.execute("CREATE INDEX IF NOT EXISTS ids_at ON ids (file, line)")
            rows = self._database.execute(
                "SELECT id, digest FROM ids WHERE file = ? AND line = ? AND session IS NULL",
                (self._number(place.file), place.line),
            )
            return tuple((bytes(key), str(digest)) for key, digest in rows)

    def add_again(self, key: SessionKey, known: Iterable[KnownObservation]) -> tuple[str, ...]:
        """Enter what a session was consolidated from that is taken again; give the files where it stood."""
        with _telling(self._path):
            session, files = self._session(key), set()
            for one in known:
                row = (hash_id(one.id), one.digest, self._number(one.place.file), one.place.line, session)
                self._missing += self._database.execute(
                    "INSERT OR IGNORE INTO again VALUES (?, ?, ?, ?, ?, NULL)", row
                ).rowcount
                files.add(one.place.file)
        return tuple(sorted(files))

    @property
    def misses_some(self) -> bool:
        """Whether an observation of a session that is taken again was not found yet."""
        return self._missing > 0

    def meet_again(self, own_id: str, digest: str, place: Place) -> SessionKey | None:
        """Find the session that is taken again, and whose observation this is that was not found yet.

        Of several lines that hold it, the one counts from which it was consolidated, if it is still there.
        """
        with _telling(self._path):
            row: tuple[int | None, str, int, str, str, str] | None = self._database.execute(
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
                values = (self._number(path), line, found)
                self._database.execute("UPDATE observations SET file = ?, line = ? WHERE rowid = ?", values)
        return None

    def give_again(self, observation: Observation) -> None:
        """Enter an observation that was consumed before; its line waits for nothing."""
        with _telling(self._path):
            number = self._insert(observation, self._session(observation.session))
            key = hash_id(observation.id)
            self._database.execute("UPDATE again SET observation = ? WHERE id = ?", (number, key))
        self._missing -= 1

    def meet(self, own_id: str) -> Met | None:
        """Find an observation of the same id that was met before."""
        with _telling(self._path):
            row: tuple[str, str, int, str | None, str, str] | None = self._database.execute(
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
        with _telling(self._path):
            file, session = self._number(observation.place.file), self._session(observation.session)
            self._insert(observation, session)
            self._enter_id(observation, session)
            self._wait(file, start, session)

    def add_passed_over(self, observation: Observation) -> None:
        """Enter an observation that was consumed before without being consolidated; its line waits for nothing."""
        with _telling(self._path):
            session = self._session(observation.session)
            self._insert(observation, session)
            self._enter_id(observation, session)

    def wait(self, file: str, start: Position, key: SessionKey) -> None:
        """Note that a line, which begins at `start`, is consumed only with a session of this run."""
        with _telling(self._path):
            self._wait(self._number(file), start, self._session(key))

    def settle(self, key: SessionKey) -> tuple[str, ...]:
        """Note that nothing waits for a session any more; give the files that this concerns."""
        with _telling(self._path):
            session = self._session(key)
            rows = self._database.execute(
                "SELECT DISTINCT f.path FROM waiting w JOIN files f ON f.number = w.file WHERE w.session = ?",
                (session,),
            ).fetchall()
            self._database.execute("DELETE FROM waiting WHERE session = ?", (session,))
        return tuple(path for (path,) in rows)

    def first_waiting(self, file: str) -> Position | None:
        """Find where the first line of a file begins that still waits."""
        with _telling(self._path):
            row: tuple[int, int, str] | None = self._database.execute(
                "SELECT bytes, lines, digest FROM waiting WHERE file = ? ORDER BY bytes LIMIT 1", (self._number(file),)
            ).fetchone()
        return Position(*row) if row else None

    def sessions(self) -> Iterator[tuple[SessionKey, int, datetime]]:
        """Give each session with the number of its observations and the time of the first, by that time."""
        with _telling(self._path):
            for workspace, project, session_id, number, first in self._database.execute(_ORDER):
                yield SessionKey(workspace, project, session_id), number, to_time(first)

    def observations(self, key: SessionKey) -> tuple[Observation, ...]:
        """Give the new observations of a session, by time, then by place."""
        with _telling(self._path):
            rows = self._database.execute(_OBSERVATIONS, (self._session(key),))
            return tuple(to_observation(key, row) for row in rows)

    def set_aside(self, place: Place, reason: str, *, conflict: bool) -> None:
        """Enter a line that is not consolidated."""
        with _telling(self._path):
            self._database.execute(
                "INSERT INTO aside VALUES (?,?,?,?)", (self._number(place.file), place.line, reason, conflict)
            )

    def aside(self) -> Iterator[tuple[Place, str, bool]]:
        """Give each line that was set aside, why, and whether it is a conflict, by place."""
        with _telling(self._path):
            rows = self._database.execute(
                "SELECT f.path, a.line, a.reason, a.conflict FROM aside a JOIN files f ON f.number = a.file "
                "ORDER BY a.file, a.line, a.rowid"
            )
            for path, line, reason, conflict in rows:
                yield Place(path, line), reason, bool(conflict)

    def _insert(self, observation: Observation, session: int) -> int:
        place = observation.place
        row = (session, to_number(observation.ts), self._number(place.file), place.line, *to_columns(observation))
        added = self._database.execute("INSERT INTO observations VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", row)
        return added.lastrowid or 0

    def _enter_id(self, observation: Observation, session: int) -> None:
        place = observation.place
        self._database.execute(
            "INSERT OR IGNORE INTO ids VALUES (?,?,?,?,?)",
            (hash_id(observation.id), observation.digest, self._number(place.file), place.line, session),
        )

    def _wait(self, file: int, start: Position, session: int) -> None:
        row = (file, start.bytes, start.lines, start.digest, session)
        self._database.execute("INSERT INTO waiting VALUES (?,?,?,?,?)", row)

    def _number(self, path: str) -> int:
        number = self._files.get(path)
        if number is None:
            number = self._files[path] = len(self._files) + 1
            self._database.execute("INSERT INTO files VALUES (?, ?)", (number, path))
        return number

    def _session(self, key: SessionKey) -> int:
        names = (key.workspace, key.project, key.session_id)
        row: tuple[int] | None = self._database.execute(
            "SELECT number FROM sessions WHERE workspace = ? AND project = ? AND session_id = ?", names
        ).fetchone()
        if row:
            return row[0]
        added = self._database.execute("INSERT INTO sessions (workspace, project, session_id) VALUES (?,?,?)", names)
        return added.lastrowid or 0


def hash_id(own_id: str) -> bytes:
    """Give the hash by which the spool knows an id."""
    return hashlib.blake2b(own_id.encode("utf-8", "surrogatepass"), digest_size=_ID_SIZE).digest()


@contextlib.contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as fault:
        step = "Make room on the disk, or see that the folder can be written, and run again."
        raise StoreError(
            f"the file for new observations cannot be used: {fault}.", where=path.name, next_step=step
        ) from None
