"""Owns how a heading becomes the anchor that a link can name; knows no page.

The rule is the one of the Git hosts, so that `page.md#some-heading` leads to the same place there and on the site.
"""

from __future__ import annotations

import html
import unicodedata

import regex

_DROPPED = regex.compile(r"[^\w\- ]")


def anchor(heading: str, separator: str = "-") -> str:
    """Give the anchor of a heading's text: lower case, letters of every script, spaces as `separator`."""
    text = unicodedata.normalize("NFC", html.unescape(heading)).strip().lower()
    return _DROPPED.sub("", text).replace(" ", separator)
