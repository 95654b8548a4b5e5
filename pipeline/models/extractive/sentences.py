"""Owns where a sentence ends, in any script; knows nothing of what it says.

All work is done on positions: a sentence is a slice of its text, so that a quotation is the text itself.
"""

from __future__ import annotations

import re

_END = re.compile(
    r"(?P<mark>[.!?…]+|[。！？．｡]+)(?P<close>[\"'”’»)\]*_~`」』）】]*)(?P<space>\s+|$|(?<=[。！？」』）】])(?=\S))"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\[„“\"*_/])(?:e\.?g|i\.?e|etc|vs|cf|approx|resp|incl|excl|max|min|fig|no|nr|vol|ed|dr|mr|mrs|ms|prof|st|"
    r"z\.\s?b|d\.\s?h|u\.\s?a|o\.\s?ä|u\.\s?u|v\.\s?a|i\.\s?d\.\s?r|bzw|ggf|evtl|usw|ca|inkl|exkl|abs|vgl|bspw|sog|"
    r"p\.\s?ex|c\.-à-d|env|ej|p\.\s?ej|pág|sr|sra|vd|uds|dra|ex|т\.\s?е|т\.\s?д|т\.\s?п|т\.\s?к|др|см|напр|стр|г|"
    r"[a-zà-öø-ÿа-я])\.$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|\s)\d{1,3}\.$")
_CODE = re.compile(r"(?P<ticks>`+)(?:(?!(?P=ticks)).)+?(?P=ticks)(?!`)", re.DOTALL)
_NEXT_STARTS = re.compile(r"[\"'“„«(\[*_`~]*(?P<first>\S)")
_QUOTED = re.compile("[」』）】]")
_NAME = re.compile(r"[a-z]\w*(?:_\w|\(|/\w|\.\w|[A-Z])")
_SHORT_LINE = 50
"""A line of prose that ends before this column was not wrapped: it is a thought of its own."""


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return start and end of each sentence of a block of prose, in order, without the space around it."""
    code = [(found.start(), found.end()) for found in _CODE.finditer(text)]
    ends = sorted({*_stops(text, code), *_line_ends(text), len(text)})
    found = []
    start = 0
    for end in ends:
        first, last = _trim(text, start, end)
        if first < last:
            found.append((first, last))
        start = end
    return tuple(found)


def _stops(text: str, code: list[tuple[int, int]]) -> list[int]:
    stops = []
    depth = _Brackets(text)
    for found in _END.finditer(text):
        at = found.start()
        if any(start <= at < end - 1 for start, end in code):
            continue
        if found["mark"][0] in ".…" and not _ends_here(text, found):
            continue
        end = found.end("close")
        if depth.open_at(end) or (_QUOTED.search(found["close"]) and end < len(text) and not text[end].isspace()):
            continue
        stops.append(end)
    return stops


def _ends_here(text: str, found: re.Match[str]) -> bool:
    """Whether a full stop ends a sentence and not an abbreviation, an ordinal or the middle of a line."""
    before = text[: found.end("mark")]
    tail = before[-14:]
    if found["mark"] == "." and (_ABBREVIATION.search(tail) or _ORDINAL.search(tail)):
        return False
    following = _NEXT_STARTS.match(text, found.end())
    if following is None:
        return True
    first = following["first"]
    if "\n" in found["space"]:
        return True
    return not first.islower() or text[found.end()] in "`*" or _NAME.match(text, found.end()) is not None


def _line_ends(text: str) -> list[int]:
    """Line breaks that end a thought: after a short line, and where Markdown asks for one."""
    stops = []
    start = 0
    while (at := text.find("\n", start)) >= 0:
        line = text[start:at]
        bare = line.rstrip()
        following = text[at + 1 : at + 2]
        if (
            line.endswith(("  ", "\\"))
            or bare.endswith((":", "：", ";"))
            or (len(bare) < _SHORT_LINE and not following.islower())
        ):
            stops.append(at)
        start = at + 1
    return stops


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start].isspace():
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    return start, end


class _Brackets:
    """Where round brackets are open, so that a sentence is not cut inside of them."""

    _LONGEST = 160

    def __init__(self, text: str) -> None:
        self._spans: list[tuple[int, int]] = []
        opened: list[int] = []
        for at, character in enumerate(text):
            if character in "(（「『":
                opened.append(at)
            elif character in ")）」』" and opened:
                start = opened.pop()
                if not opened and at - start <= self._LONGEST:
                    self._spans.append((start, at + 1))

    def open_at(self, position: int) -> bool:
        return any(start < position < end for start, end in self._spans)
