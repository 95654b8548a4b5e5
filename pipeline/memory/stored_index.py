"""Owns the index of search as a file, outside git: loaded part by part, saved with what changed; knows no page.

The file is a copy of what stands elsewhere. One that is damaged, of another version or out of reach counts as none,
and what cannot be saved is not: nobody has to hear of it. Each part bears a checksum, so that no damage is believed.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import astuple
from typing import TYPE_CHECKING, Final

from pipeline.memory.search.index import Index
from pipeline.memory.search.segment import Postings, Segment
from pipeline.memory.search.sheet import Sheet

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType
    from typing import Self

_VERSION: Final = 1
"""Counts up whenever words, weights or the form of the file change; another version is built anew."""
_PATIENCE_SECONDS: Final = 2
_TABLES: Final = """
CREATE TABLE about (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE segments (number INTEGER PRIMARY KEY, sheets BLOB NOT NULL, alive BLOB NOT NULL, crc INTEGER NOT NULL);
CREATE TABLE postings (term TEXT NOT NULL, segment INTEGER NOT NULL, pages BLOB NOT NULL, weights BLOB NOT NULL,
    crc INTEGER NOT NULL, PRIMARY KEY (term, segment)) WITHOUT ROWID;
CREATE TABLE seen (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID;
"""


class Damaged(Exception):  # no error of anybody's: the index is made anew
    """A part of the file is not what was written."""


def load_whole(path: Path) -> Index:
    """Give the index of a file as a value that needs the file no more; empty where nothing usable stands."""
    with StoredIndex(path, read_only=True) as kept:
        try:
            return kept.index.folded()
        except Damaged:
            return Index()


def save_whole(path: Path, index: Index) -> bool:
    """Put an index in the place of what stands in the file; False when that could not be done."""
    with StoredIndex(path) as kept:
        kept.index = index.folded()
        return kept.save(kept.stamps, anew=True)


class StoredIndex:
    """The index in a file; a context manager. `index` is what stood there, empty where there was nothing usable.

    Searching reads words from the file, and raises `Damaged` when they are not what was written: `forget` and fill
    it again then.
    """

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self._path = path
        self._read_only = read_only
        self._base: sqlite3.Connection | None = None
        self._generation = 0
        self.stamps: dict[str, tuple[str, str]] = {}
        """For each path a stamp of its file, and the key of the content that it had then."""
        self.index = Index()
        try:
            self._load()
        except (sqlite3.Error, Damaged, ValueError, TypeError, LookupError, OSError):
            self.forget()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        base, self._base = self._base, None
        if base is not None:
            base.close()

    def forget(self) -> None:
        """Begin anew with nothing; the file goes, if it may."""
        self.close()
        self.index, self.stamps, self._generation = Index(), {}, 0
        if not self._read_only:
            for ending in ("", "-journal", "-wal", "-shm"):
                with suppress(OSError):
                    self._path.with_name(self._path.name + ending).unlink(missing_ok=True)

    def save(self, stamps: Mapping[str, tuple[str, str]], *, anew: bool = False) -> bool:
        """Write what changed since it was loaded, once; False when it could not be done.

        Somebody else who saved meanwhile is left alone: the next one that looks reads a page too many.
        """
        if self._read_only:
            return False
        try:
            if self.index.wants_folding:
                self.index = self.index.folded()
                return self._write(stamps, anew=True)
            return self._write(stamps, anew=anew or self._base is None)
        except (sqlite3.Error, OSError, Damaged):
            return False

    def _load(self) -> None:
        if not self._path.is_file():
            return
        base = self._base = sqlite3.connect(
            f"{self._path.absolute().as_uri()}?mode=ro", uri=True, timeout=_PATIENCE_SECONDS
        )
        about = dict(base.execute("SELECT name, value FROM about"))
        if about.get("version") != _VERSION:
            raise Damaged
        self._generation = about["generation"]
        stored: list[Segment] = []
        for number, sheets, alive, crc in base.execute("SELECT * FROM segments ORDER BY number"):
            if number != len(stored) or zlib.crc32(sheets + alive) != crc:
                raise Damaged
            read = [_sheet(*told) for told in json.loads(sheets)]
            if len(read) != len(alive):
                raise Damaged
            stored.append(Segment(read, bytearray(alive), StoredPostings(base, number, len(read))))
        self.stamps = {path: (stamp, key) for path, stamp, key in base.execute("SELECT path, stamp, key FROM seen")}
        self.index = Index(stored)

    def _write(self, stamps: Mapping[str, tuple[str, str]], *, anew: bool) -> bool:
        fresh = self.index.fresh
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError), (self._path.parent / ".gitignore").open("xb") as stream:
            stream.write(b"*\n")
        if anew:
            self.close()
            self._path.unlink(missing_ok=True)
        with closing(sqlite3.connect(self._path, timeout=_PATIENCE_SECONDS, isolation_level=None)) as base:
            base.execute("BEGIN IMMEDIATE")
            if anew:
                for statement in filter(str.strip, _TABLES.split(";")):
                    base.execute(statement)
                about = (("version", _VERSION), ("generation", 0))
                base.executemany("INSERT INTO about VALUES (?, ?)", about)
                self._generation = 0
            moved = base.execute(
                "UPDATE about SET value = value + 1 WHERE name = 'generation' AND value = ?", (self._generation,)
            )
            if moved.rowcount != 1:
                base.execute("ROLLBACK")
                return False
            number = 0
            for number, segment in enumerate([] if anew else self.index.stored, 1):
                row = (bytes(segment.alive), zlib.crc32(_packed(segment.sheets) + segment.alive), number - 1)
                base.execute("UPDATE segments SET alive = ?, crc = ? WHERE number = ?", row)
            if fresh.sheets:
                sheets = _packed(fresh.sheets)
                row_of_segment = (number, sheets, bytes(fresh.alive), zlib.crc32(sheets + fresh.alive))
                base.execute("INSERT INTO segments VALUES (?, ?, ?, ?)", row_of_segment)
                base.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?)", _rows(fresh, number))
            base.execute("DELETE FROM seen")
            base.executemany("INSERT INTO seen VALUES (?, ?, ?)", [(path, *told) for path, told in stamps.items()])
            base.execute("COMMIT")
        return True


class StoredPostings(Mapping[str, Postings]):
    """The postings of one segment, read from the file when they are asked for."""

    def __init__(self, base: sqlite3.Connection, number: int, pages: int) -> None:
        self._base = base
        self._number = number
        self._pages = pages

    def __getitem__(self, term: str) -> Postings:
        found = self._rows(
            "SELECT term, pages, weights, crc FROM postings WHERE term = ? AND segment = ?", term, self._number
        )
        if not found:
            raise KeyError(term)
        return found[0][1]

    def __iter__(self) -> Iterator[str]:
        return (term for term, _ in self._all())

    def __len__(self) -> int:
        return len(self._all())

    def items(self) -> list[tuple[str, Postings]]:  # type: ignore[override]  # read together, not one by one
        """Give all of them."""
        return self._all()

    def _all(self) -> list[tuple[str, Postings]]:
        return self._rows(
            "SELECT term, pages, weights, crc FROM postings WHERE segment = ? ORDER BY term", self._number
        )

    def _rows(self, question: str, *given: str | int) -> list[tuple[str, Postings]]:
        try:
            return [(term, self._read(*rest)) for term, *rest in self._base.execute(question, given)]
        except (sqlite3.Error, ValueError, TypeError) as fault:
            raise Damaged from fault

    def _read(self, pages: bytes, weights: bytes, crc: int) -> Postings:
        held = Postings()
        held.pages.frombytes(pages)
        held.weights.frombytes(weights)
        if zlib.crc32(pages + weights) != crc or len(held.pages) != len(held.weights):
            raise Damaged
        if held.pages and max(held.pages) >= self._pages:
            raise Damaged
        return held


def _rows(segment: Segment, number: int) -> Iterator[tuple[str, int, bytes, bytes, int]]:
    for term, held in sorted(segment.postings.items()):
        pages, weights = held.pages.tobytes(), held.weights.tobytes()
        yield term, number, pages, weights, zlib.crc32(pages + weights)


def _sheet(  # noqa: PLR0913, PLR0917  # the values of a sheet, in their order
    path: str, key: str, kind: str, title: str, tags: list[str], status: str, successor: str, length: int
) -> Sheet:
    return Sheet(path, key, kind, title, tuple(tags), status, successor, length)


def _packed(sheets: list[Sheet]) -> bytes:
    return json.dumps([astuple(sheet) for sheet in sheets], ensure_ascii=True, separators=(",", ":")).encode()
