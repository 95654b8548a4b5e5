"""Owns what makes a text harmless in Markdown that a Git host renders; knows no report.

A text that went through here is shown as it is: it is no markup, loads and links nothing, and names nobody. Hosts look
for names, numbers of issues and addresses in what is shown, where an entity alone hides nothing: a space without width
stands within those.
"""

from __future__ import annotations

import re
from typing import Final

from pipeline.text import fenced, one_line

LONGEST: Final = 2_000
"""Unicode characters of one text; an ellipsis says where it was cut."""

_APART: Final = "&#8203;"
_ACTIVE: Final = re.compile(
    r"(?P<begins>://|(?<!\w)(?:www\.|mailto:|xmpp:|g[hl]-(?=\d)))"
    r"|(?P<calls>[@#!~%$^&](?=[\w\"]))"
    r"|[\\`*_{}\[\]<>&#!|~@$^=+%]",
    re.IGNORECASE,
)
_UNSEEN: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_LEADING: Final = re.compile(r"^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=-(?:[\s-]|$)))")
_PLAIN_ADDRESS: Final = re.compile(
    r"https?://[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d{1,5})?(?:/[A-Za-z0-9._~/%+=?&#@-]*)?"
)


def escape(text: str) -> str:
    """Make inert Markdown that shows `text` on one line, without control characters; of an empty text too."""
    return _LEADING.sub(_unlist, _ACTIVE.sub(_disarm, one_line(text, LONGEST))) or _APART


def link(address: str) -> str:
    """Make a link of a plain web address; any other one is shown and not linked."""
    plain = len(address) <= LONGEST and _PLAIN_ADDRESS.fullmatch(address)
    return f"<{address}>" if plain else escape(address)


def _disarm(found: re.Match[str]) -> str:
    told = found.group()
    if found["begins"]:
        return told[0] + _APART + told[1:] if told == "://" else told[:-1] + _APART + told[-1]
    return f"&#{ord(told)};" + (_APART if found["calls"] else "")


def _unlist(found: re.Match[str]) -> str:
    """Keep the beginning of a line from making it an item of a list, or a rule across the page."""
    return (found[1] or "") + _APART


def code_block(text: str, language: str) -> str:
    """Wrap lines in a block that shows them as they are; what is no text and no line break goes."""
    return fenced(_UNSEEN.sub("", text.removesuffix("\n")), language)
