"""Owns what was shown to a model, in the forms in which a detail can be looked up; knows no draft.

It is built once for a window and costs one pass of each pattern over the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.gates.grounding.characters import is_word, normal, parts_of, tokens, without_accents
from pipeline.gates.grounding.dates import CLOCK, NUMERIC, WRITTEN, WRITTEN_SMALL, clock_of, dates_of
from pipeline.gates.grounding.details import HASH
from pipeline.gates.grounding.measures import NUMBER, UNITS, VERSION, measure_of, prefixes
from pipeline.gates.grounding.numerals import NUMERALS
from pipeline.wiki.markdown.as_read import as_read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import datetime

    from pipeline.gates.grounding.dates import Clock, Day

_MARK = re.compile(r"\[\^[^\]\[\r\n]{1,200}\]:?")
_ESCAPED = re.compile(r"\\[!-/:-@\[-`{-~]|&\#?\w+;")
_GONE: Final = "\ufffc"
_TICKET = re.compile(r"\b[A-Z][A-Z0-9]+-\d+\b")
TICKET: Final = "ticket"
"""The unit of a number that stands in the name of a ticket: `OPS-731` is no `#731`."""
_COMPACT = re.compile(r"(?:19|20)\d{6}\Z")
_UNIT_BEHIND: Final = r"\b(?:[ -]?([^\W\d_]+))?"


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was shown. `exact` and `folded` are its tokens in order, each between spaces; `words` only the words."""

    exact: str
    folded: str
    words: str
    vocabulary: frozenset[str]
    """Every word and each part of it, in lower case, also without accents."""
    stems: tuple[str, ...]
    """The vocabulary in order."""
    squeezed: frozenset[str]
    """What is written with hyphens, without them."""
    numbers: dict[str, frozenset[str]]
    """Each number and the units that it stands with; the empty one where none."""
    versions: frozenset[str]
    """Each with what names less of it; of a first number alone, `16.`, too."""
    days: frozenset[Day]
    """Each also without its year, and without its day."""
    yearless: frozenset[Day]
    years: frozenset[int]
    clocks: frozenset[Clock]
    """Each also without its second."""
    hashes: tuple[str, ...]
    """In order, in lower case."""

    def has(self, run: Sequence[str]) -> bool:
        """Whether these tokens were shown one after the other."""
        return self._knows(run) and f" {' '.join(run)} " in self.exact

    def has_folded(self, run: Sequence[str]) -> bool:
        """Whether these tokens, in small letters, were shown one after the other in any letters."""
        return self._knows(run) and f" {' '.join(run)} " in self.folded

    def has_words(self, words: Sequence[str]) -> bool:
        """Whether these words, in small letters, were shown one after the other, whatever marks stand between them."""
        return self._knows(words) and f" {' '.join(words)} " in self.words

    def _knows(self, run: Sequence[str]) -> bool:
        """Whether every word was shown, which is soon told."""
        return all(token.casefold() in self.vocabulary for token in run if is_word(token))


def gather_evidence(texts: Iterable[str], moments: Iterable[datetime]) -> Evidence:
    """Take what was shown apart; `moments` (in UTC) count as dates and times, not as numbers."""
    shown = [normal(text) for text in texts]
    shown += [as_read(text) for text in shown if _ESCAPED.search(text)]
    whole = "\n\n".join(_MARK.sub("", text) for text in shown)
    run = tokens(whole)
    words = [token.casefold() for token in run if is_word(token)]
    vocabulary = _vocabulary(set(run))
    collected = _Collected(whole, vocabulary)
    for moment in moments:
        collected.days.add((moment.year, moment.month, moment.day))
        collected.clocks.add((moment.hour, moment.minute, moment.second))
    exact = f" {' '.join(run)} "
    return Evidence(
        exact,
        exact.casefold(),
        f" {' '.join(words)} ",
        vocabulary,
        tuple(sorted(vocabulary)),
        frozenset(_squeezed(whole)),
        {value: frozenset(units) for value, units in collected.numbers.items()},
        frozenset(collected.versions),
        frozenset(wider for day in collected.days for wider in _wider(day)),
        frozenset(day for day in collected.days if day[0] is None),
        frozenset(day[0] for day in collected.days if day[0] is not None),
        frozenset((*collected.clocks, *((hour, minute, None) for hour, minute, _ in collected.clocks))),
        tuple(sorted(collected.hashes)),
    )


