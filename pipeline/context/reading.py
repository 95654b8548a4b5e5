"""Owns how a page's bytes become a page that is shown; what cannot be read as text is not shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pipeline.context.context import ShownPage
from pipeline.errors import WikimillError
from pipeline.wiki.format.frontmatter import read, split

if TYPE_CHECKING:
    from collections.abc import Mapping

_TRUE: Final = frozenset({"true", "yes", "on", "1"})


def read_page(path: str, wiki: Mapping[str, bytes]) -> ShownPage | None:
    """Read a page; one that is missing, empty or not UTF-8 is none."""
    raw = wiki.get(path)
    text = decoded(raw or b"")
    return shown(path, raw, text) if raw and text else None


def shown(path: str, raw: bytes, text: str) -> ShownPage:
    """Show a page as its front matter says; one that cannot be parsed may not be changed."""
    try:
        parts = split(raw)
        parsed = read(parts.block) if parts.has_front else None
    except WikimillError:
        return ShownPage(path, text, locked=True)
    front = parsed.front if parsed is not None else {}
    locked = str(front.get("locked")).strip().lower() in _TRUE
    return ShownPage(path, text, locked, str(front.get("slot")).strip().lower() == "invariant")


def decoded(raw: bytes) -> str:
    """Give the text of a page; nothing for one that is not UTF-8."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return ""
