"""Owns the seal of a commit: a trailer that digests what the commit changes, so that wikimill knows its own work.

Pure. Whoever amends a commit keeps its message, but not the objects that it changes, and so breaks the seal. It is
no proof against somebody who computes it anew: it tells accident, not malice.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING

from pipeline.git.trailers import block, key_of, trailers_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.git.snapshot import Entry

__all__ = ["is_sealed", "named", "seal", "seal_of", "trailers_of", "without_seal"]

KEY = "Content"
_DIGEST = re.compile(r"[0-9a-f]{40}")
_BYTES = 20
_GONE = "-"
_PLAIN = "100644"


def seal(message: str, changed: Mapping[str, str | None]) -> str:
    """Give a message with the seal as its last trailer, in place of any that it has.

    `changed` names what stands at each path (from the top of the repository) that the commit changes, as `named` does.
    A message without trailers gets a paragraph for it.
    """
    plain = without_seal(message).rstrip()
    gap = "\n" if trailers_of(message).keys() - {KEY} else "\n\n"
    return f"{plain}{gap}{KEY}: {_digest(changed)}\n"


def named(entry: Entry | None) -> str | None:
    """Name what stands at a path: its object, and its mode too where that is none of a plain file (100644).

    Nothing names a path that goes. Who changes a mode alone has changed something.
    """
    if entry is None or entry.mode == _PLAIN:
        return entry.id if entry else None
    return f"{entry.id} {entry.mode}"


def without_seal(message: str) -> str:
    """Give a message without its seal, and without the paragraph that held nothing else."""
    lines = message.split("\n")
    start, end = block(lines)
    kept: list[str] = []
    dropped = False
    for line in lines[start:end]:
        dropped = key_of(line) == KEY or (dropped and line[:1] in {" ", "\t"})
        if not dropped:
            kept.append(line)
    if len(kept) == end - start:
        return message
    head = "\n".join([*lines[:start], *kept]).rstrip("\n")
    return "\n".join([head, *lines[end:]]) if any(lines[end:]) else f"{head}\n"


def seal_of(message: str) -> str:
    """Give the digest that a message is sealed with; empty where it has no seal, several, or one that is none."""
    told = trailers_of(message).get(KEY, ())
    return told[0] if len(told) == 1 and _DIGEST.fullmatch(told[0]) else ""


def is_sealed(message: str, changed: Mapping[str, str | None]) -> bool:
    """Whether the seal in a message fits what the commit changes."""
    return seal_of(message) == _digest(changed)


def _digest(changed: Mapping[str, str | None]) -> str:
    digest = hashlib.blake2b(digest_size=_BYTES)
    for path, name in sorted((path.encode("utf-8", "surrogateescape"), name) for path, name in changed.items()):
        digest.update(path + b"\0" + (name or _GONE).encode("ascii") + b"\n")
    return digest.hexdigest()
