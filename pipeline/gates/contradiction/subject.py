"""Owns whether two sentences speak of one thing, by the words that both have and those that only one has.

Knows no value that differs, and not what the sentences say of the thing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.gates.contradiction.words import GENERIC_STEMS, HEADS, QUALIFIER_STEMS, alike

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pipeline.gates.contradiction.claims import Claim, Word
    from pipeline.gates.contradiction.values import Value

_ENOUGH = 2
_MANY_PAIRS = 3
_SCOPE = re.compile(
    r"\b(?:for|of|in|between|within|inside|per|on|für|zwischen|von|pour|entre|para|de|для|между)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Opposed:
    """Two sentences that say different things of one subject: `before` and `after` are how the values are written."""

    before: str
    after: str
    subject: frozenset[str]


@dataclass(frozen=True, slots=True)
class Compared:
    """What two claims share, and the words that only one of them has."""

    old: Claim
    new: Claim
    shared: frozenset[str]
    only_old: tuple[Word, ...]
    only_new: tuple[Word, ...]
    pairs_differ: bool
    pairs_shared: int

    @property
    def sides(self) -> tuple[tuple[Claim, tuple[Word, ...]], ...]:
        """Give each claim with the words that it alone has."""
        return (self.old, self.only_old), (self.new, self.only_new)

    @property
    def apart(self) -> tuple[Word, ...]:
        """Give all words that one claim alone has."""
        return (*self.only_old, *self.only_new)


def read_both(old: Claim, new: Claim, context: Collection[str]) -> Compared:
    """Compare the words of two claims; those of `context` count as said by both."""
    only_old = _missing(old.words, new, context)
    only_new = _missing(new.words, old, context)
    shared = frozenset(
        word.stem
        for word in old.words
        if word not in only_old and any(alike(word.stem, other.stem) for other in new.words)
    )
    here, there = frozenset(old.pairs), frozenset(new.pairs)
    return Compared(old, new, shared, only_old, only_new, bool(here - there and there - here), len(here & there))


def _missing(words: Sequence[Word], other: Claim, context: Collection[str]) -> tuple[Word, ...]:
    there = [word.stem for word in other.words]
    units = [value.unit for value in other.values if value.loose]
    return tuple(
        word
        for word in words
        if word.stem not in HEADS
        and not any(alike(word.stem, known) for known in (*there, *units))
        and not any(alike(word.stem, known) for known in context)
    )


def is_specific(both: Compared) -> bool:
    """Whether the sentences share enough to speak of one thing though they stand on two pages."""
    telling = [word for word in both.shared if word not in GENERIC_STEMS]
    counted = {value.unit for value in both.old.values if value.loose and value.unit} & {
        value.unit for value in both.new.values
    }
    return (bool(telling) and len(both.shared) + len(counted) >= _ENOUGH) or both.pairs_shared > _MANY_PAIRS


def is_one_subject(both: Compared, before: Value, after: Value, *, told: bool) -> bool:
    """Whether the words that only one sentence has leave the subject as it is."""
    if both.pairs_differ or any(word.stem in QUALIFIER_STEMS for word in both.apart):
        return False
    if any(_is_modifier(word, claim) for claim, words in both.sides for word in words):
        return False
    if told:
        return len(both.shared) + 1 >= len(both.apart)
    if both.only_old and both.only_new:
        return False
    return _is_extra(both.only_old, both.old, before, both) and _is_extra(both.only_new, both.new, after, both)


def _is_modifier(word: Word, claim: Claim) -> bool:
    """Whether a word stands right before another one of the subject, as in `admin server`."""
    following = next((other for other in claim.words if other.start >= word.end), None)
    return following is not None and not claim.main[word.end : following.start].strip("-\u00a0 `")


def _is_extra(words: Sequence[Word], claim: Claim, value: Value, both: Compared) -> bool:
    """Whether words that one sentence has more say more of the same thing: behind the value, or of a change."""
    if not words:
        return True
    if len(words) > len(both.shared) + 1:
        return False
    if claim.changes:
        return True
    between = claim.main[value.end : words[0].start]
    return words[0].start > value.end and (_SCOPE.search(between) is None or "," in between)


def tells(hinted: str, before: str, after: str) -> bool:
    """Whether the evidence of a change holds both values."""
    return bool(before) and bool(after) and before in hinted and after in hinted


def is_scoped(word: Word, both: Compared) -> bool:
    """Whether a word that only one sentence has says where, or for what, it holds."""
    claim = both.new if word in both.only_new else both.old
    return _SCOPE.search(claim.main[max(0, word.start - 12) : word.start]) is not None
