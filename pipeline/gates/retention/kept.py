"""Owns whether what a sentence says still stands in other sentences, in whatever words; knows no page.

A rewrite keeps the citation, most of the telling words, and every value and name. What is named as superseded is not
lost either.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pipeline.gates.contradiction.claims import read_claim
from pipeline.gates.contradiction.marking import quotation
from pipeline.gates.contradiction.values import same
from pipeline.gates.contradiction.words import QUALIFIER_STEMS, alike
from pipeline.wiki.markdown.remarks import is_remark
from pipeline.wiki.revision.sources import is_handle, is_label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.gates.contradiction.claims import Claim
    from pipeline.gates.contradiction.sentences import Sentence

_PART = re.compile(r"[,;:—–]\s|\s(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но)\s", re.IGNORECASE)
_MADE = re.compile(
    r"[yieoa]?(?:ment|at|ation|ition|tion|ion|or|er|ance|ence|able|ible|al|ly|ness|it|ity|ung|ungen|bar|lich|keit|heit"
    r"|mento|miento|ción|cion|ção|age|eur|ение|ания?|ости?)s?"
)
"""Endings that make one word of another, behind a stem."""
_LONG = 5
_CITED = 0.45
"""The part of the telling words that a rewrite with the same citation keeps."""
_UNCITED = 0.85
_SUPERSEDED = 0.4
_SHARED_VALUE = 0.5
_MOST_CANDIDATES = 60
"""Sentences that are looked at closely; of a longer text those that share the most."""
_MOST_BEARERS = 400
"""Sentences that may share a word by which others are found; what more share tells nothing."""
_MOST_TOGETHER = 3
"""Sentences that may say together what one said before."""
_AT_LEAST = 2
_CAPITALS = 0.6
"""From this part of capitalised words on, the language writes its nouns so, and they are no names."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a sentence; `by` is the one that says it now, quotes it as history, or says that it changed."""

    fate: Literal["kept", "uncited", "superseded", "lost"]
    by: Sentence | None = None


def citations(sentence: Sentence) -> frozenset[str]:
    """Give the sources that a sentence cites; a person's own footnotes are none."""
    return frozenset(label for label in sentence.labels if is_label(label) or is_handle(label))


