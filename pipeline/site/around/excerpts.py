"""Owns which words of a long observation a footnote shows: those that the cited claims rest on, in plain words.

There are two of it: the words that matter with about a sentence before and after them, and a longer one for who wants
more of it. Knows no page and no HTML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from pipeline.site.around.places import Place, Span, Words, sentences
from pipeline.site.around.spoken import is_in_code, plain_lines
from pipeline.site.passages import words_of
from pipeline.text import cut

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_LOOKED_AT: Final = 40_000
"""Unicode characters of an observation in which a claim's words are looked for."""
_MARKS: Final = 1.3
"""How much longer than its plain words a text with Markdown may be."""
_NOT_LESS: Final = 60
"""Unicode characters that a longer excerpt has more than a short one."""
_BEFORE: Final = 0.25
"""The part of the room in a sentence that is too long which stands before the words that matter."""
_ALL: Final = 99
_CLOSED: Final = ".!?:…。！？："
_GAP: Final = " … "


class Piece(NamedTuple):
    """A run of an observation's words; `matters` tells whether a claim rests on it."""

    text: str
    matters: bool = False


class Excerpt(NamedTuple):
    """What is shown of an observation: in short, in one line; and longer, with its lines, where that adds something."""

    short: tuple[Piece, ...]
    longer: tuple[Piece, ...] = ()

    @property
    def matters(self) -> bool:
        """Whether the words of a claim are found in it."""
        return any(piece.matters for piece in self.short)


class _Region(NamedTuple):
    """Some lines of an observation, in plain words, and the places in them that claims rest on."""

    text: str
    places: tuple[Place, ...] = ()


def excerpt(words: str, claims: Sequence[str], limit: int, longer: int) -> Excerpt:
    """Cut an observation to about `limit` Unicode characters around what the claims (Markdown) rest on.

    Where nothing of them is found, it is its beginning. The second excerpt has about `longer` characters.
    """
    text = words[:_LOOKED_AT]
    regions = _regions(text, claims, max(limit, longer))
    if not regions:
        read = int(_MARKS * max(limit, longer))
        whole = "\n".join(plain_lines(text[:read]))
        short, more = (_end_cut(whole, room, more=len(words) > read) for room in (limit, longer))
        return _both((Piece(" ".join(short.split("\n"))),), (Piece(more),))
    short_one = tuple(_shown(regions, limit, 1, in_one_line=True))
    return _both(short_one, tuple(_shown(regions, longer, _ALL, in_one_line=False)) if longer > limit else ())


def _both(short: tuple[Piece, ...], longer: tuple[Piece, ...]) -> Excerpt:
    return Excerpt(short, longer if _length(longer) >= _length(short) + _NOT_LESS else ())


def _length(pieces: Sequence[Piece]) -> int:
    return sum(len(piece.text) for piece in pieces)


def _regions(text: str, claims: Sequence[str], reach: int) -> list[_Region]:
    """Find what claims rest on in the text as it is written, and put the lines around it into plain words."""
    written = Words(text)
    found = sorted((place, claim) for claim in claims if (place := written.place(claim)))
    around: list[tuple[int, int, list[str]]] = []
    for place, claim in found:
        start, end = _lines_around(text, place, int(_MARKS * reach))
        if around and start <= around[-1][1]:
            around[-1] = (around[-1][0], max(end, around[-1][1]), [*around[-1][2], claim])
        else:
            around.append((start, end, [claim]))
    regions = [_region(text, start, end, said) for start, end, said in around]
    return [region for region in regions if region.places]


def _lines_around(text: str, place: Place, reach: int) -> tuple[int, int]:
    """Give whole lines, or at least whole words, that reach about so far before a place and behind it."""
    start, end = max(place.start - reach, 0), min(place.end + reach, len(text))
    near = reach // 3
    if start:
        breaks = (text.find("\n", start, min(start + near, place.start)), text.find(" ", start, place.start))
        start = next((found + 1 for found in breaks if found >= 0), place.start)
    if end < len(text):
        breaks = (text.rfind("\n", max(end - near, place.end), end), text.rfind(" ", place.end, end))
        end = next((found for found in breaks if found >= 0), place.end)
    return start, end


