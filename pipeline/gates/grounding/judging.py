"""Owns the verdict on a piece of Markdown: which of its sentences hold details that were not shown.

Knows nothing of what happens to them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.gates.grounding.characters import tokens
from pipeline.gates.grounding.detail import Detail
from pipeline.gates.grounding.details import find_details
from pipeline.gates.grounding.evidence import gather_evidence
from pipeline.gates.grounding.holding import holds, stands
from pipeline.gates.grounding.names import is_german
from pipeline.gates.grounding.reading import read_markdown
from pipeline.gates.grounding.sentences import sentences_of
from pipeline.wiki.markdown.claims import without_marks
from pipeline.wiki.slugs import slugify

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch
    from pipeline.gates.grounding.evidence import Evidence
    from pipeline.gates.grounding.reading import Reading
    from pipeline.projection import Projection

_LONGEST_WORD = 100
"""Unicode characters: what is longer is no word."""
_BLANKS = " \t\n"
_EDGES = ".,;:!?()[]{}\"'“”‘’«»*_`…"


@dataclass(frozen=True, slots=True)
class Judged:
    """One sentence: where it stands in its Markdown, what it says, and the details that were not shown."""

    span: tuple[int, int]
    text: str
    details: tuple[str, ...]
    blank: bool
    """Whether it has no word."""


@dataclass(frozen=True, slots=True)
class Judge:
    """What was shown, and what else a draft may name."""

    evidence: Evidence
    pages: frozenset[str]
    """File names of the pages that the draft itself makes."""
    nouns: bool
    """Whether most of what was shown is in a language that gives every noun a capital."""
    verdicts: dict[tuple[str, str, str], bool] = field(default_factory=dict, compare=False)
    """By kind, text and word before: a draft repeats itself."""

    def sentences(self, source: str, *, title: bool = False) -> tuple[Judged, ...]:
        """Judge a paragraph, the text of a list item, or a row of a table, sentence by sentence."""
        reading = read_markdown(source)
        details = self._details(reading, title=title)
        wrong = [one for one in details if not self._holds(one) and not self._stands_within(one, reading.text)]
        judged = []
        for start, end in sentences_of(reading.text, details):
            inside = [one.text for one in wrong if start <= one.start < end or start < one.end <= end]
            text = reading.text[start:end]
            begin, stop = reading.source(start, end)
            if inside and (stands(text, self.evidence) or stands(without_marks(source[begin:stop]), self.evidence)):
                inside = []
            judged.append(Judged((begin, stop), text, tuple(inside), not any(map(str.isalnum, text))))
        return tuple(judged)

    def spans(self, source: str, *, title: bool) -> tuple[tuple[int, int], ...]:
        """Give where the details of a heading or a title stand that were not shown, none inside another."""
        reading = read_markdown(source)
        if stands(reading.text, self.evidence):
            return ()
        spans: list[tuple[int, int]] = []
        for one in self._details(reading, title=title):
            wrong = not self._holds(one) and not self._stands_within(one, reading.text)
            if wrong and (not spans or one.start >= spans[-1][1]):
                spans.append((one.start, one.end))
        return tuple(reading.source(start, end) for start, end in spans)

    def _details(self, reading: Reading, *, title: bool) -> tuple[Detail, ...]:
        german = is_german(reading.text)
        nouns = self.nouns if german is None else german
        found = find_details(reading.text, reading.code, nouns=nouns, title=title)
        addresses = [
            Detail("url" if "://" in target else "path", place, place, target)
            for place, target in reading.targets
            if target and target[0] != "#"
        ]
        return tuple(sorted((*found, *addresses), key=lambda one: (one.start, -one.end)))

    def _stands_within(self, detail: Detail, text: str) -> bool:
        """Whether the word that a detail is a part of was shown as it is: the `1` of `s0.1` is none by itself."""
        if detail.start == detail.end:
            return False  # the address of a link stands in no word
        first, last = max(detail.start - _LONGEST_WORD, 0), detail.end + _LONGEST_WORD
        start = max(text.rfind(blank, first, detail.start) for blank in _BLANKS) + 1
        ends = (place for blank in _BLANKS if (place := text.find(blank, detail.end, last)) >= 0)
        word = text[start or first : min(ends, default=last)].strip(_EDGES)
        if not detail.end - detail.start < len(word) <= _LONGEST_WORD:
            return False
        return stands(word, self.evidence) or self.evidence.has_folded(tokens(word.casefold()))

    def _holds(self, detail: Detail) -> bool:
        if detail.kind == "path" and detail.start == detail.end:
            address = detail.text.partition("#")[0].removeprefix("mailto:")
            if "%" in address or address.rpartition("/")[2] in self.pages:
                return True
            detail = Detail("path", 0, 0, address)
        key = (detail.kind, detail.text, detail.before)
        if key not in self.verdicts:
            self.verdicts[key] = holds(detail, self.evidence)
        return self.verdicts[key]


def judge_of(batch: ConsolidatedBatch, window: Projection, context: Context) -> Judge:
    """Gather what a window and its context show, once for a check."""
    texts = list(_shown(window, context))
    texts += [update.path for update in batch.updates]
    evidence = gather_evidence(texts, [one.observation.ts for one in window.shown])
    pages = frozenset(f"{slugify(update.title)}.md" for update in batch.updates)
    return Judge(evidence, pages, bool(is_german(" ".join(one.text for one in window.shown))))


def _shown(window: Projection, context: Context) -> Iterator[str]:
    key = window.session
    yield f"{key.session_id}\n{key.project}\n{key.workspace}\nUTC"  # the zone of every time that is shown
    for one in window.shown:
        seen = one.observation
        yield one.text
        if seen.title and seen.title not in one.text:
            yield seen.title
        yield "\n".join((*seen.files, *seen.tags, seen.author, seen.agent_kind, seen.role, seen.kind))
    yield context.instructions
    for page in (*context.slots, *context.pages):
        yield f"{page.path}\n{page.text}"
    for entry in context.catalogue:
        told = (entry.path, entry.type, entry.title, entry.description, *entry.aliases, *entry.tags, entry.date)
        yield "\n".join(told)
