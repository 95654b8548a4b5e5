"""Owns the front matter of a page that both sides changed: key by key, lists and sources entry by entry.

A key that one side alone changed is taken from it; when both did, what stands stays. Knows no text, and not who wrote
or reviewed the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.wiki.format.front_order import ORDER, put
from pipeline.wiki.format.frontmatter import render

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from pipeline.wiki.format.frontmatter import Yaml

SIGNED = ("generated", "session_id", "agent_kind")
"""The keys in which wikimill signs a page."""

OURS = frozenset({*SIGNED, "verified", "consolidated"})
"""The keys that tell of who wrote and reviewed a page, and not of its subject."""

_LISTS = frozenset({"tags", "aliases", "supersedes"})


@dataclass(frozen=True, slots=True)
class MergedFront:
    """The keys of a page, those of `OURS` as they stand, and the keys in which the commit's value was left out."""

    front: dict[str, Yaml]
    left_out: tuple[str, ...]


def merge_front(
    before: Mapping[str, Yaml],
    after: Mapping[str, Yaml],
    standing: Mapping[str, Yaml],
    cited: Collection[str],
    *,
    additive: bool = False,
) -> MergedFront:
    """Carry over what changed between two versions; `cited` are the labels that the page's text cites now.

    With `additive` no value that stands is replaced, and no title is given.
    """
    front = dict(standing)
    left_out: list[str] = []
    for key in dict.fromkeys((*after, *before)):
        if key in OURS or key == "sources":
            continue
        was, came, stands = (_get(one, key) for one in (before, after, standing))
        if came in {was, stands}:
            continue
        if key in _LISTS and key in standing:
            front = place(front, key, _merge_list(before.get(key), after.get(key), standing[key]))
        elif stands != was or (additive and key in standing):
            left_out.append(key)
        elif key in after and not (additive and key == "title"):
            front = place(front, key, after[key])
        elif key not in after:
            front.pop(key, None)
    listed = _as_list(standing.get("sources"))
    sources = _merge_sources(_as_list(before.get("sources")), _as_list(after.get("sources")), listed, cited)
    if sources != listed:
        front = place(front, "sources", sources)
    return MergedFront(front, tuple(left_out))


def place(front: Mapping[str, Yaml], key: str, value: Yaml) -> dict[str, Yaml]:
    """Set a key; a new one goes where wikimill writes it, one that it does not know to the end."""
    return put(front, {key: value}) if key in ORDER else {**front, key: value}


def told(front: Mapping[str, Yaml]) -> str:
    """Give what a page's front matter says of its subject, for comparing."""
    return render({key: value for key, value in front.items() if key not in OURS})


def _get(front: Mapping[str, Yaml], key: str) -> str | None:
    return render({key: front[key]}) if key in front else None


def _as_list(value: Yaml) -> list[Yaml]:
    if isinstance(value, list):
        return value
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return [value] if value else []


def _merge_list(before: Yaml, after: Yaml, standing: Yaml) -> list[Yaml]:
    """Add what the commit added and leave out what it took out; texts that differ only by case are one."""
    was, came, stands = ({_name(one) for one in _as_list(value)} for value in (before, after, standing))
    left: list[Yaml] = [one for one in _as_list(standing) if _name(one) in came or _name(one) not in was]
    return left + [one for one in _as_list(after) if _name(one) not in was | stands]


def _merge_sources(
    before: Sequence[Yaml], after: Sequence[Yaml], standing: Sequence[Yaml], cited: Collection[str]
) -> list[Yaml]:
    """Unite the sources by id: those that stand, then those that the commit brought or that are cited."""
    was, came, stands = ({_identity(one): one for one in listed} for listed in (before, after, standing))
    merged: list[Yaml] = []
    for one in standing:
        name = _identity(one)
        untouched = name in was and render({"": was[name]}) == render({"": one})
        if untouched and name in came:
            merged.append(came[name])
        elif not untouched or name in cited:
            merged.append(one)
    new = [name for name in came if name not in stands and (name not in was or name in cited)]
    lost = [name for name in was if name not in came and name not in stands and name in cited]
    return [*merged, *(came[name] for name in new), *(was[name] for name in lost)]


def _identity(entry: Yaml) -> str:
    """Name a source: by its id, one without by all that it says."""
    found = entry.get("id") if isinstance(entry, dict) else None
    return str(found) if found else f"\0{render({'': entry})}"


def _name(value: Yaml) -> str:
    return value.casefold() if isinstance(value, str) else render({"": value})
