"""Owns the message of one of our commits when it is laid anew: pages that were declined, evidence that was joined.

Pure. Everything else in it stays, so that the commit is known again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_COUNTED = "Pages: "
_WRITTEN = "Page: "
_DECLINED = "Declined: "
_EVIDENCE = "Evidence: "
_SEAL = "Content: "


def with_evidence(message: str, evidence: str) -> str:
    """Give a session's message with the evidence that its record holds where it stands now."""
    head, _, trailers = message.rstrip("\n").rpartition("\n\n")
    lines = [f"{_EVIDENCE}{evidence}" if line.startswith(_EVIDENCE) else line for line in trailers.split("\n")]
    return f"{head}\n\n" + "".join(f"{line}\n" for line in lines)


def redeclare(message: str, *, written: Mapping[str, str], declined: Collection[str]) -> str:
    """Give a session's message with the pages that it writes now, path and digest, and those that were declined."""
    head, _, trailers = message.rstrip("\n").rpartition("\n\n")
    lines = [line for line in trailers.split("\n") if not line.startswith((_WRITTEN, _DECLINED, _SEAL))]
    lines = [f"{_COUNTED}{len(written)}" if line.startswith(_COUNTED) else line for line in lines]
    lines += [f"{_WRITTEN}{path} {digest}" for path, digest in sorted(written.items())]
    lines += [f"{_DECLINED}{path}" for path in sorted(declined)]
    return f"{head}\n\n" + "".join(f"{line}\n" for line in lines)
