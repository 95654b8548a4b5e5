"""Owns bringing back into a draft what its page would lose, and making sure that the page has it then.

Knows not what is lost: which sentences that are comes in by argument.
"""

from __future__ import annotations

from bisect import bisect_right
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
    from collections.abc import Collection, Iterator, Sequence

    from pipeline.gates.contradiction.sentences import Sentence
    from pipeline.gates.retention.restoring import Headings
    from pipeline.gates.standing import StandingPage

_MOST_ROUNDS = 5


def bring_back(
    page: StandingPage, body: str, removed: tuple[str, ...], lost: Sequence[Sentence]
) -> tuple[str, tuple[str, ...], frozenset[str]]:
    """Bring lost sentences back, byte for byte if they are read as they were, else as one line of safe text.

    One that the page would lose even so is left out. Gives the body, the sections that go, and the words that stand.
    """
    escaped: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    for _ in range(_MOST_ROUNDS):
        wanted = [one for one in lost if one.words not in left_out]
        reattached, others = _reattached(page, body, wanted)
        changed, going = _restored(page, reattached, removed, others, escaped)
        stand = frozenset(one.words for one in read_all(after(page, changed, going)))
        failed = frozenset(one.words for one in wanted) - stand
        if not failed:
            return changed, going, stand
        left_out |= failed & escaped
        escaped |= failed
    return body, removed, frozenset(one.words for one in read_all(after(page, body, removed)))


def after(page: StandingPage, body: str, removed: Sequence[str]) -> str:
    """Give the page's body as an update would leave it."""
    return upsert(page.body, below_title(body), removed).body


def _reattached(page: StandingPage, body: str, lost: Sequence[Sentence]) -> tuple[str, list[Sentence]]:
    """Bring remarks back below the sentences that they are on, where the draft repeats these; also gives the others."""
    drafted = {one.words: one for one in read_all(body) if not is_remark(one.statement.text)}
    anchors: dict[int, str] = {}
    above = ""
    for one in read_all(page.body):
        if is_remark(one.statement.text):
            anchors[one.statement.start] = above
        else:
            above = one.words
    edits: list[tuple[int, int, str]] = []
    others: list[Sentence] = []
    for one in lost:
        anchor = drafted.get(anchors.get(one.statement.start, ""))
        if anchor is None:
            others.append(one)
        else:
            edits += place(body, anchor, [one.statement.text], [])
    return replace(body, edits), others


def _restored(
    page: StandingPage, body: str, removed: Sequence[str], lost: Sequence[Sentence], escaped: Collection[str]
) -> tuple[str, tuple[str, ...]]:
    """Bring lost sentences back: a section that was to go stays, all others get them at their end."""
    drafted = {heading_key(section.heading) for section in outline(body) if section.heading}
    wanted: dict[Headings, list[Lost]] = {}
    kept = tuple(removed)
    for headings, group in groupby(_placed(page, lost), key=lambda entry: entry[0]):
        keys = {heading_key(text) for _, text in headings}
        going = {name for name in kept if heading_key(name.lstrip("# ")) in keys - drafted}
        kept = tuple(name for name in kept if name not in going)
        if not going or (headings and heading_key(headings[-1][1]) in drafted):
            wanted.setdefault(headings, []).extend(_gathered([one for _, one in group], escaped))
    return restore(body, page.body, wanted), kept


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


def _gathered(lost: Sequence[Sentence], escaped: Collection[str]) -> Iterator[Lost]:
    """Join the lost sentences of a statement; one that is lost as a whole, or cannot be cut, comes back as it is."""
    for _, group in groupby(lost, key=lambda one: one.statement.start):
        sentences = list(group)
        statement = sentences[0].statement
        if any(one.words in escaped for one in sentences):
            for one in sentences:
                text = f"{quote_inline(one.bare)}{''.join(f'[^{label}]' for label in one.labels)}"
                yield Lost(statement, text, whole=False, escaped=True)
            continue
        said = sum(len("".join(one.raw.split())) for one in sentences)
        whole = said == len("".join(statement.text.split())) or any(NO_TEXT.search(one.raw) for one in sentences)
        yield Lost(statement, statement.text if whole else " ".join(map(_with_citations, sentences)), whole)


def _with_citations(sentence: Sentence) -> str:
    text = " ".join(sentence.raw.split())
    return text if "[^" in text else f"{text}{''.join(f'[^{label}]' for label in sentence.labels)}"
