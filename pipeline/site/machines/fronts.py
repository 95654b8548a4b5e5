"""Owns what of a page's front matter is published, and which of its sources may be named.

A list of what is allowed: the keys of the Open Knowledge Format 0.2, those that wikimill writes, and those that the
site reads. Any other key is a person's or a tool's own business and stays at home. An address that leads to a
machine's own files, or holds a password, is replaced by `not published`, which the format allows: a source need not
be something that a reader can follow. Knows no file and no body.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.site.machines.harmless import may_run
from pipeline.wiki.markdown.links import decode, join, resolve

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from pipeline.wiki.format.frontmatter import Yaml

ALLOWED: Final = frozenset(
    (
        # Open Knowledge Format 0.2, sections 4, 5 and 10; `timestamp` is what 0.1 had for `generated`.
        *("type", "title", "description", "resource", "tags", "sources", "usage_window", "generated", "verified"),
        *("status", "stale_after", "timestamp", "runtime", "parameters", "computation", "executor", "attester"),
        # wikimill
        *("aliases", "slot", "superseded_by", "supersedes", "session_id", "sessions", "agent_kind", "consolidated"),
        *("locked", "okf_version"),
        # the site
        *("lang", "dir", "search", "hide"),
    )
)
"""Keys of the front matter that are published."""

_STAMP = frozenset({"by", "at"})
_WINDOW = frozenset({"from", "to"})
_INNER: Final[Mapping[str, frozenset[str]]] = {
    "sources": frozenset({"id", "resource", "title", "author", "usage_count", "last_modified", "usage_window"}),
    "generated": _STAMP,
    "verified": _STAMP,
    "usage_window": _WINDOW,
    "parameters": frozenset({"name", "type", "required", "description", "default"}),
    "executor": frozenset({"resource", "receipt"}),
    "attester": frozenset({"resource"}),
    "search": frozenset({"exclude", "boost"}),
}
"""The keys that are published of values that hold some."""

WITHHELD: Final = "not published"
"""What stands for an address that is not published: a description of a source, in the words of the format."""

_ADDRESSES = frozenset({"resource", "computation", "sources"})
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[/\\]*([^/\\?#]*)")
_AT_HOME = frozenset({"file", "javascript", "vbscript", "data", "blob", "about", "chrome", "vscode"})
_OBSERVATION = re.compile(r"(?:\.\./)+[^:\\]+\.jsonl#L[1-9][0-9]*")
_HOME = re.compile(r"[~\\$%]|\./~")
_ANGLES = str.maketrans("<>", "‹›")


def published_front(
    path: str, front: Mapping[str, Yaml], allowed: Collection[str], published: Collection[str]
) -> dict[str, Yaml]:
    """Give what is published of the front matter of the file at `path`; equal to `front` when that is all of it.

    `published` are the paths of all files of the site that stand in the wiki.
    """
    return {key: _value(key, value, path, published) for key, value in front.items() if key in allowed}


def is_public(path: str, address: str, published: Collection[str]) -> bool:
    """Whether the address of a source, as the file at `path` names it, may be published.

    That is a file of the site, a line of an observation file, an address on the web without a password, or words that
    are no address at all.
    """
    address = address.strip()
    scheme = _SCHEME.match(address)
    if scheme is not None:
        name = scheme.group(1).lower()
        authority = _AUTHORITY.match(address)
        return len(name) > 1 and name not in _AT_HOME and not (authority and "@" in authority.group(1))
    if _HOME.match(address) or address.startswith("//"):
        return False
    if address.startswith("/"):
        return join("", decode(address.partition("#")[0])) in published
    target = resolve(path, address)
    return target is None or not target.outside or _OBSERVATION.fullmatch(address) is not None


def _value(key: str, value: Yaml, path: str, published: Collection[str]) -> Yaml:
    if isinstance(value, dict):
        known = _INNER.get(key)
        return {
            _harmless(name): _value(name, inner, path, published)
            for name, inner in value.items()
            if known is None or name in known
        }
    if isinstance(value, list):
        return [_value(key, entry, path, published) for entry in value]
    if not isinstance(value, str):
        return value
    if key in _ADDRESSES and not is_public(path, value, published):
        return WITHHELD
    return _harmless(value)


def _harmless(value: str) -> str:
    """Take the teeth out of a text that has some: marks that look alike take the place of those that mean something."""
    if not may_run(value):
        return value
    return value.translate(_ANGLES).replace("](", "] (").replace("]:", "] :")
