"""Owns which sections a merged page has, in which order, and which version each is taken from.

A section that one side alone changed is taken from that side, byte for byte; new ones stand behind what they stood
behind; one that the commit took out goes only when nobody changed it. Knows not what stands between two sections.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.wiki.merging.knowing import marks_of
from pipeline.wiki.merging.matching import match, match_by_path
from pipeline.wiki.merging.weaving import NOTHING, Meeting, same, three_way, weave

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.wiki.merging.knowing import Known
    from pipeline.wiki.merging.units import Cut, Unit

_ABSENT = -1


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A section of the result: its text, what ends it, and its place in what the commit left and in what stands."""

    text: str
    tail: str
    level: int
    after: int
    standing: int


@dataclass(frozen=True, slots=True)
class _Triple:
    """The places of one section in the three versions; -1 where it is not there."""

    before: int
    after: int
    standing: int


def arrange(before: Cut, after: Cut, standing: Cut, known: Known, newline: str) -> tuple[list[Piece], list[Meeting]]:
    """Decide on every section; gives them in order, and what met in them."""
    triples = _triples(before.units, after.units, standing.units)
    desk = _Desk(before, after, standing, known, newline)
    pieces = {triple: piece for triple in triples if (piece := desk.decide(triple)) is not None}
    desk.keep_parents(triples, pieces)
    ordered = _order(triples, pieces)
    met = [desk.meetings[triple] for triple in ordered if triple in desk.meetings]
    return [pieces[triple] for triple in ordered], met


def _triples(before: Sequence[Unit], after: Sequence[Unit], standing: Sequence[Unit]) -> list[_Triple]:
    ours, theirs = match(before, after), match(before, standing)
    triples = [_Triple(place, ours.get(place, _ABSENT), theirs.get(place, _ABSENT)) for place in range(len(before))]
    new = sorted(set(range(len(after))).difference(ours.values()))
    other = sorted(set(range(len(standing))).difference(theirs.values()))
    both = match_by_path([after[place] for place in new], [standing[place] for place in other])
    triples += [_Triple(_ABSENT, new[one], other[two]) for one, two in both.items()]
    triples += [_Triple(_ABSENT, place, _ABSENT) for number, place in enumerate(new) if number not in both]
    left = set(both.values())
    return triples + [_Triple(_ABSENT, _ABSENT, place) for number, place in enumerate(other) if number not in left]


