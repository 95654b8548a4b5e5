"""Owns what a title, a description and a tag may hold; knows no page.

Site themes put these three into HTML as they are, so that they must never hold a character that HTML gives a
meaning to. Look-alikes and words take its place, so that a person reads the same.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING

import regex

from pipeline.text import cut, one_line
from pipeline.wiki.markdown.inline import seen

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST_TITLE = 200
LONGEST_DESCRIPTION = 300
LONGEST_TAG = 60

_ARROWS = (("<->", "↔"), ("-->", "→"), ("->", "→"), ("=>", "⇒"), ("<-", "←"), ("<=", "≤"), (">=", "≥"))
_ANGLES = str.maketrans({"<": "‹", ">": "›", "`": None})
_OPENING_QUOTE = re.compile(r'(?:(?<=[\s(\[{‹“‘/–—-])|\A)"(?=\S)')
_SEVERAL = regex.compile(r" & (?=\p{ASCII}*\Z)")
# `\w` of this module knows the marks that belong to letters, without which Hindi or Thai would fall apart.
_TAG = regex.compile(r"[\w .:/-]{1,60}")
_NO_TAG = regex.compile(r"[^\w .:/-]+|[\u200c\u200d]+")
_LETTER = regex.compile(r"[\p{L}\p{N}]")
_NAMED = {"c++": "cpp", "c#": "csharp", "f#": "fsharp", "g++": "gpp", "notepad++": "notepadpp"}


def safe_title(text: str) -> str:
    """Return a title in one line that is harmless in HTML and reads the same; empty when nothing is left."""
    return one_line(_harmless(text), LONGEST_TITLE)


def safe_description(text: str) -> str:
    """Return a description in one line that is harmless in HTML and reads the same; empty when nothing is left."""
    return one_line(_harmless(text), LONGEST_DESCRIPTION)


def safe_tag(text: str) -> str | None:
    """Return a tag of letters, digits, spaces and `. : / - _`, or None when no letter or digit is left."""
    name = unicodedata.normalize("NFC", seen(html.unescape(text)).lstrip("#@ "))
    name = _NAMED.get(name.casefold(), name).replace("&", " and ")
    name = _NO_TAG.sub("-", " ".join(name.split()))
    name = cut(name.strip(" -"), LONGEST_TAG).strip(" -")
    return name if _LETTER.search(name) and is_safe_tag(name) else None


def safe_tags(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the safe form of each tag once, in order; two that differ only by case are one."""
    found: dict[str, str] = {}
    for tag in map(safe_tag, texts):
        if tag is not None:
            found.setdefault(tag.casefold(), tag)
    return tuple(found.values())


def is_safe_tag(tag: str) -> bool:
    """Whether a tag may stand in front matter as it is."""
    return _TAG.fullmatch(tag) is not None


def is_safe_text(text: str) -> bool:
    """Whether a title or description may stand in front matter as it is."""
    return not set('<>&"`') & set(text) and seen(text) == text


def _harmless(text: str) -> str:
    line = seen(html.unescape(text))
    for arrow, sign in _ARROWS:
        line = line.replace(arrow, sign)
    line = line.translate(_ANGLES)
    line = _OPENING_QUOTE.sub("“", line).replace('"', "”")
    return _SEVERAL.sub(" and ", line).replace("&", "＆")
