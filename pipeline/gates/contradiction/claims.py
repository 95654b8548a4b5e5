"""Owns how one sentence is read: the words of its subject, its values, and how it is meant.

Knows no page and no other sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.gates.contradiction import cues
from pipeline.gates.contradiction.values import read_values
from pipeline.gates.contradiction.words import LIGHT, is_unspaced, stem, unspaced
from pipeline.wiki.markdown.as_read import as_read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.gates.contradiction.values import Value

LONGEST = 2_000
"""Unicode characters of a sentence that are read; what is longer is a dump, and no statement."""

_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,1000}\)")
_EMPHASIS = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|~~")
_CODE = re.compile(r"`+([^`]*)`+")
_WORD = re.compile(r"#\d+|[^\W_](?:[\w'’]|[./:@](?=\w))*")
_COMPOUND = re.compile(rf"(?:{_WORD.pattern})(?:-(?:{_WORD.pattern})){{0,8}}")
_NAMED = re.compile(r"[_./:@#\d]|[^\W\d_][A-Z]|\A[A-Z]{2,}\Z")
_NUMBERED = re.compile(
    r"\b(?:step|phase|issue|ticket|chapter|part|section|tier|round|sprint|window|item|figure|line|page|case|rule"
    r"|task|pr|pull request"
    r"|question|milestone|run|build|batch|attempt|week|day|try|schritt|teil|seite|zeile|étape|ligne|paso|línea|passo"
    r"|linha|шаг|строка|步骤|第|ステップ)\s?$",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since|from|starting|effective|seit|ab|depuis|à partir du|desde|a partir de|с|начиная с)\s(?:the\s)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that tells something, from `start` to `end` of its sentence; `named` says that it is a name."""

    start: int
    end: int
    stem: str
    named: bool
    quoted: bool = False
    """Whether it stands in a code span."""
    exact: bool = False
    """Whether it is written as no word of a language is: with digits, underscores, inner capitals, or as code."""
    is_state: bool = False
    """Whether it names a state, such as `enabled`."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence, read.

    `values` hold, `past` held before, `days` are those since when; `states` gives the sign of each pair of states.
    """

    main: str
    """The sentence without its marks and without the part that says why; words and values stand at places of it."""
    reason: str
    """The part that says why."""
    words: tuple[Word, ...]
    pairs: tuple[str, ...]
    """Pairs of characters of text that has no spaces between words."""
    values: tuple[Value, ...]
    past: tuple[Value, ...]
    days: tuple[Value, ...]
    negated: bool
    states: tuple[tuple[int, int], ...]
    changes: bool
    is_history: bool
    is_example: bool
    is_hypothetical: bool
    condition: str
    is_record: bool
    is_rough: bool
    is_added: bool

    @property
    def stems(self) -> frozenset[str]:
        """Everything by which its subject is found."""
        return frozenset((*(word.stem for word in self.words), *self.pairs))


@lru_cache(maxsize=20_000)
def read_claim(sentence: str) -> Claim:
    """Read a sentence of Markdown without its footnote marks."""
    text = _unmarked(sentence)
    bare = _CODE.sub(lambda found: f" {found[1]} ", text)
    reason = cues.REASON.search(bare)
    main = bare[: reason.start()] if reason and reason.start() else bare
    changes = cues.CHANGE.search(bare) is not None
    found = read_values(main)
    values = tuple(value for value in found if not _is_numbered(main, value))
    past = tuple(value for value in values if changes and _is_past(main, value.start, value.end))
    current = tuple(value for value in values if value not in past and not _is_since(main, value))
    words = tuple(
        word for word in _words(main, values, _quoted(text)) if not (changes and _is_past(main, word.start, word.end))
    )
    condition = cues.CONDITION.search(main)
    return Claim(
        main=main,
        reason=bare[len(main) :],
        words=words,
        pairs=unspaced(_stateless(_blanked(main, values))),
        values=current,
        past=past,
        days=tuple(value for value in values if _is_since(main, value)),
        negated=len(cues.NEGATION.findall(main)) % 2 == 1,
        states=tuple(_states(main)),
        changes=changes,
        is_history=cues.HISTORY.search(bare) is not None,
        is_example=cues.EXAMPLE.search(bare) is not None,
        is_hypothetical=cues.HYPOTHETICAL.search(bare) is not None,
        condition=" ".join(sorted(word.stem for word in words if word.start >= condition.start())) if condition else "",
        is_record=cues.RECORD.search(main) is not None,
        is_rough=cues.ROUGHLY.search(main) is not None,
        is_added=cues.ADDED.search(bare) is not None,
    )


