"""Owns the sentences of a page or a draft: where each stands, what it cites, and under what it is said.

Knows no value and no other page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pipeline.gates.contradiction.claims import LONGEST
from pipeline.gates.contradiction.splitting import cut
from pipeline.gates.contradiction.words import QUALIFIER_STEMS, stem
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.claims import UNSOURCED, claims_of, without_marks
from pipeline.wiki.markdown.quoting import plain
from pipeline.wiki.markdown.remarks import is_remark

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.wiki.markdown.blocks import Blocks, Statement

_LABEL = re.compile(r"\[\^([^\]\[\r\n]{1,200})\]")
_COMMENT = re.compile(r"<!--[^<>]{0,200}-->")
_WORD = re.compile(r"\w+")
_LEADS = (":", "：")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of `statement`. `raw` is as it is written, `bare` the same without footnote marks, in one line.

    `labels` are its own citations, else those of its statement. `heading` is the section's; `scope` are the words of
    headings, leads and enclosing items that tell what it is said of, `above` all words of the leads and items.
    """

    raw: str
    bare: str
    words: str
    labels: tuple[str, ...]
    heading: str
    scope: frozenset[str]
    above: frozenset[str]
    statement: Statement


@lru_cache(maxsize=64)
def read_sentences(body: str, title: str = "") -> tuple[Sentence, ...]:
    """Read the sentences that say something of the world, remarks on claims left out."""
    return tuple(one for one in read_all(body, title) if not is_remark(one.statement.text))


@lru_cache(maxsize=64)
def read_all(body: str, title: str = "") -> tuple[Sentence, ...]:
    """Read the sentences that say something of the world; a remark on a claim is one sentence."""
    return tuple(_read(read_blocks(body), title))


def _read(blocks: Blocks, title: str) -> Iterator[Sentence]:
    starts = [heading.start for heading in blocks.headings]
    paths = _paths(blocks)
    lead: tuple[int, str] = (-1, "")
    holders: list[Statement] = []
    claims = {one.start for one in claims_of(blocks)}
    for statement in blocks.statements:
        section = bisect_right(starts, statement.start)
        while holders and holders[-1].extent[1] <= statement.start:
            holders.pop()
        holders = [one for one in holders if one.extent[1] > statement.start]
        if statement.bare.strip().endswith(_LEADS) and statement.shape == "paragraph":
            lead = (section, statement.bare)
        elif statement.shape == "paragraph":
            lead = (-1, "")
        above = " ".join((lead[1] if lead[0] == section else "", *(one.bare for one in holders)))
        if statement.shape == "item" and statement.extent[1] > statement.end + 1:
            holders.append(statement)
        if statement.start not in claims:
            continue
        headings = paths[section - 1] if section else ()
        scope = _stems(" ".join((title, *headings, above))) & QUALIFIER_STEMS
        heading = headings[-1] if headings else ""
        for raw in _cut(statement):
            bare = _COMMENT.sub("", without_marks(raw))
            said = _row(bare) if statement.shape == "row" else " ".join(bare.split())
            said = said.removesuffix(UNSOURCED).rstrip()
            if said and len(said) <= LONGEST:
                labels = tuple(_LABEL.findall(raw)) or statement.labels
                yield Sentence(raw, said, plain(said), labels, heading, scope, _stems(above), statement)


def _paths(blocks: Blocks) -> list[tuple[str, ...]]:
    """Give the headings above each section, its own last; the title counts as none."""
    paths: list[tuple[str, ...]] = []
    above: list[tuple[int, str]] = []
    for number, heading in enumerate(blocks.headings):
        while above and above[-1][0] >= heading.level:
            above.pop()
        if heading.level > 1 or number:
            above.append((heading.level, plain(heading.text)))
        paths.append(tuple(text for _, text in above))
    return paths


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, _WORD.findall(without_marks(text))))


def _cut(statement: Statement) -> Iterator[str]:
    if statement.shape == "row" or is_remark(statement.text):
        yield statement.text
    else:
        yield from cut(statement.text)


def _row(text: str) -> str:
    cells = [" ".join(cell.split()) for cell in text.strip().strip("|").split("|")]
    return ": ".join(filter(None, cells))
