"""Owns what a reader sees of Markdown's escapes: brackets for escaped brackets, an angle for its entity.

Whether something is a secret depends on what is read: an escape can hide a key from a pattern, and can make the
name of a variable look like one. Knows no other mark of Markdown.
"""

from __future__ import annotations

import html
import re

_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def as_read(text: str) -> str:
    """Take away backslash escapes and entities."""
    return html.unescape(_ESCAPE.sub(r"\1", text))
