"""Owns how headings become the places that a link can name; knows no page and no generator.

The rule is the one of the Git hosts, so that `page.md#some-heading` leads to the same place there and on the site. The
Markdown extension makes the ids of the published HTML by it, and what is derived from a page's text finds the same.
"""

from __future__ import annotations

import html
import re
import unicodedata
from typing import TYPE_CHECKING, Final

import regex
from markdown.extensions.attr_list import AttrListTreeprocessor, get_attrs_and_remainder

if TYPE_CHECKING:
    from collections.abc import Iterable

_DROPPED: Final = regex.compile(r"[^\w\- ]")
_COUNTED: Final = re.compile(r"(?P<base>.*)_(?P<number>[0-9]{1,9})\Z", re.DOTALL)
_ALLOWED: Final = re.compile(r"[^\s\"'<>&`\x00-\x1f\x7f]{1,250}")
_OURS: Final = re.compile(r"__|[wW][mM]-|wikimill[A-Z]")
"""How the ids of the theme begin, those of our frame, and the names under which our scripts find each other."""
_OF_EXTENSIONS: Final = re.compile(r"__(?:tabbed|codelineno|span)[_-][\w-]+")
_LONGEST: Final = 200
"""Characters of an anchor."""
_LONGEST_HEADING: Final = 2_000
"""Characters; attribute lists are looked for in no longer one."""


def anchor(heading: str, separator: str = "-") -> str:
    """Give the anchor of a heading's text: lower case, letters of every script, spaces as `separator`.

    It is cut where a page could not name its place so, with a number behind.
    """
    text = unicodedata.normalize("NFC", html.unescape(heading)).strip().lower()
    return _DROPPED.sub("", text).replace(" ", separator)[:_LONGEST]


def is_safe_id(value: str) -> bool:
    """Whether a page may name a place so: neither a part of the theme nor one of the page's frame."""
    if _OF_EXTENSIONS.fullmatch(value):
        return True
    return bool(_ALLOWED.fullmatch(value)) and not _OURS.match(value)


def without_id(heading: str) -> tuple[str, str]:
    """Take an attribute list such as `{#name}` from the end of a heading; give what is left, and the id or nothing."""
    if not heading.rstrip("# ").endswith("}") or len(heading) > _LONGEST_HEADING:
        return heading, ""
    found = AttrListTreeprocessor.HEADER_RE.search(heading)
    if found is None:
        return heading, ""
    listed, remainder = get_attrs_and_remainder(found.group(1))
    if remainder:
        return heading, ""
    named = [value for key, value in listed if key == "id" and value]
    return heading[: found.start()].rstrip("#").rstrip(), named[-1] if named and is_safe_id(named[-1]) else ""


def anchors(headings: Iterable[tuple[str, str]]) -> list[str]:
    """Give the ids of a page's headings, from the words and the written id of each, in order.

    Ids are unique: `name`, then `name_1`, `name_2`; written ones go first.
    """
    listed = list(headings)
    taken = {written for _, written in listed if written}
    known: dict[str, int] = {}
    return [written or _unique(anchor(words), taken, known) for words, written in listed]


def _unique(name: str, taken: set[str], known: dict[str, int]) -> str:
    """Find the next free id; `known` tells how far those of a base are taken, so that none is tried twice."""
    if name and name not in taken:
        taken.add(name)
        return name
    counted = _COUNTED.match(name)
    base, number = (counted["base"], int(counted["number"])) if counted else (name, 0)
    within = number <= known.get(base, 0) + 1
    number = max(number, known.get(base, 0) if within else 0) + 1
    while f"{base}_{number}" in taken:
        number += 1
    if within:
        known[base] = number
    taken.add(f"{base}_{number}")
    return f"{base}_{number}"
