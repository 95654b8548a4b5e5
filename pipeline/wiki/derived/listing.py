"""Owns one line of a generated list, `* [Title](address) - description`, and text that Markdown leaves alone.

Knows nothing of where a list stands.
"""

from __future__ import annotations

import re

from pipeline.text import one_line
from pipeline.wiki.markdown.links import encode, relative

_MARKUP = re.compile(r"[\\`*\[\]{<]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
# Python-Markdown takes `[\]:` for the definition of a link.
_DEFINES = re.compile(r"\\\](?=:)")
_TITLE_LENGTH = 200
_DESCRIPTION_LENGTH = 300


def literal(text: str) -> str:
    """Escape all Markdown and HTML in one line of text, so that it reads as it is written."""
    escaped = _MARKUP.sub(lambda found: _ENTITIES.get(found.group(), f"\\{found.group()}"), text)
    return _DEFINES.sub("&#93;", escaped)


def entry(index: str, target: str, title: str, description: str = "") -> str:
    """Render the line of the list at `index` that leads to `target`; both are paths below the wiki's root."""
    name = literal(one_line(title, _TITLE_LENGTH)) or literal(target)
    line = f"* [{name}]({encode(relative(index, target))})"
    told = literal(one_line(description, _DESCRIPTION_LENGTH))
    return f"{line} - {told}" if told else line