def _wider(day: Day) -> tuple[Day, ...]:
    year, month, of_month = day
    return (day, (None, month, of_month), (year, month, None))


_HYPHENED = re.compile(r"(?<![^\W_])[^\W_]++(?:[-./][^\W_]++)++")


def _squeezed(text: str) -> Iterable[str]:
    for word in set(_HYPHENED.findall(text)):
        yield re.sub(r"[-./]", "", word).casefold()


def _vocabulary(distinct: set[str]) -> frozenset[str]:
    vocabulary: set[str] = set()
    for token in distinct:
        if is_word(token):
            vocabulary.add(token.casefold())
            vocabulary.update(parts_of(token))
    vocabulary.update([without_accents(word) for word in vocabulary if not word.isascii()])
    return frozenset(vocabulary)


class _Collected:
    """Takes a text apart from the most telling pattern to the least, each without what the ones before it took."""

    def __init__(self, text: str, vocabulary: frozenset[str]) -> None:
        self.days: set[Day] = set()
        self.clocks: set[Clock] = set()
        self.hashes: set[str] = set()
        self.versions: set[str] = set()
        self.numbers: dict[str, set[str]] = {}
        text = text.replace("**", "").replace("*", " ").replace("`", "")
        self._numerals(text, vocabulary)
        text = self._without_written(text)
        for pattern, take in (
            (NUMERIC, self._day),
            (CLOCK, self._clock),
            (HASH, self._hash),
            (VERSION, self._version),
            (_TICKET, self._ticket),
        ):
            text = self._taken(pattern, text, take)
        for found in set(NUMBER.findall(text)):
            self._number(found)

    def _without_written(self, text: str) -> str:
        small = text.lower()
        alike = len(small) == len(text)  # a few capitals have two small letters
        parts: list[str] = []
        done = 0
        for found in (WRITTEN_SMALL if alike else WRITTEN).finditer(small if alike else text):
            if self._day(text[found.start() : found.end()]):
                parts += [text[done : found.start()], _GONE]
                done = found.end()
        return "".join((*parts, text[done:]))

    @staticmethod
    def _taken(pattern: re.Pattern[str], text: str, take: Callable[[str], bool]) -> str:
        return pattern.sub(lambda match: _GONE if take(match.group()) else match.group(), text)

    def _day(self, text: str) -> bool:
        days = dates_of(text)
        self.days.update(days)
        for year, _, _ in days:
            if year is not None:
                self._add(str(year), ("",))
        return bool(days)

    def _clock(self, text: str) -> bool:
        self.clocks.add(clock_of(text))
        if ":" not in text:  # `1h20` may be a duration
            hour, minute, _ = clock_of(text)
            self._add(str(hour), ("h",))
            self._add(str(minute), ("min",))
        return True

    def _hash(self, text: str) -> bool:
        self.hashes.add(text.casefold())
        return True

    def _version(self, text: str) -> bool:
        self.versions.update(prefixes(text))
        return True

    def _ticket(self, text: str) -> bool:
        self._add(text.rpartition("-")[2].lstrip("0") or "0", (TICKET,))
        return True

    def _number(self, text: str) -> None:
        measure = measure_of(text)
        for value in measure.values:
            self._add(value, measure.units or ("",))
            if "." in value:
                self.versions.update(prefixes(value))
            elif _COMPACT.match(value):
                self.days.update(dates_of(f"{value[:4]}-{value[4:6]}-{value[6:]}"))
        for value in measure.listed:
            self._add(value, measure.units or ("",))
            self._add(value, ("",))

    def _numerals(self, text: str, vocabulary: frozenset[str]) -> None:
        small = text.lower()
        for word in NUMERALS.keys() & vocabulary:
            # A pattern that begins with letters is searched for ten times as fast as one that begins with `\b`.
            for behind in re.findall(rf"{word}(?<!\w{word}){_UNIT_BEHIND}", small):
                units = UNITS.get(behind, frozenset())
                for value in NUMERALS[word]:
                    self._add(value, units or ("",))

    def _add(self, value: str, units: Iterable[str]) -> None:
        self.numbers.setdefault(value, set()).update(units)


def has_prefix(ordered: tuple[str, ...], prefix: str) -> str:
    """Give the first of the words, which are in order, that starts with `prefix`; empty when none does."""
    place = bisect_left(ordered, prefix)
    return ordered[place] if place < len(ordered) and ordered[place].startswith(prefix) else ""
