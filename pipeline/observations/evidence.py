"""Owns the name of what a session's pages rest on: which session, and which of its observations. Knows no page."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipeline.observations.observation import SessionKey

DIGEST_BYTES = 16


def evidence_of(key: SessionKey, ids: Iterable[str]) -> str:
    """Digest a session and the ids of observations, in any order, as 32 hexadecimal digits.

    Neither model nor prompt count: what a reviewer declined is declined whoever would write it anew.
    """
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for part in (key.workspace, key.project, key.session_id, *sorted(set(ids))):
        # The length goes first, so that no two lists of texts read the same.
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big") + raw)
    return digest.hexdigest()


def digest_of(raw: bytes) -> str:
    """Digest the bytes of a page as 16 hexadecimal digits: enough to tell whether it is the page that was proposed."""
    return hashlib.blake2b(raw, digest_size=8).hexdigest()
