"""Owns how HTML is written: every text is escaped once, by the one who puts it in. Knows no page.

`Html` is what may stand in a page as it is. `text` makes it from anything else; `element` sets it between tags.
"""

from __future__ import annotations

import html
import re
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_SPECIAL = re.compile(f"[&<>\"']|{_CONTROL.pattern}")
_EMPTY = frozenset({"br", "hr", "input", "img", "meta", "link"})


class Html(str):
    """HTML that is safe as it stands: made by this module alone, or joined from such."""

    __slots__ = ()


def text(words: object) -> Html:
    """Make words safe in HTML, in an attribute as well; what is safe already stays as it is."""
    if isinstance(words, Html):
        return words
    plain = str(words)
    if _SPECIAL.search(plain) is None:
        return Html(plain)
    return Html(html.escape(_CONTROL.sub("", plain)))


def join(parts: Iterable[object], between: str = "") -> Html:
    """Join parts; those that are no HTML are escaped."""
    joined = [part if isinstance(part, Html) else text(part) for part in parts]
    return Html((text(between) if between else "").join(joined))


def element(tag: str, *content: object, **attributes: str | bool | None) -> Html:
    """Set content between the tags of an element.

    Names of attributes are written with `_` for `-` and may end with one (`class_`); True stands for an attribute
    without a value, False and None for none.
    """
    told = "".join([_attribute(_name(name), value) for name, value in attributes.items()]) if attributes else ""
    if tag in _EMPTY:
        return Html(f"<{tag}{told}>")
    inner = "".join([part if isinstance(part, Html) else text(part) for part in content])
    return Html(f"<{tag}{told}>{inner}</{tag}>")


def link(address: str, *content: object, **attributes: str | bool | None) -> Html:
    """Link to an address of the site, or of the web; an address with another scheme becomes plain text."""
    scheme, colon, _ = address.partition(":")
    if colon and "/" not in scheme and scheme.lower() not in {"https", "http", "mailto"}:
        return join(content)
    return element("a", *content, href=address, **attributes)


def page_link(address: str, *content: object) -> Html:
    """Link to a page of the site, of which a theme may show a preview."""
    return link(address, *content, data_preview=True)


@cache
def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _attribute(name: str, value: str | bool | None) -> str:  # noqa: FBT001 - HTML has attributes without a value
    if value is None or value is False:
        return ""
    return f" {name}" if value is True else f' {name}="{text(value)}"'
