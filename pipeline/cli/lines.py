"""Owns how many lines a file has, and whether one of some number exists; knows nothing of what a line says."""

from __future__ import annotations

import gzip
import zlib
from functools import lru_cache
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PIECE = 1 << 20


def line_counter(folder: Path) -> Callable[[str, int], bool]:
    """Give a function that tells whether a file below `folder` has the line; each file is counted once."""
    count_once = lru_cache(maxsize=None)(_count_file)
    return lambda file, line: 1 <= line <= count_once(folder, file)


def count_lines(stream: BinaryIO) -> tuple[int, bool]:
    """Count the lines of a stream, an open last one included, and tell whether the last one is open."""
    lines, last = 0, b"\n"
    while piece := stream.read(PIECE):
        lines += piece.count(b"\n")
        last = piece[-1:]
    return lines + (last != b"\n"), last != b"\n"


def _count_file(folder: Path, file: str) -> int:
    """Count the lines of a file below a folder; one that is missing, damaged or elsewhere has none."""
    path = folder / file
    try:
        # The name comes from a page: it may lead anywhere.
        if not path.is_file() or not path.resolve().is_relative_to(folder.resolve()):
            return 0
        with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as stream:
            return count_lines(cast("BinaryIO", stream))[0]
    except (OSError, EOFError, ValueError, zlib.error):
        return 0
