"""Owns how many lines a file has, and whether one of some number exists; knows nothing of what a line says."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO

from pipeline.observations.inbox.lines import decompress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

PIECE = 1 << 20


def line_counter(folder: Path) -> Callable[[str, int], bool]:
    """Give a function that tells whether a file below `folder` has the line; each file is counted once."""
    count_once = lru_cache(maxsize=None)(_count_file)
    return lambda file, line: 1 <= line <= count_once(folder, file)


def count_lines(stream: BinaryIO) -> tuple[int, bool]:
    """Count the lines of a stream, an open last one included, and tell whether the last one is open."""
    return _count(_pieces(stream))


def _pieces(stream: BinaryIO) -> Iterator[bytes]:
    while piece := stream.read(PIECE):
        yield piece


def _count(pieces: Iterable[bytes]) -> tuple[int, bool]:
    lines, last = 0, b"\n"
    for piece in pieces:
        lines += piece.count(b"\n")
        last = piece[-1:] or last
    return lines + (last != b"\n"), last != b"\n"


def _count_file(folder: Path, file: str) -> int:
    """Count the lines of a file below a folder, of a damaged one what a run can read; one elsewhere has none."""
    path = folder / file
    try:
        # The name comes from a page: it may lead anywhere.
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            return 0
        with path.open("rb") as stream:
            pieces = _pieces(stream)
            packed = path.name.lower().endswith(".gz")
            return _count(decompress(pieces, lambda _trouble: None) if packed else pieces)[0]
    except (OSError, ValueError):
        return 0
