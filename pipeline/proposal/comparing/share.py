"""Owns the measure of how small a change is: which changed lines carry a claim, and how many lines a page changes by.

A changed line is a line that is new in the later state or gone from the earlier one. Of those of the body, blank ones
left out, these carry a claim:

- the lines of a claim that was added, changed or removed, and those right below it that begin no other statement,
  heading or footnote: its code, the rest of its item;
- the lines of a remark that is new or gone: that its value changed, or that another contradicts it;
- the heading of a section that holds such a claim, a section below it included, with what stands between it and the
  first statement, such as the head of a table;
- a line that ends with a colon and leads to such a claim;
- the definition of a footnote that such a claim cites.

What is changed and carries none: a claim that merely moved or was wrapped otherwise, emphasis and punctuation, a note.
Lines of the front matter are counted by themselves, those of `sources` apart from the rest.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from statistics import median
from typing import TYPE_CHECKING

from pipeline.proposal.comparing.alignment import differing
from pipeline.proposal.comparing.claims import compare_claims
from pipeline.proposal.comparing.reading import read_state, sources_lines
from pipeline.proposal.comparing.values import ChangedLines, LineStats

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from pipeline.proposal.comparing.claims import Compared
    from pipeline.proposal.comparing.reading import State
    from pipeline.proposal.comparing.values import PageChange
    from pipeline.wiki.markdown.blocks import Heading


def share_of_claims(before: bytes, after: bytes) -> tuple[int, int]:
    """Count the changed lines of a page's body that carry a claim, and all of them; either state may be empty."""
    states = read_state("", before), read_state("", after)
    lines, _, _ = changed_lines(*states, compare_claims(*states))
    return lines.carrying, lines.body


def line_stats(changes: Iterable[PageChange]) -> LineStats:
    """Sum up the changed lines of pages."""
    every = list(changes)
    sizes = [change.lines_added + change.lines_removed for change in every]
    return LineStats(
        len(every),
        float(median(sizes)) if sizes else 0.0,
        max(sizes, default=0),
        sum(change.lines.body for change in every),
        sum(change.lines.carrying for change in every),
        sum(change.lines.sources for change in every),
        sum(change.lines.front for change in every),
    )


def changed_lines(before: State, after: State, compared: Compared) -> tuple[ChangedLines, int, int]:
    """Count the changed lines of a page by what they are, and those of its file: added, removed."""
    gone, new = differing(before.lines, after.lines)
    front_gone, front_new = differing(before.front, after.front)
    remarks = [{remark.words for remark in state.remarks} for state in (before, after)]
    old = {claim.number for claim in (*compared.removed, *(pair[0] for pair in compared.changed))}
    old |= {remark.number for remark in before.remarks if remark.words not in remarks[1]}
    fresh = {claim.number for claim in (*compared.added, *(pair[1] for pair in compared.changed))}
    fresh |= {remark.number for remark in after.remarks if remark.words not in remarks[0]}
    gone_text, new_text = _filled(before.lines, gone), _filled(after.lines, new)
    carrying = len(_carrying(before, old).intersection(gone_text)) + len(_carrying(after, fresh).intersection(new_text))
    of_sources = len(sources_lines(before.front).intersection(front_gone))
    of_sources += len(sources_lines(after.front).intersection(front_new))
    front = len(front_gone) + len(front_new)
    lines = ChangedLines(len(gone_text) + len(new_text), carrying, of_sources, front - of_sources)
    return lines, len(new) + len(front_new), len(gone) + len(front_gone)


def _filled(lines: Sequence[str], numbers: Iterable[int]) -> list[int]:
    return [number for number in numbers if lines[number].strip()]


def _carrying(state: State, told: Collection[int]) -> set[int]:
    """Give the numbers of the lines that carry one of the statements of these numbers, or what it needs."""
    blocks = state.blocks
    statements = blocks.statements
    definitions = [(blocks.line_of(entry.start), entry) for entry in blocks.definitions]
    begins = sorted(
        {*(one.line for one in statements), *(one.line for one in blocks.headings), *(line for line, _ in definitions)}
    )
    own: list[int] = sorted(told)
    own += [number - 1 for number in own if number and statements[number - 1].bare.rstrip().endswith((":", "："))]
    found: set[int] = set()
    for number in own:
        found |= _until_next(statements[number].line, begins, len(state.lines))
    lines = sorted(statements[number].line for number in told)
    for heading, end in zip(blocks.headings, _ends(blocks.headings, len(state.lines)), strict=True):
        if bisect_left(lines, end) > bisect_left(lines, heading.line):
            found |= _until_next(heading.line, begins, len(state.lines))
    labels = {label for number in told for label in statements[number].labels}
    for line, entry in definitions:
        if entry.label in labels:
            found |= _until_next(line, begins, len(state.lines))
    return found


def _ends(headings: Sequence[Heading], last: int) -> list[int]:
    """Give the line at which each heading's section ends, those below it included."""
    ends = [last] * len(headings)
    open_: list[int] = []
    for number, heading in enumerate(headings):
        while open_ and headings[open_[-1]].level >= heading.level:
            ends[open_.pop()] = heading.line
        open_.append(number)
    return ends


def _until_next(line: int, begins: Sequence[int], last: int) -> set[int]:
    place = bisect_right(begins, line)
    return set(range(line, begins[place] if place < len(begins) else last))
