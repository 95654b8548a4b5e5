"""Owns what a difference tells of sources: which were added and which removed, instead of marks and definitions.

Labels mean nothing to a reader. What a mark names that no footnote of the page defines is no mark, and stays.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join
from pipeline.site.history.words import compare_words
from pipeline.text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pipeline.site.history.units import Entry, Unit
    from pipeline.site.history.words import Piece

_MARK: Final = re.compile(r"\[\^([^\]\s]{1,200})\]")
_DEFINITION: Final = re.compile(r"[ \t]*\[\^(?P<label>[^\]\s]{1,200})\]:[ \t]*(?P<says>.*)")
_STAMP: Final = re.compile(r"(?P<day>\d{4}-\d{2}-\d{2}) \d{2}:\d{2}, (?P<who>.+)")
_SAID: Final = 120
"""Unicode characters of what a definition says."""
_NAME: Final = 60
_ADDED: Final = "source added"
_REMOVED: Final = "source removed"
_CHANGED: Final = "source changed"


class Citations:
    """The footnotes of two states of a page; each of those that came or went is told once."""

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self._before = _definitions(before)
        self._after = _definitions(after)
        self._told: set[tuple[str, str]] = set()

    def unmarked(self, words: str) -> str:
        """Take the marks of footnotes out of a text."""
        return _MARK.sub(lambda mark: "" if self._knows(mark[1]) else mark[0], words) if "[^" in words else words

    def of_claim(self, entry: Entry) -> Iterator[Html]:
        """Tell the sources that came to the page or went with a claim; where only they changed, all of the claim's."""
        before, after = self._labels(entry.before), self._labels(entry.after)
        alone = entry.before is not None and entry.after is not None and entry.before.bare == entry.after.bare
        for label in before:
            if label not in after and (alone or label not in self._after):
                yield from self._tell(_REMOVED, label, self._before, again=alone)
        for label in after:
            if label not in before and (alone or label not in self._before):
                yield from self._tell(_ADDED, label, self._after, again=alone)

    def of_note(self, entry: Entry, render: Callable[[Sequence[Piece]], Html]) -> Iterator[Html]:
        """Tell what became of a footnote's definition, unless it was told with a claim."""
        before, after = _defined(entry.before), _defined(entry.after)
        if before and after and before[0] == after[0]:
            yield element("p", f"{_CHANGED}: ", render(compare_words(before[1], after[1])), class_="wm-fact")
            return
        if before:
            yield from self._tell(_REMOVED, before[0], {before[0]: before[1]})
        if after:
            yield from self._tell(_ADDED, after[0], {after[0]: after[1]})

    def _knows(self, label: str) -> bool:
        return label in self._before or label in self._after

    def _labels(self, unit: Unit | None) -> dict[str, None]:
        found = _MARK.findall(unit.text) if unit is not None and "[^" in unit.text else []
        return dict.fromkeys(label for label in found if self._knows(label))

    def _tell(self, change: str, label: str, says: dict[str, str], *, again: bool = False) -> Iterator[Html]:
        if again or (change, label) not in self._told:
            self._told.add((change, label))
            yield _source(change, says.get(label, ""))


def is_definition(line: str) -> bool:
    """Whether a line defines a footnote."""
    return "[^" in line and _DEFINITION.match(line) is not None


def _definitions(lines: Sequence[str]) -> dict[str, str]:
    found = (_DEFINITION.match(line) for line in lines if "[^" in line)
    return {one["label"]: one["says"] for one in found if one}


def _defined(unit: Unit | None) -> tuple[str, str] | None:
    found = _DEFINITION.match(unit.text) if unit is not None else None
    return (found["label"], found["says"]) if found else None


def _source(change: str, says: str) -> Html:
    stamp = _STAMP.fullmatch(says)
    if stamp is None:
        return element("p", f"{change}: {one_line(says, _SAID)}" if says else change, class_="wm-fact")
    told = join((f"{change}: ", element("time", stamp["day"]), f", {one_line(stamp['who'], _NAME)}"))
    return element("p", told, class_="wm-fact")
