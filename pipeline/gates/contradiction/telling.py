"""Owns whether the evidence says that a value changed, or merely says another value than what stands.

Knows no page: what was observed comes in as text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from pipeline.gates.contradiction import cues
from pipeline.gates.contradiction.claims import read_claim
from pipeline.gates.contradiction.splitting import cut_lines
from pipeline.gates.contradiction.words import GENERIC_STEMS, alike, stem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.gates.contradiction.claims import Claim
    from pipeline.gates.contradiction.subject import Opposed

_WORD = re.compile(r"\w+")
_MOST_SENTENCES = 400


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence of an observation, without case, and the words by which its subject is found."""

    text: str
    stems: frozenset[str]


@dataclass(frozen=True, slots=True)
class Evidence:
    """The sentences of an observation that tell of a change, of a past, and of a doubt."""

    changes: tuple[Said, ...]
    pasts: tuple[Said, ...]
    doubts: tuple[Said, ...]

    @property
    def hinted(self) -> str:
        """All that tells of changes, in one text without case."""
        return "\n".join(dict.fromkeys(one.text for one in (*self.changes, *self.pasts)))


@lru_cache(maxsize=2_000)
def read_evidence(text: str) -> Evidence:
    """Find the sentences of an observation that tell of a change, of what was before, or of a doubt."""
    read = (one.casefold().replace("`", "") for one in islice(cut_lines(text), _MOST_SENTENCES))
    sentences = tuple(dict.fromkeys(read))
    changes, pasts, doubts = (
        tuple(Said(one, _stems(one)) for one in sentences if cue.search(one))
        for cue in (cues.CHANGE, cues.WAS, cues.DOUBT)
    )
    return Evidence(changes, pasts, doubts)


def says_change(old: Claim, new: Claim, opposed: Opposed, evidence: Sequence[Evidence]) -> bool:
    """Whether the new sentence, or an observation that it cites, says that what stands does so no longer."""
    if cues.DOUBT.search(new.main):
        return False
    if any(_concerns(one, old, new, opposed) for each in evidence for one in each.doubts):
        return False
    if new.changes:
        return True
    if any(_concerns(one, old, new, opposed) for each in evidence for one in each.changes):
        return True
    return bool(opposed.before) and any(opposed.before in one.text for each in evidence for one in each.pasts)


def _concerns(said: Said, old: Claim, new: Claim, opposed: Opposed) -> bool:
    """Whether a sentence speaks of the subject: it holds one of the values, or a telling word of the subject."""
    if any(label and label in said.text for label in (opposed.before, opposed.after)):
        return True
    telling = [word for word in opposed.subject if word not in GENERIC_STEMS] or opposed.subject
    if not said.stems.isdisjoint(telling):
        return True
    if any(alike(word, known) for word in telling for known in said.stems):
        return True
    return len(frozenset(old.pairs) & frozenset(new.pairs) & said.stems) > 1


def _stems(sentence: str) -> frozenset[str]:
    return frozenset(map(stem, _WORD.findall(sentence))) | read_claim(sentence).stems
