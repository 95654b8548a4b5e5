"""Owns how a change is shown: what is gone in `<del>`, what is new in `<ins>`, within a limit of bytes.

What did not change is folded to the line before, and to the heading above; instead of marks and definitions of
footnotes it is told which sources came or went. Knows no page but the two states that it shows.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final, NamedTuple

from pipeline.site.elements import Html, element, join, text
from pipeline.site.history.cited import Citations, is_definition
from pipeline.site.history.readable import is_heading, marks, readable
from pipeline.site.history.units import fenced
from pipeline.site.history.words import Piece, compare_words
from pipeline.text import cut

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pipeline.site.history.changed import Change
    from pipeline.site.history.units import Entry

_LABELS: Final = {
    "title": "Title",
    "type": "Type",
    "description": "Description",
    "status": "Status",
    "tags": "Tags",
    "aliases": "Other names",
    "superseded_by": "Superseded by",
}
_BESIDE: Final = 120
"""Unicode characters of a line that did not change, and of what stays in a changed one on one side of a change."""
_LONGEST_RUN: Final = 1_200
"""Unicode characters of a run that is gone or new."""
_FOLDED: Final = "⋯"
_FOLD: Final = element("p", _FOLDED, class_="wm-same")


class Shown(NamedTuple):
    """The HTML of a difference, and how many changed lines are left out of it."""

    html: Html
    left_out: int


def show(change: Change, limit: int) -> Shown:
    """Show a change within so many bytes of HTML, from its beginning on; of a page that is new nothing is shown."""
    if change.before is None:
        return Shown(Html(), 0)
    parts: list[Html] = []
    room = limit
    context = _Context(change)
    blocks = len(change.fields) + len(change.entries)
    for number in range(blocks):
        html = _field(change.fields[number]) if number < len(change.fields) else context.around(number)
        room -= len(html.encode("utf-8", "replace"))
        if room < 0:
            left_out = sum(map(_lines, change.entries[max(number - len(change.fields), 0) :]))
            return Shown(_whole(parts), left_out + max(len(change.fields) - number, 0))
        parts.append(html)
    return Shown(_whole(parts), 0)


def render_words(pieces: Sequence[Piece]) -> Html:
    """Write the words of a changed text; long runs are shortened."""
    last = len(pieces) - 1
    return join(_run(piece, first=number == 0, last=number == last) for number, piece in enumerate(pieces))


def _whole(parts: Sequence[Html]) -> Html:
    return element("div", *parts, class_="wm-diff") if parts else Html()


def _field(told: tuple[str, str, str]) -> Html:
    name, before, after = told
    return element("p", f"{_LABELS[name]}: ", render_words(compare_words(before, after)))


class _Context:
    """Shows entries in their order, each with what stands around it and was not shown yet."""

    def __init__(self, change: Change) -> None:
        self._lines = change.after.lines
        self._entries = change.entries
        self._citations = Citations(change.before.lines if change.before else (), change.after.lines)
        self._first = len(change.fields)
        self._reached = 0
        """The line before which everything was shown or folded."""
        spans = (unit for entry in change.entries if (unit := entry.after) is not None)
        self._changed = frozenset(line for unit in spans for line in range(unit.line, unit.line + unit.lines))
        self._code = fenced(self._lines)
        self._headings = [
            number
            for number, line in enumerate(self._lines)
            if is_heading(line) and number not in self._changed and number not in self._code
        ]

    def around(self, number: int) -> Html:
        """Show the entry of this number, with the heading above and the line before; and what became of its sources."""
        entry = self._entries[number - self._first]
        if entry.shape == "note":
            return join(self._citations.of_note(entry, render_words))
        in_code = entry.shape == "code"
        pieces = _words(entry, str if in_code else self._citations.unmarked if _marks_differ(entry) else self._read)
        if not in_code and _is_same(pieces):
            # What changed are its sources, or marks: bold, code, another kind of list.
            marked = _words(entry, self._citations.unmarked)
            pieces = pieces if _is_same(marked) else marked
        alone = _is_same(pieces)
        words = _cut("".join(piece.text for piece in pieces), _BESIDE) if alone else render_words(pieces)
        shown = element("p", words, class_="wm-same" if alone else None)
        parts = [*self._above(entry.line), shown, *(() if in_code else self._citations.of_claim(entry))]
        self._reached = max(self._reached, entry.line + (entry.after.lines if entry.after is not None else 0))
        return join(parts)

    def _above(self, line: int) -> Iterator[Html]:
        before = line - 1
        while before >= self._reached and self._is_passed(before):
            before -= 1
        if before < self._reached:
            return
        place = bisect_left(self._headings, before + 1)
        heading = self._headings[place - 1] if place else -1
        if self._reached <= heading < before:
            yield self._same(heading)
            folded = heading + 1 < before
        else:
            folded = self._reached < before and self._reached > 0
        if folded:
            yield _FOLD
        yield self._same(before)

    def _is_passed(self, line: int) -> bool:
        words = self._lines[line]
        return not words or line in self._changed or is_definition(words)

    def _read(self, line: str) -> str:
        return readable(self._citations.unmarked(line))

    def _same(self, line: int) -> Html:
        self._reached = max(self._reached, line + 1)
        written = self._lines[line]
        if line in self._code:
            return element("p", _cut(written, _BESIDE), class_="wm-same")
        kind = "wm-same wm-head" if is_heading(written) else "wm-same"
        return element("p", _cut(self._read(written), _BESIDE), class_=kind)


def _words(entry: Entry, read: Callable[[str], str]) -> tuple[Piece, ...]:
    if entry.before is None:
        return (Piece("new", read(entry.after.text)),) if entry.after is not None else ()
    if entry.after is None:
        return (Piece("gone", read(entry.before.text)),)
    return compare_words(read(entry.before.text), read(entry.after.text))


def _marks_differ(entry: Entry) -> bool:
    """Whether marks that are not shown changed, such as the level of a heading: then all of them are shown."""
    return entry.before is not None and entry.after is not None and marks(entry.before.text) != marks(entry.after.text)


def _is_same(pieces: Sequence[Piece]) -> bool:
    return all(piece.kind == "same" for piece in pieces)


def _lines(entry: Entry) -> int:
    return max(unit.lines if unit is not None else 0 for unit in (entry.before, entry.after))


def _run(piece: Piece, *, first: bool, last: bool) -> Html:
    if piece.kind == "same":
        return text(_shortened(piece.text, first=first, last=last))
    return element("del" if piece.kind == "gone" else "ins", _cut(piece.text, _LONGEST_RUN))


def _shortened(words: str, *, first: bool, last: bool) -> str:
    """Leave out the middle of what did not change, or the end of it that stands beside no change."""
    if len(words) <= 3 * _BESIDE:
        return words
    head = "" if first else cut(words, _BESIDE)
    tail = "" if last else words[-_BESIDE:]
    return f"{head} {_FOLDED} {tail}"


def _cut(words: str, limit: int) -> str:
    return words if len(words) <= limit else f"{cut(words, limit - 1).rstrip()}…"