def _region(text: str, start: int, end: int, claims: Sequence[str]) -> _Region:
    plain = "\n".join(plain_lines(text[start:end], in_code=is_in_code(text, start)))
    spoken = Words(plain)
    places: list[Place] = []
    found = (spoken.verbatim(claim) or spoken.place(words_of(claim)) for claim in claims)
    for place in sorted(filter(None, found)):
        if places and place.start < places[-1].end:
            places[-1] = Place(places[-1].start, max(place.end, places[-1].end))
        else:
            places.append(place)
    return _Region(plain, tuple(places))


def _shown(regions: Sequence[_Region], limit: int, most: int, *, in_one_line: bool) -> Iterator[Piece]:
    places = [place for region in regions for place in region.places]
    needed = sum(place.end - place.start for place in places)
    spare = max(limit - needed, 0) // len(places)
    begun = False
    for region in regions:
        spans = sentences(region.text)
        starts = {span.start for span in spans}
        reached = 0
        windows: list[tuple[int, int]] = []
        for place in region.places:
            room = (place.end - place.start) * min(limit, needed) // needed + spare
            first, last = _window(region.text, spans, place, room, most)
            if windows and not region.text[windows[-1][1] : first].strip():
                windows[-1] = (windows[-1][0], max(last, windows[-1][1]))
            else:
                windows.append((first, last))
        for first, last in windows:
            if begun:
                yield Piece(_GAP)
            elif first not in starts:
                yield Piece("… ")
            for piece in _marked(region, first, last):
                yield Piece(piece.text.replace("\n", " "), piece.matters) if in_one_line else piece
            begun, reached = True, last
    if all(reached != span.end for span in spans):
        yield Piece(" …")


def _window(text: str, spans: Sequence[Span], place: Place, room: int, most: int) -> tuple[int, int]:
    """Give what is shown of a text around a place: its sentence, and up to `most` sentences on either side."""
    low = next(number for number, span in enumerate(spans) if place.start < span.end)
    high = next(number for number, span in enumerate(spans) if place.end <= span.end)
    first, last = spans[low].start, spans[high].end
    if last - first > room:
        return _within(text, Span(first, last), place, room)
    for _ in range(most):
        before = low and last - spans[low - 1].start <= room and _reads_on(text, spans[low - 1], most)
        if before:
            low -= 1
            first = spans[low].start
        after = high + 1 < len(spans) and spans[high + 1].end - first <= room
        after = after and all(_reads_on(text, span, most) for span in spans[high : high + 2])
        if after:
            high += 1
            last = spans[high].end
        if not before and not after:
            break
    return first, last


def _reads_on(text: str, span: Span, most: int) -> bool:
    """Whether a sentence and the next one can stand in one line: a heading or an item of a list cannot."""
    return most > 1 or text[span.end - 1] in _CLOSED


def _within(text: str, sentence: Span, place: Place, room: int) -> tuple[int, int]:
    """Cut a sentence that is too long around a place, between words where some are near."""
    left = room - (place.end - place.start)
    if left <= 0:
        last = place.start + len(cut(text[place.start : place.end], max(room, 1)))
        gap = text.rfind(" ", place.start, last) if last < place.end else -1
        return place.start, gap if gap - place.start > room // 2 else last
    first = max(sentence.start, place.start - int(left * _BEFORE))
    if first > sentence.start:
        gap = text.find(" ", first, place.start)
        first = gap + 1 if gap >= 0 else place.start
    last = min(sentence.end, place.end + left - (place.start - first))
    if last < sentence.end:
        gap = text.rfind(" ", place.end, last)
        last = gap if gap >= 0 else place.end
    return first, last


def _marked(region: _Region, start: int, end: int) -> Iterator[Piece]:
    at = start
    for place in region.places:
        if place.end <= start or place.start >= end:
            continue
        if place.start > at:
            yield Piece(region.text[at : place.start])
        yield Piece(region.text[max(place.start, at) : min(place.end, end)], matters=True)
        at = min(place.end, end)
    if at < end:
        yield Piece(region.text[at:end])


def _end_cut(text: str, limit: int, *, more: bool) -> str:
    if len(text) <= limit:
        return f"{text} …" if more and text else text
    kept = cut(text, max(limit - 1, 1))
    gap = max(kept.rfind(" "), kept.rfind("\n"))
    return f"{kept[:gap] if gap > limit // 2 else kept.rstrip()}…"
