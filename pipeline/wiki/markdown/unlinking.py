"""Owns taking links to pages that are gone out of a text; the words stay. Knows no page and no file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.wiki.markdown.blocks import read_blocks, replace
from pipeline.wiki.markdown.links import links, resolve
from pipeline.wiki.markdown.positions import is_escaped

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_BY_LABEL = re.compile(
    r"(?<!\\)\[(?P<words>(?:[^\[\]\\]|\\.){1,1000})\](?:\[(?P<label>[^\[\]\r\n]{0,1000})\])?(?![(:\[])"
)
"""`[words][label]`, `[label][]` or `[label]`."""

_REST = re.compile(r"(?:[ \t]+(?:\"[^\"\r\n]*\"|'[^'\r\n]*'|\([^()\r\n]*\)))?[ \t]*(?:\r\n|\r|\n|\Z)")
"""What may follow the address of a definition on its line; with anything else it is none."""


def unlink(text: str, page: str, gone: Collection[str]) -> str:
    """Leave the words of every link that leads from `page` to a path in `gone`, and nothing of the link.

    A definition (`[label]: address`) that leads there goes, with its line, and so do the links by its label. Code and
    all other links stay as they are. A link inside the words of another one is not looked at.
    """
    if not gone or ("](" not in text and "]:" not in text):
        return text
    prose = read_blocks(text).prose
    edits: list[tuple[int, int, str]] = []
    labels: dict[str, bool] = {}
    for link in links(prose):
        target = resolve(page, link.address)
        leads = target is not None and target.path in gone
        words = text[slice(*link.words)]
        rest = _REST.match(prose, link.whole[1]) if link.defines else None
        if rest:
            labels.setdefault(_label(words), leads)  # of two definitions the first counts
        if leads and not link.defines:
            edits.append((_start(text, link.whole[0]), link.whole[1], words))
        elif leads and rest:
            edits.append((link.whole[0], rest.end(), ""))
    if any(labels.values()):
        edits += _by_label(text, prose, labels)
    return replace(text, edits) if edits else text


def _by_label(text: str, prose: str, labels: dict[str, bool]) -> Iterator[tuple[int, int, str]]:
    for found in _BY_LABEL.finditer(prose):
        words = text[slice(*found.span("words"))]
        label = text[slice(*found.span("label"))] if found["label"] else words
        if labels.get(_label(label)):
            yield _start(text, found.start()), found.end(), words


def _label(text: str) -> str:
    """Bring a label to how Markdown compares it."""
    return " ".join(text.split()).casefold()


def _start(text: str, bracket: int) -> int:
    """Tell where a link begins, the mark of an image included."""
    mark = bracket - 1
    return mark if text[max(mark, 0) : bracket] == "!" and not is_escaped(text, mark) else bracket
