"""Owns the database file of a spool, and what all of its tables point to: files, sessions, observations.

It is one SQLite database, without journal or durability, and all of it is one transaction that nobody commits.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from pipeline.errors import StoreError
from pipeline.observations.inbox.spool.rows import to_columns, to_number

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pipeline.observations.observation import Observation, SessionKey

_SETTINGS = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA cache_size = -8192;
"""
_TABLES = """
CREATE TABLE files (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE);
CREATE TABLE sessions (
    number INTEGER PRIMARY KEY, workspace TEXT NOT NULL, project TEXT NOT NULL, session_id TEXT NOT NULL,
    UNIQUE (workspace, project, session_id)
);
CREATE TABLE observations (
    session INTEGER NOT NULL, ts INTEGER NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL,
    id TEXT NOT NULL, digest TEXT NOT NULL, agent_kind TEXT NOT NULL, author TEXT NOT NULL, role TEXT NOT NULL,
    kind TEXT NOT NULL, title TEXT NOT NULL, body TEXT NOT NULL, importance INTEGER NOT NULL, tags TEXT NOT NULL,
    files TEXT NOT NULL, naive INTEGER NOT NULL, extra TEXT NOT NULL
);
CREATE INDEX by_session ON observations (session, ts, file, line);
"""


class Store:
    """A spool's file, with the tables that `tables` adds to those that they point to."""

    def __init__(self, path: Path, *tables: str) -> None:
        self._path = path
        self._files: dict[str, int] = {}
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._remove()
        except OSError as fault:
            raise StoreError(f"cannot be replaced: {fault.strerror}.", where=path.name) from None
        try:
            self._database = sqlite3.connect(path, isolation_level=None)
            self._database.executescript("".join((_SETTINGS, _TABLES, *tables, "BEGIN;")))
        except sqlite3.Error as fault:
            raise _unusable(path, fault) from None

    def close(self) -> None:
        """Remove the file."""
        self._database.close()
        with contextlib.suppress(OSError):
            self._remove()

    def _remove(self) -> None:
        for ending in ("", "-journal", "-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)

    @contextlib.contextmanager
    def at_work(self) -> Iterator[sqlite3.Connection]:
        """Give the database; what is wrong with it becomes a `StoreError`."""
        try:
            yield self._database
        except sqlite3.Error as fault:
            raise _unusable(self._path, fault) from None

    def insert(self, observation: Observation, session: int) -> int:
        """Enter an observation of a session; give the number of its row."""
        place = observation.place
        row = (session, to_number(observation.ts), self.number(place.file), place.line, *to_columns(observation))
        added = self._database.execute("INSERT INTO observations VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", row)
        return added.lastrowid or 0

    def number(self, path: str) -> int:
        """Give the number of a file; it gets one when it is first asked for."""
        number = self._files.get(path)
        if number is None:
            number = self._files[path] = len(self._files) + 1
            self._database.execute("INSERT INTO files VALUES (?, ?)", (number, path))
        return number

    def session(self, key: SessionKey) -> int:
        """Give the number of a session; it gets one when it is first asked for."""
        names = (key.workspace, key.project, key.session_id)
        row: tuple[int] | None = self._database.execute(
            "SELECT number FROM sessions WHERE workspace = ? AND project = ? AND session_id = ?", names
        ).fetchone()
        if row:
            return row[0]
        added = self._database.execute("INSERT INTO sessions (workspace, project, session_id) VALUES (?,?,?)", names)
        return added.lastrowid or 0


def _unusable(path: Path, fault: sqlite3.Error) -> StoreError:
    step = "Make room on the disk, or see that the folder can be written, and run again."
    told = f"the file for new observations cannot be used: {fault}."
    return StoreError(told, where=path.name, next_step=step)
