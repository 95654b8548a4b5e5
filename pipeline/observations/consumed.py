"""Owns what the inbox is told about earlier runs and what it tells the ledger; knows no ledger and no file.

A mark covers a prefix of a file: exactly `bytes` bytes, of the decompressed text where the file is compressed.
A mark of zero bytes says that nothing of the file is consumed; it is what remains of a file that is gone.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.observations.observation import Place  # noqa: TC001  # part of this module's face

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from pipeline.observations.observation import SessionKey

DIGEST_SIZE = 32
"""Bytes of the BLAKE2b digest in a mark; written in hexadecimal, twice as many characters."""

EMPTY_DIGEST = hashlib.blake2b(digest_size=DIGEST_SIZE).hexdigest()
"""The digest of no bytes at all."""


@dataclass(frozen=True, slots=True, order=True)
class FileMark:
    """How far one observation file was consumed: `file` below the observations folder, with `/`.

    `lines` counts the lines that those bytes hold, blank ones too, and a last one without a line break.
    `digest` is the BLAKE2b of exactly those bytes.
    """

    file: str
    bytes: int
    lines: int
    digest: str


@dataclass(frozen=True, slots=True)
class KnownObservation:
    """One observation that was consolidated by an earlier run, and where it stood."""

    id: str
    digest: str
    place: Place


@dataclass(frozen=True, slots=True, order=True)
class Aside:
    """One line that is not consolidated, or a broken promise, and why; the reason never quotes the line."""

    file: str
    line: int
    reason: str


def nothing_of(_key: SessionKey) -> tuple[KnownObservation, ...]:
    """Stand in where no session is taken again."""
    return ()


@dataclass(frozen=True, slots=True)
class Consumed:
    """What earlier runs have consumed. `known` is called at most once, and only when there is something new.

    `again` names sessions that are to be consolidated once more, whole; `known_of` gives what was consolidated
    of one of them, and is called once for each.
    """

    marks: Mapping[str, FileMark]
    known: Callable[[], Iterable[KnownObservation]]
    again: frozenset[SessionKey] = frozenset()
    known_of: Callable[[SessionKey], Iterable[KnownObservation]] = nothing_of
