"""Owns what must be true of a merged text, whatever way it was made.

It loses nothing that stands unless the commit took it out, lacks nothing that the commit brought, brings nothing back
that a person took out, invents and doubles nothing, and leaves keep blocks and headings whole.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from pipeline.wiki.merging.knowing import marks_of
from pipeline.wiki.merging.units import TITLE

if TYPE_CHECKING:
    from pipeline.wiki.merging.units import Cut


def holds(result: Cut, before: Cut, after: Cut, standing: Cut, *, whole: bool = False) -> bool:
    """Whether a text may stand for the three versions; with `whole`, all that stands must stand in it."""
    return (
        _says_all(result, before, after, standing, whole=whole)
        and _keeps(result, standing)
        and _heads(result, before, after, standing)
        and _notes(result, before, after, standing)
    )


def _says_all(result: Cut, before: Cut, after: Cut, standing: Cut, *, whole: bool) -> bool:
    counts = [_marks(cut) for cut in (result, before, after, standing)]
    said, were, came, stood = (frozenset(one) for one in counts)
    if not (came - were <= said and said.isdisjoint(were - stood) and counts[0] <= counts[2] | counts[3]):
        return False
    texts, old, new = ({one.text for one in cut.said()} for cut in (result, before, after))
    for one in standing.said():
        if one.text in texts:
            continue
        touched = one.words in were and one.text in old and one.text not in new
        if whole or not touched or (one.words in came and one.words not in said):
            return False
    mute = stood - {one.words for one in standing.said()}
    return all(mark in said for mark in mute if whole or mark not in were or mark in came)


def _marks(cut: Cut) -> Counter[str]:
    return Counter(mark for chunk in cut.chunks() for mark in marks_of(chunk))


def _keeps(result: Cut, standing: Cut) -> bool:
    """Whether the keep blocks that stand are those of the result; an end that one lacked may have been added."""
    return Counter(result.kept) == Counter(standing.kept)


def _heads(result: Cut, before: Cut, after: Cut, standing: Cut) -> bool:
    """Whether each heading comes from somewhere, and a person's own ones are all there."""
    heads, were, came, stood = ({_key(unit.path) for unit in cut.units} for cut in (result, before, after, standing))
    return stood - were <= heads <= came | stood


def _key(path: tuple[str, ...]) -> str:
    return path[-1] if path and path != TITLE else ""


def _notes(result: Cut, before: Cut, after: Cut, standing: Cut) -> bool:
    """Whether no footnote lost its definition."""
    versions = (before, after, standing)
    open_before = {label for cut in versions for label in cut.cited - cut.notes.keys()}
    return result.cited - result.notes.keys() <= open_before
