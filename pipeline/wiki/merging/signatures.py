"""Owns who stands for a merged page: the newer signature of wikimill, and the reviews that still cover the content.

A review by a person goes when the commit changes what stands; a person's page is not signed. Knows no text.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pipeline.wiki.format.frontmatter import render
from pipeline.wiki.merging.fronts import SIGNED, place
from pipeline.wiki.revision.authorship import GATES, drop_reviews, is_persons

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.wiki.format.frontmatter import Yaml


def review(front: Mapping[str, Yaml], before: Mapping[str, Yaml], after: Mapping[str, Yaml]) -> dict[str, Yaml]:
    """Carry over reviews alone: those that the commit added are added, those that it took out go."""
    was, came, stands = (_reviews(one) for one in (before, after, front))
    names = [[_text(entry) for entry in entries] for entries in (was, came, stands)]
    left = [entry for entry, name in zip(stands, names[2], strict=True) if name in names[1] or name not in names[0]]
    new = [entry for entry, name in zip(came, names[1], strict=True) if name not in names[0] and name not in names[2]]
    return _with_reviews(front, [*left, *new]) if new or len(left) < len(stands) else dict(front)


def sign(
    front: Mapping[str, Yaml], before: Mapping[str, Yaml], after: Mapping[str, Yaml], standing: Mapping[str, Yaml]
) -> tuple[dict[str, Yaml], tuple[str, ...]]:
    """Sign content that the commit changed; gives the keys, and the people whose reviews went.

    When both sides signed, the newer signature counts, so that either order of the two gives the same.
    """
    signed = dict(front)
    if not is_persons(standing):
        signed = _newer(signed, before, after, standing)
        ours = [entry for entry in _reviews(after) if not _by(entry).startswith("human:")]
        gates = [entry for entry in (*_reviews(standing), *ours) if _by(entry) == GATES]
        others = [entry for entry in _reviews(standing) if _by(entry) != GATES]
        known = {_text(entry) for entry in (*others, *_reviews(before))}
        others += [entry for entry in ours if _by(entry) != GATES and _text(entry) not in known]
        signed = _with_reviews(signed, [*others, *([max(gates, key=_at)] if gates else [])])
    return drop_reviews(signed)


def _newer(
    front: Mapping[str, Yaml], before: Mapping[str, Yaml], after: Mapping[str, Yaml], standing: Mapping[str, Yaml]
) -> dict[str, Yaml]:
    taken = after
    if _signature(standing) not in {_signature(before), ""} and _at(standing.get("generated")) >= _at(
        after.get("generated")
    ):
        taken = standing
    signed = dict(front)
    for key in (*SIGNED, "consolidated"):
        if key in taken:
            signed = place(signed, key, taken[key])
    return signed


def _signature(front: Mapping[str, Yaml]) -> str:
    return render({"generated": front["generated"]}) if "generated" in front else ""


def _with_reviews(front: Mapping[str, Yaml], entries: list[Yaml]) -> dict[str, Yaml]:
    if not entries:
        return {key: value for key, value in front.items() if key != "verified"}
    return place(front, "verified", entries)


def _reviews(front: Mapping[str, Yaml]) -> list[Yaml]:
    verified = front.get("verified")
    return verified if isinstance(verified, list) else [verified] if verified else []


def _by(entry: Yaml) -> str:
    by = entry.get("by") if isinstance(entry, dict) else None
    return by if isinstance(by, str) else ""


def _at(entry: Yaml) -> str:
    """Give when something was signed, as a text that sorts by time."""
    at = entry.get("at") if isinstance(entry, dict) else None
    if isinstance(at, datetime):
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
        return f"{at:%Y-%m-%dT%H:%M:%S}"
    return str(at or "")


def _text(entry: Yaml) -> str:
    return render({"": entry})
