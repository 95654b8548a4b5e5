"""Owns how a model reads a context, and what each part of that costs; chooses nothing.

Everything that is data stands in a fence that it cannot close.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pipeline.errors import WikimillError
from pipeline.text import estimate_tokens, fenced, one_line
from pipeline.wiki.format.frontmatter import split
from pipeline.wiki.sections.outline import outline

if TYPE_CHECKING:
    from pipeline.context.context import Context, ShownPage
    from pipeline.wiki.entry import CatalogueEntry

FRAME: Final = 400
"""Estimated tokens of all headings and fences around the parts."""
_TITLE: Final = 200
_DESCRIPTION: Final = 300


def render(context: Context) -> str:
    """Write a context as a model reads it."""
    parts = []
    if context.instructions:
        parts.append(f"## Wishes of the project, as a JSON string\n\n{_quoted(context.instructions)}")
    if context.slots:
        parts.append("\n\n".join(("## Slots: pinned pages", *map(_whole, context.slots))))
    if context.catalogue:
        listing = "\n".join(_line(entry) for entry in context.catalogue)
        more = f"\n\n{context.left_out} more pages are not listed." if context.left_out else ""
        parts.append(f"## The project's pages, one a line\n\n{fenced(listing, 'catalogue')}{more}")
    if context.pages:
        parts.append("\n\n".join(("## Pages as they stand", *map(_whole, context.pages))))
    return "\n\n".join(parts)


def cost_of_instructions(instructions: str) -> int:
    """Estimate the tokens of what people ask of the pipeline."""
    return estimate_tokens(_quoted(instructions))


@lru_cache(maxsize=20_000)
def cost_of_line(entry: CatalogueEntry) -> int:
    """Estimate the tokens of a page's line in the catalogue."""
    return estimate_tokens(_line(entry)) + 1


@lru_cache(maxsize=1_000)
def cost_of_page(page: ShownPage) -> int:
    """Estimate the tokens of a page that is shown whole."""
    return estimate_tokens(_whole(page)) + 2


def _quoted(instructions: str) -> str:
    return json.dumps(instructions, ensure_ascii=False) if instructions else ""


def _line(entry: CatalogueEntry) -> str:
    kind = f"{entry.type}, {entry.status}" if entry.status != "stable" else entry.type
    told = f"- {entry.path} ({one_line(kind, _TITLE)}) {one_line(entry.title, _TITLE)}"
    also = one_line(", ".join(entry.aliases), _TITLE)
    description = one_line(entry.description, _DESCRIPTION)
    return f"{told}{f' [also: {also}]' if also else ''}{f': {description}' if description else ''}"


def _whole(page: ShownPage) -> str:
    locked = "Locked: do not change it.\n\n" if page.locked else ""
    if page.invariant and not page.locked:
        locked = "Invariant: a change needs `contradiction`.\n\n"
    body = _body(page.text)
    named = [one_line(section.heading, _TITLE) for section in outline(body) if section.level > 1]
    headings = f"Its sections, as JSON: {json.dumps(named, ensure_ascii=False)}\n\n" if named else ""
    path = page.path if page.path.isprintable() else json.dumps(page.path)  # whatever ends a line
    return f"### {path}\n\n{locked}{headings}{fenced(body, 'markdown')}"


def _body(text: str) -> str:
    """Leave the front matter out: it is rendered from other fields, and its list of sources may be long."""
    try:
        return split(text.encode()).body.strip("\r\n")
    except WikimillError:
        return text
