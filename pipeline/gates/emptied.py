"""Owns which headings go when what stands below them is taken out; knows no gate and no reason."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.blocks import replace
from pipeline.wiki.markdown.positions import NEWLINE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.wiki.markdown.blocks import Blocks


def emptied(blocks: Blocks, edits: Sequence[tuple[int, int, str]], body: str) -> list[tuple[int, int, str]]:
    """Find headings of `body` below which these edits leave neither text nor code, each up to the next one."""
    ordered = sorted(edits, key=_place)
    gone: list[tuple[int, int, str]] = []
    for number, heading in enumerate(blocks.headings):
        after = blocks.headings[number + 1 :]
        stop = next((other.start for other in after if other.level <= heading.level), len(body))
        first, last = (bisect_left(ordered, (place, place), key=_place) for place in (heading.end, stop))
        inner = [edit for edit in ordered[first:last] if edit[1] <= stop]
        if inner and not _left(blocks.prose, body, (heading.end, stop), inner):
            gone.append((heading.start, stop, ""))
    return gone


def _place(edit: tuple[int, int, str]) -> tuple[int, int]:
    return edit[:2]


def _left(prose: str, body: str, span: tuple[int, int], edits: Sequence[tuple[int, int, str]]) -> bool:
    """Whether anything but headings is left; a line that is blank in `prose` alone is code."""
    start, stop = span
    inside = [(begin - start, end - start, "") for begin, end, _ in edits]
    rest, whole = (NEWLINE.split(replace(text[start:stop], inside)) for text in (prose, body))
    return any(
        not line.lstrip().startswith("#") if line.strip() else bool(as_written.strip())
        for line, as_written in zip(rest, whole, strict=False)
    )
