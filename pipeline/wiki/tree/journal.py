"""Owns what a journal says: which files change from what to what; a value, and its JSON. Knows no disk."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.observations.observation import Json

VERSION = 1

ABSENT = ""
"""Stands for the digest of a file that is not there."""


@dataclass(frozen=True, slots=True)
class Step:
    """One file: digests of the bytes before and after, and the name under which the new bytes lie staged."""

    path: str
    before: str
    after: str
    staged: str


@dataclass(frozen=True, slots=True)
class Journal:
    """A set of changes below one folder that is carried out whole; `note` is its maker's own."""

    id: str
    folder: str
    steps: tuple[Step, ...]
    note: Mapping[str, str]


def digest(raw: bytes | None) -> str:
    """Tell bytes apart; nothing stands for a file that is not there."""
    return ABSENT if raw is None else hashlib.blake2b(raw, digest_size=20).hexdigest()


def render_journal(journal: Journal) -> bytes:
    """Write a journal as JSON."""
    values: dict[str, Json] = {
        "version": VERSION,
        "folder": journal.folder,
        "note": dict(journal.note),
        "steps": [asdict(step) for step in journal.steps],
    }
    return json.dumps(values, sort_keys=True, indent=1).encode("ascii") + b"\n"


def parse_journal(name: str, raw: bytes) -> Journal:
    """Read a journal, or raise `ValueError`."""
    values = _table(json.loads(raw))
    if values.get("version") != VERSION:
        message = f"it is of version {values.get('version')}"
        raise ValueError(message)
    steps = values.get("steps")
    if not isinstance(steps, list):
        message = "it holds no steps"
        raise ValueError(message)  # noqa: TRY004  # one kind of mistake for whoever reads a journal
    return Journal(
        id=name,
        folder=_text(values.get("folder")),
        steps=tuple(_parse_step(_table(step)) for step in steps),
        note={key: _text(value) for key, value in _table(values.get("note")).items()},
    )


def _parse_step(step: dict[str, Json]) -> Step:
    path, before, after, staged = (_text(step.get(key)) for key in ("path", "before", "after", "staged"))
    if staged and not staged.isalnum():
        message = f"the staged name {staged!r} leads elsewhere"
        raise ValueError(message)
    return Step(path, before, after, staged)


def _table(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        message = f"{value!r} is no object"
        raise ValueError(message)  # noqa: TRY004  # as above
    return value


def _text(value: Json) -> str:
    if not isinstance(value, str):
        message = f"{value!r} is no text"
        raise ValueError(message)  # noqa: TRY004  # as above
    return value
