"""Owns the text of a page below its front matter when both sides changed it: section by section, then as a whole.

What comes out is held against all three versions before it counts. A text that would not hold is made anew by adding
to what stands alone; when that does not hold either, what stands stays. Knows no front matter and no path.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.positions import NEWLINE
from pipeline.wiki.merging.arranging import Piece, arrange
from pipeline.wiki.merging.cutting import Reader
from pipeline.wiki.merging.holding import holds
from pipeline.wiki.merging.knowing import Known
from pipeline.wiki.merging.notes import close
from pipeline.wiki.merging.weaving import Meeting
from pipeline.wiki.revision.additions import add, end_of_content, insert
from pipeline.wiki.sections.editing import newline_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.wiki.merging.units import Chunk, Cut

_MOST_WORK = 20_000_000
"""Characters that adding piece by piece may read; a larger page gets its additions in one piece at its end."""


@dataclass(frozen=True, slots=True)
class MergedBody:
    """A text, what met in it, and what the commit brought that could not be added (words of statements)."""

    text: str
    meetings: tuple[Meeting, ...] = ()
    lost: tuple[str, ...] = ()


def merge_body(before: str, after: str, standing: str, *, additive: bool = False) -> MergedBody:
    """Carry what changed between two versions of a body over to the one that stands; `additive` takes nothing out."""
    if standing == before and not additive:
        return MergedBody(after)
    if after in {before, standing}:
        return MergedBody(standing)
    newline = newline_of(standing if NEWLINE.search(standing) else after)
    reader = Reader()
    cuts = [reader.cut(text) for text in (_with(before, newline), _with(after, newline), standing)]
    first, second, third = cuts
    if _is_carried(first, second, third):
        return MergedBody(standing)
    known = Known(*cuts)
    if not additive:
        pieces, meetings = arrange(first, second, third, known, newline)
        text = close(_joined(pieces, third, second, newline), first, second, third, newline)
        if holds(reader.cut(text), first, second, third):
            return MergedBody(text, tuple(meetings))
    text = close(_beside(second, third, known), first, second, third, newline)
    if holds(reader.cut(text), first, second, third, whole=True):
        added = [chunk.text for chunk in second.chunks() if known.is_new(chunk)]
        return MergedBody(text, (Meeting("", added=" ".join(added[:2])),) if added else ())
    new = (one.words for one in second.said() if one.words in known.brought)
    return MergedBody(standing, lost=tuple(dict.fromkeys(new)))


def _is_carried(before: Cut, after: Cut, standing: Cut) -> bool:
    """Whether all that the commit wrote stands already, and nothing stands of what it took out."""
    was, came, stands = (_written_in(cut) for cut in (before, after, standing))
    return was != came and came - was <= stands and stands.isdisjoint(was - came)


def _written_in(cut: Cut) -> set[str]:
    texts = {one.text for one in cut.said()}
    texts |= {chunk.key for chunk in cut.chunks() if not chunk.said}
    return texts | {f"#\0{unit.path[-1]}" for unit in cut.units if unit.path}


def _with(text: str, newline: str) -> str:
    return NEWLINE.sub(newline, text)


def _joined(pieces: Sequence[Piece], standing: Cut, after: Cut, newline: str) -> str:
    """Write the sections one behind the other, with a blank line wherever two meet for the first time."""
    shown = [piece for piece in pieces if piece.text.strip()]
    parts: list[str] = []
    for piece, following in pairwise(shown):
        tail = piece.tail
        in_standing = 0 <= piece.standing == following.standing - 1
        in_after = 0 <= piece.after == following.after - 1
        if in_standing and not in_after:
            tail = standing.units[piece.standing].tail
        elif not in_standing:
            tail = max(tail, after.units[piece.after].tail, key=_lines) if in_after else _blank(tail, newline)
        parts += [piece.text, tail if _lines(tail) else _blank(tail, newline)]
    if not shown:
        return ""
    last = shown[-1]
    if not pieces[0].text:
        parts.insert(0, pieces[0].tail)
    parts += [last.text, _last_tail(last, standing, after, newline)]
    return "".join(parts)


def _last_tail(last: Piece, standing: Cut, after: Cut, newline: str) -> str:
    if last.standing == len(standing.units) - 1:
        return last.tail if last.after == len(after.units) - 1 else standing.units[-1].tail
    if last.after == len(after.units) - 1:
        return after.units[-1].tail
    return newline * (2 if standing.closing else 1)


def _blank(tail: str, newline: str) -> str:
    return f"{tail}{newline * max(2 - _lines(tail), 0)}"


def _lines(gap: str) -> int:
    return len(NEWLINE.findall(gap))


def _beside(after: Cut, standing: Cut, known: Known) -> str:
    """Add what the commit brought to what stands, and change nothing of that."""
    parts: list[str] = []
    for unit in after.units:
        new = [chunk for chunk in unit.chunks if known.is_new(chunk) and not known.is_gone(chunk)]
        if new:
            head = unit.head.strip() if unit.path and unit.level > 1 else ""
            parts += [head] if head else []
            parts += _written(new, unit.chunks)
    changes = "\n\n".join(parts)
    if len(parts) * len(standing.body) > _MOST_WORK:
        return insert(standing.body, end_of_content(standing.body), changes)
    return add(standing.body, changes)


def _written(new: Sequence[Chunk], chunks: Sequence[Chunk]) -> list[str]:
    """Write new chunks by themselves; rows of one table stay together, below its head."""
    written: list[str] = []
    heads: dict[int, Chunk] = {}
    table: Chunk | None = None
    for chunk in chunks:
        table = chunk if chunk.kind == "table" else table if chunk.kind == "row" else None
        if table is not None:
            heads[id(chunk)] = table
    above: Chunk | None = None
    for chunk in new:
        head = heads.get(id(chunk)) if chunk.kind == "row" else None
        if head is not None and head is above and written:
            written[-1] = f"{written[-1]}\n{chunk.text}"
        else:
            written.append(f"{head.text}\n{chunk.text}" if head is not None else _outdented(chunk).text)
        above = head
    return written


def _outdented(chunk: Chunk) -> Chunk:
    """Take the indentation from a chunk that stood in an item, so that it stands by itself."""
    lines = NEWLINE.split(chunk.text)
    depth = min((len(line) - len(line.lstrip(" ")) for line in lines if line.strip()), default=0)
    if chunk.kind == "code" or not depth:
        return chunk
    return replace(chunk, text="\n".join(line[min(depth, len(line) - len(line.lstrip(" "))) :] for line in lines))
