"""Owns how JSON and XML are written for machines: the same values give the same bytes. Knows no page."""

from __future__ import annotations

import html
import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.observations.observation import Json

# What XML 1.0 cannot hold, what ends a line for some readers, and what reorders the text around it.
_UNSEEN = re.compile(
    r"[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\u2028-\u202e\u2066-\u2069\ufeff]"
)
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")


class Xml(str):
    """XML that stands as it is: made by `tag`."""

    __slots__ = ()


def json_bytes(value: Json) -> bytes:
    """Write a value as JSON in one line, with a line feed at its end."""
    told = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # A lone surrogate, which UTF-8 cannot hold, is written as the escape that JSON has for it.
    return f"{told}\n".encode("utf-8", "backslashreplace")


def one_line(text: str) -> str:
    """Bring a text into one line, without characters that nobody sees and XML cannot hold."""
    return " ".join(_UNSEEN.sub(" ", text).split())


def tag(name: str, *content: str, **attributes: str) -> Xml:
    """Set content between the tags of an element; texts are escaped and brought into one line."""
    told = "".join(f' {key.rstrip("_")}="{html.escape(one_line(value))}"' for key, value in attributes.items())
    if not content:
        return Xml(f"<{name}{told}/>")
    inner = "".join(part if isinstance(part, Xml) else html.escape(one_line(part)) for part in content)
    return Xml(f"<{name}{told}>{inner}</{name}>")


def xml_bytes(root: Xml) -> bytes:
    """Write a document of one element, with each child of the root on a line of its own left to the caller."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n'.encode("utf-8", "replace")


def day(told: str) -> str:
    """Return a day in ISO form, or nothing for what is none."""
    return told[:10] if _DAY.fullmatch(told[:10]) else ""
