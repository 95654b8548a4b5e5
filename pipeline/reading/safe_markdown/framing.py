"""Owns how a page's clean HTML and the trusted HTML around it become one; knows no Markdown and no front matter.

The page's HTML is balanced, since the cleaner made it; what is put between its parts is ours, and stands in no element
of the page but the items of its footnotes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.site.around import words
from pipeline.site.elements import Html, element

if TYPE_CHECKING:
    from xml.etree import ElementTree as ET

    from pipeline.site.frame import Frame

_TITLE: Final = "<h1"
_TITLE_END: Final = "</h1>"
_NOTES: Final = '<div class="footnote">'
_NOTE: Final = re.compile(
    r'<li id="fn:(?P<label>[^"]+)">'
    r"(?P<own>\s*<p>(?P<when>\d{4}-\d{2}-\d{2} \d{2}:\d{2}), (?P<who>[^<>\n]{1,200}?)(?:&nbsp;|[ \xa0]){0,3}"
    r'(?=<a class="footnote-backref"|</p>))?'
)
"""An item of the footnotes, with the time and name that wikimill writes there, where nothing else stands."""
_ROLES: Final = frozenset({"user", "assistant", "system", "tool"})
"""What stands for a name where none is known; a note names the kind of agent instead."""
_SOURCES: Final = '<h2 id="wm-sources" class="wm-sources">Sources</h2>'


def ends_with_notes(root: ET.Element) -> bool:
    """Whether the last of a page's outermost elements is its footnotes."""
    last = root[-1] if len(root) else None
    return last is not None and last.tag == "div" and last.get("class") == "footnote"


def put_around(text: str, frame: Frame, language: str = "", direction: str = "", *, notes_last: bool = True) -> str:
    """Put a frame around a page's clean HTML, and its notes into the footnotes, which may end it or not.

    The page's own text stands in an element with its language and direction, where it tells them.
    """
    main, footnotes = text, ""
    if _NOTES in text:
        main, mark, rest = text.rpartition(_NOTES)
        footnotes = f"{mark}{_with_notes(rest, frame)}"
        if not notes_last:
            main, footnotes = f"{main}{footnotes}", ""
    head, body = _cut_behind_title(main)
    if not head and frame.title:
        head = element("h1", frame.title)
    return "".join(
        (
            frame.above,
            _in_language(head, language, direction),
            frame.below_title,
            _in_language(body, language, direction),
            footnotes,
            frame.below,
        )
    )


def _with_notes(footnotes: str, frame: Frame) -> str:
    told: set[str] = set()

    def noted(found: re.Match[str]) -> str:
        note = frame.notes.get(found["label"])
        if note is None or found["label"] in told:
            return found.group()
        told.add(found["label"])
        own = found["own"] or ""
        if own and f">{found['when']}<" in note and _is_named(found["who"], note):
            own = "<p>"
        return f'<li id="fn:{found["label"]}" class="wm-cited">{note}{own}'

    filled = _NOTE.sub(noted, footnotes) if frame.notes else footnotes
    return f"{_SOURCES}{frame.sources}{filled}" if told else filled


def _is_named(who: str, note: str) -> bool:
    """Whether a note names whom a footnote names, be it a person or an agent."""
    return who in _ROLES or f">{who}<" in note or f">{words.agent(who)}<" in note


def _cut_behind_title(text: str) -> tuple[str, str]:
    """Cut a page behind its title; one that begins otherwise has none here, lest that stand above the frame."""
    end = text.find(_TITLE_END) if text.lstrip().startswith(_TITLE) else -1
    return ("", text) if end < 0 else (text[: end + len(_TITLE_END)], text[end + len(_TITLE_END) :])


def _in_language(text: str, language: str, direction: str) -> str:
    if not (language or direction) or not text.strip():
        return text
    return element("div", Html(text), lang=language or None, dir=direction or None)
