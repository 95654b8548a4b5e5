"""Owns the footnote definitions at the end of a merged text: every footnote has one, none has two.

A definition of a source that nothing cites stays only where it stood so; one of a person stays. Knows no source.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.markdown.footnotes import definitions
from pipeline.wiki.markdown.positions import NEWLINE
from pipeline.wiki.merging.cutting import end_of_main
from pipeline.wiki.merging.weaving import same
from pipeline.wiki.revision.sources import is_label
from pipeline.wiki.sections.editing import append_definitions

if TYPE_CHECKING:
    from pipeline.wiki.merging.units import Cut

_BLANK_END = re.compile(r"(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r(?!\n))[ \t]*\Z")


def close(text: str, before: Cut, after: Cut, standing: Cut, newline: str) -> str:
    """Put the definitions behind a text that it needs; those that stand at its end already are sorted out first."""
    entries = definitions(text)
    main = text[: end_of_main(text, entries)]
    cited = dict.fromkeys(mark.label for mark in read_blocks(main).marks)
    inside = {entry.label for entry in entries if entry.start < len(main)}
    base = after.closing if same(before.closing, standing.closing) else standing.closing
    used = {*cited, *(mark.label for mark in read_blocks(base).marks)}
    closing = _sorted_out(base, used, inside, (before, after, standing))
    defined = inside | {entry.label for entry in definitions(closing)}
    added = [found for label in cited if label not in defined and (found := _find(label, before, after, standing))]
    for label, found in standing.notes.items():
        # A person's definition that went with a section, or that nothing ever cited.
        if label not in defined and label not in cited and _stays(label, (before, after, standing)):
            added.append(found)
    if not closing and not added and base:
        # The blank line before the definitions has nothing to part any more.
        return main.rstrip() + (newline if standing.closing else standing.units[-1].tail)
    if not closing:
        return append_definitions(main, "", added, newline)
    if main.strip() and not _BLANK_END.search(main) and main != standing.main:
        main += newline * (1 if main.endswith(("\n", "\r")) else 2)
    return append_definitions(main, closing, added, newline)


def _sorted_out(closing: str, cited: set[str], inside: set[str], cuts: tuple[Cut, Cut, Cut]) -> str:
    before, after, standing = cuts
    parts: list[str] = []
    done = 0
    seen: set[str] = set()
    for entry in definitions(closing):
        label = entry.label
        twice = label in inside and label not in standing.inside
        gone = label not in cited and not _stays(label, cuts)
        changed = _find(label, before, after, standing)
        text = closing[entry.start : entry.end]
        parts.append(closing[done : entry.start])
        if not twice and not gone:
            parts.append(text if not changed or label in seen or same(changed, entry.text) else changed + _end(text))
        seen.add(label)
        done = entry.end
    return "".join((*parts, closing[done:]))


def _stays(label: str, cuts: tuple[Cut, Cut, Cut]) -> bool:
    """Whether a definition stays that nothing cites: a person's, or one that nothing cited where it stands.

    None does that the commit took out.
    """
    before, after, standing = cuts
    taken_out = label in before.notes and label not in after.notes
    return label in standing.notes and not taken_out and not (label in standing.cited and is_label(label))


def _find(label: str, before: Cut, after: Cut, standing: Cut) -> str:
    """Give what defines a label: what one side alone changed is taken from it; what stands when both did."""
    was, came, stands = (cut.notes.get(label, "") for cut in (before, after, standing))
    if not stands or (came and same(was, stands)):
        return came or was or stands
    return stands


def _end(text: str) -> str:
    found = NEWLINE.search(text[len(text.rstrip("\r\n")) :])
    return found.group() if found else ""
