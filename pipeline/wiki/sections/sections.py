"""Owns changing some sections of a page and no others; knows no front matter and no source of a claim.

What is not named stays byte for byte: sections, line breaks, trailing spaces, a missing last line break. What a
person keeps stays in any case, and so do footnote definitions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.footnotes import Definition, cited, closing_definitions, definitions
from pipeline.wiki.sections.changes import read_changes
from pipeline.wiki.sections.editing import Editing, append_definitions, newline_of
from pipeline.wiki.sections.keep import KeepBlock, check_keep_markers, keep_blocks, with_ends
from pipeline.wiki.sections.outline import Section, outline

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pipeline.finding import Finding

__all__ = [
    "Definition",
    "KeepBlock",
    "Section",
    "Upserted",
    "check_keep_markers",
    "cited",
    "definitions",
    "keep_blocks",
    "outline",
    "upsert",
    "with_definitions",
]

_OURS = re.compile(r"o-[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class Upserted:
    """A changed body, and what a person may want to know; `where` of a finding is a heading, or empty."""

    body: str
    findings: tuple[Finding, ...]


def upsert(body: str, changes: str, removed: Sequence[str] = ()) -> Upserted:
    """Write the sections that `changes` holds, each under its heading, and take out those that `removed` names.

    A section is found by the words of its heading, at its own level if there is one. Its text up to the next
    heading is replaced; sections below it stay unless `changes` or `removed` name them. One that the page does not
    have is appended: below the section that it stands under in `changes`, else at the end. Text before the first
    heading replaces the text between the page's title and its first section. Keep blocks stay whole, in the
    section that holds them. The same call twice does no more than once.
    """
    editing = Editing(body)
    blocks = [replace(block, text=with_ends(block.text, newline_of(body))) for block in keep_blocks(body)]
    wanted = read_changes(changes, blocks, editing.titles(), body)
    for heading in removed:
        editing.remove(heading, wanted)
    if wanted.lead:
        editing.write_lead(wanted)
    for change in wanted.sections:
        editing.write(change, wanted)
    editing.define(wanted.definitions)
    text = editing.text()
    return Upserted(text, (*check_keep_markers(body), *wanted.findings, *editing.findings))


def with_definitions(body: str, wanted: Mapping[str, str]) -> str:
    """Define each label of `wanted` that has no definition yet, at the end of the text.

    Definitions of sources (`o-...`) that nothing cites any more go; all others stay byte for byte, and so do
    those in keep blocks. The texts of `wanted` are inline Markdown.
    """
    labels = {*cited(body), *wanted}
    blocks = keep_blocks(body)
    for entry in reversed(definitions(body)):
        kept = any(block.start < entry.end and entry.start < block.end for block in blocks)
        if _OURS.fullmatch(entry.label) and entry.label not in labels and not kept:
            body = body[: entry.start] + body[entry.end :]
    defined = {entry.label for entry in definitions(body)}
    added = [f"[^{label}]: {' '.join(text.split())}" for label, text in wanted.items() if label not in defined]
    place = closing_definitions(body)
    return append_definitions(body[:place], body[place:], added, newline_of(body))
