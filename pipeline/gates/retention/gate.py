"""Owns the gate that keeps what a draft's sections replace: cited statements, and what a person wrote.

What is said again in other words, or named as superseded, is not lost. What is lost comes back into the draft, byte
for byte, and is told; the tool's own remarks come back without a word. A slot of state is rewritten freely. Knows no
observation.
"""

from __future__ import annotations

from dataclasses import replace as replaced
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.gates.contradiction.sentences import read_all
from pipeline.gates.gated import Gated, place, quoted
from pipeline.gates.retention.bringing_back import after, bring_back
from pipeline.gates.retention.history import History
from pipeline.gates.retention.kept import Offered, citations, judge
from pipeline.gates.standing import page_of, standing_pages
from pipeline.wiki.markdown.blocks import read_blocks, replace
from pipeline.wiki.markdown.claims import UNSOURCED, claims_of
from pipeline.wiki.markdown.positions import read_source
from pipeline.wiki.markdown.remarks import is_remark
from pipeline.wiki.revision.sources import source_id

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch, ConsolidatedPageUpdate
    from pipeline.gates.contradiction.sentences import Sentence
    from pipeline.gates.standing import StandingPage
    from pipeline.projection import Projection

_MOST_ROUNDS = 4
_STEP = "Take it out by hand if it no longer holds."


def check(batch: ConsolidatedBatch, window: Projection, context: Context) -> Gated:
    """Put back into each update what its sections would lose of the page that was shown."""
    pages = {page.path: page for page in standing_pages(context)}
    names = {one.handle: source_id(one.observation.id) for one in window.shown}
    superseded = {page.path for update in batch.updates for path in update.supersedes if (page := page_of(path, pages))}
    findings: list[Finding] = []
    updates = []
    for update in batch.updates:
        page = page_of(update.path, pages)
        free = page is None or page.slot == "state" or page.is_persons or page.is_locked or page.path in superseded
        if page is None or free:
            updates.append(update)
            continue
        others = [other.body for other in batch.updates if other is not update]
        updates.append(_Keeper(page, names, others).settled(update, findings))
    changed = tuple(updates)
    return Gated(batch if changed == batch.updates else batch.model_copy(update={"updates": changed}), tuple(findings))


class _Keeper:
    """Holds the updates of one page to what stands on it. `names` gives the labels that handles will have there."""

    def __init__(self, page: StandingPage, names: Mapping[str, str], others: Sequence[str]) -> None:
        self._page = page
        self._names = names
        self._others = [one for body in others for one in self._read(body)]

    def settled(self, update: ConsolidatedPageUpdate, findings: list[Finding]) -> ConsolidatedPageUpdate:
        """Repeat until nothing is left to put back, so that the same gate finds nothing the next time."""
        told: list[Finding] = []
        for _ in range(_MOST_ROUNDS):
            before, update = update, self._retained(update, told)
            if update is before:
                break
        findings += dict.fromkeys(told)
        return update

    def _read(self, body: str) -> list[Sentence]:
        """Read the sentences of a draft; what cites an observation by its handle cites it by its label as well."""
        return [
            replaced(one, labels=(*one.labels, *(self._names[label] for label in one.labels if label in self._names)))
            for one in read_all(body)
        ]

    def _retained(self, update: ConsolidatedPageUpdate, findings: list[Finding]) -> ConsolidatedPageUpdate:
        page = self._page
        revised = after(page, update.body, update.removed_sections)
        if revised == page.body:
            return update
        left = self._read(revised)
        standing = read_all(page.body)
        claims = {one.start for one in claims_of(read_blocks(page.body))}
        words = {(one.words, label) for one in left for label in (*citations(one), "")}
        missing = [
            one
            for one in standing
            if one.statement.start in claims
            and _is_protected(one)
            and any((one.words, label) not in words for label in (*citations(one), ""))
        ]
        if not missing:
            return update
        drafted = {one.words: one for one in self._read(update.body)}
        offered = Offered((*left, *self._others))
        body, lost = _relabelled(update, missing, drafted, offered, findings)
        history = History(standing, drafted, left, offered)
        told = [one for one in lost if not is_remark(one.statement.text)]
        remarks = [found for one in lost if is_remark(one.statement.text) and (found := history.returning(one))]
        removed = update.removed_sections
        if told or remarks:
            body, removed, kept = bring_back(page, body, removed, told, remarks)
            findings += [_finding(update, one, kept=one.words in kept) for one in told]
        if (body, removed) == (update.body, update.removed_sections):
            return update
        return update.model_copy(update={"body": body, "removed_sections": removed})


def _is_protected(sentence: Sentence) -> bool:
    """Whether a sentence cites a source, or a person wrote it; a claim that the model left unsourced may go."""
    return bool(citations(sentence)) or not sentence.statement.text.rstrip("| ").endswith(UNSOURCED)


def _relabelled(
    update: ConsolidatedPageUpdate,
    missing: Sequence[Sentence],
    drafted: Mapping[str, Sentence],
    offered: Offered,
    findings: list[Finding],
) -> tuple[str, list[Sentence]]:
    """Put citations back that a rewrite forgot; also gives what is lost."""
    wanted: dict[str, dict[str, None]] = {}
    lost: list[Sentence] = []
    for sentence in missing:
        judged = judge(sentence, offered)
        if judged.fate == "lost":
            lost.append(sentence)
        elif judged.fate == "uncited" and judged.by is not None and judged.by.words in drafted:
            wanted.setdefault(judged.by.words, {}).update(dict.fromkeys(sorted(citations(sentence))))
    edits: list[tuple[int, int, str]] = []
    given: set[tuple[int, str]] = set()
    source = read_source(update.body) if wanted else None
    for words, labels in wanted.items():
        target = drafted[words]
        position = _end(target)
        if source is not None and source.code_at(position) is not None:
            position = target.statement.end
        there = target.labels if position < target.statement.end else target.statement.labels
        new = [label for label in labels if label not in there and (position, label) not in given]
        if new:
            given.update((position, label) for label in new)
            edits.append((position, position, "".join(f"[^{label}]" for label in new)))
            message = f"the draft dropped the source of {quoted(target.bare)}; it was put back."
            findings.append(Finding(place(update, target.heading), "citation-restored", "note", message))
    return replace(update.body, edits), lost


def _end(sentence: Sentence) -> int:
    """Find where a sentence ends in its text, in a row of a table inside the last cell."""
    statement = sentence.statement
    if statement.shape == "row":
        return statement.start + len(statement.text.rstrip("| "))
    place = -1 if statement.quoted else statement.text.find(sentence.raw)
    return statement.end if place < 0 else statement.start + place + len(sentence.raw)


def _finding(update: ConsolidatedPageUpdate, sentence: Sentence, *, kept: bool) -> Finding:
    cited = "".join(f"[^{label}]" for label in sentence.labels)
    outcome = "it was kept" if kept else "it could not be kept"
    message = f"the draft leaves out {quoted(sentence.bare)}{cited}; {outcome}."
    return Finding(place(update, sentence.heading), "statement-lost", "warning", message, _STEP)
