"""Owns which HTML a page may consist of; knows no Markdown, no page and no theme template.

Everything here is a list of what is allowed: what is not named goes. The names of classes and ids matter as much as
those of tags: the theme's scripts find their parts by them, and a page that names one of those parts could steer
the scripts, or dress up as something that people reviewed.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape
from typing import Final

import nh3

from pipeline.site.anchors import is_safe_id

_PLAIN_TAGS = """
    abbr b blockquote br caption cite code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6
    hr i ins kbd li mark ol p pre q s samp small span strong sub summary sup svg table tbody td tfoot th thead tr u ul
    var
"""
_OWN_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "data-preview"},
    "blockquote": {"data-search-exclude"},
    "details": {"open"},
    "div": {"data-tabs"},
    "img": {"src", "alt", "width", "height"},
    "input": {"type", "checked", "disabled", "name"},
    "label": {"for"},
    "li": {"value", "data-search-exclude"},
    "ol": {"start", "type", "data-search-exclude"},
    "path": {"d"},
    "sup": {"data-search-exclude"},
    "svg": {"xmlns", "viewbox", "viewBox"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan"},
}
_TAGS = {*_PLAIN_TAGS.split(), *_OWN_ATTRIBUTES}
_ATTRIBUTES = {**_OWN_ATTRIBUTES, "*": {"class", "id", "title", "lang", "dir"}}

_ADMONITIONS = "note abstract info tip success question warning failure danger bug example quote"
_CLASSES = re.compile(
    rf"""admonition(-title)? | inline | end | {_ADMONITIONS.replace(" ", "|")}
    | footnote(-ref|-backref|2-ref|2-backref)? | headerlink
    | highlight(table)? | linenos | linenodiv | code | filename | normal | special | hll | language-[\w+#.-]+
    | (?!js$)[a-z][a-z0-9]{{0,2}}                                              # what colours code
    | task-list(-item|-control|-indicator)? | tabbed-(set|alternate|labels|content|block)
    | twemoji | toc | toclink | keys | key-[\w-]+ | magiclink(-[\w-]+)?""",
    re.VERBOSE,
)
_STEPPED_OVER = re.compile(r"\A[\x00-\x20]+|[\t\n\r]+")
"""What browsers leave out of an address: what stands before it, and breaks within it."""
_HAS_SCHEME = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:|[/\\]{2})", re.IGNORECASE)
_HOST = re.compile(r"\s*(?:[a-z][a-z0-9+.-]*:)?//([^/?#]*)", re.IGNORECASE)
_ALIGNED = re.compile(r"left|right|center|justify")
_FIXED: dict[tuple[str, str], re.Pattern[str]] = {
    ("input", "type"): re.compile(r"radio|checkbox"),
    ("input", "name"): re.compile(r"__tabbed_\d+"),
    ("label", "for"): re.compile(r"__tabbed_\d+_\d+"),
    ("td", "align"): _ALIGNED,
    ("th", "align"): _ALIGNED,
    ("div", "data-tabs"): re.compile(r"\d+:\d+"),
}


def clean(html: str) -> str:
    """Reduce HTML to what is allowed. Text stays, only that of scripts and styles goes with them."""
    return _CLEANER.clean(html)


def is_remote(address: str) -> bool:
    """Whether an address leads away from this site, or names a scheme of its own, as a browser reads it."""
    return bool(_HAS_SCHEME.match(_STEPPED_OVER.sub("", unescape(address))))


def is_readable(address: str) -> bool:
    """Whether the site generator can take an address apart; on others it gives up the whole site."""
    host = _HOST.match(address)
    if not host:
        return True
    name = host.group(1)
    if "[" in name or "]" in name:
        return False
    plain = name.translate(str.maketrans("", "", "@:#?"))
    return not any(sign in unicodedata.normalize("NFKC", plain) for sign in "/?#@:")


_OF_NOTES: Final = frozenset({"li", "sup"})
_REMEMBERED: Final = 4_096
_SHORT: Final = 100
"""Characters of a value that is remembered with its judgement: most attributes of a site stand on many pages."""


def _attribute(tag: str, name: str, value: str) -> str | None:
    if name == "class":
        return (_known_classes if len(value) <= _SHORT else _classes)(value)
    if name == "id":
        # A block of code may have an id; those of footnotes stand on notes and their marks alone.
        own = tag in _OF_NOTES or not value.startswith(("fn:", "fnref"))
        return value if own and is_safe_id(value) else None
    if name == "src":
        return None if is_remote(value) else value
    if name == "data-preview":
        return ""
    fixed = _FIXED.get((tag, name))
    return value if fixed is None or fixed.fullmatch(value) else None


def _classes(value: str) -> str | None:
    return " ".join(word for word in value.split() if _CLASSES.fullmatch(word)) or None


_known_classes = lru_cache(maxsize=_REMEMBERED)(_classes)

_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    clean_content_tags={"script", "style"},
    attributes=_ATTRIBUTES,
    attribute_filter=_attribute,
    strip_comments=True,
    link_rel=None,
    url_schemes={"http", "https", "mailto"},
)
