"""Owns how chunks of several versions of a section become one text: line ends, blank lines, heads of tables.

Where two chunks stood next to each other in some version, what stood between them stands there again. Knows not why a
chunk was taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.positions import NEWLINE
from pipeline.wiki.merging.units import bullet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.wiki.merging.units import Chunk

_NOWHERE = (-1, -1)

Sides = tuple["Sequence[Chunk]", "Sequence[Chunk]", "Sequence[Chunk]"]
"""The chunks as they stood before the commit, after it, and as they stand."""


@dataclass(frozen=True, slots=True, eq=False)
class Bit:
    """A chunk of the result, and where it stands in each version: its place there as seen from above and from below.

    A chunk that took the place of others has their first place and their last one; -1 is no place.
    """

    chunk: Chunk
    before: tuple[int, int] = _NOWHERE
    after: tuple[int, int] = _NOWHERE
    standing: tuple[int, int] = _NOWHERE

    @property
    def places(self) -> tuple[tuple[int, int], ...]:
        """The places in the order of `Sides`."""
        return self.before, self.after, self.standing


def join(bits: Sequence[Bit], sides: Sides, newline: str) -> str:
    """Write the chunks one behind the other, without what ends the last one's line."""
    parts: list[str] = []
    bits = _fitted(_with_table_heads(bits, sides[1]))
    for number, bit in enumerate(bits):
        parts.append(bit.chunk.text)
        if number + 1 < len(bits):
            parts.append(_gap(bit, bits[number + 1], sides, newline))
    return "".join(parts)


def _gap(one: Bit, two: Bit, sides: Sides, newline: str) -> str:
    """Give what stands between two chunks: what stood there, as far as it still serves."""
    stood = [_stood(one, two, side, sides[side]) for side in range(3)]
    before, after, standing = stood
    found = standing
    if standing is None or (after is not None and before is not None and _lines(before) == _lines(standing)):
        found = after
    return found if found is not None else _new_gap(one, two, sides, newline)


def _stood(one: Bit, two: Bit, side: int, chunks: Sequence[Chunk]) -> str | None:
    above, below = one.places[side][1], two.places[side][0]
    if above < 0 or below != above + 1:
        return None
    kinds = (chunks[above].kind, chunks[below].kind) == (one.chunk.kind, two.chunk.kind)
    return chunks[above].gap if kinds or not chunks[above].tight else None


def _lines(gap: str) -> int:
    return len(NEWLINE.findall(gap))


def _new_gap(one: Bit, two: Bit, sides: Sides, newline: str) -> str:
    kinds = (one.chunk.kind, two.chunk.kind)
    if kinds in {("row", "row"), ("table", "row")}:
        return newline
    if kinds == ("item", "item") and not (_is_loose(one, sides) and _is_loose(two, sides)):
        return newline
    return newline * 2


def _is_loose(bit: Bit, sides: Sides) -> bool:
    """Whether blank lines part an item from the others of its list."""
    loose = False
    for (first, last), chunks in zip(bit.places, sides, strict=True):
        if first > 0 and chunks[first - 1].kind == "item":
            if chunks[first - 1].tight:
                return False
            loose = True
        if 0 <= last < len(chunks) - 1 and chunks[last + 1].kind == "item":
            if chunks[last].tight:
                return False
            loose = True
    return loose


def _with_table_heads(bits: Sequence[Bit], after: Sequence[Chunk]) -> list[Bit]:
    """Put the head of its table before a row of the commit that stands below none; leave out heads without a row."""
    found: list[Bit] = []
    for bit in bits:
        place = bit.after[0]
        above = found[-1].chunk.kind if found else None
        if above == "table" and bit.chunk.kind != "row":
            found.pop()
        if bit.chunk.kind == "row" and place >= 0 and above not in {"row", "table"}:
            while place >= 0 and after[place].kind == "row":
                place -= 1
            if place >= 0 and after[place].kind == "table":
                found.append(Bit(after[place], after=(place, place)))
        found.append(bit)
    return found[:-1] if found and found[-1].chunk.kind == "table" else found


def _fitted(bits: Sequence[Bit]) -> list[Bit]:
    """Give the commit's items the bullet of the list of a person that they go on with."""
    found: list[Bit] = []
    for number, bit in enumerate(bits):
        if bit.standing[0] < 0 and bit.chunk.kind == "item":
            below = bits[number + 1] if number + 1 < len(bits) else None
            around = [one for one in (found[-1] if found else None, below) if one is not None and one.standing[0] >= 0]
            chunk = next((new for one in around if (new := _as(bit.chunk, one.chunk)) is not bit.chunk), bit.chunk)
            found.append(replace(bit, chunk=chunk))
        else:
            found.append(bit)
    return found


def _as(chunk: Chunk, neighbour: Chunk) -> Chunk:
    place, mark = bullet(chunk.text)
    other, wanted = bullet(neighbour.text) if neighbour.kind == "item" else (-1, "")
    if place < 0 or place != other or mark == wanted:
        return chunk
    return replace(chunk, text=f"{chunk.text[:place]}{wanted}{chunk.text[place + 1 :]}")