class Offered:
    """Sentences in which others may be said again, found by their words and values."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        self._sentences = sentences
        self._claims = [read_claim(one.bare) for one in sentences]
        self._same: dict[str, list[Sentence]] = defaultdict(list)
        self._bearers: dict[str, list[int]] = defaultdict(list)
        for number, (one, claim) in enumerate(zip(sentences, self._claims, strict=True)):
            if len(self._same[one.words]) < _MOST_CANDIDATES:
                self._same[one.words].append(one)
            for mark in _marks(claim):
                self._bearers[mark].append(number)
        self._remarks = [one for one in sentences if is_remark(one.statement.text)]

    def same(self, sentence: Sentence) -> list[Sentence]:
        """Give the sentences of the same words."""
        return self._same.get(sentence.words, [])

    def remarks(self) -> Sequence[Sentence]:
        """Give the remarks among the sentences."""
        return self._remarks

    def remarked(self, sentence: Sentence) -> Sentence | None:
        """Find a remark that quotes the sentence."""
        quoted = quotation(sentence) if self._remarks else ""
        return next((one for one in self._remarks if quoted in one.words), None)

    def near(self, claim: Claim) -> list[tuple[Sentence, Claim]]:
        """Give the sentences that share words or values with a claim, the likeliest first."""
        if len(self._sentences) <= _MOST_CANDIDATES:
            return list(zip(self._sentences, self._claims, strict=True))
        counts: Counter[int] = Counter()
        for mark in _marks(claim):
            bearers = self._bearers.get(mark, ())
            if len(bearers) <= _MOST_BEARERS:
                counts.update(bearers)
        likely = sorted(counts, key=lambda number: (-counts[number], number))[:_MOST_CANDIDATES]
        return [(self._sentences[number], self._claims[number]) for number in likely]


def _marks(claim: Claim) -> list[str]:
    """Give the marks by which a claim is found, in a fixed order."""
    values = (reading for value in (*claim.values, *claim.past) for reading in value.readings)
    return sorted({*claim.stems, *values})


def judge(standing: Sentence, offered: Offered) -> Judged:
    """Tell what became of a standing sentence in those that an update leaves; a remark is judged by its words alone."""
    cited = citations(standing)
    same_words = offered.same(standing)
    if same_words:
        whole = next((one for one in same_words if cited <= citations(one)), None)
        return Judged("kept", whole) if whole else Judged("uncited", same_words[0])
    if is_remark(standing.statement.text):
        return Judged("lost")
    quoting = offered.remarked(standing)
    if quoting is not None:
        return Judged("kept", quoting)
    claim = read_claim(standing.bare)
    near = offered.near(claim)
    citing = [entry for entry in near if cited & citations(entry[0])] if cited else near
    saying = _saying(claim, citing, _CITED if cited else _UNCITED)
    if saying is not None:
        return Judged("kept", saying)
    moved = next((one for one, other in near if cited and _says(claim, [other], _UNCITED)), None)
    if moved is not None:
        return Judged("uncited", moved)
    changing = _changing(claim, near)
    return Judged("superseded", changing) if changing is not None else Judged("lost")


def tells_history(words: str, offered: Offered) -> bool:
    """Whether a sentence that speaks of a change says in its own words what was so before."""
    claim = read_claim(words)
    told = [(one, other) for one, other in offered.near(claim) if other.changes and not is_remark(one.statement.text)]
    return _saying(claim, told, _CITED) is not None


def nearest(words: str, sentences: Sequence[Sentence]) -> Sentence:
    """Find the sentence that shares the most words with a text, the last of several."""
    claim = read_claim(words)
    return max(reversed(sentences), key=lambda one: _covered(claim, (read_claim(one.bare),)))


def _saying(claim: Claim, offered: Sequence[tuple[Sentence, Claim]], share: float) -> Sentence | None:
    """Find the sentence that says what the claim says; of the few that come nearest and do so together, the first."""
    ranked: list[tuple[float, int]] = []
    for number, (_, other) in enumerate(offered):
        shares = any(same(value, each) for value in claim.values for each in other.values)
        score = _covered(claim, (other,)) + (_SHARED_VALUE if shares else 0)
        ranked += [(-score, number)] if score else []
    best = [offered[number] for _, number in sorted(ranked)[:_MOST_TOGETHER]]
    alone = next((one for one, other in best if _says(claim, [other], share)), None)
    if alone is not None or len(best) < _AT_LEAST or not _says(claim, [other for _, other in best], share):
        return alone
    return best[0][0]


def _says(claim: Claim, others: Sequence[Claim], share: float) -> bool:
    if not (claim.words or claim.pairs or claim.values):
        return False  # it says nothing by which it could be known in other words
    others = [*others, *(read_claim(other.reason) for other in others if other.reason.strip())]
    if _covered(claim, others) < share or not _has_details(claim, others):
        return False
    if claim.states and not any(claim.states == other.states for other in others):
        return not any(other.states for other in others) and _same_sense(claim, others)
    return _same_sense(claim, others)


def _same_sense(claim: Claim, others: Sequence[Claim]) -> bool:
    """Whether one of the others is as affirmative as the claim, as a whole or in the part that speaks of the same."""
    if any(claim.negated == other.negated for other in others):
        return True
    parts = (read_claim(part) for other in others for part in _PART.split(other.main) if part.strip())
    return any(part.negated == claim.negated and _covered(claim, (part,)) >= _CITED for part in parts)


def _covered(claim: Claim, others: Sequence[Claim]) -> float:
    """Give the part of a claim's telling words that the others have."""
    words = [word.stem for word in claim.words]
    stems = frozenset(stem for other in others for stem in (*other.stems, *(value.unit for value in other.values)))
    total = len(words) + len(claim.pairs)
    if not total:
        return 1.0
    found = sum(word in stems or any(_is_kin(word, stem) for stem in stems) for word in words)
    return (found + sum(pair in stems for pair in claim.pairs)) / total


def _is_kin(one: str, other: str) -> bool:
    """Whether two stems are forms of one word, or one of them is made of the other, as `deployment` of `deploy`."""
    if alike(one, other):
        return True
    shorter, longer = sorted((one, other), key=len)
    made = len(shorter) >= _LONG and longer.startswith(shorter) and QUALIFIER_STEMS.isdisjoint((one, other))
    return made and _MADE.fullmatch(longer, len(shorter)) is not None


def _has_details(claim: Claim, others: Sequence[Claim]) -> bool:
    """Whether every value and name of a claim stands in the others."""
    values = [value for other in others for value in (*other.values, *other.past, *other.days)]
    if not all(any(same(value, other, roughly=claim.is_rough) for other in values) for value in claim.values):
        return False
    text = " ".join(other.main for other in others).casefold()
    stems = frozenset(stem for other in others for stem in other.stems)
    capitals = sum(word.named and not word.exact for word in claim.words)
    strict = capitals < _CAPITALS * len(claim.words) or len(claim.words) == 1
    names = [word.stem for word in claim.words if word.exact or (strict and word.named)]
    return all(name in stems or name in text or any(alike(name, stem) for stem in stems) for name in names)


def _changing(claim: Claim, near: Sequence[tuple[Sentence, Claim]]) -> Sentence | None:
    """Find the sentence that says, from new evidence, that something changed, in words of the claim's own subject."""
    for one, other in near:
        if not other.changes or not any(map(is_handle, one.labels)) or _covered(claim, (other,)) < _SUPERSEDED:
            continue
        if not claim.values or other.values or other.past:
            return one
    return None
