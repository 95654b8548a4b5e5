"""Owns one Markdown file of the wiki as the rules see it: read once, with all that they ask of it.

Knows no rule.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import Rejected
from pipeline.finding import Finding
from pipeline.wiki.format.page import catalogue_entry, parse_page
from pipeline.wiki.markdown.blocks import read_blocks
from pipeline.wiki.revision.sources import entries

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pipeline.wiki.entry import CatalogueEntry
    from pipeline.wiki.format.frontmatter import Yaml
    from pipeline.wiki.format.page import Page
    from pipeline.wiki.markdown.blocks import Blocks


@dataclass(frozen=True, slots=True)
class Sheet:
    """One file. `page` is None when the file cannot be read, which `problem` then tells."""

    path: str
    raw: bytes
    body: str
    first_line: int
    """The line, from 1, on which the body begins."""
    blocks: Blocks
    page: Page | None
    problem: Finding | None = None

    @property
    def text(self) -> str:
        """The whole file as text."""
        return self.raw.decode("utf-8", "replace")

    @property
    def reserved(self) -> bool:
        """Whether it is an index or a log."""
        return self.path.rpartition("/")[2].casefold() in {"index.md", "log.md"}

    @property
    def front(self) -> Mapping[str, Yaml]:
        """The front matter, empty when there is none."""
        return self.page.front if self.page is not None else {}

    @property
    def has_front(self) -> bool:
        """Whether the file has front matter."""
        return self.page is not None and self.page.origin is not None and self.page.origin.parts.has_front

    @property
    def sources(self) -> list[Mapping[str, Yaml]]:
        """The entries of `sources`."""
        return entries(self.front)

    @property
    def generated(self) -> Mapping[str, Yaml]:
        """Who wrote the page, and when."""
        value = self.front.get("generated")
        return value if isinstance(value, dict) else {}

    @property
    def is_ours(self) -> bool:
        """Whether wikimill wrote the page."""
        return str(self.generated.get("by")).startswith("wikimill/")

    @property
    def entry(self) -> CatalogueEntry | None:
        """The page in a line; none for reserved files and for those that cannot be read."""
        return catalogue_entry(self.path, self.page) if self.page is not None and not self.reserved else None

    def at(self, position: int) -> str:
        """Name the line of a position in the body."""
        return f"{self.path}:{self.first_line + self.blocks.line_of(position)}"


def read_sheet(path: str, raw: bytes) -> Sheet:
    """Read one file; one that cannot be read is told, and looked through as plain text."""
    try:
        page = parse_page(path, raw)
    except Rejected as fault:
        text = raw.decode("utf-8", "replace").removeprefix("\ufeff")
        problem = Finding(path, "page-unreadable", "error", fault.message, fault.next_step)
        return Sheet(path, raw, text, 1, read_blocks(text), None, problem)
    head = page.origin.parts.head if page.origin is not None else ""
    first = head.count("\n") + head.replace("\r\n", "").count("\r") + 1
    return Sheet(path, raw, page.body, first, read_blocks(page.body), page)
