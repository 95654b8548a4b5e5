"""Owns which claims a change adds, alters and takes away; knows no line and no file.

A claim with the same words is the same claim, wherever it stands: that it moved is not told. When such a claim rests
on other sources than before, it counts as changed; the order of its footnotes says nothing. What is left in a section
is brought together by likeness, the most alike first.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.proposal.comparing.values import CitedSource, ClaimChange
from pipeline.relevance import terms

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Mapping, Sequence

    from pipeline.proposal.comparing.reading import Claim, State
    from pipeline.wiki.format.page import Page, Source

_ALIKE: Final = 0.5
"""The part of their words that two claims of a section share when one takes the place of the other."""
_ALONE: Final = 0.3
"""The same where the section has no other that is gone, and no other that is new."""
_ELSEWHERE: Final = 0.75
"""The same for claims of two sections, one of which may have another heading now."""
_MOST_LIKELY: Final = 40
"""Claims that one is held against, those first that share its rarest words."""
_MOST_WORDS: Final = 24
"""Words of a claim by which others are looked for, the rarest."""
_READ: Final = 4_000
"""Unicode characters of a claim that count for its likeness."""


@dataclass(slots=True)
class Compared:
    """The claims of two states, told apart; a changed one comes as a pair."""

    added: list[Claim] = field(default_factory=list)
    changed: list[tuple[Claim, Claim]] = field(default_factory=list)
    removed: list[Claim] = field(default_factory=list)


def compare_claims(before: State, after: State) -> Compared:
    """Tell the claims of two states apart, each kind in the order in which they stand."""
    compared = Compared()
    gone, new = _other_words(before.claims, after.claims, compared)
    fresh = _by_section(new)
    for key, old in _by_section(gone).items():
        other = fresh.get(key, [])
        _pair(old, other, _ALONE if len(old) == len(other) == 1 else _ALIKE, compared)
    taken = {id(claim) for pair in compared.changed for claim in pair}
    gone = [claim for claim in gone if id(claim) not in taken]
    new = [claim for claim in new if id(claim) not in taken]
    _pair(gone, new, _ELSEWHERE, compared)
    taken = {id(claim) for pair in compared.changed for claim in pair}
    compared.removed = [claim for claim in gone if id(claim) not in taken]
    compared.added = [claim for claim in new if id(claim) not in taken]
    compared.changed.sort(key=lambda pair: pair[1].number)
    return compared


def claim_changes(compared: Compared, before: Page, after: Page) -> tuple[ClaimChange, ...]:
    """Tell the changes in the order of the page as it is now; what is gone comes last."""
    old, new = ({source.id: source for source in page.sources} for page in (before, after))
    told = [(one.number, ClaimChange("added", one.section, "", one.text, _cited(one, new))) for one in compared.added]
    told += [
        (one.number, ClaimChange("changed", one.section, gone.text, one.text, _cited(one, new)))
        for gone, one in compared.changed
    ]
    removed = (ClaimChange("removed", one.section, one.text, "", _cited(one, old)) for one in compared.removed)
    return (*(change for _, change in sorted(told, key=_number)), *removed)


def _number(numbered: tuple[int, ClaimChange]) -> int:
    return numbered[0]


def _cited(claim: Claim, sources: Mapping[str, Source]) -> tuple[CitedSource, ...]:
    known = ((label, sources.get(label)) for label in claim.labels)
    return tuple(
        CitedSource(label, source.title, source.resource, source.author) if source else CitedSource(label)
        for label, source in known
    )


def _other_words(
    before: Sequence[Claim], after: Sequence[Claim], compared: Compared
) -> tuple[list[Claim], list[Claim]]:
    """Leave those that stand in both states, in the same section if they can; other sources make a change of them."""
    gone, new = list(before), list(after)
    for key in (lambda claim: (claim.key, claim.words), lambda claim: ("", claim.words)):
        waiting: defaultdict[tuple[str, str], list[Claim]] = defaultdict(list)
        for claim in reversed(new):
            waiting[key(claim)].append(claim)
        matched: set[int] = set()
        left: list[Claim] = []
        for claim in gone:
            same = waiting[key(claim)]
            if not same:
                left.append(claim)
                continue
            other = same.pop()
            matched.add(id(other))
            if set(claim.labels) != set(other.labels):
                compared.changed.append((claim, other))
        gone, new = left, [claim for claim in new if id(claim) not in matched]
    return gone, new


def _by_section(claims: Iterable[Claim]) -> dict[str, list[Claim]]:
    found: defaultdict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        found[claim.key].append(claim)
    return dict(found)


def _pair(gone: Sequence[Claim], new: Sequence[Claim], least: float, compared: Compared) -> None:
    """Bring claims together that are alike enough; equal likeness goes by their order."""
    if not gone or not new:
        return
    old, fresh = ([terms(claim.words[:_READ]) for claim in claims] for claims in (gone, new))
    bearers: defaultdict[str, list[int]] = defaultdict(list)
    for number, words in enumerate(fresh):
        for word in words:
            bearers[word].append(number)
    scored: list[tuple[float, int, int]] = []
    for number, words in enumerate(old):
        for other in _likely(words, bearers):
            score = _likeness(words, fresh[other])
            if score >= least:
                scored.append((-score, number, other))
    taken: set[int] = set()
    taken_new: set[int] = set()
    for _, number, other in sorted(scored):
        if number not in taken and other not in taken_new:
            taken.add(number)
            taken_new.add(other)
            compared.changed.append((gone[number], new[other]))


def _likely(words: Mapping[str, int], bearers: Mapping[str, Sequence[int]]) -> list[int]:
    """Give the numbers of those that share words, the rarest words first."""
    shared = sorted((word for word in words if word in bearers), key=lambda word: (len(bearers[word]), word))
    found: dict[int, None] = {}
    for word in shared[:_MOST_WORDS]:
        found.update(dict.fromkeys(bearers[word][: _MOST_LIKELY - len(found)]))
        if len(found) >= _MOST_LIKELY:
            break
    return list(found)


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """Give the part of their words that two claims share, from 0 to 1."""
    return round(2 * (one & other).total() / ((one.total() + other.total()) or 1), 9)
