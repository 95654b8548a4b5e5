"""Owns the gate that keeps what a draft's sections replace: cited statements, and what a person wrote.

What is said again in other words, or named as superseded, is not lost. What is lost comes back into the draft, byte
for byte, and is told. A slot of state is rewritten freely. Knows no observation.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import groupby
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.gates.contradiction.marking import NO_TEXT
from pipeline.gates.contradiction.sentences import read_all
from pipeline.gates.gated import Gated, named, quoted
from pipeline.gates.retention.kept import Offered, citations, judge
from pipeline.gates.retention.restoring import Lost, restore
from pipeline.gates.standing import page_of, standing_pages
from pipeline.wiki.markdown.blocks import replace
from pipeline.wiki.markdown.claims import UNSOURCED
from pipeline.wiki.revision.drafting import below_title
from pipeline.wiki.sections.outline import heading_key, outline
from pipeline.wiki.sections.sections import upsert

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.gates.contradiction.sentences import Sentence
    from pipeline.gates.retention.restoring import Headings
    from pipeline.gates.standing import StandingPage
    from pipeline.projection import Projection

_MOST_ROUNDS = 4
_STEP = "Take it out by hand if it no longer holds."


def check(batch: ConsolidatedBatch, window: Projection, context: Context) -> Gated:  # noqa: ARG001  # all gates are called alike
    """Put back into each update what its sections would lose of the page that was shown."""
    pages = {page.path: page for page in standing_pages(context)}
    superseded = {page.path for update in batch.updates for path in update.supersedes if (page := page_of(path, pages))}
    findings: list[Finding] = []
    updates = []
    for update in batch.updates:
        page = page_of(update.path, pages)
        free = page is None or page.slot == "state" or page.is_persons or page.is_locked or page.path in superseded
        if page is None or free:
            updates.append(update)
            continue
        others = [one for other in batch.updates if other is not update for one in read_all(other.body)]
        updates.append(_settled(update, page, others, findings))
    changed = tuple(updates)
    return Gated(batch if changed == batch.updates else batch.model_copy(update={"updates": changed}), tuple(findings))


def _settled(
    update: ConsolidatedPageUpdate, page: StandingPage, others: Sequence[Sentence], findings: list[Finding]
) -> ConsolidatedPageUpdate:
    """Repeat until nothing is left to put back, so that the same gate finds nothing the next time."""
    told: list[Finding] = []
    for _ in range(_MOST_ROUNDS):
        before, update = update, _retained(update, page, others, told)
        if update is before:
            break
    findings += dict.fromkeys(told)
    return update


def _retained(
    update: ConsolidatedPageUpdate, page: StandingPage, others: Sequence[Sentence], findings: list[Finding]
) -> ConsolidatedPageUpdate:
    after = _after(page, update.body, update.removed_sections)
    if after == page.body:
        return update
    left = read_all(after)
    standing = [one for one in read_all(page.body) if _is_protected(one)]
    words = {(one.words, label) for one in left for label in (*citations(one), "")}
    missing = [one for one in standing if any((one.words, label) not in words for label in (*citations(one), ""))]
    if not missing:
        return update
    body, lost = _relabelled(update, missing, Offered((*left, *others)), findings)
    if not lost:
        return update if body == update.body else update.model_copy(update={"body": body})
    body, removed = _restored(page, body, update.removed_sections, lost)
    kept = {one.words for one in read_all(_after(page, body, removed))}
    findings += [_finding(update, one, kept=one.words in kept) for one in lost]
    if (body, removed) == (update.body, update.removed_sections):
        return update
    return update.model_copy(update={"body": body, "removed_sections": removed})


def _after(page: StandingPage, body: str, removed: Sequence[str]) -> str:
    return upsert(page.body, below_title(body), removed).body


def _is_protected(sentence: Sentence) -> bool:
    """Whether a sentence cites a source, or a person wrote it; a claim that the model left unsourced may go."""
    return bool(citations(sentence)) or not sentence.statement.text.rstrip("| ").endswith(UNSOURCED)


def _relabelled(
    update: ConsolidatedPageUpdate, missing: Sequence[Sentence], offered: Offered, findings: list[Finding]
) -> tuple[str, list[Sentence]]:
    """Put citations back that a rewrite forgot; also gives what is lost."""
    drafted = {one.words: one for one in read_all(update.body)}
    wanted: dict[str, dict[str, None]] = {}
    lost: list[Sentence] = []
    for sentence in missing:
        judged = judge(sentence, offered)
        if judged.fate == "lost":
            lost.append(sentence)
        elif judged.fate == "uncited" and judged.by is not None and judged.by.words in drafted:
            wanted.setdefault(judged.by.words, {}).update(dict.fromkeys(sorted(citations(sentence))))
    edits: list[tuple[int, int, str]] = []
    for words, labels in wanted.items():
        target = drafted[words]
        place = _end(target)
        there = target.labels if place < target.statement.end else target.statement.labels
        new = [label for label in labels if label not in there]
        if new:
            edits.append((place, place, "".join(f"[^{label}]" for label in new)))
            message = f"the draft dropped the source of {quoted(target.bare)}; it was put back."
            findings.append(Finding(_where(update, target.heading), "citation-restored", "note", message))
    return replace(update.body, edits), lost


def _end(sentence: Sentence) -> int:
    """Find where a sentence ends in its text, in a row of a table inside the last cell."""
    statement = sentence.statement
    if statement.shape == "row":
        return statement.start + len(statement.text.rstrip("| "))
    place = -1 if statement.quoted else statement.text.find(sentence.raw)
    return statement.end if place < 0 else statement.start + place + len(sentence.raw)


def _restored(
    page: StandingPage, body: str, removed: Sequence[str], lost: Sequence[Sentence]
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
            wanted.setdefault(headings, []).extend(_gathered([one for _, one in group]))
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


def _gathered(lost: Sequence[Sentence]) -> Iterator[Lost]:
    """Join the lost sentences of a statement; one that is lost as a whole, or cannot be cut, comes back as it is."""
    for _, group in groupby(lost, key=lambda one: one.statement.start):
        sentences = list(group)
        statement = sentences[0].statement
        said = sum(len("".join(one.raw.split())) for one in sentences)
        whole = said == len("".join(statement.text.split())) or any(NO_TEXT.search(one.raw) for one in sentences)
        yield Lost(statement, statement.text if whole else " ".join(map(_with_citations, sentences)), whole)


def _with_citations(sentence: Sentence) -> str:
    text = " ".join(sentence.raw.split())
    return text if "[^" in text else f"{text}{''.join(f'[^{label}]' for label in sentence.labels)}"


def _where(update: ConsolidatedPageUpdate, heading: str) -> str:
    return f"{named(update)}#{heading}" if heading else named(update)


def _finding(update: ConsolidatedPageUpdate, sentence: Sentence, *, kept: bool) -> Finding:
    cited = "".join(f"[^{label}]" for label in sentence.labels)
    outcome = "it was kept" if kept else "it could not be kept"
    message = f"the draft leaves out {quoted(sentence.bare)}{cited}; {outcome}."
    return Finding(_where(update, sentence.heading), "statement-lost", "warning", message, _STEP)
