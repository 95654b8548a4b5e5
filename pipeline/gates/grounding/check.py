"""Owns the gate that holds the concrete details of a draft to what the model was shown.

A sentence, list item, table row or block of code with a number, a name or another detail that stands nowhere in it is
taken out. Knows nothing of whether a statement is true.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pipeline.finding import Finding
from pipeline.gates.gated import Gated, heading_above, named, quoted, with_bodies
from pipeline.gates.grounding.code import invented_line
from pipeline.gates.grounding.fields import clean_fields, clean_text
from pipeline.gates.grounding.judging import Judge, judge_of
from pipeline.gates.grounding.removal import cut_sentences, without
from pipeline.text import one_line
from pipeline.wiki.markdown.blocks import read_blocks, replace
from pipeline.wiki.markdown.positions import read_source

if TYPE_CHECKING:
    from pipeline.context import Context
    from pipeline.draft import ConsolidatedBatch
    from pipeline.gates.grounding.removal import Edit, Span
    from pipeline.projection import Projection
    from pipeline.wiki.markdown.blocks import Blocks, Statement

RULE: Final = "detail-ungrounded"
_MOST_PASSES: Final = 8
"""What is left is looked at once more, because it may read otherwise than before."""
_HEADING: Final = 80


def check(batch: ConsolidatedBatch, window: Projection, context: Context) -> Gated:
    """Take out what holds a detail that neither the window nor the context shows.

    Bodies lose sentences, list items, table rows and blocks of code, descriptions and the rationale sentences, titles
    the detail itself, lists of tags and aliases the entry. An update without a body goes; one without a title stays.
    """
    judge = judge_of(batch, window, context)
    findings: list[Finding] = []
    bodies = []
    for update in batch.updates:
        kept, found = clean_fields(update, judge)
        findings += [_finding(named(update), *one) for one in found]
        body = _clean_body(update.body, named(update), judge, findings)
        bodies.append((kept, body))
    rationale, told = clean_text(batch.rationale, judge)
    findings += [_finding(str(window.session), detail, text, "the rationale") for detail, text in told]
    if rationale != batch.rationale:
        batch = batch.model_copy(update={"rationale": rationale})
    return Gated(with_bodies(batch, bodies), tuple(findings))


def _finding(where: str, detail: str, text: str, place: str = "") -> Finding:
    out = f" of {place}" if place else ""
    message = f"{quoted(detail)} stands nowhere in what was shown; {quoted(text)} was taken out{out}."
    step = "Add it to the page, with its source, if it is right."
    return Finding(where, RULE, "warning", message, step)


def _clean_body(body: str, where: str, judge: Judge, findings: list[Finding]) -> str:
    for _ in range(_MOST_PASSES):
        cleaned = _Body(body, where, judge, findings).clean()
        if cleaned == body:
            break
        body = cleaned
    return body


@dataclass(frozen=True, slots=True)
class _Body:
    """One look at a body."""

    body: str
    where: str
    judge: Judge
    findings: list[Finding]

    def clean(self) -> str:
        blocks = read_blocks(self.body)
        gone: set[Span] = set()
        cuts: list[Edit] = self._headings(blocks)
        for statement in blocks.statements:
            if (edits := self._statement(statement, blocks)) is None:
                gone.add((statement.start, statement.end))
            else:
                cuts += edits
        code = [(one.start, one.end) for one in read_source(self.body).code if one.kind != "span"]
        for start, end in code:
            line = invented_line(self.body[start:end], self.judge.evidence)
            if line:
                gone.add((start, end))
                self._note(start, blocks, line, self.body[start:end])
        return without(self.body, blocks, gone, code, cuts) if gone or cuts else self.body

    def _statement(self, statement: Statement, blocks: Blocks) -> list[Edit] | None:
        """Give the cuts within a statement, or None when all of it goes."""
        source = self.body[statement.start : statement.end]
        judged = self.judge.sentences(source)
        wrong = [bool(one.details) for one in judged]
        if not any(wrong):
            return []
        for one in judged:
            if one.details:
                self._note(statement.start, blocks, ", ".join(one.details), one.text)
        if statement.shape == "row" or all(one.details or one.blank for one in judged):
            return None
        return cut_sentences(source, statement.start, [one.span for one in judged], wrong)

    def _headings(self, blocks: Blocks) -> list[Edit]:
        """Take the details themselves out of headings; what is left without a word goes as a line."""
        edits: list[Edit] = []
        for heading in blocks.headings:
            source = self.body[heading.start : heading.end]
            wrong = self.judge.spans(source, title=True)
            if wrong:
                left = replace(source, [(start, end, "") for start, end in wrong])
                kept = left.rstrip() if any(map(str.isalnum, left)) else ""
                edits.append((heading.start, heading.end, kept))
                self._note(heading.start, blocks, ", ".join(source[start:end] for start, end in wrong), source)
        return edits

    def _note(self, place: int, blocks: Blocks, details: str, text: str) -> None:
        heading = heading_above(blocks, place)
        section = f"#{one_line(heading, _HEADING)}" if heading else ""
        self.findings.append(_finding(f"{self.where}{section}", details, text))
