"""Owns what is remembered of endpoints between runs, in one JSON file; knows no network and asks nobody.

For each endpoint and model: the rung of the ladder that worked, the parameters that were refused, and the ratio of
counted to estimated tokens. Nothing of it is needed: a file that is damaged, foreign or out of reach counts as empty.
What was learnt is believed until the file is deleted: an endpoint that has become more able is not tried anew.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Final

from pipeline.errors import StoreError
from pipeline.whole_file import write_whole

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from pipeline.observations.observation import Json

_VERSION: Final = 1
_MOST_BYTES: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one model at one endpoint; empty and None stand for nothing."""

    rung: str = ""
    refused: frozenset[str] = frozenset()
    tokens_ratio: float | None = None


class EndpointMemory:
    """The file, as `.wikimill/endpoints.json`; written as a whole, by replacing it, so that nobody reads half of it.

    Several processes may use it at once: each reads it right before it writes. What one of them learns in between
    can be lost, and is then learnt again. Without `keeps` nothing is written.
    """

    def __init__(self, path: Path, *, keeps: bool = True) -> None:
        self._path = path
        self._keeps = keeps
        self._lock = Lock()

    def recall(self, endpoint: str, model: str) -> Known:
        """Give what is known of a model at an address."""
        entry = self._entries().get(_key(endpoint, model))
        if not isinstance(entry, dict):
            return Known()
        rung, refused, ratio = entry.get("rung"), entry.get("refused"), entry.get("tokens_ratio")
        sound = isinstance(ratio, (int, float)) and not isinstance(ratio, bool) and math.isfinite(ratio) and ratio > 0
        return Known(
            rung if isinstance(rung, str) else "",
            frozenset(name for name in refused if isinstance(name, str)) if isinstance(refused, list) else frozenset(),
            float(ratio) if sound and isinstance(ratio, (int, float)) else None,
        )

    def note(
        self,
        endpoint: str,
        model: str,
        *,
        rung: str | None = None,
        refused: Collection[str] | None = None,
        tokens_ratio: float | None = None,
    ) -> None:
        """Remember what is given, and keep the rest; raises `StoreError` when the file cannot be written."""
        if not self._keeps:
            return
        told: dict[str, Json] = {}
        if rung is not None:
            told["rung"] = rung
        if refused is not None:
            told["refused"] = [*sorted(refused)]
        if tokens_ratio is not None:
            told["tokens_ratio"] = tokens_ratio
        with self._lock:
            entries = self._entries()
            before = entries.get(_key(endpoint, model))
            after: dict[str, Json] = (before if isinstance(before, dict) else {}) | told
            if before != after:
                entries[_key(endpoint, model)] = after
                self._write(entries)

    def _entries(self) -> dict[str, Json]:
        try:
            with self._path.open("rb") as file:
                raw = file.read(_MOST_BYTES + 1)
            value: Json = json.loads(raw) if len(raw) <= _MOST_BYTES else None
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(value, dict) or value.get("version") != _VERSION:
            return {}
        entries = value.get("endpoints")
        return entries if isinstance(entries, dict) else {}

    def _write(self, entries: dict[str, Json]) -> None:
        text = json.dumps({"version": _VERSION, "endpoints": entries}, indent=1, sort_keys=True) + "\n"
        try:
            write_whole(self._path, text.encode())
        except OSError as fault:
            raise StoreError(f"cannot be written: {fault.strerror}.", where=str(self._path)) from None


def _key(endpoint: str, model: str) -> str:
    return f"{endpoint} {model}"
