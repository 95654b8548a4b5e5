"""Owns the rules on how the files of a wiki point at each other: links, anchors, pages that nothing leads to.

Links that lead out of the wiki's files (`https:`, `mailto:`) are nobody's business here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from pipeline.finding import Finding
from pipeline.wiki.derived.log import NAME as LOG
from pipeline.wiki.markdown.links import links, resolve
from pipeline.wiki.markdown.quoting import plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from pipeline.wiki.linting.sheets import Sheet
    from pipeline.wiki.markdown.blocks import Blocks

_EXPLICIT = re.compile(r"\{:?[^{}]*#([\w:.-]+)[^{}]*\}\s*\Z")
_MARKDOWN = re.compile(r"`|\*|\\(?=[!-/:-@\[-`{-~])|!?\[(?=[^\]]*\]\()|\]\([^)]*\)|\[\^[^\]]*\]")
_NOT_IN_A_SLUG = re.compile(r"[^\w\s-]")
_GAP = re.compile(r"[-\s]+")
_FOOTNOTE = re.compile(r"fn(?:ref\d*)?:")


def check(sheets: Sequence[Sheet], files: Collection[str]) -> Iterator[Finding]:
    """Follow every link; `files` are all files of the wiki, pages or not."""
    follower = _Follower(sheets, files)
    for sheet in sheets:
        yield from follower.follow(sheet)
    for sheet in sheets:
        if sheet.page is not None and not sheet.reserved and sheet.path not in follower.reached:
            message = "no page or index links to it."
            yield Finding(
                sheet.path, "orphan", "note", message, "Link to it; the next run that finds something new lists it."
            )


class _Follower:
    """Knows all files and headings, and remembers which pages something leads to."""

    def __init__(self, sheets: Sequence[Sheet], files: Collection[str]) -> None:
        self._sheets = {sheet.path: sheet for sheet in sheets}
        self._files = files
        self._folders = {path[:place] for path in files for place, char in enumerate(path) if char == "/"}
        self._anchors: dict[str, frozenset[str]] = {}
        self.reached: set[str] = set()

    def follow(self, sheet: Sheet) -> Iterator[Finding]:
        """Follow the links of one file."""
        for link in links(sheet.blocks.prose):
            target = resolve(sheet.path, link.address)
            if target is None:
                continue
            place, shown = sheet.at(link.position), repr(link.address[:120])
            if target.outside:
                message = f"the link to {shown} leads out of the wiki, where the site has no page."
                yield Finding(place, "link-outside", "warning", message, "Link to its address on the Git host instead.")
            elif sheet.path.rpartition("/")[2] == LOG:
                pass  # it tells what was, pages that went since included
            elif target.path and target.path not in self._files and target.path not in self._folders:
                message = f"the link to {shown} leads nowhere."
                yield Finding(place, "link-broken", "warning", message, "Correct the path, or take the link out.")
            elif target.anchor and not self._has(target.path, target.anchor):
                message = f"the page has no heading for the anchor in {shown}."
                yield Finding(place, "anchor-broken", "warning", message, "Correct the anchor, or take it out.")
            if target.path != sheet.path:
                self.reached.add(target.path)

    def _has(self, path: str, anchor: str) -> bool:
        sheet = self._sheets.get(path)
        if sheet is None or _FOOTNOTE.match(anchor):
            return True
        if path not in self._anchors:
            self._anchors[path] = frozenset(anchors_of(sheet.blocks))
        return anchor in self._anchors[path]


def anchors_of(blocks: Blocks) -> Iterator[str]:
    """Yield every anchor that a heading may get, as MkDocs, Git hosts and an explicit `{#name}` have it."""
    counts: Counter[str] = Counter()
    for heading in blocks.headings:
        explicit = _EXPLICIT.search(heading.text)
        if explicit:
            yield explicit.group(1)
        for slug in sorted(_slugs(heading.text)):
            yield slug
            if counts[slug]:
                yield f"{slug}_{counts[slug]}"
                yield f"{slug}-{counts[slug]}"
            counts[slug] += 1


def _slugs(heading: str) -> set[str]:
    marked = _MARKDOWN.sub("", heading).strip()
    return {slug for text in (marked, plain(heading)) for slug in _slugs_of(text)}


def _slugs_of(text: str) -> set[str]:
    bare = _NOT_IN_A_SLUG.sub("", text).strip().lower()
    folded = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    narrow = _NOT_IN_A_SLUG.sub("", folded).strip().lower()
    return {_GAP.sub("-", narrow), _GAP.sub("-", bare), bare.replace(" ", "-")}
