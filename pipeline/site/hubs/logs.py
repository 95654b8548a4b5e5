"""Owns the documents of the logs: the newest entries as they are written, and the way to all others.

A log is untrusted Markdown and stays Markdown; what an entry only counts is led to the entry's first page, that of the
session that it came from. Knows no other hub.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pipeline.site.elements import Html, element, join, link
from pipeline.site.hubs.carried import text_of
from pipeline.site.hubs.logbook import FENCE, is_log
from pipeline.site.hubs.rows import Way
from pipeline.site.hubs.shelf import hub
from pipeline.site.hubs.wording import counted
from pipeline.wiki.markdown.links import links

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.site.document import Document
    from pipeline.site.hubs.shelf import Shelf

MOST: Final = 60
"""Entries of a log that its document holds."""

_ROOM: Final = 12_000
"""Bytes of Markdown that it holds at most; an entry is never cut, so that one long entry may take more."""
_ENTRY: Final = re.compile(r"[*+-][ \t]+\S")
_HEADING: Final = re.compile(r"#{1,6}[ \t]")
_COUNTED: Final = re.compile(r"(?<=; )[1-9][0-9]{0,5} more(?=\.)")
"""What wikimill writes for the pages that an entry does not name."""
_LONGEST_ENTRY: Final = 4_000
_ANGLES: Final = frozenset("<>\\")


def log_documents(shelf: Shelf) -> Iterator[Document]:
    """Make the document of each log."""
    for path, raw in sorted(shelf.inputs.files.items()):
        if is_log(path):
            yield _document(shelf, path, text_of(raw, path))


def _document(shelf: Shelf, path: str, text: str) -> Document:
    folder = path.rpartition("/")[0]
    newest, left = newest_entries(_with_links(text.replace("\r\n", "\n").replace("\r", "\n")))
    above = ["/".join(folder.split("/")[:depth]) for depth in range(1, folder.count("/") + 2)] if folder else []
    html = _rest(left, shelf, Way(path, shelf.site)) if left else Html()
    title = f"Changes in {folder}" if folder else "Changes"
    return hub(
        shelf,
        path,
        title,
        html,
        steps=[(one.rpartition("/")[2], f"{one}/index.md") for one in above],
        words=newest,
    )


def _with_links(text: str) -> str:
    """Lead from `2 more` at the end of an entry to the page that it names first."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        counted_only = _COUNTED.search(line) if _ENTRY.match(line) and len(line) <= _LONGEST_ENTRY else None
        first = next(iter(links(line)), None) if counted_only else None
        if counted_only and first and first.whole[1] <= counted_only.start() and not _ANGLES & set(first.address):
            start, end = counted_only.span()
            lines[number] = f"{line[:start]}[{counted_only.group()}](<{first.address}>){line[end:]}"
    return "\n".join(lines)


def newest_entries(text: str) -> tuple[str, int]:
    """Cut a log below its newest entries, before a line that begins another; give it, and how many are left out."""
    lines = text.split("\n")
    entries, size, fence = 0, 0, ""
    for number, line in enumerate(lines):
        opening = FENCE.match(line)
        starts = not fence and (_ENTRY.match(line) or _HEADING.match(line))
        if starts and entries and (entries >= MOST or size > _ROOM):
            rest = sum(_ENTRY.match(one) is not None for one in lines[number:])
            return "\n".join(lines[:number]).rstrip(), rest
        if fence:
            fence = "" if opening and opening[1].startswith(fence) else fence
        elif opening:
            fence = opening[1]
        elif _ENTRY.match(line):
            entries += 1
        size += len(line.encode("utf-8", "replace")) + 1
    return text, 0


def _rest(left: int, shelf: Shelf, way: Way) -> Html:
    whole = link(way.file(way.here), "the whole log as Markdown")
    recent = link(way.page(shelf.names.changes()), "all recent changes")
    told = f"{counted(left, 'older entry')}: "
    return element("p", told, join((whole, recent), " · "), class_="wm-fact")
