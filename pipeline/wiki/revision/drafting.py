"""Owns how an update of a draft becomes text and keys of a page: labels, headings, definitions, names, tags.

Knows no wiki: which page an update is for comes in by argument.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pipeline.text import one_line
from pipeline.wiki.format.front_order import put
from pipeline.wiki.format.page import safe_description, safe_tags, safe_title
from pipeline.wiki.markdown.blocks import pieces, read_blocks, replace
from pipeline.wiki.markdown.claims import COLLECTED, UNSOURCED, is_claim, without_marks
from pipeline.wiki.markdown.footnotes import definitions
from pipeline.wiki.markdown.positions import read_source
from pipeline.wiki.markdown.quoting import plain, quote_inline
from pipeline.wiki.revision.sources import definition_of, is_handle, is_label
from pipeline.wiki.sections.sections import with_definitions
from pipeline.wiki.slugs import portable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pipeline.draft import ConsolidatedPageUpdate
    from pipeline.wiki.format.frontmatter import Yaml
    from pipeline.wiki.format.page import Page
    from pipeline.wiki.revision.sources import Footnotes

_DESCRIBED = 160
_WORD = re.compile(r"\w")


def with_labels(body: str, notes: Footnotes) -> str:
    """Put the page's labels in place of a draft's, and leave out the draft's own definitions.

    A person's footnotes, which the page defines, stay what they are; others that are no citations become text.
    """
    if "[^" not in body:
        return body
    blocks = read_blocks(body)
    edits: list[tuple[int, int, str]] = []
    for entry in definitions(body):
        cites = is_handle(entry.label) or is_label(entry.label) or notes.is_own(entry.label)
        opening = body.index("[", entry.start)
        edits.append((entry.start, entry.end, "") if cites else (opening, opening, "\\"))
    gone = [(start, end) for start, end, text in edits if not text]
    openings = {start for start, end, _ in edits if start == end}
    marks = [
        mark
        for mark in blocks.marks
        if mark.start not in openings and not any(start <= mark.start < end for start, end in gone)
    ]
    edits += [(mark.start, mark.end, notes.mark(mark.label)) for mark in marks]
    return replace(body, edits)


def below_title(body: str) -> str:
    """Leave out a title at the head of a draft, and lower all other headings of level 1: a page has one title."""
    headings = read_source(body).headings
    edits: list[tuple[int, int, str]] = []
    for number, heading in enumerate(headings):
        if heading.level != 1:
            continue
        if number == 0 and not body[: heading.start].strip():
            edits.append((heading.start, heading.end, ""))
        elif body[heading.start : heading.end].lstrip().startswith("#"):
            place = body.index("#", heading.start)
            edits.append((place, place, "#"))
        else:
            place = body.rindex("=", heading.start, heading.end)
            start = len(body[:place].rstrip("="))
            edits.append((start, place + 1, "-" * max(place + 1 - start, 3)))
    return replace(body, edits).strip("\r\n")


def with_title(body: str, old: str, new: str) -> str:
    """Put a new title in place of the old one, where the text begins with it."""
    headings = read_source(body).headings
    first = headings[0] if headings else None
    if first is None or first.level != 1 or body[: first.start].strip():
        return body
    line = body[first.start : first.end]
    shown = line.rstrip("\r\n")
    return f"{body[: first.start]}{new}{line[len(shown) :]}{body[first.end :]}" if shown == old else body


def defined(body: str, notes: Footnotes, sources: Mapping[str, Mapping[str, Yaml]], *, prune: bool) -> str:
    """Define every source that the text cites; with `prune`, leave out definitions that nothing cites any more."""
    blocks = read_blocks(body)
    cited = dict.fromkeys(mark.label for mark in blocks.marks)
    wanted = {
        label: notes.definitions.get(label) or definition_of(sources[label]) for label in cited if label in sources
    }
    if not prune:
        wanted = {**{entry.label: "" for entry in definitions(body)}, **wanted}
    return with_definitions(body, wanted)


def without_note(body: str) -> str:
    """Leave out the note that a page was collected without a language model: one has written on it since."""
    return replace(
        body,
        [
            (one.start, len(body) - len(body[one.end :].lstrip("\r\n")), "")
            for one in pieces(body)
            if one.kind == "block" and one.text.lstrip("> ").startswith(COLLECTED)
        ],
    )


def heading(title: str) -> str:
    """Render a page's heading."""
    return f"# {quote_inline(title)}"


def first_words(body: str) -> str:
    """Give the first claim of a text, for a page whose draft describes it by nothing."""
    claims = (statement for statement in read_blocks(body).statements if is_claim(statement))
    return next((one_line(plain(one.bare), _DESCRIBED) for one in claims), "")


def names_of(update: ConsolidatedPageUpdate, session_id: str) -> dict[str, str]:
    """Give the title and the description of an update: without footnotes, and with words in any case."""
    title = without_marks(update.title).replace(UNSOURCED, "").strip()
    if not _WORD.search(safe_title(title)):
        title = first_words(update.body) or f"{update.kind.capitalize()} {session_id[:8]}"
    return {"title": title, "description": without_marks(update.description).replace(UNSOURCED, "").strip()}


def new_names(names: Iterable[str], more: Iterable[str], title: str) -> list[Yaml]:
    """Give the names among `more` that are new to a page: neither its title nor one of its aliases."""
    known = {portable(name) for name in (title, *names)}
    found = {portable(name): name for name in map(safe_title, more) if name}
    return [name for key, name in found.items() if key not in known]


def revised_front(page: Page, update: ConsolidatedPageUpdate, *, additive: bool) -> dict[str, Yaml]:
    """Bring the names, the description and the tags of an update into a page's front matter.

    With `additive` nothing that stands is replaced.
    """
    title, description = safe_title(update.title), safe_description(update.description)
    renamed = bool(title) and title != page.title and not additive
    values: dict[str, Yaml] = {}
    if not page.type:
        values["type"] = update.kind.capitalize()
    if renamed:
        values["title"] = title
    if description and description != page.description and not (additive and page.description):
        values["description"] = description
    tags = {tag.casefold() for tag in page.tags}
    new = [tag for tag in safe_tags(update.tags) if tag.casefold() not in tags]
    if new:
        values["tags"] = [*page.tags, *new]
    former = (page.title,) if renamed else ()
    names = new_names(page.aliases, (*former, *update.aliases), title if renamed else page.title)
    if names:
        values["aliases"] = [*page.aliases, *names]
    return put(page.front, values)
