"""Owns bringing back into a draft what its page would lose, and making sure that the page has it then.

Knows not what is lost: which sentences that are comes in by argument.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from itertools import groupby
from typing import TYPE_CHECKING

from pipeline.gates.contradiction.marking import NO_TEXT, place
from pipeline.gates.contradiction.sentences import read_all
from pipeline.gates.retention.restoring import Lost, restore
from pipeline.wiki.markdown.blocks import replace
from pipeline.wiki.markdown.quoting import quote_inline
from pipeline.wiki.markdown.remarks import is_remark
from pipeline.wiki.revision.drafting import below_title
from pipeline.wiki.sections.outline import heading_key, outline
from pipeline.wiki.sections.sections import upsert

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from pipeline.gates.contradiction.sentences import Sentence
    from pipeline.gates.retention.history import Returning
    from pipeline.gates.retention.restoring import Headings
    from pipeline.gates.standing import StandingPage

_MOST_ROUNDS = 5
_LINKED = re.compile(r"[;；][\"'”’)`*_]{0,4}(?:\[\^[^\]\[\r\n]{1,200}\]){0,20}\s*\Z")
"""The end of a part of a sentence that goes on."""


def bring_back(
    page: StandingPage, body: str, removed: tuple[str, ...], lost: Sequence[Sentence], remarks: Sequence[Returning]
) -> tuple[str, tuple[str, ...], frozenset[str]]:
    """Bring lost sentences back, byte for byte if they are read as they were, else as one line of safe text.

    One that the page would lose even so is left out. Gives the body, the sections that go, and the words that stand.
    """
    escaped: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    for _ in range(_MOST_ROUNDS):
        below = [one for one in remarks if one.below and one.remark.words not in left_out | escaped]
        alone = [one.remark for one in remarks if not one.below or one.remark.words in escaped]
        wanted = sorted((*lost, *alone), key=lambda one: one.statement.start)
        wanted = [one for one in wanted if one.words not in left_out]
        going = _kept_sections(page, body, removed, wanted)
        reattached = _reattached(body, below)
        stand = _words(page, reattached, going)
        missing = [one for one in wanted if one.words not in stand]
        changed = _restored(page, reattached, missing, escaped)
        stand = _words(page, changed, going)
        failed = frozenset(one.words for one in (*wanted, *(one.remark for one in below))) - stand
        if not failed:
            return changed, going, stand
        left_out |= failed & escaped
        escaped |= failed
    return body, removed, _words(page, body, removed)


def after(page: StandingPage, body: str, removed: Sequence[str]) -> str:
    """Give the page's body as an update would leave it."""
    return upsert(page.body, below_title(body), removed).body


def _words(page: StandingPage, body: str, removed: Sequence[str]) -> frozenset[str]:
    return frozenset(one.words for one in read_all(after(page, body, removed)))


def _reattached(body: str, remarks: Sequence[Returning]) -> str:
    """Put remarks below the sentences of a draft that they are on; below another remark, beside it."""
    drafted = {one.words: one for one in read_all(body)}
    edits: list[tuple[int, int, str]] = []
    for one in remarks:
        anchor = drafted.get(one.below)
        if anchor is not None:
            text = one.remark.statement.text
            beside = is_remark(anchor.statement.text)
            edits += [edit for edit in place(body, anchor, *(([], [text]) if beside else ([text], []))) if edit[2]]
    return replace(body, edits)


def _kept_sections(
    page: StandingPage, body: str, removed: tuple[str, ...], lost: Sequence[Sentence]
) -> tuple[str, ...]:
    """Leave out of the sections that go those that hold a lost sentence, unless the draft has them anew."""
    drafted = {heading_key(section.heading) for section in outline(body) if section.heading}
    held = {heading_key(text) for headings, _ in _placed(page, lost) for _, text in headings} - drafted
    return tuple(name for name in removed if heading_key(name.lstrip("# ")) not in held)


def _restored(page: StandingPage, body: str, lost: Sequence[Sentence], escaped: Collection[str]) -> str:
    """Bring lost sentences back into their sections."""
    parts: dict[int, list[Sentence]] = defaultdict(list)
    for one in read_all(page.body) if lost else ():
        parts[one.statement.start].append(one)
    wanted: dict[Headings, list[Lost]] = {}
    for headings, group in groupby(_placed(page, lost), key=lambda entry: entry[0]):
        wanted.setdefault(headings, []).extend(_gathered([one for _, one in group], parts, escaped))
    return restore(body, page.body, wanted)


def _placed(page: StandingPage, lost: Sequence[Sentence]) -> Iterator[tuple[Headings, Sentence]]:
    """Give each lost sentence with the headings that lead to it."""
    starts: list[int] = []
    paths: list[Headings] = []
    above: list[tuple[int, str]] = []
    for section in outline(page.body):
        if section.kind == "section" and not section.kept:
            while above and above[-1][0] >= section.level:
                above.pop()
            if starts or section.level > 1:
                above.append((section.level, section.heading))
            starts.append(section.start)
            paths.append(tuple(above))
    for sentence in lost:
        number = bisect_right(starts, sentence.statement.start)
        yield (paths[number - 1] if number else ()), sentence


def _gathered(
    lost: Sequence[Sentence], parts: Mapping[int, Sequence[Sentence]], escaped: Collection[str]
) -> Iterator[Lost]:
    """Join the lost sentences of a statement; one that is lost as a whole, or cannot be cut, comes back as it is."""
    for start, group in groupby(lost, key=lambda one: one.statement.start):
        sentences = list(group)
        statement = sentences[0].statement
        if any(one.words in escaped for one in sentences):
            for one in sentences:
                text = f"{quote_inline(one.bare)}{''.join(f'[^{label}]' for label in one.labels)}"
                yield Lost(statement, text, whole=False, escaped=True)
            continue
        wanted = _completed(sentences, parts[start])
        raw = [part.raw for sentence in wanted for part in sentence]
        said = sum(len("".join(one.split())) for one in raw)
        whole = said == len("".join(statement.text.split())) or any(map(NO_TEXT.search, raw))
        yield Lost(statement, statement.text if whole else " ".join(map(_with_citations, wanted)), whole)


def _completed(lost: Sequence[Sentence], parts: Sequence[Sentence]) -> list[list[Sentence]]:
    """Give the whole sentences, each with its parts, that hold a lost one: what a semicolon cuts is no statement."""
    words = {one.words for one in lost}
    found: list[list[Sentence]] = [[]]
    for one in parts:
        found[-1].append(one)
        if not _LINKED.search(one.raw):
            found.append([])
    return [sentence for sentence in found if any(part.words in words for part in sentence)]


def _with_citations(parts: Sequence[Sentence]) -> str:
    text = " ".join(" ".join(one.raw.split()) for one in parts)
    last = parts[-1]
    return text if "[^" in last.raw else f"{text}{''.join(f'[^{label}]' for label in last.labels)}"
