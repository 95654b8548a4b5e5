"""Owns whether two sentences name different choices for one purpose: a tool, a language, a person, a way.

A choice stands where a sentence names what it chose. Where several can hold side by side (`depends on`, `supports`),
naming another one contradicts nothing. Knows no number.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.gates.contradiction.subject import Opposed, tells
from pipeline.gates.contradiction.words import QUALIFIER_STEMS, spelt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipeline.gates.contradiction.claims import Claim, Word
    from pipeline.gates.contradiction.subject import Compared

_ENOUGH = 2
_LONGEST_CHOICE = 3


_FRAME = re.compile(
    r"(?:\b(?:use[sd]?|using|with|via|by|through|in|on|to|is|are|as|from|at|into|under|chose|choose|prefer|called|named"
    r"|verwende\w*|nutz\w*|mit|ist|sind|über|auf|von|utilis\w+|avec|par|est|sont|dans|sur|usa\w*|utiliza\w*|es|son"
    r"|com|é|são|em"
    r"|en|por|на|в|через|это|используем|использует|c|с)|[:=—])"
    r"(?:\s+(?:the|a|an|der|die|das|den|dem|le|la|les|l'|el|los|o|a|os|as))?(?:\s+(?:user|role|group|team|branch"
    r"|level|language|library))?\s*[`“\"']?$",
    re.IGNORECASE,
)


_PURPOSE = re.compile(
    r"\b(?:for|für|pour|para|для)\s+(?:the\s+|a\s+|den\s+|die\s+|das\s+|le\s+|la\s+|les\s+|el\s+|o\s+"
    r"|a\s+)?(?:\w+\s+)?$",
    re.IGNORECASE,
)


_SMALL = re.compile(
    r"\s(?:in|on|at|of|for|to|by|with|from|and|or|is|are|the|auf|für|mit|und|dans|pour|et|para|con|com|y|e)\s",
    re.IGNORECASE,
)


_WAYS = (
    frozenset({"in", "on", "at", "into", "under", "auf", "dans", "sur", "em", "en", "на", "в"}),
    frozenset({"by", "with", "via", "through", "using", "mit", "über", "avec", "par", "con", "com", "por", "через"}),
    frozenset({"to"}),
    frozenset({"from", "von"}),
)


_OPEN_VERBS = re.compile(
    r"\b(?:can\b|may\b|kann\b|peut\b|puede\b|pode\b|depend|rel(?:y|ies)|support|work|includ|contain|import"
    r"|call(?!ed\b(?! by\b))|mention|link|talk|connect|return|handl|know|test"
    r"|read|writ(?:es?|ing)\b|see|pars|accept|speak|understand|offer|provid|ha(?:s|ve)\b|also|exit|fail|compar|show"
    r"|list|learn"
    r"|abhäng|unterstütz|support|dépend|accept|soport|acepta|suporta|поддерж)\w*",
    re.IGNORECASE,
)


_PREDICATE = re.compile(
    r"\b(?:is|are|in|on|at|to|into|from|ist|sind|est|sont|es|son|é|são|dans|en|em|auf|sur)\s*(?:\w{1,3}\s+)?[`“\"']?$",
    re.IGNORECASE,
)


_LOWER_CHOICES = spelt(
    """
    npm pnpm yarn bun pip uv poetry tab tabs space spaces squash rebase merg merge cookie token jwt rest grpc
    graphql json yaml toml xml csv light dark zsh bash fish vim emac black ruff flake8 mypy pyright pytest unittest
    main master trunk sqlite mysql postgresql redis memcach kafka rabbitmq celery nginx caddy apache docker podman
    webpack vite esbuild make just cron systemd push pull info debug warning error utc
    """
)


def by_choice(both: Compared, hinted: str) -> Opposed | None:
    """Compare a tool, a name or a way that one sentence has in place of another."""
    old, new = both.old, both.new
    if not both.only_old or not both.only_new or both.pairs_differ or old.negated != new.negated:
        return None
    before, after = _run(both.only_old, old), _run(both.only_new, new)
    qualified = any(all(word.stem in QUALIFIER_STEMS and not word.quoted for word in words) for _, words in both.sides)
    if not before or not after or qualified:
        return None
    if tells(hinted, before, after):
        return Opposed(before, after, both.shared)
    if new.is_added or _ways(both):
        return None
    if any(_OPEN_VERBS.search(claim.main[: words[0].start]) for claim, words in both.sides):
        return None
    fits = [_is_choice(claim, words) for claim, words in both.sides]
    sure = all(word.named for word in both.apart) or len(both.shared) > _ENOUGH
    return Opposed(before, after, both.shared) if all(fits) or (any(fits) and sure) else None


def _run(words: Sequence[Word], claim: Claim) -> str:
    """Give the text of words that stand together, and nothing when others stand between them."""
    first, last = words[0], words[-1]
    inside = [word for word in claim.words if first.start <= word.start <= last.start]
    text = claim.main[first.start : last.end]
    if len(words) > _LONGEST_CHOICE or len(inside) != len(words) or _SMALL.search(text):
        return ""
    return text.casefold()


def _ways(both: Compared) -> bool:
    """Whether the two choices stand in different relations, as in `shipped by` and `shipped to`."""
    found = [_FRAME.search(claim.main[: words[0].start]) for claim, words in both.sides]
    first, second = (one.group().split()[0].casefold() if one else "" for one in found)
    ways = [[way for way in _WAYS if word in way] for word in (first, second)]
    return all(ways) and ways[0] != ways[1]


def _is_choice(claim: Claim, words: Sequence[Word]) -> bool:
    """Whether words stand where a sentence names what it chose."""
    before = claim.main[: words[0].start]
    if _PURPOSE.search(before):
        return False
    if claim.pairs:
        return all(word.named for word in words)
    if not _FRAME.search(before):
        return False
    known = all(word.named or word.stem in _LOWER_CHOICES for word in words)
    return known or not _PREDICATE.search(before)
