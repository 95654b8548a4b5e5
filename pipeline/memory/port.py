"""Owns what the mechanics ask of a memory: to list, to read, to write, and to write on a condition.

Knows no adapter. `pipeline.memory.conformance` holds any adapter to what is promised here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from pipeline.memory.failure import Failure


@dataclass(frozen=True, slots=True, order=True)
class Entry:
    """What stands in a folder: its whole path, and whether it is a folder itself."""

    path: str
    folder: bool = False


class Memory(Protocol):
    """Text files below `/memories`. Every path is normalised first; every failure is a value, never an exception.

    A path that `normalise` refuses, or that leads through a symbolic link, gives `read_failed` or `write_failed`.
    """

    def list(self, folder: str) -> tuple[Entry, ...] | Failure | None:
        """List a folder, sorted by path, each once; None where no folder stands.

        `/memories` itself always stands. Names that start with a dot are left out.
        """
        ...

    def read(self, path: str) -> str | Failure | None:
        """Give the text of a file, line ends as they are; None where no file stands."""
        ...

    def write(self, path: str, text: str) -> Failure | None:
        """Write a file whole or not at all, with the folders above it; None when it was done."""
        ...

    def write_if(self, path: str, text: str | None, expected: str | None) -> Failure | None:
        """Write only if `expected` stands there, None meaning that nothing does; otherwise `conflict`.

        A `text` of None removes the file. Comparing and writing are one step for everybody who uses this method on
        the same memory, in other processes too.
        """
        ...