class _Desk:
    def __init__(self, before: Cut, after: Cut, standing: Cut, known: Known, newline: str) -> None:
        self._before, self._after, self._standing = before.units, after.units, standing.units
        self._known = known
        self._newline = newline
        self._paths = {unit.path for unit in standing.units}
        self.meetings: dict[_Triple, Meeting] = {}

    def decide(self, triple: _Triple) -> Piece | None:
        """Take a section from the side that changed it, or weave it; None for one that is not there any more."""
        before, after, standing = self._units(triple)
        if standing is None:
            return self._bring(triple, before, after)
        if before is None and after is None:
            return self._piece(triple, _text(standing), standing.tail, standing.level)
        if before is not None and after is None:
            return self._remove(triple, before, standing)
        first, second = before or NOTHING, after or NOTHING
        tail = three_way(first.tail, second.tail, standing.tail)
        if same(_text(first), _text(second)) or same(_text(second), _text(standing)):
            return self._piece(triple, _text(standing), tail, standing.level)
        if before is not None and same(_text(before), _text(standing)) and self._is_wanted(second):
            return self._piece(triple, _text(second), tail, second.level)
        woven = weave(first, second, standing, self._known, self._newline)
        if woven.meeting is not None:
            self.meetings[triple] = woven.meeting
        return self._piece(triple, woven.text, tail, standing.level)

    def keep_parents(self, triples: Sequence[_Triple], pieces: dict[_Triple, Piece]) -> None:
        """Let a heading stand that the commit took out, as long as a person's section stands below it."""
        by_place = {triple.standing: triple for triple in triples if triple.standing != _ABSENT}
        below: list[tuple[int, bool]] = []
        for place in range(len(self._standing) - 1, -1, -1):
            triple, unit = by_place[place], self._standing[place]
            stays = False
            while below and below[-1][0] > unit.level:
                stays |= below.pop()[1]
            if stays and triple not in pieces:
                pieces[triple] = self._piece(triple, unit.head.rstrip(), self._newline * 2, unit.level)
                self.meetings[triple] = Meeting(unit.heading, stands=unit.heading)
            below.append((unit.level, stays or (triple in pieces and triple.after == _ABSENT)))

    def _units(self, triple: _Triple) -> tuple[Unit | None, Unit | None, Unit | None]:
        return (
            self._before[triple.before] if triple.before != _ABSENT else None,
            self._after[triple.after] if triple.after != _ABSENT else None,
            self._standing[triple.standing] if triple.standing != _ABSENT else None,
        )

    def _piece(self, triple: _Triple, text: str, tail: str, level: int) -> Piece:
        return Piece(text, tail, level, triple.after, triple.standing)

    def _is_wanted(self, unit: Unit) -> bool:
        """Whether a section of the commit holds nothing that a person took out, or that stands already elsewhere."""
        known = self._known
        return not any(known.is_gone(chunk) or known.stands_already(chunk) for chunk in unit.chunks)

    def _remove(self, triple: _Triple, before: Unit, standing: Unit) -> Piece | None:
        kept = any(chunk.kind == "kept" for chunk in standing.chunks) or "<!--" in standing.head
        if same(_text(before), _text(standing)) and not kept:
            return None
        said = next((chunk.text for chunk in standing.chunks if chunk.said), standing.heading)
        self.meetings[triple] = Meeting(standing.heading, stands=said, left=standing.heading)
        return self._piece(triple, _text(standing), standing.tail, standing.level)

    def _bring(self, triple: _Triple, before: Unit | None, after: Unit | None) -> Piece | None:
        """Bring a section that does not stand: a new one whole, of one that a person took out what is new in it."""
        if after is None or (before is not None and same(_text(before), _text(after))):
            return None
        known = self._known
        if before is None and not any(marks_of(chunk) for chunk in after.chunks) and after.path in self._paths:
            return None
        if before is None and self._is_wanted(after):
            return self._piece(triple, _text(after), after.tail, after.level)
        if not any(known.is_new(chunk) for chunk in after.chunks):
            return None
        first, second = (replace(unit, head="", opening="") for unit in (before or NOTHING, after))
        woven = weave(first, second, NOTHING, known, self._newline)
        if before is not None and woven.meeting is not None:
            self.meetings[triple] = woven.meeting
        return self._piece(triple, f"{after.head}{after.opening}{woven.text}", after.tail, after.level)


def _text(unit: Unit) -> str:
    """Give a section without the blank lines at its end."""
    if not unit.chunks:
        return unit.head.rstrip(" \t\r\n")
    parts = [f"{chunk.text}{chunk.gap}" for chunk in unit.chunks[:-1]]
    return "".join((unit.head, unit.opening, *parts, unit.chunks[-1].text))


def _order(triples: Sequence[_Triple], pieces: dict[_Triple, Piece]) -> list[_Triple]:
    """Keep the order of what stands, and put what the commit added behind what it stood behind."""
    base = sorted((one for one in triples if one.standing != _ABSENT), key=lambda one: one.standing)
    others = sorted((one for one in triples if one.after != _ABSENT), key=lambda one: one.after)
    following: dict[_Triple | None, _Triple | None] = {}
    last: _Triple | None = None
    for triple in (one for one in base if one in pieces):
        following[last] = triple
        last = triple
    following[last] = None
    last = None
    for triple in others:
        if triple in following:
            last = triple
        elif triple in pieces:
            last = _behind(triple, last, following, pieces)
            following[triple], following[last] = following[last], triple
            last = triple
    ordered: list[_Triple] = []
    at = following[None]
    while at is not None:
        ordered.append(at)
        at = following[at]
    return ordered


def _behind(
    triple: _Triple,
    last: _Triple | None,
    following: dict[_Triple | None, _Triple | None],
    pieces: dict[_Triple, Piece],
) -> _Triple | None:
    """Find what a section goes behind: what it stood behind, with all that is deeper than itself there."""
    level = pieces[triple].level
    if level <= 1 and pieces[triple].after == 1:
        return last
    at = following[last]
    while at is not None and pieces[at].level > level:
        last, at = at, following[at]
    return last
