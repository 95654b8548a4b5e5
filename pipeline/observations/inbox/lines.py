"""Owns how the bytes of a file become lines, and the digest of all bytes before each; knows no path and no JSON.

Bytes come in as blocks of any size. A line is held whole while it is looked at, unless it is too long: then its
bytes count for the digest and are let go.
"""

from __future__ import annotations

import hashlib
import zlib
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pipeline.observations.consumed import DIGEST_SIZE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pipeline.observations.consumed import FileMark

LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of one line; a longer one cannot be an observation."""

BOM = b"\xef\xbb\xbf"
"""Steps aside at the beginning of a file."""

BLANK = b"\x00 \t\r\n\x0b\x0c"
"""Bytes that make no line: space, and the NUL bytes that a crashed append leaves."""

_GZIP = 31
"""What zlib calls a window of 32 KiB with the header and trailer of gzip."""

_MOST_AT_ONCE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Position:
    """How far a file was read: the digest is that of exactly these bytes."""

    bytes: int
    lines: int
    digest: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line without its line break, counted from 1; `ended` when the line break was there.

    A line that is too long has no bytes. What follows a last line that was consumed without its line break is
    given as a line of the same number.
    """

    raw: bytes
    number: int
    ended: bool
    too_long: bool = False


class LineReader:
    """Reads lines one after the other; while one is looked at, the position is the one before it."""

    def __init__(self, blocks: Iterable[bytes]) -> None:
        self._blocks = iter(blocks)
        self._rest = b""
        self._hasher = hashlib.blake2b(digest_size=DIGEST_SIZE)
        self._bytes = 0
        self._lines = 0
        self._open = False
        """Whether the last byte that was read is not the end of its line."""

    @property
    def position(self) -> Position:
        """How far all lines were read that were given and passed."""
        return Position(self._bytes, self._lines, self._hasher.copy().hexdigest())

    def skip(self, mark: FileMark) -> bool:
        """Read the bytes that a mark covers; tell whether they are the same as when it was made."""
        missing, last = mark.bytes, b"\n"
        for block in self._blocks:
            part = block[:missing]
            self._hasher.update(part)
            missing -= len(part)
            last = part[-1:] or last
            if not missing:
                self._rest = block[len(part) :]
                break
        self._bytes, self._lines, self._open = mark.bytes, mark.lines, last != b"\n"
        return not missing and self._hasher.hexdigest() == mark.digest

    def lines(self) -> Iterator[Line]:
        """Give every further line; the last may lack its line break, and is consumed only when asked for more."""
        parts: list[bytes] = []
        size = 0
        ahead: hashlib.blake2b | None = None
        for block in chain((self._rest,), self._blocks):
            start = 0
            while start < len(block):
                end = block.find(b"\n", start) + 1 or len(block)
                part, start = block[start:end], end
                size += len(part)
                if ahead is None:
                    parts.append(part)
                    ahead = self._let_go(parts) if size > LONGEST_LINE else None
                else:
                    ahead.update(part)
                if part.endswith(b"\n"):
                    yield from self._give(b"".join(parts), size, ahead, ended=True)
                    parts, size, ahead = [], 0, None
        if size:
            yield from self._give(b"".join(parts), size, ahead, ended=False)

    def _let_go(self, parts: list[bytes]) -> hashlib.blake2b:
        ahead = self._hasher.copy()
        for part in parts:
            ahead.update(part)
        parts.clear()
        return ahead

    def _give(self, raw: bytes, size: int, ahead: hashlib.blake2b | None, *, ended: bool) -> Iterator[Line]:
        number = self._lines + (not self._open)
        yield Line(raw[:-1] if ended else raw, number, ended, too_long=ahead is not None)
        if ahead is None:
            self._hasher.update(raw)
        else:
            self._hasher = ahead
        self._bytes += size
        self._lines = number
        self._open = not ended


def first_bytes(blocks: Iterable[bytes], size: int) -> Iterator[bytes]:
    """Give so many bytes, and no more."""
    for block in blocks:
        yield block[:size]
        size -= len(block)
        if size <= 0:
            return


def decompress(blocks: Iterable[bytes], tell: Callable[[str], None]) -> Iterator[bytes]:
    """Unpack a gzip file, several members too; at damage give all that can be had, tell what is wrong, and end."""
    unpacker = zlib.decompressobj(_GZIP)
    begun = False
    for block in blocks:
        rest = block
        while rest:
            if _is_whole(unpacker):
                rest = rest.lstrip(b"\x00")  # padding between members
                if rest:
                    unpacker = zlib.decompressobj(_GZIP)
                continue
            before, begun = unpacker.copy(), True
            try:
                unpacked = unpacker.decompress(rest, _MOST_AT_ONCE)
            except zlib.error:
                yield from _salvage(before, rest)
                tell("its compressed bytes are damaged")
                return
            yield unpacked
            rest = unpacker.unused_data if _is_whole(unpacker) else unpacker.unconsumed_tail
    if begun:
        yield unpacker.flush()
        if not _is_whole(unpacker):
            tell("its compressed bytes end too early")


def _is_whole(unpacker: zlib._Decompress) -> bool:
    return unpacker.eof


def _salvage(unpacker: zlib._Decompress, rest: bytes) -> Iterator[bytes]:
    """Feed byte by byte, so that nothing before the damage is lost."""
    for number in range(len(rest)):
        try:
            yield unpacker.decompress(rest[number : number + 1])
        except zlib.error:
            return
