"""Owns where the sentences of a text end; knows no detail but that none is cut in two."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.gates.grounding.characters import CJK

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.gates.grounding.detail import Detail

_END = re.compile(
    rf"(?<![.!?])[.!?]++[\"'»)\]]*+\s++(?=\S)|(?<![。!?])[。!?]++[」』)]*+(?=[{CJK}「『])|。++[」』)]*+(?=[^\s」』)])"
)
_ABBREVIATED: Final = frozenset(
    [
        "e.g",
        "i.e",
        "etc",
        "vs",
        "approx",
        "ca",
        "cf",
        "nr",
        "no",
        "z.b",
        "d.h",
        "bzw",
        "u.a",
        "usw",
        "p.ex",
        "ej",
        "av",
        "dr",
        "mr",
        "mrs",
        "ms",
        "st",
        "fig",
        "art",
        "max",
        "min",
        "inc",
        "st.",
        "т.е",
        "т.д",
        "др",
        "sr",
        "sra",
        "dra",
        "núm",
        "nº",
        "ggf",
        "inkl",
        "evtl",
    ]
)
_NEAR: Final = 14


def sentences_of(text: str, details: Sequence[Detail]) -> tuple[tuple[int, int], ...]:
    """Cut a text into sentences, each with the space behind it; none ends inside a detail."""
    spans: list[tuple[int, int]] = []
    start = number = 0
    reach = 0
    for found in _END.finditer(text):
        while number < len(details) and details[number].start < found.end():
            reach = max(reach, details[number].end)
            number += 1
        if found.end() <= reach and found.start() + 1 < reach:
            continue
        if _goes_on(text, found):
            continue
        spans.append((start, found.end()))
        start = found.end()
    if start < len(text) or not spans:
        spans.append((start, len(text)))
    return tuple(spans)


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Whether what looks like an end is an abbreviation, or is followed by a small letter."""
    if text[end.end()].islower() and end.group()[0] in ".!?":
        return True
    return end.group()[0] == "." and is_abbreviated(text[max(0, end.start() - _NEAR) : end.start()])


def is_abbreviated(text: str) -> bool:
    """Whether a full stop behind a text is part of its last word: `e.g`, `z. B`."""
    words = text.split()
    last = words[-1].lstrip("([\"'").lower() if words else ""
    return last in _ABBREVIATED or (len(last) == 1 and last.isalpha())
