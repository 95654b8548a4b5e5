"""Owns which remarks on a change or a contradiction go back into a draft, and below which sentence.

A remark is the tool's own: a model that leaves one out of a section that it rewrites has not decided anything. So it
stays, unless what it is about is gone, or a newer remark of the same pair or the draft's own words say the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.gates.contradiction.marking import quotation
from pipeline.gates.retention.kept import judge, nearest, tells_history
from pipeline.wiki.markdown.remarks import AGAINST, is_changed, is_contradiction, is_remark

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pipeline.gates.contradiction.sentences import Sentence
    from pipeline.gates.retention.kept import Judged, Offered

_SIDES = re.compile(rf"“(?P<old>.*?)”(?: \([^()]{{0,400}}\))?{re.escape(AGAINST)}“(?P<new>.*)”;")


@dataclass(frozen=True, slots=True)
class Returning:
    """A remark that goes back; `below` are the words of the draft's sentence that it goes below.

    Without words, what it is about comes back as well, or the remark stands by itself.
    """

    remark: Sentence
    below: str = ""


class History:
    """The remarks of one page, each with the sentences that it is about.

    `drafted` are the words of the draft's sentences, `left` the sentences of the page as the draft leaves it, `offered`
    these and what else a statement may have gone to.
    """

    def __init__(
        self, standing: Sequence[Sentence], drafted: Collection[str], left: Sequence[Sentence], offered: Offered
    ) -> None:
        self._standing = standing
        self._drafted = drafted
        self._remarks = [one for one in left if is_remark(one.statement.text)]
        self._offered = offered
        self._places = {one.statement.start: number for number, one in enumerate(standing)}
        self._quoted: dict[str, Sentence] = {}
        if any(is_contradiction(one.statement.text) for one in standing):
            for one in standing:
                self._quoted.setdefault(quotation(one), one)

    def returning(self, remark: Sentence) -> Returning | None:
        """Tell where a remark goes that the draft leaves out, or None when it is not needed any more."""
        text = remark.statement.text
        about = self._changed(remark) if is_changed(text) else self._contradicted(remark)
        if about is None:
            return None
        fates = [judge(one, self._offered) for one in about]
        if not fates:
            return Returning(remark)
        if is_contradiction(text) and any(map(_is_decided, fates)):
            return None
        below = [one.by.words for one in fates if one.by is not None and one.by.words in self._drafted]
        if below:
            return Returning(remark, self._standing_before(remark) or below[-1])
        return Returning(remark) if any(one.fate == "lost" for one in fates) else None

    def _standing_before(self, remark: Sentence) -> str:
        """Give the words of the nearest remark above this one, of those on the same, that the draft repeats."""
        number = self._places.get(remark.statement.start, 0) - 1
        while number >= 0 and is_remark(self._standing[number].statement.text):
            if self._standing[number].words in self._drafted:
                return self._standing[number].words
            number -= 1
        return ""

    def _changed(self, remark: Sentence) -> list[Sentence] | None:
        """Give the sentence that took the place of the one that a remark quotes; none when it is told otherwise."""
        said = remark.words.partition("“")[2].rpartition("”")[0]
        newer = (one for one in self._remarks if is_changed(one.statement.text))
        if any(f"“{said}”" in one.words for one in newer) or tells_history(said, self._offered):
            return None
        above = self._above(remark)
        return [nearest(said, above)] if above else []

    def _contradicted(self, remark: Sentence) -> list[Sentence] | None:
        """Give the two sentences that contradict each other, as far as they stand on the page."""
        sides = _SIDES.search(remark.words)
        quoted = [f"“{side}”" for side in sides.groups()] if sides else []
        about = [self._quoted[side] for side in quoted if side in self._quoted]
        newer = [one.words for one in self._remarks if is_contradiction(one.statement.text)]
        changed = [one.words for one in self._remarks if is_changed(one.statement.text)]
        if any(side in words for side in quoted for words in changed):
            return None
        gone = [one for one in about if not self._offered.same(one)]
        if gone and any(side in words for side in quoted for words in newer):
            return None
        if about:
            return about
        above = self._above(remark)
        return [above[-1]] if above else []

    def _above(self, remark: Sentence) -> list[Sentence]:
        """Give the sentences that a remark may stand below: those of the paragraph or item, or of the whole table."""
        number = self._places.get(remark.statement.start, 0) - 1
        while number >= 0 and is_remark(self._standing[number].statement.text):
            number -= 1
        found: list[Sentence] = []
        last = self._standing[number] if number >= 0 else remark
        while number >= 0 and last.heading == remark.heading and _is_together(self._standing[number], last):
            found.append(self._standing[number])
            number -= 1
        return found[::-1]


def _is_together(one: Sentence, last: Sentence) -> bool:
    if one.heading != last.heading or is_remark(one.statement.text):
        return False
    if last.statement.shape == "row" or last.statement.quoted:
        return (one.statement.shape, one.statement.quoted) == (last.statement.shape, last.statement.quoted)
    return one.statement.start == last.statement.start


def _is_decided(judged: Judged) -> bool:
    """Whether one side of a contradiction is history now."""
    if judged.fate == "superseded":
        return True
    return judged.fate == "kept" and judged.by is not None and is_changed(judged.by.statement.text)
