"""Owns what stands around a page's text, as HTML, and how it travels to the one who renders the page.

A derived document ends with one line, a comment that holds the frame. The Markdown extension takes that last line
for trusted when, and only when, the derived configuration tells it that documents are derived: a page can therefore
not bring a frame of its own, since the line that counts is always ours. Knows no page.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html

if TYPE_CHECKING:
    from collections.abc import Mapping

_OPEN: Final = "<!--wikimill-frame "
_CLOSE: Final = "-->"
_ENDS: Final = (">", "\x85", "\u2028", "\u2029")
"""What would end the comment, or the line; other line ends are none in JSON."""


@dataclass(frozen=True, slots=True)
class Frame:
    """HTML around a page's text: `above` all of it, `below_title`, in each footnote by its label, and `below` all.

    `sources` stands below the heading of the footnotes.
    `title` is set as the heading of level 1 where the text has none.
    """

    title: str = ""
    above: Html = field(default_factory=Html)
    below_title: Html = field(default_factory=Html)
    notes: Mapping[str, Html] = field(default_factory=dict)
    below: Html = field(default_factory=Html)
    sources: Html = field(default_factory=Html)


def pack(frame: Frame) -> str:
    """Write a frame as the one line that ends a document, without a line break."""
    value = {
        "title": frame.title,
        "above": frame.above,
        "below_title": frame.below_title,
        "notes": dict(frame.notes),
        "below": frame.below,
        "sources": frame.sources,
    }
    told = json.dumps({key: part for key, part in value.items() if part}, ensure_ascii=False, separators=(",", ":"))
    for sign in _ENDS:
        told = told.replace(sign, f"\\u{ord(sign):04x}")
    return f"{_OPEN}{told}{_CLOSE}"


def unpack(line: str) -> Frame | None:
    """Read the frame of a document's last line; None when it holds none."""
    if not (line.startswith(_OPEN) and line.endswith(_CLOSE)):
        return None
    value = json.loads(line[len(_OPEN) : -len(_CLOSE)])
    return Frame(
        value.get("title", ""),
        Html(value.get("above", "")),
        Html(value.get("below_title", "")),
        {label: Html(note) for label, note in value.get("notes", {}).items()},
        Html(value.get("below", "")),
        Html(value.get("sources", "")),
    )
