"""Owns what a draft's body asks to change, read against the page that it is for; changes nothing.

The text of a draft is untrusted: it can neither protect anything nor redefine a footnote. A keep block that it
repeats word for word tells where that block belongs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.markdown.footnotes import definitions
from pipeline.wiki.markdown.positions import NEWLINE, read_source
from pipeline.wiki.sections.keep import without_markers
from pipeline.wiki.sections.outline import heading_key

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pipeline.wiki.sections.keep import KeepBlock

_BLANK_LINES = re.compile(r"\A(?:[ \t]*\n)+")


@dataclass(slots=True, eq=False)
class Change:
    """A section of the draft without those below it: `text` is what shall stand under its heading."""

    heading: str
    level: int
    key: str
    text: str
    parent: Change | None = None
    depth: int = 0
    """How many levels the sections below it go down."""


@dataclass(slots=True)
class Changes:
    """A draft's body, taken apart. Where a text holds a key of `placed`, that keep block stands there."""

    lead: str = ""
    sections: list[Change] = field(default_factory=list)
    definitions: dict[str, str] = field(default_factory=dict)
    placed: dict[str, KeepBlock] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def read_changes(text: str, blocks: Sequence[KeepBlock], titles: Collection[str], page: str) -> Changes:
    """Take a draft's body apart.

    `blocks` are the keep blocks of `page`, each with its end. `titles` are the keys of its sections of level 1
    below the title: every other heading of level 1 is the title again, and what stands below it is the lead.
    """
    changes = Changes()
    text = _clean(_place_blocks(NEWLINE.sub("\n", text), blocks, page, changes.placed), changes)
    headings = read_source(text).headings
    ends = [*(heading.start for heading in headings), len(text)]
    changes.lead = trimmed(text[: ends[0]])
    above: list[Change] = []
    for heading, end in zip(headings, ends[1:], strict=True):
        own = trimmed(text[heading.end : end])
        words = _without_places(heading.text, changes)
        key = heading_key(words)
        if key and (heading.level > 1 or key in titles):
            while above and above[-1].level >= heading.level:
                above.pop()
            above.append(_take_section(changes, Change(words, heading.level, key, own, above[-1] if above else None)))
            for upper in above[:-1]:
                upper.depth = max(upper.depth, above[-1].level - upper.level)
        elif key:
            above = []
            changes.lead = _joined(changes.lead, own)
        else:
            _append(changes, above[-1] if above else None, own)
    return changes


def _clean(text: str, changes: Changes) -> str:
    """Take out keep markers and footnote definitions, and places that are none."""
    unprotected = without_markers(text)
    if unprotected != text:
        message = "the draft held keep markers, which protect a person's text only; they were taken out."
        changes.findings.append(Finding("", "keep-marker-removed", "warning", message))
    return _drop_hidden_places(_take_definitions(unprotected, changes.definitions), changes.placed)


def _without_places(heading: str, changes: Changes) -> str:
    for token in changes.placed:
        heading = heading.replace(token, "")
    return " ".join(heading.split())


def _take_section(changes: Changes, change: Change) -> Change:
    """Take over a section of the draft; one whose heading stands there already adds its text to the first."""
    first = next(
        (other for other in changes.sections if (other.parent, other.key) == (change.parent, change.key)), None
    )
    if first is None:
        changes.sections.append(change)
        return change
    message = "the draft holds this heading twice; both texts stand under it."
    changes.findings.append(Finding(first.heading, "heading-twice-in-draft", "note", message))
    _append(changes, first, change.text)
    return first


def trimmed(text: str) -> str:
    """Return a text without the blank lines around it and without spaces at its end."""
    return _BLANK_LINES.sub("", text).rstrip()


def _place_blocks(text: str, blocks: Sequence[KeepBlock], page: str, placed: dict[str, KeepBlock]) -> str:
    name = "kept-by-wikimill"
    while name in text or name in page:
        name += "-"
    for number, block in enumerate(blocks):
        written = NEWLINE.sub("\n", block.text)
        start = text.find(written)
        if start < 0 or text[:start].rpartition("\n")[2].lstrip().startswith("#"):
            continue
        token = f"{name}{number}."
        before, after = text[:start], text[start + len(written) :]
        alone = not before.rpartition("\n")[2].strip() and not after.partition("\n")[0].strip()
        text = f"{before.rstrip()}\n\n{token}\n\n{trimmed(after)}" if alone else f"{before}{token}{after}"
        placed[token] = block
    return text


def _drop_hidden_places(text: str, placed: dict[str, KeepBlock]) -> str:
    """Take out the places that stand in code or raw HTML: a block would not be one there."""
    source = read_source(text)
    for token in list(placed):
        place = source.text.find(token)
        if source.code_at(place) is not None or any(start <= place < end for start, end in source.html):
            del placed[token]
            text = text.replace(token, "")
    return text


def _take_definitions(text: str, into: dict[str, str]) -> str:
    parts: list[str] = []
    done = 0
    for entry in definitions(text):
        parts.append(text[done : entry.start])
        into.setdefault(entry.label, text[entry.start : entry.end].rstrip())
        done = entry.end
    return "".join((*parts, text[done:]))


def _append(changes: Changes, change: Change | None, text: str) -> None:
    if change is None:
        changes.lead = _joined(changes.lead, text)
    elif text not in change.text:
        change.text = _joined(change.text, text)


def _joined(first: str, second: str) -> str:
    return "\n\n".join(part for part in (first, second) if part)
