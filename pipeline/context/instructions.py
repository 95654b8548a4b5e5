"""Owns what people ask of the pipeline, in the wiki itself: found, joined, and cut to the room that there is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.context.reading import decoded
from pipeline.context.rendering import cost_of_instructions
from pipeline.text import cut, graphemes

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_INSTRUCTIONS: Final = 2_000
"""Unicode characters of what people ask of the pipeline."""

_PAGE: Final = "_prompts/consolidation.md"


def instructions_of(wiki: Mapping[str, bytes], project: str, room: int) -> str:
    """Give the root's instructions and then the project's, at most `room` estimated tokens of them.

    The nearer instructions stand last and are kept longest.
    """
    told = _joined(wiki, project)
    while told and cost_of_instructions(told) > room:
        parts = tuple(graphemes(told))
        told = "".join(parts[(len(parts) + 1) // 2 :])
    return told


def _joined(wiki: Mapping[str, bytes], project: str) -> str:
    """Join both, up to `MOST_INSTRUCTIONS`; what is nearer is cut last."""
    told: list[str] = []
    room = MOST_INSTRUCTIONS
    for path in (f"{project}/{_PAGE}", _PAGE):
        text = decoded(wiki.get(path, b"")).lstrip("\ufeff").replace("\r\n", "\n").strip()
        kept = cut(text, max(room, 0)).rstrip()
        if kept:
            told.insert(0, kept)
            room -= len(kept) + len("\n\n")
    return "\n\n".join(told)
