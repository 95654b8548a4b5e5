"""Owns who stands for a page: what wikimill signs, what a person wrote, which reviews a change makes outdated.

Knows no draft and no text.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC
from typing import TYPE_CHECKING

from pipeline.wiki.format.front_order import put

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from pipeline.projection import Projection
    from pipeline.wiki.format.frontmatter import Yaml

GATES = "process:wikimill-gates"
"""Who verifies a page that passed the gates."""


def is_persons(front: Mapping[str, Yaml]) -> bool:
    """Whether a person wrote the page: to such a page wikimill only adds."""
    generated = front.get("generated")
    by = generated.get("by") if isinstance(generated, dict) else None
    return not isinstance(by, str) or not by or by.startswith("human:")


def sign(front: Mapping[str, Yaml], window: Projection, model: str, at: datetime) -> dict[str, Yaml]:
    """Say that wikimill wrote the content as it is now, and that it passed the gates."""
    moment = at.astimezone(UTC).replace(microsecond=0)
    gates: dict[str, Yaml] = {"by": GATES, "at": moment}
    others = [entry for entry in _reviews(front) if _reviewer(entry) != GATES]
    return put(
        front,
        {
            "generated": {"by": f"wikimill/{model}", "at": moment},
            "verified": [*others, gates],
            "session_id": window.session.session_id,
            "agent_kind": _agent_kind(window),
        },
    )


def confirm(front: Mapping[str, Yaml], by: str, at: datetime) -> dict[str, Yaml]:
    """Say that somebody stands for the page as it is; an earlier entry of the same one goes."""
    entry: dict[str, Yaml] = {"by": by, "at": at.astimezone(UTC).replace(microsecond=0)}
    others = [one for one in _reviews(front) if _reviewer(one) != by]
    return put(front, {"verified": [*others, entry]})


def drop_reviews(front: Mapping[str, Yaml]) -> tuple[dict[str, Yaml], tuple[str, ...]]:
    """Leave out the reviews by people, and name these people."""
    entries = _reviews(front)
    people = tuple(dict.fromkeys(_reviewer(entry) for entry in entries if _reviewer(entry).startswith("human:")))
    if not people:
        return dict(front), ()
    left = [entry for entry in entries if not _reviewer(entry).startswith("human:")]
    if left:
        return put(front, {"verified": left}), people
    return {key: value for key, value in front.items() if key != "verified"}, people


def _reviews(front: Mapping[str, Yaml]) -> list[Yaml]:
    """Give the entries of `verified`; a single one may stand without a list (OKF, section 5.2)."""
    verified = front.get("verified")
    return verified if isinstance(verified, list) else [verified] if verified else []


def _reviewer(entry: Yaml) -> str:
    by = entry.get("by") if isinstance(entry, dict) else None
    return by if isinstance(by, str) else ""


def _agent_kind(window: Projection) -> str:
    """Name the kind of agent that most observations of the window come from; the first of several."""
    counts = Counter(one.observation.agent_kind for one in window.shown)
    return max(counts, key=lambda kind: counts[kind], default="unknown")