def _unmarked(sentence: str) -> str:
    return _EMPHASIS.sub("", as_read(_LINK.sub(r"\1", sentence[:LONGEST])))


def _quoted(text: str) -> frozenset[str]:
    """Give the words that stand in code spans."""
    return frozenset(word.casefold() for found in _CODE.finditer(text) for word in _WORD.findall(found[1]))


def _blanked(text: str, values: tuple[Value, ...]) -> str:
    parts: list[str] = []
    done = 0
    for value in values:
        parts += [text[done : value.start], " " * (value.end - value.start)]
        done = value.end
    return "".join((*parts, text[done:]))


def _words(text: str, values: tuple[Value, ...], quoted: frozenset[str]) -> Iterator[Word]:
    first = True
    states = [found.span() for pair in cues.AXES for axis in pair for found in axis.finditer(text)]
    turns = [found.span() for found in cues.CHANGE.finditer(text)]
    for found in _spelt(_blanked(text, values)):
        written = found.group()
        low = written.casefold()
        starts, first = first, False
        if is_unspaced(written) or _says_little(written, low, quoted, starts=starts):
            continue
        if any(start <= found.start() and found.end() <= end for start, end in turns):
            continue
        capital = written[0].isupper() and not starts
        code = low in quoted
        exact = code or _NAMED.search(written) is not None
        state = any(start < found.end() and found.start() < end for start, end in states)
        yield Word(found.start(), found.end(), stem(low), exact or capital, code, exact, state)


def _stateless(text: str) -> str:
    """Take the states out of text without spaces between words; elsewhere they are words of their own."""
    if is_unspaced(text):
        for pattern in (axis for pair in cues.AXES for axis in pair):
            text = pattern.sub("", text)
    return text


def _spelt(text: str) -> Iterator[re.Match[str]]:
    """Find the words; a compound is one only when its parts say little, as in `stand-up`."""
    for compound in _COMPOUND.finditer(text):
        parts = compound.group().casefold().split("-")
        if len(parts) > 1 and LIGHT.issuperset(parts):
            yield compound
        else:
            yield from _WORD.finditer(text, *compound.span())


def _says_little(written: str, low: str, quoted: frozenset[str], *, starts: bool) -> bool:
    if low in quoted:
        return False
    if len(low) == 1:
        return not low.isdigit()
    is_name = not starts and (written == "Go" or written.isupper())
    return low in LIGHT and not is_name


def _is_numbered(text: str, value: Value) -> bool:
    """Whether a number is the name of a thing, as in `step 3`."""
    return value.loose and _NUMBERED.search(text[max(0, value.start - 20) : value.start]) is not None


def _is_past(text: str, start: int, end: int) -> bool:
    before = text[max(0, start - 40) : start]
    return bool(cues.PAST_PART.search(before)) or bool(cues.PAST_AFTER.match(text[end : end + 8]))


def _is_since(text: str, value: Value) -> bool:
    return value.kind == "date" and _SINCE.search(text[max(0, value.start - 20) : value.start]) is not None


def _states(text: str) -> Iterator[tuple[int, int]]:
    for number, (yes, no) in enumerate(cues.AXES):
        sign = (yes.search(text) is not None) - (no.search(text) is not None)
        if sign:
            yield number, sign
