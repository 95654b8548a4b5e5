"""Owns the message of one of our commits once a reviewer has declined some of its pages; pure.

Everything else in it stays, so that the commit is known again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

_COUNTED = "Pages: "
_WRITTEN = "Page: "
_DECLINED = "Declined: "
_SEAL = "Content: "


def redeclare(message: str, *, written: Mapping[str, str], declined: Collection[str]) -> str:
    """Give a session's message with the pages that it writes now, path and digest, and those that were declined."""
    head, _, trailers = message.rstrip("\n").rpartition("\n\n")
    lines = [line for line in trailers.split("\n") if not line.startswith((_WRITTEN, _DECLINED, _SEAL))]
    lines = [f"{_COUNTED}{len(written)}" if line.startswith(_COUNTED) else line for line in lines]
    lines += [f"{_WRITTEN}{path} {digest}" for path, digest in sorted(written.items())]
    lines += [f"{_DECLINED}{path}" for path in sorted(declined)]
    return f"{head}\n\n" + "".join(f"{line}\n" for line in lines)
