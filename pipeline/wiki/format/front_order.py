"""Owns the order of the keys that wikimill writes into front matter; a person's keys keep their places.

Knows nothing of what the keys mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.wiki.format.frontmatter import Yaml

ORDER = (
    "type",
    "title",
    "description",
    "tags",
    "aliases",
    "status",
    "stale_after",
    "slot",
    "superseded_by",
    "supersedes",
    "generated",
    "verified",
    "sources",
    "session_id",
    "agent_kind",
    "consolidated",
)


def put(front: Mapping[str, Yaml], values: Mapping[str, Yaml]) -> dict[str, Yaml]:
    """Set keys; one that stands keeps its place, a new one goes behind the nearest that comes before it in `ORDER`."""
    changed = dict(front)
    for key, value in values.items():
        if key in changed:
            changed[key] = value
            continue
        before = set(ORDER[: ORDER.index(key)])
        names = list(changed)
        place = max((number for number, name in enumerate(names, start=1) if name in before), default=0)
        changed = {**{name: changed[name] for name in names[:place]}, key: value, **changed}
    return changed
